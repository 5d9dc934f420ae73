"""`razzstats rebuild`, `backup`, `restore` and `doctor`: the ways back, and how one knows."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli import half_a_hand, hand, razzstats, write, wrong_hand
from hands import SAMPLES

from razzstats.rebuilding import read_again
from razzstats.storage import PARSER_VERSION, Database
from razzstats.storage.checkup import AGREEMENTS, disagreements, unreadable_tables
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.log import breaks_off
from razzstats.storage.opening import log_of

TABLES = (*TABLES_OF_HANDS, "diagnostics", "files", "rejected")

SOME = [SAMPLES / room for room in ("kingsclub", "phh", "winamax")]
"""Samples, some of which have lines in front of several hands."""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of samples of several rooms, with hands that are kept apart."""
    folder = tmp_path_factory.mktemp("imported")
    write(folder, a=hand(1) + wrong_hand(2) + hand(3) + half_a_hand(4), b=hand(1, minute=5))
    db = folder / "razz.duckdb"
    assert razzstats("import", *SOME, folder, "--db", db).code == 0
    return db


@pytest.fixture
def db(imported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(imported, tmp_path / "razz.duckdb"))


def content(db: Path, but: Sequence[str] = ("imported_at",)) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of all tables, sorted, without some columns."""
    found = {}
    with Database.open(db, read_only=True) as database:
        for table in TABLES:
            names = database.rows(
                "SELECT column_name FROM duckdb_columns() WHERE table_name = ?", (table,)
            )
            columns = ", ".join(f'"{name}"' for (name,) in names if name not in but)
            found[table] = sorted(database.rows(f"SELECT {columns} FROM {table}"), key=repr)
    return found


def doctor(db: Path, code: int = 0) -> dict[str, Any]:
    run = razzstats("doctor", "--db", db, "--format", "json")
    assert run.code == code, run
    found: dict[str, Any] = json.loads(run.out)
    return found


def damage(db: Path, table: str) -> None:
    """Change a byte of every block in which a table's texts are."""
    whole = db.read_bytes()
    with Database.open(db, read_only=True) as database:
        blocks = {
            block
            for (block,) in database.rows(f"SELECT block_id FROM pragma_storage_info('{table}')")
            if block is not None and block >= 0
        }
        ((size,),) = database.rows("SELECT block_size FROM pragma_database_size()")
    changed = bytearray(whole)
    for block in blocks:
        changed[3 * 4_096 + block * size + size // 2] ^= 0xFF
    db.write_bytes(changed)


# ---- read again


def test_reading_everything_again_changes_nothing(db: Path, imported: Path) -> None:
    run = razzstats("rebuild", "--all", "--db", db)
    assert run.code == 0, run
    assert " read again, 0 of them rejected now; 3 kept apart tried again: 0 stored" in run.out
    assert content(db) == content(imported)


def test_only_what_an_earlier_parser_read_is_read_again(db: Path, imported: Path) -> None:
    with Database.open(db) as database:
        (hid,) = database.rows("SELECT hid FROM hands WHERE hand_no = '1'")[0]
        # What an earlier parser may have got wrong.
        database.rows("UPDATE hands SET parser_version = 0, pot = 1 WHERE hid = ?", (hid,))
        database.rows("UPDATE hand_players SET net = net + 5 WHERE hid = ?", (hid,))
    assert "1 hands were read by an earlier parser" in " ".join(doctor(db, 3)["advice"])
    run = razzstats("rebuild", "--db", db)
    assert run.out.startswith("1 hand read again, 0 of them rejected now;")
    assert content(db) == content(imported)
    assert razzstats("rebuild", "--db", db).out.startswith("0 hands read again")


def test_a_hand_that_no_longer_counts_is_kept_apart(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Database.open(db) as database:
        # As if the parser had missed that the hand breaks a rule.
        ((hid,),) = database.rows("SELECT hid FROM hands WHERE hand_no = '3'")
        database.rows("UPDATE hand_texts SET text = ? WHERE hid = ?", (wrong_hand(3), hid))
        report = read_again(database, everything=True)
        assert report.rejected == 1
        kept = database.rows("SELECT hand_no, reason, text FROM rejected WHERE hand_no = '3'")
        assert kept == [("3", "rejected", wrong_hand(3))]
        assert database.rows("SELECT count(*) FROM hands WHERE hand_no = '3'") == [(0,)]
        assert not disagreements(database)


def test_an_interrupted_reading_goes_on_where_it_was(
    db: Path, imported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.rebuilding.BATCH", 10)
    with Database.open(db) as database:
        ((hands,),) = database.rows("SELECT count(*) FROM hands")
        database.rows("UPDATE hands SET parser_version = 0")

        def stop(left: int) -> None:
            if left < hands // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            read_again(database, after_batch=stop)
        assert not disagreements(database)
        assert 0 < len(database.hands_of_parsers_before(PARSER_VERSION)) < hands
    assert razzstats("rebuild", "--db", db).code == 0
    assert content(db) == content(imported)


# ---- anew


MADE_ANEW = ("imported_at", "file_id", "file", "path", "first_line", "line")


def test_a_database_is_made_anew_from_its_sources(
    db: Path, imported: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # files are found wherever the command runs
    run = razzstats("rebuild", "--anew", "--db", db)
    assert run.code == 0, run
    assert ", 0 more from texts in the earlier database" in run.out
    assert content(db, MADE_ANEW) == content(imported, MADE_ANEW)
    kept = tmp_path / "razz.duckdb.before-rebuild"
    assert str(kept) in run.sentence
    assert kept.read_bytes() == imported.read_bytes()


def test_where_sources_are_gone_the_texts_in_the_database_stand_in(
    tmp_path: Path, db: Path
) -> None:
    folder = tmp_path / "histories"
    folder.mkdir()
    write(folder, a=hand(1) + wrong_hand(2), b=hand(3))
    other = tmp_path / "other.duckdb"
    razzstats("import", folder, "--db", other)
    before = content(other, MADE_ANEW)
    (folder / "a.txt").unlink()
    run = razzstats("rebuild", "--anew", "--db", other)
    assert run.out.startswith(
        "1 hand from 1 file (1 file of it gone), 1 more from texts in the earlier database"
    )
    after = content(other, MADE_ANEW)
    unlike = {"files", "diagnostics"}  # what was read from a text stands elsewhere
    assert all(after[table] == before[table] for table in TABLES if table not in unlike)
    doctor(other)


@pytest.mark.parametrize("table", ["hands", "hand_texts", "hand_players", "files", "actions"])
def test_a_damaged_database_is_mended(table: str, db: Path, imported: Path) -> None:
    damage(db, table)
    faults = doctor(db, 3)["faults"]
    assert faults
    run = razzstats("rebuild", "--db", db, *SOME)
    assert run.code == 0, run
    doctor(db)
    numbers = "SELECT site, hand_no FROM hands ORDER BY ALL"
    with Database.open(db, read_only=True) as new, Database.open(imported, read_only=True) as old:
        found, expected = new.rows(numbers), old.rows(numbers)
    # Hands 1 and 3 are in no sample; where the list of files is damaged, texts still have them.
    assert found == expected
    assert (db.parent / "razz.duckdb.before-rebuild").exists()


def test_a_database_of_which_nothing_can_be_read_needs_sources(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    db.write_bytes(bytes(50_000))
    run = razzstats("rebuild", "--anew", "--db", db)
    assert run.code == 3
    assert "`razzstats restore BACKUP`, or `razzstats rebuild FOLDER`" in run.sentence
    assert db.read_bytes() == bytes(50_000)
    assert [path.name for path in tmp_path.iterdir()] == ["razz.duckdb"]
    write(tmp_path, a=hand(1))
    assert razzstats("rebuild", tmp_path / "a.txt", "--db", db).code == 0
    assert doctor(db)["database"]["hands"] == 1
    assert (tmp_path / "razz.duckdb.before-rebuild").read_bytes() == bytes(50_000)


def test_earlier_databases_are_all_kept(db: Path) -> None:
    for _ in range(3):
        assert razzstats("rebuild", "--anew", "--db", db).code == 0
    kept = sorted(path.name for path in db.parent.glob("razz.duckdb.*"))
    assert kept == [f"razz.duckdb.before-rebuild{end}" for end in ("", "-2", "-3")]


# ---- copies


def test_a_backup_comes_back(db: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copies" / "backup.duckdb"
    assert razzstats("backup", backup, "--db", db).code == 0
    before = content(db)
    write(tmp_path, later=hand(77))
    razzstats("import", tmp_path / "later.txt", "--db", db)
    assert content(db) != before
    run = razzstats("restore", backup, "--db", db)
    assert run.code == 0, run
    assert content(db) == content(backup) == before
    with Database.open(tmp_path / "razz.duckdb.before-restore", read_only=True) as kept:
        assert kept.rows("SELECT count(*) FROM hands WHERE hand_no = '77'") == [(1,)]


def test_a_backup_has_what_is_only_in_the_log(db: Path, tmp_path: Path) -> None:
    opened = Database.open(db)
    opened.rows("SET checkpoint_threshold = '1 GB'")
    opened.rows("PRAGMA disable_checkpoint_on_shutdown")
    opened.rows("UPDATE hands SET club = 'in the log' WHERE hand_no = '1'")
    opened.close()
    assert log_of(db).exists()
    backup = tmp_path / "backup.duckdb"
    assert razzstats("backup", backup, "--db", db).code == 0
    assert not log_of(backup).exists()
    with Database.open(backup, read_only=True) as database:
        assert database.rows("SELECT club FROM hands WHERE hand_no = '1'") == [("in the log",)]


def test_a_restored_database_has_nothing_of_the_earlier_log(db: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.duckdb"
    razzstats("backup", backup, "--db", db)
    opened = Database.open(db)
    opened.rows("PRAGMA disable_checkpoint_on_shutdown")
    opened.rows("UPDATE hands SET club = 'in the log' WHERE hand_no = '1'")
    opened.close()
    assert log_of(db).exists()
    assert razzstats("restore", backup, "--db", db).code == 0
    assert content(db) == content(backup)
    with Database.open(tmp_path / "razz.duckdb.before-restore", read_only=True) as kept:
        assert kept.rows("SELECT club FROM hands WHERE hand_no = '1'") == [("in the log",)]


def test_no_backup_writes_over_a_file_unasked(db: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.duckdb"
    precious.write_text("mine")
    run = razzstats("backup", precious, "--db", db)
    assert (run.code, precious.read_text()) == (2, "mine")
    assert "--force writes over it" in run.sentence
    assert razzstats("backup", precious, "--db", db, "--force").code == 0
    assert content(precious) == content(db)


def test_a_damaged_database_makes_no_backup_and_a_damaged_backup_no_database(
    db: Path, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.duckdb", tmp_path / "bad.duckdb"
    razzstats("backup", good, "--db", db)
    shutil.copy(good, bad)
    damage(bad, "hand_texts")
    run = razzstats("backup", tmp_path / "never.duckdb", "--db", bad)
    assert (run.code, (tmp_path / "never.duckdb").exists()) == (3, False)
    assert "is damaged" in run.sentence
    assert "`razzstats rebuild`" in run.sentence
    before = db.read_bytes()
    run = razzstats("restore", bad, "--db", db)
    assert (run.code, db.read_bytes()) == (3, before)
    assert "is damaged" in run.sentence
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("command", ["backup", "restore", "rebuild"])
def test_without_a_database_there_is_nothing_to_copy(command: str, tmp_path: Path) -> None:
    target = [] if command == "rebuild" else [tmp_path / "other.duckdb"]
    run = razzstats(command, *target, "--db", tmp_path / "razz.duckdb")
    assert run.code == 2
    assert "there is no " in run.sentence
    assert [*tmp_path.iterdir()] == []


# ---- doctor


def test_a_sound_database_is_called_sound_and_counted(db: Path) -> None:
    found = doctor(db)
    assert found["faults"] == []
    assert found["database"]["rejected"] == 1
    assert found["database"]["incomplete"] == 1
    assert found["database"]["conflicts"] == 1
    assert found["database"]["size_bytes"] == db.stat().st_size
    assert {"razzstats", "python", "duckdb", "pandas"} <= found["versions"].keys()


def test_the_doctor_writes_nothing(db: Path) -> None:
    before = db.read_bytes(), sorted(path.name for path in db.parent.iterdir())
    razzstats("doctor", "--db", db)
    assert (db.read_bytes(), sorted(path.name for path in db.parent.iterdir())) == before


def test_the_doctor_names_nobody_and_nothing(db: Path) -> None:
    with Database.open(db, read_only=True) as database:
        told = database.rows(
            """SELECT DISTINCT name FROM hand_players UNION SELECT table_name FROM hands
            UNION SELECT hand_no FROM hands WHERE len(hand_no) > 4 UNION SELECT path FROM files"""
        )
    run = razzstats("doctor", "--db", db)
    words = {word for word in run.out.replace(",", "").split() if not word.isdecimal()}
    assert run.code == 0
    assert not {name for (name,) in told if name in words}
    assert str(db.parent) not in run.out + run.err


def test_what_cannot_be_opened_is_told_without_its_name(db: Path) -> None:
    db.write_bytes(db.read_bytes()[:20_000])
    run = razzstats("doctor", "--db", db)
    assert run.code == 3
    assert "FAULT in database: the database cannot be" in run.out
    assert str(db) not in run.out + run.err


def test_without_a_database_the_doctor_tells_versions(tmp_path: Path) -> None:
    run = razzstats("doctor", "--db", tmp_path / "none.duckdb")
    assert run.code == 0
    assert "There is no database yet" in run.out
    assert [*tmp_path.iterdir()] == []


BREAKS = {
    "actions": "DELETE FROM actions WHERE hid = $1 AND seq = 2",
    "decisions": "DELETE FROM decisions WHERE hid = $1",
    "files": "UPDATE files SET stored = stored + 1 WHERE file_id = 1",
    "hand_players": "UPDATE hand_players SET collected = collected + 1 WHERE hid = $1 AND seat = 1",
    "hand_luck": "INSERT INTO hand_luck SELECT * FROM hand_luck WHERE hid = $1",
    "hand_texts": "DELETE FROM hand_texts WHERE hid = $1",
    "hands": "UPDATE hands SET file_id = 9999 WHERE hid = $1",
    "rejected": "UPDATE rejected SET file_id = 9999 WHERE reason = 'conflict'",
    "diagnostics": "UPDATE diagnostics SET file_id = 9999 WHERE code = 'RZ506'",
    "spots": "UPDATE spots SET seq = 200 WHERE hid = $1",
    "player_luck": "UPDATE player_luck SET hid = -1",
    "starting_hands": "UPDATE starting_hands SET hid = -1 WHERE hid = $1",
}
"""Something that no import leaves behind, by the table in which it is found."""


@pytest.mark.parametrize("table", BREAKS)
def test_every_disagreement_is_found(table: str, db: Path) -> None:
    sql = BREAKS[table]
    with Database.open(db) as database:
        ((hid,),) = database.rows("SELECT hid FROM hands WHERE hand_no = '1'")
        database.rows(sql, (hid,) if "$1" in sql else ())
    assert table in {fault["table"] for fault in doctor(db, 3)["faults"]}


def test_every_agreement_is_broken_by_a_test() -> None:
    assert {agreement.table for agreement in AGREEMENTS} == BREAKS.keys()


@pytest.mark.parametrize("table", ["hands", "hand_texts", "actions", "decisions", "spots"])
def test_a_changed_byte_is_found_in_its_table(table: str, db: Path) -> None:
    damage(db, table)
    assert table in {fault.table for fault in unreadable_tables(db, wait=0.0)} | {
        fault["table"] for fault in doctor(db, 3)["faults"]
    }


def test_a_text_that_was_changed_is_found(db: Path) -> None:
    with Database.open(db) as database:
        database.rows(
            """UPDATE hand_texts SET text = replace(text, 'Ben', 'Bea')
            WHERE hid IN (SELECT hid FROM hands WHERE hand_no IN ('1', '3'))"""
        )
    fault = {"table": "hand_texts", "what": "2 texts that were not stored so"}
    assert doctor(db, 3)["faults"] == [fault]


def a_log(folder: Path) -> tuple[Path, list[int]]:
    """Return a database of which all is in the log, and where the commits in that end."""
    db, ends = folder / "log.duckdb", []
    opened = Database.open(db)
    opened.rows("PRAGMA disable_checkpoint_on_shutdown")
    for number in range(1, 4):
        opened.rows(
            f"INSERT INTO schema_migrations VALUES ({-number}, 'made up', now()::TIMESTAMP)"
        )
        ends.append(log_of(db).stat().st_size)
    opened.close()
    return db, ends


def test_a_log_that_was_cut_off_is_noticed_wherever_that_can_be_told(tmp_path: Path) -> None:
    db, ends = a_log(tmp_path)
    whole = log_of(db).read_bytes()
    unnoticed = []
    for size in range(len(whole) + 1):
        log_of(db).write_bytes(whole[:size])
        if not breaks_off(log_of(db)):
            unnoticed.append(size)
    nothing, header, *commits = unnoticed
    assert (nothing, commits) == (0, ends)
    assert header < 60


def test_the_doctor_tells_of_a_log_that_breaks_off(tmp_path: Path) -> None:
    db, _ = a_log(tmp_path)
    assert "write-ahead log" not in " ".join(doctor(db)["advice"])
    log_of(db).write_bytes(log_of(db).read_bytes()[:-3])
    found = doctor(db)
    assert "the write-ahead log breaks off" in " ".join(found["advice"])
    assert found["database"]["log_bytes"] > 0
