"""Importing: every hand counts once, nothing is lost, and one bad file or hand harms no other."""

import gzip
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from cli import (
    half_a_hand,
    hand,
    other_game,
    razzstats,
    text_stream,
    warned_hand,
    write,
    wrong_hand,
)
from hands import SAMPLES, corpus_folder

from razzstats import batches, pipeline
from razzstats.diagnostics import Diagnostic
from razzstats.importing import COUNTS, FileReport, import_paths
from razzstats.pipeline import Outcome, Status, read_file
from razzstats.replay import ReplayedHand
from razzstats.rules.ruleset import RuleSet
from razzstats.storage import Database
from razzstats.validation import validate

TABLES = ("files", "hands", "hand_players", "actions", "hand_texts", "diagnostics", "rejected")

Contents = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.in_memory() as opened:
        yield opened


def contents(database: Database, *tables: str) -> Contents:
    """Return all rows of all tables, but for the time of the import."""
    rows = {}
    for table in tables or TABLES:
        columns = "* EXCLUDE (imported_at)" if table == "files" else "*"
        rows[table] = sorted(database.rows(f"SELECT {columns} FROM {table}"), key=repr)
    return rows


def run(
    database: Database, *paths: Path | str, dry_run: bool = False, jobs: int = 1
) -> list[FileReport]:
    reports = import_paths(database, map(str, paths), dry_run=dry_run, jobs=jobs)
    for report in reports:
        check_sum(report)
    return reports


def check_sum(report: FileReport) -> None:
    """Every hand of Razz must have come to exactly one end."""
    parts = ("stored", "duplicates", "conflicts", "rejected", "incomplete")
    assert report.hands_seen == sum(getattr(report, name) for name in parts), report


def counted(report: FileReport) -> dict[str, int]:
    """Return the counts that are not 0."""
    return {name: getattr(report, name) for name in COUNTS if getattr(report, name)}


def numbers(database: Database) -> list[str]:
    return [number for (number,) in database.rows("SELECT hand_no FROM hands ORDER BY hid")]


def mixed_folder(folder: Path) -> Path:
    """Make a folder in which everything happens."""
    write(
        folder,
        a=hand(1) + hand(2) + other_game() + wrong_hand(3) + warned_hand(4),
        b=hand(2) + hand(5) + half_a_hand(6),
        c=hand(1, name="Somebody Else"),
        d="",
        e="no hand of any room\n",
        f=other_game(),
        g="what is this\n" + hand(7),
    )
    return folder


# ---- the same again


def test_importing_twice_changes_no_table(database: Database, tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path)
    first = run(database, folder)
    before = contents(database)
    second = run(database, folder)
    assert contents(database) == before
    assert [report.stored for report in second] == [0] * 7
    assert [report.hands_seen for report in second] == [report.hands_seen for report in first]
    assert [report.duplicates for report in second] == [
        report.duplicates + report.stored for report in first
    ]


@pytest.mark.parametrize("sample", sorted(SAMPLES.rglob("edge-*.txt")), ids=lambda path: path.stem)
def test_importing_a_sample_twice_changes_no_table(database: Database, sample: Path) -> None:
    (first,) = run(database, sample)
    before = contents(database)
    (second,) = run(database, sample)
    assert contents(database) == before
    assert (second.known, second.stored) == (True, 0)
    assert second.duplicates == first.stored + first.duplicates


def test_a_moved_copy_is_known_by_its_content(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + wrong_hand(2) + other_game())
    run(database, tmp_path / "a.txt")
    before = contents(database)
    (tmp_path / "a.txt").rename(tmp_path / "renamed.txt")
    (report,) = run(database, tmp_path / "renamed.txt")
    assert report.known
    assert counted(report) == {"hands_seen": 2, "duplicates": 1, "rejected": 1, "other_games": 1}
    assert contents(database) == before


def test_the_same_hands_in_another_file_are_duplicates(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + hand(2), b=hand(2).replace("\n", "\r\n") + "\n\n" + hand(3))
    _, report = run(database, tmp_path)
    assert not report.known
    assert counted(report) == {"hands_seen": 2, "stored": 1, "duplicates": 1}
    assert numbers(database) == ["1", "2", "3"]


def test_a_hand_twice_in_one_file_counts_once(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) * 3)
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 1, "duplicates": 2}


# ---- files that grow


