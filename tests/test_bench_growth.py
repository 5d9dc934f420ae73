"""The benchmark of the growing archive, over few hands: what it copies counts, and it tells all."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent / "bench"))  # benchmarks import each other by name

from archive import COPIED, make_archives
from test_growth import QUESTIONS, Measured, lines_of_table, measure

from razzstats.stats.filters import Filters
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database

FEW, MANY = 200, 400


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Databases of simulated hands, and of the same with a copy of each."""
    return dict(make_archives(tmp_path_factory.mktemp("growth"), (FEW, MANY)))


@pytest.fixture(scope="module")
def archives(paths: dict[int, Path]) -> Iterator[tuple[Database, Database]]:
    few, many = (Database.open(paths[hands], read_only=True) for hands in (FEW, MANY))
    with few, many:
        yield few, many


def both(archives: tuple[Database, Database], table: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    few, many = (TABLE_FUNCTIONS[table](database, Filters()) for database in archives)
    return few, many


def test_every_table_of_hands_doubles(archives: tuple[Database, Database]) -> None:
    few, many = archives
    for table in COPIED:
        ((before,),) = few.rows(f"SELECT count(*) FROM {table}")
        assert before
        assert many.rows(f"SELECT count(DISTINCT t) FROM {table} AS t") == [(2 * before,)], table


def test_no_table_of_hands_is_left_out(archives: tuple[Database, Database]) -> None:
    found = archives[0].rows("SELECT table_name FROM duckdb_columns() WHERE column_name = 'hid'")
    assert {name for (name,) in found} == set(COPIED)


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        ("door-cards", ["hands", "won", "net", "vpip_chances", "complete_chances"]),
        ("door-streets", ["reached", "folded", "won", "net_big_bets"]),
        ("starting-hands", ["hands", "won", "net"]),
        ("streets", ["reached", "checks", "bets", "raises", "calls"]),
    ],
)
def test_counts_double(archives: tuple[Database, Database], table: str, counts: list[str]) -> None:
    few, many = both(archives, table)
    assert few[counts[0]].sum() >= FEW
    pd.testing.assert_frame_equal(many[counts], 2 * few[counts])


def test_rates_stay(archives: tuple[Database, Database]) -> None:
    few, many = (each.set_index("id") for each in both(archives, "overview"))
    once = ["hands", "sessions", "net_usd"]
    pd.testing.assert_frame_equal(many.loc[once, ["value"]], 2 * few.loc[once, ["value"]])
    pd.testing.assert_series_equal(many["value"].drop(once), few["value"].drop(once))
    assert few.loc[once, "value"].tolist()[:2] == [FEW, 1]


def test_copies_have_sessions_and_opponents_of_their_own(
    archives: tuple[Database, Database],
) -> None:
    few, many = both(archives, "sessions")
    assert many["hands"].tolist() == 2 * few["hands"].tolist() == [FEW, FEW]
    assert many["biggest_pot_hand"].nunique() == 2
    few, many = both(archives, "opponents")
    assert len(many) == 2 * len(few) > 0
    assert many["hands"].sum() == 2 * few["hands"].sum()


def test_a_copied_text_tells_its_own_number(archives: tuple[Database, Database]) -> None:
    told = """SELECT count(*) FROM hands JOIN hand_texts USING (hid)
        WHERE contains(text, '#' || hand_no || ':')"""
    assert archives[1].rows(told) == [(MANY,)]


def test_questions_are_timed_at_each_size(paths: dict[int, Path]) -> None:
    quick = [name for name in QUESTIONS if name != "report"]
    for hands, path in paths.items():
        measured = measure(hands, path, quick)
        assert (measured.hands, measured.size) == (hands, path.stat().st_size)
        assert list(measured.seconds) == quick
        assert all(seconds > 0 for seconds in measured.seconds.values())


def test_the_report_that_is_timed_is_a_whole_page(archives: tuple[Database, Database]) -> None:
    assert QUESTIONS["report"](archives[0]) > 2_000_000  # the script of the charts alone


def test_growth_is_how_many_times_the_smaller_takes() -> None:
    first = Measured(200, 1_000_000, dict.fromkeys(QUESTIONS, 0.5))
    second = Measured(4_000, 6_000_000, dict.fromkeys(QUESTIONS, 0.75))
    titles, *lines, size, each = map(str.split, lines_of_table([first, second]))
    assert titles == ["200", "4,000", "to", "4,000"]
    assert [line[0] for line in lines] == [name.split()[0] for name in QUESTIONS]
    assert all(line[-4:] == ["0.500", "0.750", "×", "1.5"] for line in lines)
    assert size[-2:] == ["1.0", "6.0"]
    assert each[-2:] == ["5,000", "1,500"]
