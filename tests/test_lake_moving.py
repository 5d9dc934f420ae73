"""Databases into lakes, and one player's hands out of a lake into a database of his own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli import half_a_hand, hand, razzstats, write, wrong_hand
from hands import SAMPLES
from lake_scenes import Killed, Tables, import_here, in_the_lake, killed_at, messy_files
from lakes import tables_of

from razzstats.errors import RazzstatsError
from razzstats.importing import import_paths
from razzstats.lake import extracting, moving
from razzstats.lake.extracting import ExtractReport, extract_player
from razzstats.lake.moving import ExportReport, export_to_lake
from razzstats.measuring import measure_hands
from razzstats.storage import Database
from razzstats.storage.checkup import disagreements
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.manifest import Manifest


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let some dozens of hands be as many as are moved at a time."""
    monkeypatch.setattr(moving, "_AT_ONCE", 10)
    monkeypatch.setattr(moving, "_GROUP_HANDS", 25)
    monkeypatch.setattr(extracting, "_AT_ONCE", 10)


def database_of(path: Path, *sources: Path) -> Path:
    """Make a database of files, or add them to it."""
    with Database.open(path) as database:
        import_paths(database, [*map(str, sources)])
        measure_hands(database)
    return path


def export(path: Path, lake: Path) -> ExportReport:
    with Database.open(path, read_only=True) as database:
        return export_to_lake(database, files_at(lake))


def in_file(path: Path) -> Tables:
    """Return the tables of a database, which must be whole."""
    with Database.open(path, read_only=True) as database:
        assert disagreements(database) == []
        return tables_of(database)


def entries(lake: Path) -> int:
    return Manifest(files_at(lake)).state().number


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    folder = tmp_path / "messy"
    folder.mkdir()
    messy_files(folder)
    return folder


# ---- export


def test_a_lake_is_what_the_database_is(messy: Path, tmp_path: Path) -> None:
    path = database_of(tmp_path / "a.duckdb", messy, SAMPLES)
    report = export(path, tmp_path / "lake")
    tables = in_file(path)
    assert in_the_lake(tmp_path / "lake") == tables
    assert {"rejected", "diagnostics"} <= {name for name, rows in tables.items() if rows}
    assert report == ExportReport(files=len(tables["files"]), hands=len(tables["hands"]))
    assert entries(tmp_path / "lake") > 5


def test_a_second_export_adds_nothing(messy: Path, tmp_path: Path) -> None:
    path, lake = database_of(tmp_path / "a.duckdb", messy), tmp_path / "lake"
    files = export(path, lake).files
    before = sorted(lake.rglob("*"))
    assert export(path, lake) == ExportReport(known=files)
    assert sorted(lake.rglob("*")) == before


def test_what_two_databases_have_in_common_is_there_once(tmp_path: Path) -> None:
    write(tmp_path, one=hand(1) + hand(2), two=hand(2) + hand(3), other=hand(1, name="Zoe"))
    lake = tmp_path / "lake"
    export(database_of(tmp_path / "a.duckdb", tmp_path / "one.txt"), lake)
    other = database_of(tmp_path / "b.duckdb", tmp_path / "two.txt", tmp_path / "other.txt")
    report = export(other, lake)
    assert (report.hands, report.duplicates, report.conflicts) == (1, 1, 1)
    assert [found.code.name for found in report.findings] == ["conflicting-hand"]
    whole = database_of(tmp_path / "c.duckdb", *(tmp_path / f"{n}.txt" for n in ("one", "two")))
    whole = database_of(whole, tmp_path / "other.txt")
    assert in_the_lake(lake) == in_file(whole)


def test_an_import_knows_what_an_export_brought_and_the_other_way_round(
    messy: Path, tmp_path: Path
) -> None:
    path, lake, other = database_of(tmp_path / "a.duckdb", messy), tmp_path / "l", tmp_path / "o"
    export(path, lake)
    before = in_the_lake(lake)
    assert all(report.known or report.failed for report in import_here(lake, messy))
    assert in_the_lake(lake) == before
    import_here(other, messy)
    imported = in_the_lake(other)
    report = export(path, other)
    assert (report.files, report.hands) == (0, 0)
    assert in_the_lake(other) == imported