def test_a_file_that_grows_gives_what_is_new(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + half_a_hand(2))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 1, "incomplete": 1}
    assert [found.code.name for found in report.diagnostics] == ["truncated-hand"]
    waiting = database.rows("SELECT hand_no, reason, text FROM rejected")
    assert waiting == [("2", "incomplete", half_a_hand(2).strip())]
    write(tmp_path, a=hand(1) + hand(2) + hand(3))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 2, "duplicates": 1}
    assert numbers(database) == ["1", "2", "3"]
    assert contents(database, "diagnostics") == {"diagnostics": []}
    assert contents(database, "rejected") == {"rejected": []}


def test_growing_does_not_report_a_rejected_hand_twice(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=wrong_hand(1) + hand(2))
    run(database, tmp_path)
    before = contents(database, "diagnostics", "rejected")
    write(tmp_path, a=wrong_hand(1) + hand(2) + hand(3))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 1, "duplicates": 1, "rejected": 1}
    after = contents(database, "diagnostics", "rejected")
    assert [row[1:] for row in after["rejected"]] == [row[1:] for row in before["rejected"]]
    assert [row[1:] for row in after["diagnostics"]] == [row[1:] for row in before["diagnostics"]]


def test_a_hand_that_breaks_off_in_the_middle_will_never_grow(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, a=half_a_hand(1) + hand(2))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 1, "rejected": 1}


# ---- conflicts


def test_another_text_of_a_stored_hand_is_kept_apart(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b=hand(9) + hand(1, name="Eve"))
    _, report = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 1, "conflicts": 1}
    (found,) = report.diagnostics
    assert found.code.name == "conflicting-hand"
    assert found.span is not None
    assert (found.span.file, found.span.line) == (str(tmp_path / "b.txt"), 21)
    names = database.rows("SELECT DISTINCT name FROM hand_players WHERE is_hero OR seat = 1")
    assert names == [("Anna",)]
    kept = database.rows("SELECT hand_no, reason, code, file, line, text FROM rejected")
    file, text = str(tmp_path / "b.txt"), hand(1, name="Eve").rstrip("\n")
    assert kept == [("1", "conflict", "RZ702", file, 21, text)]


def test_two_texts_of_one_hand_in_one_file_are_a_conflict(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, a=hand(1) + hand(1, name="Eve"))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 1, "conflicts": 1}


# ---- hands that are rejected


def test_a_rejected_hand_is_kept_with_place_reason_and_text(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, a=hand(1) + wrong_hand(2) + hand(3))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 2, "rejected": 1}
    file = str(tmp_path / "a.txt")
    message = "Anna brings in, but Ben has the highest door card (Kd)"
    text = wrong_hand(2).rstrip("\n")
    assert database.rows("SELECT * EXCLUDE (file_id) FROM rejected") == [
        ("pokerstars", "2", "rejected", "RZ401", message, file, 21, text)
    ]
    assert database.rows("SELECT * EXCLUDE (file_id, help) FROM diagnostics") == [
        ("pokerstars", "2", "RZ401", "bring-in-wrong-seat", "error", message, file, 30, 1)
    ]
    for table in ("hands", "hand_players", "actions", "hand_texts"):
        hids = database.rows(f"SELECT DISTINCT hid % 1000 FROM {table} ORDER BY 1")
        keys = database.rows("SELECT hid % 1000 FROM hands ORDER BY 1")
        assert hids == keys


def test_a_hand_with_a_warning_is_stored_and_flagged(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=warned_hand(4) + hand(5))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 2, "warnings": 1}
    assert database.rows("SELECT hand_no, status FROM hands ORDER BY hid") == [
        ("4", "warning"),
        ("5", "ok"),
    ]


def test_a_failure_of_ours_costs_one_hand(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=hand(1) + hand(2) + hand(3))
    monkeypatch.setattr(pipeline, "validate", failing_for("2"))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 2, "rejected": 1}
    (found,) = report.diagnostics
    assert found.code.id == "RZ901"
    assert "ZeroDivisionError: oh no" in found.message
    assert numbers(database) == ["1", "3"]
    assert database.rows("SELECT hand_no, code, text FROM rejected") == [
        ("2", "RZ901", hand(2).rstrip("\n"))
    ]
    with pytest.raises(ZeroDivisionError):
        list(read_file(str(tmp_path / "a.txt"), raise_errors=True))


