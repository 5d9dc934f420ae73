"""The public functions: what they open and read, what they return, and what they say is wrong."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hands import SAMPLES
from pandas.testing import assert_frame_equal

import razzstats
from razzstats.errors import NoDatabase
from razzstats.measuring import count_unmeasured
from razzstats.places import default_database
from razzstats.settings import SettingsError
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.tables import TABLE_FUNCTIONS

SESSION = SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt"
EVERYBODY = razzstats.Filters(all_players=True)


@pytest.fixture(scope="module")
def session() -> Iterator[razzstats.Database]:
    with razzstats.load(SESSION) as database:
        yield database


@pytest.fixture
def nobodys_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has settled nothing and has no database; returns where it would be."""
    for name in ("RAZZSTATS_DB", "RAZZSTATS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return default_database()


def made(path: Path, *files: Path, measured: bool = True) -> Path:
    """Import files into a database at a path, which is returned."""
    with razzstats.Database.open(path) as database:
        razzstats.import_paths(database, map(str, files or (SESSION,)))
        if measured:
            razzstats.measure_hands(database)
    return path


def number_of_hands(database: razzstats.Database) -> int:
    return len(razzstats.results(database, EVERYBODY).drop_duplicates("hand_no"))


def broken_copy(folder: Path) -> Path:
    """Write the session with one hand in which somebody brings in twice as much as he should."""
    path = folder / "broken.txt"
    text = SESSION.read_text(encoding="utf-8")
    path.write_text(text.replace("brings in for $0.50", "brings in for $0.70", 1), encoding="utf-8")
    return path


# ---- names


@pytest.mark.parametrize("name", razzstats.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(razzstats, name).__name__ == name
    assert getattr(razzstats, name).__doc__
    assert name in dir(razzstats)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = razzstats.no_such_name


def test_importing_the_package_loads_nothing_big() -> None:
    big = {"duckdb", "lark", "numpy", "pandas", "plotly", "rich", "typer"}
    script = f"import sys, razzstats; print(sorted({big} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr


# ---- the user's database


def test_a_path_goes_before_the_environment_and_that_before_the_default(
    tmp_path: Path, nobodys_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = SAMPLES / "pokerstars" / "edge-walk.txt"
    made(nobodys_place, SAMPLES / "pokerstars" / "cash-heads-up-short-stacks.txt")
    with razzstats.open() as database:
        assert database.place == str(nobodys_place)
    monkeypatch.setenv("RAZZSTATS_DB", str(made(tmp_path / "variable.duckdb", small)))
    with razzstats.open() as database:
        assert number_of_hands(database) == 1
    with razzstats.open(str(made(tmp_path / "argument.duckdb"))) as database:
        assert number_of_hands(database) == 75


def test_the_setting_names_the_database_too(
    tmp_path: Path, nobodys_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path / "settled.duckdb")
    config = tmp_path / "config.toml"
    monkeypatch.setenv("RAZZSTATS_CONFIG", str(config))
    config.write_text("db = 'settled.duckdb'\n", encoding="utf-8")
    with razzstats.open() as database:
        assert number_of_hands(database) == 75
    config.write_text("db = 7\n", encoding="utf-8")
    with pytest.raises(SettingsError):
        razzstats.open()
    razzstats.open(tmp_path / "settled.duckdb").close()  # the setting is not asked


def test_opening_measures_what_is_left(tmp_path: Path) -> None:
    path = made(tmp_path / "hands.duckdb", measured=False)
    with razzstats.Database.open(path, read_only=True) as database:
        assert count_unmeasured(database) == 75
    with razzstats.open(path) as database:
        assert razzstats.luck_table(database)["measured"].sum() > 0
        assert not razzstats.third_street(database)["chances"].eq(0).all()
        with pytest.raises(Exception, match="read-only"):
            database.rows("DELETE FROM hands")


def test_what_cannot_be_measured_now_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "hands.duckdb", measured=False)
    message = "luck and decisions of 75 hands are not measured yet"
    with razzstats.Database.open(path, read_only=True):  # so nobody can write
        with pytest.warns(UserWarning, match=message) as told, razzstats.open(path) as database:
            assert number_of_hands(database) == 75
        assert told[0].filename == __file__, "the warning points at the line that opens"


def test_a_database_that_cannot_be_opened_is_an_error_with_a_sentence(
    tmp_path: Path, nobodys_place: Path
) -> None:
    with pytest.raises(NoDatabase, match="there is no database at") as error:
        razzstats.open()
    assert isinstance(error.value, razzstats.DatabaseError)
    assert str(nobodys_place) in str(error.value)
    assert not nobodys_place.exists(), "looking for a database makes none"
    text = tmp_path / "text.duckdb"
    text.write_text("no database " * 1000, encoding="utf-8")
    with pytest.raises(razzstats.DatabaseError, match="is not a database of razzstats"):
        razzstats.open(text)


# ---- files


def test_files_are_read_and_measured() -> None:
    paths: list[str | Path] = [SESSION, str(SAMPLES / "merge")]
    with razzstats.load(*paths) as database:
        assert count_unmeasured(database) == 0
        rooms = set(razzstats.results(database)["site"])
    assert rooms == {"pokerstars", "merge"}


def test_a_file_that_fails_is_an_error_that_names_it(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("to do: fold more\n", encoding="utf-8")
    with pytest.raises(razzstats.FailedFiles) as error:
        razzstats.load(SESSION, note, tmp_path / "none.txt")
    message = str(error.value)
    assert f"{note}:1:1: error[RZ003]" in message
    assert str(tmp_path / "none.txt") in message
    assert str(SESSION) not in message
    assert "load_with_reports" in message
    assert [report.failed for report in error.value.reports] == [False, True, True]


def test_an_error_of_many_files_stays_short(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.txt").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(razzstats.FailedFiles, match="and 25 more") as error:
        razzstats.load(tmp_path)
    assert str(error.value).count(str(tmp_path)) == 5
    assert len(error.value.reports) == 30


def test_reports_come_with_what_could_be_read(tmp_path: Path) -> None:
    database, reports = razzstats.load_with_reports(SESSION, tmp_path / "none.txt")
    with database:
        assert number_of_hands(database) == 75
        assert count_unmeasured(database) == 0
    assert [(report.stored, report.failed) for report in reports] == [(75, False), (0, True)]


def test_hands_that_do_not_add_up_are_listed(tmp_path: Path) -> None:
    with razzstats.load(broken_copy(tmp_path)) as database:
        assert number_of_hands(database) == 74
        rejected = razzstats.rejected_hands(database)
    assert rejected["hand_no"].tolist() == ["261690122075"]
    assert rejected["code"].tolist() == ["RZ501"], "the pot does not add up"


def test_a_home_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "hands.txt").write_bytes(SESSION.read_bytes())
    made(tmp_path / "hands.duckdb")
    with razzstats.load("~/hands.txt") as read, razzstats.open("~/hands.duckdb") as opened:
        assert number_of_hands(read) == number_of_hands(opened) == 75
    assert sum(1 for _ in razzstats.parse_hands("~/hands.txt")) == 75


def test_no_path_and_no_variant_are_errors() -> None:
    with pytest.raises(razzstats.RazzstatsError, match="no path is given"):
        razzstats.load()
    with pytest.raises(razzstats.RazzstatsError, match="no path is given"):
        razzstats.parse_hands()
    for read in (razzstats.load, razzstats.load_with_reports, razzstats.parse_hands):
        with pytest.raises(razzstats.RazzstatsError, match="razz, home-game, ace-to-six"):
            read(SESSION, variant="badugi")


def test_a_variant_says_by_which_rules_hands_are_read() -> None:
    with razzstats.load(SESSION, variant="ace-to-six") as database:
        assert len(razzstats.results(database)) == 0
        found = razzstats.results(database, razzstats.Filters(game="ace-to-six"))
        rejected = razzstats.rejected_hands(database)
    assert len(rejected) > 0, "pots that a straight or a flush took in Razz"
    assert len(found) + len(rejected) == 75


def test_hands_are_parsed_without_a_database(tmp_path: Path) -> None:
    outcomes = list(razzstats.parse_hands(broken_copy(tmp_path), tmp_path / "none.txt"))
    assert [str(outcome.status) for outcome in outcomes] == [
        "rejected",
        *["ok"] * 74,
        "failed-file",
    ]
    assert outcomes[0].reason.code.id == "RZ501"
    assert outcomes[-1].reason.code.id == "RZ001"
    assert all(outcome.hand for outcome in outcomes[1:75])


# ---- tables


def function_of(table: str) -> Any:
    """Return the public function whose docstring says that it makes a table of the catalogue."""
    functions = [getattr(razzstats, name) for name in razzstats.__all__]
    says = re.compile(rf"Columns: those of the table ``{table}``")
    (found,) = [each for each in functions if says.search(each.__doc__)]
    return found


@pytest.mark.parametrize("name", TABLE_BY_NAME)
@pytest.mark.parametrize("filters", [razzstats.Filters(), EVERYBODY], ids=["hero", "everybody"])
def test_each_table_has_a_function(
    name: str, filters: razzstats.Filters, session: razzstats.Database
) -> None:
    found = function_of(name)(session, filters)
    assert list(found.columns) == [column.key for column in TABLE_BY_NAME[name].columns]
    assert_frame_equal(found, TABLE_FUNCTIONS[name](session, filters))
    assert_frame_equal(found, razzstats.table(session, name, filters))


@pytest.mark.parametrize("name", TABLE_BY_NAME)
def test_filters_may_be_left_out(name: str, session: razzstats.Database) -> None:
    expected = TABLE_FUNCTIONS[name](session, razzstats.Filters())
    assert_frame_equal(function_of(name)(session), expected)
    assert_frame_equal(razzstats.table(session, name), expected)


@pytest.mark.parametrize("name", ["results", "hand-rates", "third-street", "street-rates"])
def test_rates_are_split_by_a_group(name: str, session: razzstats.Database) -> None:
    split = function_of(name)(session, by="players")
    assert set(split["group"]) == {"5", "6"}
    assert_frame_equal(split, razzstats.table(session, name, by="players"))
    with pytest.raises(razzstats.RazzstatsError, match="'suits' is no group; choose from door"):
        function_of(name)(session, by="suits")


def test_a_table_that_does_not_exist_is_told(session: razzstats.Database) -> None:
    with pytest.raises(razzstats.RazzstatsError, match="no table; choose from overview, door-car"):
        razzstats.table(session, "doors")
    with pytest.raises(razzstats.RazzstatsError, match="no table that can be split; choose from"):
        razzstats.table(session, "overview", by="players")
    with pytest.raises(razzstats.RazzstatsError, match="no table; choose from overview, door-car"):
        razzstats.columns("doors")


@pytest.mark.parametrize("name", TABLE_BY_NAME)
def test_columns_are_defined(name: str, session: razzstats.Database) -> None:
    defined = razzstats.columns(name)
    assert defined["key"].tolist() == razzstats.table(session, name).columns.tolist()
    assert defined["definition"].str.len().min() > 2


def test_hands_and_decisions_take_filters(session: razzstats.Database) -> None:
    aces = razzstats.Filters(doors=frozenset({1}))
    for ask in (razzstats.results, razzstats.biggest_pots):
        assert 0 < len(ask(session, aces)) < len(ask(session))
    assert set(razzstats.biggest_pots(session, aces)["door_rank"]) == {1}
    some = razzstats.decisions(session, aces, equities=False)
    assert 0 < len(some) < len(razzstats.decisions(session, equities=False))
    assert razzstats.gather(session, aces).hands == len(razzstats.results(session, aces))
    spots = [
        sum(finding.spots for finding in razzstats.find_leaks(session, filters))
        for filters in (aces, razzstats.Filters())
    ]
    assert 0 < spots[0] < spots[1]


def test_leaks_are_priced_when_asked(session: razzstats.Database) -> None:
    plain = razzstats.leak_frame(razzstats.find_leaks(session))
    priced = razzstats.leak_frame(razzstats.find_leaks(session, price_all=True))
    assert priced["priced"].sum() > plain["priced"].sum()


# ---- equity


GOLDEN = {
    ("Ac2d3h", "4s5c6d"): (9_651_514_149, 6_515_802, 18_265_297_050),
    ("Ac2d3h", "7s8cKd"): (14_058_109_951, 3_340_278, 18_265_297_050),
    ("Ac2d3h7s", "4s5c8dKh"): (115_636_281, 8_991, 141_181_040),
    ("Ac2d3h9sKdQc", "4s5c6d8hTsJh"): (420, 0, 1_560),
}


@pytest.mark.parametrize("hands", GOLDEN)
def test_equity_is_exact(hands: tuple[str, str]) -> None:
    found = razzstats.equity_of(*hands)
    assert (found.win(0), found.tie(0), found.deals) == GOLDEN[hands]
    assert found.exact
    assert found.share(0) + found.share(1) == 1


def test_dead_cards_are_dealt_to_nobody() -> None:
    found = razzstats.equity_of("Ac2d3h9sKdQc", "4s5c6d8hTsJh", dead="7s 7h 7d 7c")
    assert found.deals == (52 - 12 - 4) * (52 - 12 - 5)


def test_a_sample_says_that_it_is_one() -> None:
    found = razzstats.equity_of("A23", "78K", samples=2_000, seed=3)
    assert (found.exact, found.deals) == (False, 2_000)
    assert abs(float(found.share(0)) - 0.7698) < 5 * found.standard_error(0)
    assert found == razzstats.equity_of("A23", "78K", samples=2_000, seed=3)


def test_a_variant_ranks_hands_by_its_rules() -> None:
    wheel, six = "Ac2d3h4s5c", "Ad2c3s4h6d"
    hands = (wheel + "KdKh", six + "QcQs")
    assert razzstats.equity_of(*hands).share(0) == 1
    assert razzstats.equity_of(*hands, variant="ace-to-six").share(0) == 0, "a straight is high"


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (("Ac2d3h", "AcKdKh"), "Ac is there twice"),
        (("Ac2d3h",), "two to 8 hands"),
        (("Ac2d3h", "hello"), "is no hand"),
    ],
)
def test_hands_that_cannot_be_dealt_are_told(hands: tuple[str, ...], message: str) -> None:
    with pytest.raises(razzstats.RazzstatsError, match=message):
        razzstats.equity_of(*hands)


def test_frames_are_frames(session: razzstats.Database) -> None:
    last = razzstats.Filters(session=razzstats.LastSession.LAST)
    compared = razzstats.compared_frame(razzstats.compare_with_usual(session, last))
    assert isinstance(compared, pd.DataFrame)
    assert (compared["mistakes"] > 0).all()
