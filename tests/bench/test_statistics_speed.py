"""The speed of statistics and reports over very many hands, beside a plain scan of the same rows.

``pytest -m bench -s tests/bench`` prints the table; nothing in here decides a test. The number of
hands is RAZZSTATS_HANDS, a million if it is not set.

Only the first hands are simulated, imported and measured, two hundred a session at tables of
several sizes and stakes. The others are copies of their rows, made by SQL: each copy follows the
one before in time and in number, and has other opponents by name, with the same cards, decisions,
luck and texts, in which the opponents keep their names.
"""

import os
import time
from collections.abc import Callable, Iterator, Sized
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.reports.data import gather
from razzstats.reports.page import render_page
from razzstats.simulate import DOLLARS, Setup, render_hands, simulate_hands, usual_stakes
from razzstats.stats.filters import Filters, LastSession
from razzstats.stats.groups import GROUP_BY_NAME
from razzstats.stats.leaks.finder import find_leaks
from razzstats.stats.tables import GROUPED_TABLES, TABLE_FUNCTIONS, count_hands
from razzstats.storage import Database

pytestmark = pytest.mark.bench

HANDS = int(os.environ.get("RAZZSTATS_HANDS", "1000000"))
SIMULATED = 10_000
HANDS_A_SESSION = 200
SEATS = (2, 6, 6, 6, 8)
SMALL_BETS = (50, 50, 200, 200, 200, 400, 400)  # cents
NAMES = tuple(f"player {number}" for number in range(1, 301))
START = datetime(2015, 1, 1, 19, tzinfo=UTC)
BETWEEN_SESSIONS = timedelta(hours=12)
NUMBERS_A_SESSION = 100_000_000
NUMBERS_A_COPY = 10_000_000_000
NUMBER_BITS = 2**56 - 1  # of a hand's key: its number at its room

COPIED = (
    "hands", "hand_players", "actions", "decisions", "spots", "hand_luck", "player_luck",
    "starting_hands", "hand_texts",
)  # fmt: skip
GROUPS = ("door", "stakes", "month", "session", "opponent", "behind", "low-doors", "pot")
OF_ALL_PLAYERS = ("overview", "third-street", "positions", "sessions", "money")
FLOOR = "SELECT count(*), sum(net / big_bet) FROM hand_players WHERE is_hero"
BEST_OF = 2


class Timed(NamedTuple):
    """How long something took, and how many rows came of it."""

    name: str
    seconds: float
    rows: int


# ---- the database


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("statistics")
    path, begin = folder / "razz.duckdb", time.perf_counter()
    with Database.open(path) as made:
        simulated = simulate_into(made, folder / "hands", min(HANDS, SIMULATED))
        with made.transaction():
            copy_until(made, HANDS, simulated)
    # Opened anew it is what a command finds: written to the disk, nothing of it in memory.
    with Database.open(path, read_only=True) as opened:
        ((hands,),) = opened.rows("SELECT count(*) FROM hands")
        spent, size = time.perf_counter() - begin, path.stat().st_size / 1e6
        print(f"\n{hands:,} hands, {simulated:,} of them simulated: {spent:.0f} s, {size:,.0f} MB")
        yield opened


def simulate_into(database: Database, folder: Path, hands: int) -> int:
    """Import and measure simulated hands, a file a session; return their number."""
    folder.mkdir()
    for session in range(-(-hands // HANDS_A_SESSION)):
        setup = Setup(
            stakes=usual_stakes(DOLLARS, SMALL_BETS[session % len(SMALL_BETS)]),
            start=START + session * BETWEEN_SESSIONS,
            first_number=NUMBERS_A_COPY + session * NUMBERS_A_SESSION,
            names=NAMES,
        )
        number = min(HANDS_A_SESSION, hands - session * HANDS_A_SESSION)
        played = simulate_hands(number, SEATS[session % len(SEATS)], session, setup)
        text = "".join(render_hands(played))
        (folder / f"session-{session:04}.txt").write_text(text, encoding="utf-8")
    reports = import_paths(database, [str(folder)])
    assert sum(report.stored for report in reports) == hands
    return measure_hands(database)


def copy_until(database: Database, hands: int, simulated: int) -> None:
    """Copy the rows of all hands until there are so many."""
    apart = -(-simulated // HANDS_A_SESSION) * BETWEEN_SESSIONS
    for table in COPIED:
        database.rows(f"CREATE TEMP TABLE first_{table} AS SELECT * FROM {table}")
    for copy in range(1, -(-hands // simulated)):
        missing = min(simulated, hands - copy * simulated)
        chosen = f"SELECT hid FROM first_hands ORDER BY played_at, hid LIMIT {missing}"
        for table in COPIED:
            columns = ", ".join(changed_columns(table, copy, apart))
            database.rows(
                f"INSERT INTO {table} BY NAME SELECT * REPLACE ({columns}) FROM first_{table}"
                f" WHERE hid IN ({chosen}) ORDER BY first_{table}.rowid"
            )
    for table in COPIED:
        database.rows(f"DROP TABLE first_{table}")


def changed_columns(table: str, copy: int, apart: timedelta) -> Iterator[str]:
    """Yield as SQL what tells a copy from the first hands."""
    numbers = copy * NUMBERS_A_COPY
    yield f"hid + {numbers} AS hid"
    if table in ("hands", "hand_players"):
        yield f"played_at + to_seconds({copy * apart.total_seconds()}) AS played_at"
    if table == "hands":
        yield f"(hand_no::BIGINT + {numbers})::VARCHAR AS hand_no"
    if table == "hand_texts":
        number = f"(hid & {NUMBER_BITS})"
        yield f"replace(text, '#' || {number}, '#' || ({number} + {numbers})) AS text"
    if table == "hand_players":
        yield f"if(is_hero, name, name || ' of {copy}') AS name"


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