def failing_for(number: str) -> Any:
    def failing(found: ReplayedHand) -> list[Diagnostic]:
        if found.parsed.hand_id.number == number:
            raise ZeroDivisionError("oh no")
        return list(validate(found))

    return failing


@pytest.mark.parametrize("change", [("6-max", "600-max"), ("Seat 3:", "Seat 300:")])
def test_a_number_that_no_table_has_costs_one_hand(
    database: Database, tmp_path: Path, change: tuple[str, str]
) -> None:
    write(tmp_path, a=hand(1) + hand(2).replace(*change) + hand(3))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 2, "rejected": 1}
    assert numbers(database) == ["1", "3"]


# ---- files that fail


def test_files_without_a_hand_fail_and_the_others_are_stored(
    database: Database, tmp_path: Path
) -> None:
    reports = run(database, mixed_folder(tmp_path), tmp_path / "none.txt")
    failed = {Path(report.file).stem: report.failure for report in reports if report.failure}
    assert {name: found.code.name for name, found in failed.items()} == {
        "d": "empty-file",
        "e": "unknown-site",
        "none": "unreadable-file",
    }
    assert numbers(database) == ["1", "2", "4", "5", "7"]
    assert database.rows("SELECT path, error FROM files WHERE status = 'failed' ORDER BY path") == [
        (str(tmp_path / "d.txt"), "the file is empty"),
        (str(tmp_path / "e.txt"), "no hand of a known room begins in this file"),
    ]


def test_a_file_of_other_games_alone_is_no_failure(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a=other_game(1) + other_game(2))
    (report,) = run(database, tmp_path)
    assert not report.failed
    assert counted(report) == {"other_games": 2}
    assert report.diagnostics == []


def test_blank_lines_alone_are_an_empty_file(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a="\n  \n\r\n")
    (report,) = run(database, tmp_path)
    assert report.failure is not None
    assert report.failure.code.name == "empty-file"


def test_text_before_the_first_hand_is_a_warning(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a="what is this\nand that\n" + hand(1))
    (report,) = run(database, tmp_path)
    assert not report.failed
    assert counted(report) == {"hands_seen": 1, "stored": 1, "warnings": 1}
    assert [found.code.name for found in report.diagnostics] == ["stray-text"]


def test_a_failed_file_is_recorded_once_and_read_again(database: Database, tmp_path: Path) -> None:
    write(tmp_path, a="")
    for _ in range(3):
        (report,) = run(database, tmp_path)
        assert report.failed
    assert len(contents(database, "files", "diagnostics")["files"]) == 1
    write(tmp_path, a=hand(1))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 1, "stored": 1}
    assert contents(database, "diagnostics") == {"diagnostics": []}