def test_a_hand_that_was_kept_apart_and_is_stored_from_elsewhere_stays_in_both(
    tmp_path: Path,
) -> None:
    # The first file grows after the second one brought the hand: its rejected reading is younger.
    write(tmp_path, a=hand(1), b=hand(2))
    path = database_of(tmp_path / "a.duckdb", tmp_path / "a.txt", tmp_path / "b.txt")
    write(tmp_path, a=hand(1) + wrong_hand(2))
    database_of(path, tmp_path / "a.txt")
    tables = in_file(path)
    assert len(tables["rejected"]) == 1
    export(path, tmp_path / "lake")
    assert in_the_lake(tmp_path / "lake") == tables


def test_what_was_read_from_standard_input_comes_too(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    for number in (1, 2):
        text = hand(number) + half_a_hand(10 + number)
        assert razzstats("import", "-", "--db", path, stdin=text.encode()).code == 0
    assert export(path, tmp_path / "lake") == ExportReport(files=2, hands=2)
    assert in_the_lake(tmp_path / "lake") == in_file(path)
    assert export(path, tmp_path / "lake") == ExportReport(known=2)


def test_one_content_in_two_readings_is_two_files(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b=hand(1))
    path = database_of(tmp_path / "a.duckdb", tmp_path / "a.txt")
    with Database.open(path) as database:
        database.rows("UPDATE files SET parser_version = 0")
    database_of(path, tmp_path / "b.txt")
    assert len(in_file(path)["files"]) == 2
    export(path, tmp_path / "lake")
    assert in_the_lake(tmp_path / "lake") == in_file(path)


def test_an_interrupted_import_comes_as_far_as_it_came(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + hand(2))
    path, lake = database_of(tmp_path / "a.duckdb", tmp_path / "a.txt"), tmp_path / "lake"
    with Database.open(path) as database:
        database.rows("UPDATE files SET status = 'begun', hands_seen = 1, stored = 1")
        database.delete_hands([hid for (hid,) in database.rows("SELECT max(hid) FROM hands")])
    assert export(path, lake) == ExportReport(files=1, cut_short=1, hands=1)
    assert in_the_lake(lake) == in_file(path)
    assert export(path, lake) == ExportReport(known=1)
    database_of(path, tmp_path / "a.txt")
    assert export(path, lake) == ExportReport(files=1, hands=1, duplicates=1)
    assert in_the_lake(lake) == in_file(path)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", [1, 20, 45])
def test_an_export_that_is_killed_goes_on(
    messy: Path, tmp_path: Path, step: int, *, after: bool
) -> None:
    path, lake = database_of(tmp_path / "a.duckdb", messy), tmp_path / "lake"
    with pytest.raises(Killed), killed_at(step, after=after):
        export(path, lake)
    export(path, lake)
    assert in_the_lake(lake) == in_file(path)


def test_unmeasured_hands_are_measured_first_or_refused(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    path, lake = tmp_path / "a.duckdb", tmp_path / "lake"
    with Database.open(path) as database:
        import_paths(database, [str(tmp_path / "a.txt")])
    with pytest.raises(RazzstatsError, match=r"1 hands in .* are not measured"):
        export(path, lake)
    assert not lake.exists()
    run = razzstats("lake", "export", "--db", path, "--lake", lake)
    assert run.code == 0
    assert "1 hand of 1 file put into the lake" in run.sentence
    assert len(in_the_lake(lake)["hand_luck"]) == 1


def test_what_cannot_be_exported_is_told(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    path, lake = database_of(tmp_path / "a.duckdb", tmp_path / "a.txt"), tmp_path / "lake"
    export(path, lake)
    run = razzstats("lake", "export", "--db", lake, "--lake", tmp_path / "other")
    assert (run.code, "is a lake itself" in run.sentence) == (2, True)
    run = razzstats("lake", "export", "--db", tmp_path / "none.duckdb", "--lake", lake)
    assert (run.code, "there is no database" in run.sentence) == (2, True)
    run = razzstats("lake", "export", "--db", path, "--lake", tmp_path)
    assert (run.code, "is not empty and no lake" in run.sentence) == (3, True)


# ---- extract


@contextmanager
def broken_off_after(batches: int) -> Iterator[None]:
    """Let the process die when so many batches were stored."""
    real, done = Database.transaction, 0

    @contextmanager
    def dying(database: Database) -> Iterator[None]:
        nonlocal done
        with real(database):
            yield
            # What was not committed is not there, wherever in it the process dies.
            if database.place.endswith("own.duckdb") and (done := done + 1) > batches:
                raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "transaction", dying)
        yield


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the samples and of hands of Anna and Ben."""
    folder = tmp_path_factory.mktemp("lake")
    write(folder, a=hand(1) + hand(2) + wrong_hand(3), b=hand(2) + hand(4, name="Zoe"))
    import_here(folder / "lake", folder / "a.txt", folder / "b.txt", SAMPLES / "pokerstars")
    return folder / "lake"


def extract(lake: Path, hero: str, path: Path, site: str | None = None) -> ExtractReport:
    return extract_player(files_at(lake), hero, path, site=site)


def of_player(lake: Path, hero: str) -> Tables:
    """Return the rows of hands of a player in a lake."""
    with Database.open(lake, read_only=True) as database:
        found = {
            hid for (hid,) in database.rows("SELECT hid FROM hand_players WHERE name = ?", (hero,))
        }
        tables = tables_of(database)
    assert found
    place = {table: _place_of_hid(table) for table in TABLES_OF_HANDS}
    return {
        table: [row for row in tables[table] if int(row[place[table]]) in found]
        for table in TABLES_OF_HANDS
    }


def _place_of_hid(table: str) -> int:
    with Database.in_memory() as database:
        ((place,),) = database.rows(
            "SELECT column_index FROM duckdb_columns() WHERE table_name = ? "
            "AND column_name = 'hid'", (table,)
        )  # fmt: skip
    return int(place) - 1


@pytest.mark.parametrize("hero", ["Anna", "Ben", "RazzHero"])
def test_a_player_has_all_his_hands_and_no_others(lake: Path, tmp_path: Path, hero: str) -> None:
    report = extract(lake, hero, tmp_path / "own.duckdb")
    own = in_file(tmp_path / "own.duckdb")
    expected = of_player(lake, hero)
    assert {table: own[table] for table in TABLES_OF_HANDS} == expected
    number = len(expected["hands"])
    assert report == ExtractReport(found=number, added=number)
    assert own["rejected"] == own["diagnostics"] == []
    with Database.open(tmp_path / "own.duckdb") as database:
        rows = dict(database.files())
        assert measure_hands(database) == 0
    assert [*rows] == [*range(1, len(rows) + 1)]
    assert sum(row.stored for row in rows.values()) == number


def test_a_second_extract_adds_nothing(lake: Path, tmp_path: Path) -> None:
    extract(lake, "Anna", tmp_path / "own.duckdb")
    before = in_file(tmp_path / "own.duckdb")
    assert extract(lake, "Anna", tmp_path / "own.duckdb") == ExtractReport(found=2, known=2)
    assert in_file(tmp_path / "own.duckdb") == before


def test_two_players_may_share_a_database(lake: Path, tmp_path: Path) -> None:
    extract(lake, "Anna", tmp_path / "own.duckdb")
    assert extract(lake, "Zoe", tmp_path / "own.duckdb").added == 1
    assert extract(lake, "Ben", tmp_path / "own.duckdb").known == 3
    own = in_file(tmp_path / "own.duckdb")
    assert {table: own[table] for table in TABLES_OF_HANDS} == of_player(lake, "Ben")
    assert len(own["files"]) == 2


def test_what_his_database_has_stays_as_it_is(lake: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.duckdb"
    write(tmp_path, mine=hand(1, minute=7) + half_a_hand(2) + hand(9))
    database_of(path, tmp_path / "mine.txt")
    mine = of_player_in(path, 1)
    assert extract(lake, "Anna", path) == ExtractReport(found=2, added=1, conflicts=1)
    own = in_file(path)
    assert of_player_in(path, 1) == mine
    assert len(own["hands"]) == 3
    assert own["rejected"] == []  # the half hand is there whole now
    run = razzstats("lake", "extract", "--lake", lake, "--hero", "Anna", "--db", path)
    assert run.code == 0
    assert "1 hand left out: " in run.sentence


def of_player_in(path: Path, number: int) -> str:
    with Database.open(path, read_only=True) as database:
        (found,) = database.find_texts(str(number))
    return found.text


def test_an_import_reads_the_rest_of_a_file_that_was_extracted_from(
    lake: Path, tmp_path: Path
) -> None:
    path = tmp_path / "own.duckdb"
    extract(lake, "Zoe", path)
    database_of(path, lake.parent / "b.txt")
    own = in_file(path)
    assert len(own["hands"]) == 2
    assert len(own["files"]) == 1


def test_what_was_extracted_is_known_to_its_lake_and_new_to_another(
    lake: Path, tmp_path: Path
) -> None:
    before = in_the_lake(lake)
    for hero in ("Zoe", "Anna"):
        extract(lake, hero, tmp_path / f"{hero}.duckdb")
        assert export(tmp_path / f"{hero}.duckdb", lake).files == 0
    assert in_the_lake(lake) == before
    # Two parts of one file come together.
    assert export(tmp_path / "Zoe.duckdb", tmp_path / "other").hands == 1
    extract(lake, "Ben", tmp_path / "Ben.duckdb")
    assert export(tmp_path / "Ben.duckdb", tmp_path / "other").hands == 2
    assert len(in_the_lake(tmp_path / "other")["hands"]) == 3


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_an_extract_that_is_killed_leaves_a_whole_database_and_goes_on(
    lake: Path, tmp_path: Path, batches: int
) -> None:
    path = tmp_path / "own.duckdb"
    with pytest.raises(Killed), broken_off_after(batches):
        extract(lake, "RazzHero", path)
    there = len(in_file(path)["hands"])
    assert (there > 0) == (batches > 0)
    report = extract(lake, "RazzHero", path)
    assert (report.known, report.added) == (there, report.found - there)
    own = in_file(path)
    assert {table: own[table] for table in TABLES_OF_HANDS} == of_player(lake, "RazzHero")


def test_a_room_can_be_chosen(lake: Path, tmp_path: Path) -> None:
    assert extract(lake, "Anna", tmp_path / "own.duckdb", "pokerstars").added == 2
    run = razzstats(
        "lake", "extract", "--lake", lake, "--hero", "Anna", "--site", "Winamax",
        "--db", tmp_path / "none.duckdb",
    )  # fmt: skip
    assert run.code == 2
    assert "of winamax has a player 'Anna'" in run.sentence


@pytest.mark.parametrize("name", ["anna", "nobody", "x' OR '1'='1", "odd\udc80", "\x1b[31m"])
def test_who_is_not_there_is_told_and_has_no_database(
    lake: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "own.duckdb"
    run = razzstats("lake", "extract", "--lake", lake, "--hero", name, "--db", path)
    assert run.code == 2
    assert "has a player" in run.sentence
    assert run.is_plain
    assert not path.exists()


def test_places_that_cannot_be_used_are_told(lake: Path, tmp_path: Path) -> None:
    command = ("lake", "extract", "--hero", "Anna")
    run = razzstats(*command, "--lake", tmp_path / "none", "--db", tmp_path / "own.duckdb")
    assert (run.code, "there is no lake" in run.sentence) == (2, True)
    run = razzstats(*command, "--lake", lake, "--db", lake)
    assert (run.code, "is a lake" in run.sentence) == (2, True)
    (tmp_path / "text").write_text("x")
    run = razzstats(*command, "--lake", lake, "--db", tmp_path / "text")
    assert (run.code, "is not a database" in run.sentence) == (3, True)
