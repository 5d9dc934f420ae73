"""The speed of statistics and reports over very many hands, beside a plain scan of the same rows.

``pytest -m bench -s tests/bench`` prints the table; nothing in here decides a test. The number of
hands is RAZZSTATS_HANDS, a million if it is not set; `archive` tells how they are made.
"""

import os
import time
from collections.abc import Callable, Iterator, Sized
from functools import partial
from typing import NamedTuple

import pytest
from archive import FLOOR, make_archives

from razzstats.reports.data import gather
from razzstats.reports.page import render_page
from razzstats.stats.filters import Filters, LastSession
from razzstats.stats.groups import GROUP_BY_NAME
from razzstats.stats.leaks.finder import find_leaks
from razzstats.stats.tables import GROUPED_TABLES, TABLE_FUNCTIONS, count_hands
from razzstats.storage import Database

pytestmark = pytest.mark.bench

HANDS = int(os.environ.get("RAZZSTATS_HANDS", "1000000"))
GROUPS = ("door", "stakes", "month", "session", "opponent", "behind", "low-doors", "pot")
OF_ALL_PLAYERS = ("overview", "third-street", "positions", "sessions", "money")
BEST_OF = 2


class Timed(NamedTuple):
    """How long something took, and how many rows came of it."""

    name: str
    seconds: float
    rows: int


# ---- the database


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    begin = time.perf_counter()
    ((hands, path),) = make_archives(tmp_path_factory.mktemp("statistics"), (HANDS,))
    # Opened anew it is what a command finds: written to the disk, nothing of it in memory.
    with Database.open(path, read_only=True) as opened:
        spent, size = time.perf_counter() - begin, path.stat().st_size / 1e6
        print(f"\n{hands:,} hands: {spent:.0f} s, {size:,.0f} MB")
        yield opened


# ---- what is timed


def timed(name: str, run: Callable[[], int], times: int = BEST_OF) -> Timed:
    """Return the shortest time of a call that returns the number of its rows."""
    spent, rows = [], 0
    for _ in range(times):
        begin = time.perf_counter()
        rows = run()
        spent.append(time.perf_counter() - begin)
    return Timed(name, min(spent), rows)


def rows_of(make: Callable[[], Sized]) -> Callable[[], int]:
    return lambda: len(make())


def show(floor: Timed, found: list[Timed]) -> None:
    """Print the times, the slowest last; every table has rows."""
    width = max(len(each.name) for each in found)
    print(f"\n{'':{width}} {'seconds':>9} {'scans':>9} {'rows':>9}")
    for name, seconds, rows in [floor, *sorted(found, key=lambda each: each.seconds)]:
        print(f"{name:{width}} {seconds:9.3f} {seconds / floor.seconds:9,.1f} {rows:9,}")
        assert rows


@pytest.fixture(scope="module")
def floor(database: Database) -> Timed:
    """A plain scan of the rows that the tables are about."""
    return timed("plain scan", lambda: len(database.rows(FLOOR)), times=5)


# ---- the tables


def test_every_table(database: Database, floor: Timed) -> None:
    filters = Filters()
    found = [timed("count_hands", lambda: count_hands(database, filters))]
    for name, table in TABLE_FUNCTIONS.items():
        found.append(timed(name, rows_of(partial(table, database, filters))))
    show(floor, found)


def test_tables_by_groups(database: Database, floor: Timed) -> None:
    found = []
    for name, table in GROUPED_TABLES.items():
        for group in GROUPS:
            make = partial(table, database, Filters(), GROUP_BY_NAME[group])
            found.append(timed(f"{name} by {group}", rows_of(make)))
    show(floor, found)


def test_tables_of_all_players(database: Database, floor: Timed) -> None:
    filters = Filters(all_players=True)
    found = [
        timed(f"{name} of all", rows_of(partial(TABLE_FUNCTIONS[name], database, filters)))
        for name in OF_ALL_PLAYERS
    ]
    show(floor, found)


def test_all_leaks(database: Database, floor: Timed) -> None:
    make = partial(find_leaks, database, Filters())
    show(floor, [timed("leaks", rows_of(make), times=1)])


def page_size(database: Database, filters: Filters) -> int:
    return len(render_page(gather(database, filters)))


def test_reports(database: Database, floor: Timed) -> None:
    """As rows stand the bytes of the page."""
    last = Filters(session=LastSession.LAST)
    found = [
        timed(name, partial(page_size, database, filters))
        for name, filters in (("page of all hands", Filters()), ("page of a session", last))
    ]
    show(floor, found)