def test_a_damaged_archive_gives_what_can_be_read_of_it(database: Database, tmp_path: Path) -> None:
    packed = gzip.compress("".join(hand(number) for number in range(1, 301)).encode())
    (tmp_path / "a.gz").write_bytes(packed[: len(packed) // 2])
    (report,) = run(database, tmp_path)
    assert report.failed
    assert 0 < report.stored < 300
    before = contents(database, "hands", "rejected", "diagnostics")
    (again,) = run(database, tmp_path)
    assert (again.failed, again.stored, again.duplicates) == (True, 0, report.stored)
    assert contents(database, "hands", "rejected", "diagnostics") == before


def test_a_zip_is_one_file(database: Database, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.txt", hand(1))
        archive.writestr("sub/two.txt", hand(2) + wrong_hand(3))
        archive.writestr("picture.png", b"\x89PNG")
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 3, "stored": 2, "rejected": 1}
    assert database.rows("SELECT file FROM rejected") == [(f"{tmp_path / 'a.zip'}:sub/two.txt",)]


def test_a_file_name_that_is_no_text_is_imported(database: Database, tmp_path: Path) -> None:
    name = "\udcff\udcfe.txt"  # what the bytes FF FE are in a file name
    (tmp_path / name).write_text(hand(1) + wrong_hand(2))
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 2, "stored": 1, "rejected": 1}
    assert database.find_texts("1")[0].file == f"{tmp_path}/\\udcff\\udcfe.txt"
    (again,) = run(database, tmp_path)
    assert again.known


# ---- standard input


def stdin_of(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", text_stream(text.encode()))


def test_standard_input_is_never_the_same_file_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin_of(monkeypatch, hand(1) + wrong_hand(2))
    (first,) = run(database, "-")
    stdin_of(monkeypatch, hand(1) + wrong_hand(3))
    (second,) = run(database, "-")
    assert counted(first) == {"hands_seen": 2, "stored": 1, "rejected": 1}
    assert counted(second) == {"hands_seen": 2, "duplicates": 1, "rejected": 1}
    assert not second.known
    # The hand that the first one could not store is not lost with the second.
    assert database.rows("SELECT hand_no FROM rejected ORDER BY hand_no") == [("2",), ("3",)]


# ---- batches


@pytest.mark.parametrize("batch", [1, 2, 3, 7])
def test_the_size_of_a_batch_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    text = "".join(map(hand, range(1, 6))) + hand(2) + hand(3, name="Eve") + wrong_hand(6) + hand(7)
    write(tmp_path, a=text)
    with Database.in_memory() as whole:
        (expected,) = run(whole, tmp_path)
        in_one = contents(whole)
    monkeypatch.setattr(batches, "BATCH", batch)
    with Database.in_memory() as pieces:
        (report,) = run(pieces, tmp_path)
        assert contents(pieces) == in_one
    assert counted(report) == counted(expected)


@pytest.mark.parametrize("seed", range(25))
def test_files_written_together_are_as_if_written_one_by_one(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    makers = (hand, hand, hand, half_a_hand, wrong_hand, warned_hand, broken_off, somebody_elses)
    for name in "abcdefgh":
        pieces = [dice.choice(makers)(dice.randrange(1, 9)) for _ in range(dice.randrange(4))]
        write(tmp_path, **{name: "".join(pieces)})
    with Database.in_memory() as one_by_one:
        apart = [run(one_by_one, tmp_path / f"{name}.txt")[0] for name in "abcdefgh"]
        expected = contents(one_by_one)
    with Database.in_memory() as together:
        assert [counted(report) for report in run(together, tmp_path)] == list(map(counted, apart))
        assert contents(together) == expected


def broken_off(number: int) -> str:
    """A hand that ends inside its last line and reads as a whole one all the same."""
    return hand(number).rstrip("\n")[:-6] + "\n\n"


def somebody_elses(number: int) -> str:
    return hand(number, name="Somebody Else")


def test_an_interrupted_import_keeps_whole_batches_and_goes_on_later(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=wrong_hand(1) + "".join(map(hand, range(2, 10))))
    monkeypatch.setattr(batches, "BATCH", 3)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(batches, "read_file", interrupted_after(8))
        with pytest.raises(KeyboardInterrupt):
            run(database, tmp_path)
    assert numbers(database) == ["2", "3", "4", "5", "6"]
    assert database.rows("SELECT status, stored, rejected FROM files") == [("begun", 5, 1)]
    assert database.find_texts("2"), "a hand of an unfinished file can be shown"
    (report,) = run(database, tmp_path)
    assert counted(report) == {"hands_seen": 9, "stored": 3, "duplicates": 5, "rejected": 1}
    assert database.rows("SELECT status FROM files") == [("done",)]
    assert database.rows("SELECT hand_no FROM rejected") == [("1",)]


@pytest.mark.parametrize("statement", ["BEGIN", "COMMIT"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_ctrl_c_may_come_right_after_a_transaction_begins_or_ends(
    statement: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python raises it when DuckDB has answered: what is in must not be written again."""
    write(tmp_path, a="".join(map(hand, range(1, 10))))
    place = tmp_path / "x.duckdb"
    monkeypatch.setattr(batches, "BATCH", 3)
    with Database.open(place) as database:
        database._connection = cast(Any, InterruptedAfter(database._connection, statement, number))
        with pytest.raises(KeyboardInterrupt):
            run(database, tmp_path)
    with Database.open(place) as database:
        assert len(numbers(database)) in (3 * number, 3 * number - 3)
        (report,) = run(database, tmp_path)
        assert report.stored + report.duplicates == 9
        assert numbers(database) == [str(number) for number in range(1, 10)]


class InterruptedAfter:
    """A connection at whose ``number``-th such statement Ctrl-C is pressed."""

    def __init__(self, connection: Any, statement: str, number: int) -> None:
        self._connection, self._statement, self._left = connection, statement, number

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *parameters: Any) -> Any:
        found = self._connection.execute(sql, *parameters)
        if sql == self._statement:
            self._left -= 1
            if not self._left:
                raise KeyboardInterrupt
        return found


def interrupted_after(pieces: int) -> Any:
    true_read_file = pipeline.read_file

    def read_file(file: str, rules: RuleSet) -> Iterator[Outcome]:
        for number, outcome in enumerate(true_read_file(file, rules)):
            if number == pieces:
                raise KeyboardInterrupt
            yield outcome

    return read_file


# ---- several processes


def test_many_readers_write_what_one_writes(tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path)
    (folder / "copy.txt").write_bytes((folder / "a.txt").read_bytes())
    paths = [folder, tmp_path / "none.txt", SAMPLES / "pokerstars"]
    with Database.in_memory() as database:
        alone = run(database, *paths)
        expected = contents(database)
    with Database.in_memory() as database:
        together = run(database, *paths, jobs=2)
        found = contents(database)
    assert list(map(counted, together)) == list(map(counted, alone))
    assert [report.diagnostics for report in together] == [report.diagnostics for report in alone]
    # Numbers are given to files when they are begun, which is earlier for those read ahead.
    for table in ("hand_players", "actions", "hand_texts"):
        assert found[table] == expected[table]
    for table in ("files", "rejected", "diagnostics"):
        without_number = [[row[1:] for row in rows[table]] for rows in (found, expected)]
        assert sorted(without_number[0], key=repr) == sorted(without_number[1], key=repr)


# ---- dry runs


def test_a_dry_run_writes_nothing_and_counts_the_same(tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path)
    paths = [folder, folder / "a.txt", tmp_path / "none.txt"]
    with Database.in_memory() as database:
        run(database, folder / "b.txt")
        before = contents(database)
        dry = run(database, *paths, dry_run=True)
        assert contents(database) == before
        wet = run(database, *paths)
    assert list(map(counted, dry)) == list(map(counted, wet))
    assert [report.failed for report in dry] == [report.failed for report in wet]
    assert list(map(codes_of, dry))[:7] == list(map(codes_of, wet))[:7]


def codes_of(report: FileReport) -> list[str]:
    return [found.code.id for found in report.diagnostics]


# ---- every outcome is counted


def test_the_command_adds_up_what_the_files_came_to(tmp_path: Path) -> None:
    mixed_folder(tmp_path)
    run = razzstats("import", tmp_path, "--db", tmp_path / "razz.duckdb")
    assert run.code == 1
    assert run.out == (
        "7 files, 9 Razz hands: 5 stored, 1 known already, 1 in conflict, 1 rejected, "
        "1 incomplete; 2 hands of other games left out\n"
    )


def statuses(path: Path) -> list[Status]:
    return [outcome.status for outcome in read_file(str(path))]


def test_what_becomes_of_each_piece_of_a_file(tmp_path: Path) -> None:
    mixed_folder(tmp_path)
    expected: Mapping[str, list[Status]] = {
        "a": [Status.OK, Status.OK, Status.OTHER_GAME, Status.REJECTED, Status.WARNING],
        "b": [Status.OK, Status.OK, Status.INCOMPLETE],
        "d": [Status.FAILED_FILE],
        "e": [Status.FAILED_FILE],
        "f": [Status.OTHER_GAME],
        "g": [Status.STRAY_TEXT, Status.OK],
    }
    assert {name: statuses(tmp_path / f"{name}.txt") for name in expected} == expected


# ---- the corpus


def test_the_real_hands_are_stored_and_their_money_adds_up(database: Database) -> None:
    reports = run(database, corpus_folder("pokerstars"))
    assert not any(report.failed for report in reports)
    totals = {name: sum(getattr(report, name) for report in reports) for name in COUNTS}
    assert (totals["stored"], totals["other_games"], totals["rejected"]) == (20, 62, 0)
    assert (totals["hands_seen"], totals["incomplete"], totals["conflicts"]) == (20, 0, 0)
    unbalanced = database.rows(
        """SELECT hand_no, any_value(rake), sum(net) FROM hands JOIN hand_players USING (hid)
        GROUP BY hand_no HAVING any_value(rake) + sum(net) <> 0
            OR sum(contributed) <> any_value(pot) OR bool_or(net <> collected - contributed)
            OR bool_or(hand_players.ante + put3 + put4 + put5 + put6 + put7 <> contributed)"""
    )
    assert unbalanced == []
