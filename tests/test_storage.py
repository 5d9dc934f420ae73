"""The database file: all of a hand or nothing of it, and a clear word when it cannot be used."""

import itertools
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import duckdb
import numpy as np
import pytest
from cli import COMMAND, environment, half_a_hand, hand, razzstats, write, wrong_hand
from hands import SAMPLES, check, clean, hands_of, text_files
from plain_rows import action_rows, player_rows

from razzstats.diagnostics import Diagnostic, codes
from razzstats.diagnostics.visible import visible
from razzstats.errors import DatabaseError, NoDatabase
from razzstats.importing import import_paths
from razzstats.known_sites import KNOWN_SITES
from razzstats.locations import HandId, HandText
from razzstats.replay import ReplayedHand, replay
from razzstats.simulate import Setup, TournamentPlan, simulate_hands
from razzstats.storage import (
    PARSER_VERSION,
    Database,
    FileRow,
    HandColumns,
    HandLuckRow,
    InUse,
    PlayerLuckRow,
    RejectedHand,
    StartingHandRow,
    hand_key,
    hand_rows,
    text_hash,
)
from razzstats.storage import database as storage
from razzstats.storage.checkup import disagreements
from razzstats.storage.database import StoredText
from razzstats.storage.decisions import insert_decisions
from razzstats.storage.migrations import MIGRATIONS
from razzstats.storage.rows import ActionRow, HandRow, HandRows, PlayerRow

TABLES = (
    "files", "hands", "hand_players", "actions", "hand_texts", "diagnostics", "rejected",
    "hand_luck", "player_luck", "starting_hands",
)  # fmt: skip


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.in_memory() as opened:
        yield opened


def rows_of(number: int = 101) -> HandRows:
    return hand_rows(clean(hand(number)), 1, None)


def many_rows(count: int) -> list[HandRows]:
    rows = rows_of()
    return [rows._replace(hand=rows.hand._replace(hid=hid)) for hid in range(1, count + 1)]


def counts(database: Database) -> dict[str, int]:
    return {table: database.rows(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


# ---- the tables


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        ("hands", HandRow._fields),
        ("hand_players", PlayerRow._fields),
        ("actions", ActionRow._fields),
        ("files", ("file_id", *FileRow._fields)),
        ("hand_luck", HandLuckRow._fields),
        ("player_luck", PlayerLuckRow._fields),
        ("starting_hands", StartingHandRow._fields),
    ],
)
def test_the_fields_of_a_row_are_the_columns_of_its_table_in_order(
    database: Database, table: str, fields: tuple[str, ...]
) -> None:
    columns = [name for name, *_ in database.rows(f"DESCRIBE {table}")]
    assert columns == list(fields)


def test_a_hand_is_found_again_as_it_was_put_in(database: Database) -> None:
    rows = rows_of()
    with database.transaction():
        database.insert_hands([rows])
    assert database.rows("SELECT * FROM hands") == [tuple(rows.hand)]
    assert database.rows("SELECT * FROM hand_texts") == [(rows.hand.hid, rows.text)]


def played() -> list[ReplayedHand]:
    """Real hands of all rooms, and simulated ones."""
    real = [check(text).replayed for file in text_files(SAMPLES) for text in hands_of(file)]
    simulated = [
        replay(parsed).value
        for number, (count, players, setup) in enumerate(SIMULATED)
        for parsed in simulate_hands(count, players, seed=number, setup=setup)
    ]
    return [hand for hand in (*real, *simulated) if hand is not None]


def test_the_rows_of_many_hands_are_those_of_each(database: Database) -> None:
    hands = {hand_key(hand.parsed.hand_id): hand for hand in played()}
    assert len(hands) > 900
    database.insert_hands([hand_rows(hand, 1, None) for hand in hands.values()])
    for table, make in (("hand_players", player_rows), ("actions", action_rows)):
        expected = [tuple(row) for hand in hands.values() for row in make(hand)]
        order = "seat" if table == "hand_players" else "seq"
        found = database.rows(f"SELECT * FROM {table} ORDER BY hid, {order}")
        assert found == sorted(expected, key=lambda row: row[:2])


