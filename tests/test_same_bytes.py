"""The same hands make the same numbers to the last digit, whichever thread adds up first."""

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.reports.data import gather
from razzstats.reports.page import render_page
from razzstats.stats.filters import Filters
from razzstats.stats.frames import exact_sum
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database

SAMPLES = Path(__file__).parent.parent / "sample_histories"
COPIES = 150  # DuckDB shares rows out among threads by some hundred thousand
APART = 2**40
COPIED = ("hands", "hand_players", "hand_luck", "player_luck", "starting_hands")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The samples many times over, each copy a little later than the one before."""
    path = tmp_path_factory.mktemp("many") / "many.duckdb"
    with Database.open(path) as database:
        import_paths(database, [str(SAMPLES)])
        measure_hands(database)
        for table in COPIED:  # what sums are of; decisions are only counted
            changed = f"hid + copy * {APART} AS hid"
            if table in ("hands", "hand_players"):
                changed += ", played_at + to_days(copy::INTEGER) AS played_at"
            database.rows(
                f"INSERT INTO {table} BY NAME SELECT * EXCLUDE (copy) REPLACE ({changed})"
                f" FROM {table}, unnest(range(1, {COPIES})) AS copies(copy)"
            )
        database.rows("SET threads = 4")
        yield database


def test_a_sum_is_the_same_in_any_order() -> None:
    fractions = [Random(1).randrange(-9_999, 9_999) / bet for bet in (60, 70, 90, 110) * 500]
    with Database.in_memory() as database:
        database.rows("SET threads = 1")  # rows are added up as they are listed
        found, plain = set(), set()
        for seed in range(10):
            Random(seed).shuffle(fractions)
            ((exact, inexact),) = database.rows(
                f"SELECT {exact_sum('x')}, sum(x) FROM (SELECT unnest(?::DOUBLE[]) AS x)",
                (fractions,),
            )
            found.add(exact)
            plain.add(inexact)
    assert len(plain) > 1, "the order matters"
    (total,) = found
    assert total == pytest.approx(math.fsum(fractions), rel=1e-14)


def test_a_sum_counts_the_rows_that_meet_the_condition() -> None:
    with Database.in_memory() as database:
        ((thirds, none),) = database.rows(
            f"""SELECT {exact_sum("x / 3", "x > 1")}, {exact_sum("x", "x > 9")}
            FROM (SELECT unnest([1, 2, 5, NULL]) AS x)"""
        )
    assert thirds == pytest.approx(7 / 3, rel=1e-14)
    assert none is None


def test_a_sum_of_more_than_any_chips_fails_nothing() -> None:
    with Database.in_memory() as database:
        ((total,),) = database.rows(
            f"SELECT {exact_sum('x')} FROM (SELECT unnest([1e300, 2.5, -1e30]) AS x)"
        )
    assert total == 2.5


@pytest.mark.parametrize("name", ["overview", "stakes", "sessions", "luck", "starting-hands"])
def test_a_table_of_very_many_hands_is_the_same_each_time(many: Database, name: str) -> None:
    frames = [TABLE_FUNCTIONS[name](many, Filters(all_players=True)) for _ in range(4)]
    for frame in frames[1:]:
        assert frame.equals(frames[0])


def test_a_report_of_very_many_hands_is_the_same_each_time(many: Database) -> None:
    first, second = (render_page(gather(many, Filters(all_players=True), tell_hands=False))
                     for _ in range(2))  # fmt: skip
    assert first == second