@pytest.mark.parametrize("cuts", [(), (1,), (3, 3, 40), (100,)])
def test_columns_are_joined_and_chosen_as_hands_are(cuts: tuple[int, ...]) -> None:
    hands = [hand_rows(hand, 1, None) for hand in played()[::6]]
    bounds = [0, *cuts, len(hands)]
    parts = [HandColumns.of(hands[a:b]) for a, b in itertools.pairwise(bounds)]
    keep = np.array([place % 3 != 1 for place in range(len(hands))])
    chosen = HandColumns.joined(parts).chosen(keep)
    with Database.in_memory() as one, Database.in_memory() as other:
        one.insert_columns(chosen)
        other.insert_hands([rows for rows, kept in zip(hands, keep, strict=True) if kept])
        for table in ("hands", "hand_players", "actions", "hand_texts"):
            every = f"SELECT * FROM {table}"
            assert one.rows(every) == other.rows(every)
            assert one.rows(every)


def luck_rows(hid: int) -> tuple[list[HandLuckRow], list[PlayerLuckRow], list[StartingHandRow]]:
    return (
        [HandLuckRow(hid, "last card", 6, True, True)],
        [PlayerLuckRow(hid, 1, 0.75, 6.0, 2.0), PlayerLuckRow(hid, 3, 0.25, 2.0, -2.0)],
        [StartingHandRow(hid, 1, "234", "three wheel cards", 0.5)],
    )


def test_what_was_measured_is_found_again_and_goes_with_its_hand(database: Database) -> None:
    with database.transaction():
        database.insert_hands(many_rows(3))
        for hid in (1, 2, 3):
            database.insert_luck(*luck_rows(hid))
    names = ("hand_luck", "player_luck", "starting_hands")
    for hids in ([1, 2, 3], [1, 3]):
        expected = [sorted(row for hid in hids for row in luck_rows(hid)[n]) for n in range(3)]
        assert [database.rows(f"SELECT * FROM {name} ORDER BY ALL") for name in names] == expected
        database.delete_hands([2])
    database.delete_hands([1, 3])
    assert counts(database) == dict.fromkeys(TABLES, 0)


def test_every_migration_is_recorded_when_it_ran(tmp_path: Path) -> None:
    for _ in range(2):  # the second time there is nothing left to do
        with Database.open(tmp_path / "razz.duckdb") as opened:
            found = opened.rows("SELECT version, name FROM schema_migrations ORDER BY version")
    assert found == [(migration.version, migration.name) for migration in MIGRATIONS]


def test_the_versions_of_the_migrations_count_up_from_one() -> None:
    versions = [migration.version for migration in MIGRATIONS]
    assert versions == list(range(1, len(MIGRATIONS) + 1))


# ---- the third step: the order of action

ORDER = ("acts_first", "acts_last", "delayed", "own_wagers")
SIMULATED = (
    (150, 6, Setup()),
    (100, 8, Setup(tournament=TournamentPlan(number="3900000001"), first_number=400_000_000_000)),
    (150, 2, Setup(buy_in=(1.0, 6.0), first_number=500_000_000_000)),
    (150, 3, Setup(first_number=600_000_000_000)),
)


def simulated() -> list[HandRows]:
    found = []
    for number, (count, players, setup) in enumerate(SIMULATED):
        for parsed in simulate_hands(count, players, seed=number, setup=setup):
            replayed = replay(parsed).value
            assert replayed is not None
            found.append(hand_rows(replayed, 1, None))
    return found


def schema_2(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a database as it was before the third step."""
    with monkeypatch.context() as earlier:
        earlier.setattr(storage, "MIGRATIONS", MIGRATIONS[:2])
        Database.open(path).close()


def test_decisions_of_an_older_schema_get_the_order_of_action_that_is_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = simulated()
    every = "SELECT * FROM decisions ORDER BY hid, seq"
    with Database.in_memory() as new:
        new.insert_hands(hands)
        insert_decisions(new, [rows.hand.hid for rows in hands])
        measured = new.rows(every)
        known_then = new.frame(f"SELECT * EXCLUDE ({', '.join(ORDER)}) FROM decisions")
        for column in ORDER:
            counted = new.rows(
                f"SELECT {column}::BOOLEAN, count(*) FROM decisions GROUP BY ALL ORDER BY 1"
            )
            assert [value for value, _ in counted] == [False, True]
            assert all(count > 20 for _, count in counted), column

    path = tmp_path / "old.duckdb"
    schema_2(path, monkeypatch)
    with duckdb.connect(str(path)) as old:
        columns = {name for name, *_ in old.execute("DESCRIBE decisions").fetchall()}
        assert columns == {*known_then.columns}
        old.register("known_then", known_then)
        old.execute("INSERT INTO decisions BY NAME SELECT * FROM known_then")
    with Database.open(path) as brought_up:
        versions = brought_up.rows("SELECT version FROM schema_migrations ORDER BY version")
        assert versions == [(migration.version,) for migration in MIGRATIONS]
        migrated = brought_up.rows(every)
    assert len(migrated) == len(measured) > 3_000
    assert migrated == measured


def test_an_older_schema_without_decisions_is_brought_up_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.duckdb"
    schema_2(path, monkeypatch)
    with Database.open(path) as brought_up:
        assert brought_up.rows("SELECT * FROM decisions") == []
        rows = rows_of()
        brought_up.insert_hands([rows])
        insert_decisions(brought_up, [rows.hand.hid])
        # Anna completes behind the bring-in, Ben folds.
        order = brought_up.rows(f"SELECT kind, {', '.join(ORDER)} FROM decisions ORDER BY seq")
        assert order == [("complete", True, False, False, 0), ("fold", False, True, False, 0)]


# ---- transactions


def test_a_failing_transaction_leaves_nothing_of_any_table(database: Database) -> None:
    text = HandText("a.txt", 1, ("text",))
    found = Diagnostic(code=codes.BRING_IN_WRONG_SEAT, message="wrong", span=text.span(0))
    before = counts(database)

    def write_and_fail() -> None:
        with database.transaction():
            database.insert_hands(many_rows(200))
            database.insert_rejected(1, [RejectedHand("rejected", found, "a.txt", 1, "text")])
            database.insert_diagnostics(1, [found])
            database.rows("INSERT INTO hand_texts VALUES (1, 'by SQL')")
            database.insert_luck(*luck_rows(1))
            assert counts(database)["hands"] == 200
            raise RuntimeError("the plug is pulled")

    with pytest.raises(RuntimeError, match="pulled"):
        write_and_fail()
    assert counts(database) == before == dict.fromkeys(TABLES, 0)


def test_a_hand_that_is_there_already_undoes_the_whole_batch(database: Database) -> None:
    with database.transaction():
        database.insert_hands([rows_of(101)])
    before = counts(database)
    with pytest.raises(duckdb.ConstraintException), database.transaction():
        database.insert_hands([rows_of(102), rows_of(101)])
    assert counts(database) == before


def test_an_interrupt_leaves_nothing_either(database: Database) -> None:
    def write_and_stop() -> None:
        with database.transaction():
            database.insert_hands([rows_of()])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_stop()
    assert counts(database)["hands"] == 0


def test_what_is_committed_is_there_after_closing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "razz.duckdb"
    with Database.open(path) as opened, opened.transaction():
        opened.insert_hands([rows_of()])
    with Database.open(path, read_only=True) as again:
        assert counts(again)["hands"] == 1


# ---- keys and hashes


def test_a_hand_has_the_same_key_in_every_database() -> None:
    # Written down, for a key that changed would make every stored hand a stranger.
    assert hand_key(HandId("pokerstars", "35874566077")) == 72057629912494013
    assert hand_key(HandId("fulltilt", "35874566077")) == 144115223950421949
    assert hand_key(HandId("winamax", "5-7-9")) == 250515959003151090


def test_no_two_hands_have_the_same_key() -> None:
    numbers = ["0", "7", "07", "007", "7-0", "70", "9" * 16, "9" * 17, "9" * 40, "²", "7 ", "", "x"]
    ids = [HandId(site, number) for site in KNOWN_SITES for number in numbers]
    assert len({hand_key(each) for each in ids}) == len(ids)


def test_every_key_fits_its_column() -> None:
    keys = [hand_key(HandId(site, number)) for site in KNOWN_SITES for number in ("9" * 16, "x")]
    assert all(0 < key < 2**63 for key in keys)


def test_the_rooms_keep_their_numbers() -> None:
    numbers = " ".join(f"{name}={site.number}" for name, site in KNOWN_SITES.items())
    assert numbers.startswith(
        "pokerstars=1 fulltilt=2 winamax=3 kingsclub=4 merge=5 phh=6 ongame=7"
    )


def hash_of(*lines: str) -> str:
    return text_hash(HandText("a.txt", 1, lines))


def test_line_ends_and_blank_lines_do_not_make_another_text() -> None:
    text = hash_of("PokerStars Hand #1", "Anna: folds")
    assert hash_of("PokerStars Hand #1\r", "", "Anna: folds\r", "  ", "\r") == text
    assert text_hash(HandText("b.txt", 99, ("PokerStars Hand #1", "Anna: folds"))) == text


@pytest.mark.parametrize(
    "lines",
    [
        ("PokerStars Hand #1", "anna: folds"),
        ("PokerStars Hand #1", "Anna:  folds"),
        ("PokerStars Hand #1", "Anna: folds", "Ben: folds"),
        ("PokerStars Hand #1Anna: folds",),
        ("Anna: folds", "PokerStars Hand #1"),
        ("PokerStars Hand #1",),
    ],
)
def test_any_other_difference_makes_another_text(lines: tuple[str, ...]) -> None:
    assert hash_of(*lines) != hash_of("PokerStars Hand #1", "Anna: folds")


def test_a_text_that_is_no_unicode_has_a_hash() -> None:
    assert hash_of("\ud800") != hash_of("?")


# ---- looking hands up


def test_a_text_is_found_by_number_and_room(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(101) + hand(102))
    file = str(tmp_path / "a.txt")
    import_paths(database, [file])
    text = hand(102).rstrip("\n")
    assert database.find_texts("102") == [StoredText("pokerstars", file, 21, text, "razz")]
    assert database.find_texts("102", "pokerstars") == database.find_texts("102")
    assert database.find_texts("102", "winamax") == []
    assert database.find_texts("10") == []


def test_a_rejected_text_is_found_only_where_no_stored_one_is(database: Database) -> None:
    rejected = HandText("b.txt", 5, ("rejected text",))
    found = Diagnostic(
        code=codes.WRONG_WINNER,
        message="wrong",
        span=rejected.span(0),
        hand_id=HandId("pokerstars", "101"),
    )
    database.insert_rejected(2, [RejectedHand("conflict", found, "b.txt", 5, "rejected text")])
    assert database.find_texts("101") == [
        StoredText("pokerstars", "b.txt", 5, "rejected text", "razz")
    ]
    database.insert_hands([rows_of(101)])
    database.insert_files({1: file_row("a.txt")})
    assert [stored.file for stored in database.find_texts("101")] == ["a.txt"]


def test_one_number_of_two_rooms_gives_two_texts(database: Database) -> None:
    own = rows_of(101)
    other = own.hand._replace(hid=hand_key(HandId("winamax", "101")), site="winamax")
    database.insert_files({1: file_row("a.txt")})
    database.insert_hands([own, own._replace(hand=other)])
    assert [stored.site for stored in database.find_texts("101")] == ["pokerstars", "winamax"]


def file_row(path: str) -> FileRow:
    moment = datetime(2026, 1, 9, 12)
    return FileRow(path, "0f", 1, "done", *(0,) * 8, PARSER_VERSION, moment, None)


# ---- what a question can reach


@pytest.mark.parametrize(
    "question",
    [
        "SELECT * FROM read_text('{file}')",
        "SELECT * FROM read_csv('{file}')",
        "SELECT * FROM '{file}'",
        "SELECT * FROM glob('{folder}/*')",
        "COPY hands TO '{folder}/stolen.csv'",
        "ATTACH '{folder}/other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
    ],
)
def test_no_question_reads_or_writes_a_file(
    database: Database, tmp_path: Path, question: str
) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises((duckdb.Error, DatabaseError)):
        database.rows(question.format(file=file, folder=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


# ---- files that are no database of ours


def refusal(path: Path, *, read_only: bool = False) -> str:
    """Return the sentence with which a file is refused; the command says the same, with exit 3."""
    with pytest.raises(DatabaseError) as refused:
        Database.open(path, read_only=read_only, wait=0.0)
    arguments = ("stats", "overview") if read_only else ("import", path.parent / "none.txt")
    run = razzstats(*arguments, "--db", path, variables={"RAZZSTATS_WAIT": "0"})
    assert (run.code, run.raw) == (refused.value.exit_code, b"")
    assert run.err == f"razzstats: {visible(str(refused.value))}\n"
    return str(refused.value)


def test_a_newer_database_is_refused_by_its_version(tmp_path: Path) -> None:
    path, newest = tmp_path / "razz.duckdb", MIGRATIONS[-1].version
    with Database.open(path) as opened:
        opened.rows(
            "INSERT INTO schema_migrations VALUES (99, 'from the future', now()::TIMESTAMP)"
        )
    for read_only in (True, False):
        assert refusal(path, read_only=read_only) == (
            f"{path} was written by a newer razzstats (schema 99; this one knows {newest}); "
            "upgrade razzstats to use it"
        )


def test_an_older_database_is_read_only_after_an_import_brought_it_up(tmp_path: Path) -> None:
    path = tmp_path / "razz.duckdb"
    duckdb.connect(str(path)).close()  # no schema at all yet
    assert refusal(path, read_only=True) == (
        f"{path} is from an older razzstats (schema 0 of {MIGRATIONS[-1].version}); "
        "`razzstats import` brings it up to date"
    )
    Database.open(path).close()
    Database.open(path, read_only=True).close()


@pytest.mark.parametrize("read_only", [True, False])
def test_other_files_are_refused_and_left_as_they_are(tmp_path: Path, read_only: bool) -> None:
    sqlite, text, empty = (tmp_path / name for name in ("a.sqlite", "b.txt", "c.duckdb"))
    connection = sqlite3.connect(sqlite)
    connection.execute("CREATE TABLE hands (hid)")
    connection.close()
    text.write_text(hand() * 50)
    empty.touch()
    before = {path: path.read_bytes() for path in (sqlite, text, empty)}
    assert refusal(sqlite, read_only=read_only) == (
        f"{sqlite} is a SQLite database, not one of razzstats"
    )
    assert refusal(text, read_only=read_only) == f"{text} is not a database of razzstats"
    assert refusal(empty, read_only=read_only) == f"{empty} is not a database of razzstats"
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("read_only", [True, False])
def test_a_duckdb_file_of_somebody_else_is_refused(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE sales (amount INTEGER)")
    assert refusal(path, read_only=read_only) == (
        f"{path} is a DuckDB database, but not one of razzstats"
    )
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("sales",)]


def test_a_folder_is_no_place_for_a_database(tmp_path: Path) -> None:
    expected = f"{tmp_path} is a folder; --db takes the name of a file"
    for read_only in (True, False):
        with pytest.raises(NoDatabase) as refused:
            Database.open(tmp_path, read_only=read_only)
        assert (str(refused.value), refused.value.exit_code) == (expected, 2)


def test_a_place_below_a_file_cannot_be_used(tmp_path: Path) -> None:
    write(tmp_path, a="text")
    path = tmp_path / "a.txt" / "razz.duckdb"
    assert refusal(path) == f"{path} cannot be read: Not a directory"
    deeper = path / "deeper" / "razz.duckdb"
    assert refusal(deeper) == f"{deeper} cannot be read: Not a directory"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux has such a place")
def test_a_place_where_nothing_can_be_written_cannot_be_used() -> None:
    assert "cannot be opened: " in refusal(Path("/proc/razz.duckdb"))
    assert refusal(Path("/proc/folder/razz.duckdb")).startswith("/proc/folder cannot be made: ")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    long = tmp_path / ("a" * 300)
    assert refusal(long, read_only=True) == f"{long} cannot be read: File name too long"
    assert "is not a name in UTF-8" in refusal(tmp_path / "\udcff.duckdb")


def test_a_missing_database_is_a_wrong_command_that_names_the_next_step(tmp_path: Path) -> None:
    path = tmp_path / "none.duckdb"
    with pytest.raises(NoDatabase) as refused:
        Database.open(path, read_only=True)
    assert (str(refused.value), refused.value.exit_code) == (
        f"there is no database at {path}; `razzstats import FOLDER` makes one",
        2,
    )
    assert not path.exists()


# ---- damage


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a database of many hands consists of, so that it has blocks to be damaged."""
    path = tmp_path_factory.mktemp("full") / "razz.duckdb"
    with Database.open(path) as opened, opened.transaction():
        opened.insert_hands(many_rows(2_000))
    return path.read_bytes()


@pytest.fixture
def full(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "razz.duckdb"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kept", [4_096, 12_288, 300_000, 600_000])
def test_a_database_that_was_cut_off_is_called_unusable(
    full: Path, content: bytes, kept: int
) -> None:
    assert len(content) > kept
    full.write_bytes(content[:kept])
    with pytest.raises(DatabaseError, match=r"razz\.duckdb cannot be (opened|used): "):
        read_all(full)


@pytest.mark.parametrize("every", [1_000, 30_000])
def test_a_database_with_changed_bytes_is_called_unusable(
    full: Path, content: bytes, every: int
) -> None:
    changed = bytearray(content)
    for place in range(12_288, len(changed), every):
        changed[place] ^= 0xFF
    full.write_bytes(changed)
    with pytest.raises(DatabaseError, match=r"razz\.duckdb cannot be (opened|used): "):
        read_all(full)
    run = razzstats("stats", "overview", "--db", full)
    assert (run.code, run.raw) == (3, b"")
    assert run.err.startswith(f"razzstats: {full} cannot be ")
    assert run.err.count("\n") == 1


def read_all(path: Path) -> None:
    with Database.open(path, read_only=True) as opened:
        for table in TABLES:
            opened.rows(f"SELECT * FROM {table}")


class Interrupted:
    """A connection in which Ctrl-C is pressed, as DuckDB tells it."""

    def execute(self, sql: str, parameters: object = ()) -> None:
        raise RuntimeError("Query interrupted")


def test_an_interrupt_while_a_question_runs_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        Database(Interrupted(), "x").rows("SELECT 1")  # type: ignore[arg-type]


def test_a_mistake_of_ours_is_not_called_damage(database: Database) -> None:
    with pytest.raises(duckdb.CatalogException):
        database.rows("SELECT * FROM no_such_table")


# ---- locks


@contextmanager
def held(path: Path, *, read_only: bool, seconds: float | None = None) -> Iterator[int]:
    """Let another process hold the database, for some time or until the end of the block.

    Yields the process's number.
    """
    wait = "sys.stdin.read()" if seconds is None else f"time.sleep({seconds})"
    code = (
        "import duckdb, sys, time\n"
        f"held = duckdb.connect({str(path)!r}, read_only={read_only})\n"
        "print('held', flush=True)\n"
        f"{wait}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process.pid


@pytest.mark.parametrize("read_only", [True, False])
def test_a_database_that_is_being_written_names_who_holds_it(full: Path, read_only: bool) -> None:
    with held(full, read_only=False) as holder:
        told = refusal(full, read_only=read_only)
    assert told.startswith(f"{full} is in use by ")
    assert f"(PID {holder})" in told
    assert told.endswith("; wait for it to finish, then try again")


def test_readers_share_a_database_and_shut_writers_out(full: Path) -> None:
    with held(full, read_only=True):
        Database.open(full, read_only=True).close()
        assert "is in use by " in refusal(full)


@pytest.mark.parametrize("read_only", [True, False])
def test_an_opening_waits_for_its_turn(full: Path, read_only: bool) -> None:
    with held(full, read_only=False, seconds=1.5):
        Database.open(full, read_only=read_only, wait=60.0).close()


def test_an_opening_waits_no_longer_than_it_says(full: Path) -> None:
    with held(full, read_only=False), pytest.raises(InUse, match="after 1 seconds of waiting"):
        Database.open(full, wait=1)
    with held(full, read_only=False):
        variables = {"RAZZSTATS_WAIT": "1"}
        run = razzstats("stats", "overview", "--db", full, variables=variables)
    assert run.code == 3
    assert " is in use by " in run.sentence
    assert "after 1 seconds of waiting; wait for it to finish, then try again" in run.sentence


def test_two_imports_at_once_wait_for_each_other(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    write(tmp_path, a="".join(map(hand, range(1, 40))), b="".join(map(hand, range(30, 70))))
    imports = [
        subprocess.Popen(
            [COMMAND, "import", tmp_path / f"{name}.txt", "--db", db],
            env=environment(RAZZSTATS_WAIT="60"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in "ab"
    ]
    assert [process.wait(timeout=120) for process in imports] == [0, 0]
    with Database.open(db, read_only=True) as database:
        assert database.rows("SELECT count(*) FROM hands") == [(69,)]
        assert not disagreements(database)


def test_ledger_rows_count_what_of_a_file_is_where(tmp_path: Path) -> None:
    """The counts of `files` follow hands that grow, are found wrong later, or stored after all."""
    db = tmp_path / "razz.duckdb"
    with Database.open(db) as database:
        for text in (hand(1)[:-40], hand(1) + half_a_hand(2), hand(1) + hand(2) + wrong_hand(3)):
            write(tmp_path, a=text)
            import_paths(database, [str(tmp_path / "a.txt")])
            assert not disagreements(database)
        assert counted_files(database) == [(1, 3, 2, 0, 1)]
        write(tmp_path, b=hand(3) + hand(2))  # what was wrong there is right here
        import_paths(database, [str(tmp_path / "b.txt")])
        assert counted_files(database) == [(1, 3, 2, 1, 0), (2, 2, 1, 1, 0)]
        assert not disagreements(database)


def counted_files(database: Database) -> list[tuple[int, int, int, int, int]]:
    return [
        (number, file.hands_seen, file.stored, file.duplicates, file.rejected)
        for number, file in database.files()
    ]


def test_a_reading_that_an_earlier_version_began_is_taken_up(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + hand(2))
    with Database.open(tmp_path / "razz.duckdb") as database:
        import_paths(database, [str(tmp_path / "a.txt")])
        # Earlier versions did not note where a file is, but how it was named.
        database.rows("UPDATE files SET place = NULL, status = 'begun', hands_seen = 1")
        import_paths(database, [str(tmp_path / "a.txt")])
        assert counted_files(database) == [(1, 2, 2, 0, 0)]
        assert database.rows("SELECT status FROM files") == [("done",)]
        assert not disagreements(database)


def test_a_file_that_goes_on_under_another_name_for_its_place_is_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Database.open(tmp_path / "razz.duckdb") as database:
        for name, text in (("a.txt", hand(1)), (str(tmp_path / "a.txt"), hand(1) + hand(2))):
            write(tmp_path, a=wrong_hand(3) + text)
            import_paths(database, [name])
            assert not disagreements(database)
        assert counted_files(database) == [(1, 3, 2, 0, 1)]
        assert database.rows("SELECT count(*) FROM rejected") == [(1,)]
        assert database.rows("SELECT count(*) FROM diagnostics") == [(1,)]
