"""`razzstats watch`: hands are imported while a client writes them, and reports run beside it."""

import contextlib
import json
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import duckdb
import pytest
from cli import COMMAND, environment, half_a_hand, hand, razzstats, write, wrong_hand

from razzstats.errors import DatabaseError
from razzstats.storage import Database, InUse
from razzstats.storage.checkup import disagreements
from razzstats.watching import Stopped, Turn, Watch

PATIENCE = 60.0  # seconds until something must have happened, on the slowest of machines


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "razz.duckdb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    histories = tmp_path / "histories"
    histories.mkdir()
    return histories


def stored(db: Path) -> list[int]:
    with Database.open(db, read_only=True, wait=PATIENCE) as database:
        assert not disagreements(database)
        found = database.rows("SELECT hand_no FROM hands ORDER BY hid")
    return [int(number) for (number,) in found]


def files(db: Path) -> list[tuple[int, int, int, int]]:
    """Return the number of each file, and what it counts: hands seen, stored and incomplete."""
    with Database.open(db, read_only=True) as database:
        return [
            (number, file.hands_seen, file.stored, file.incomplete)
            for number, file in database.files()
        ]


# ---- turn by turn


def test_what_appears_and_grows_is_stored_once(folder: Path, db: Path) -> None:
    watch = Watch([str(folder)], db)
    assert watch.turn() == Turn([], [], [], 0)
    assert not db.exists()  # nothing to store makes no database
    write(folder, a=hand(1) + hand(2))
    assert watch.turn().stored == 2
    write(folder, a=hand(1) + hand(2) + hand(3), b=hand(4))
    assert watch.turn().stored == 2
    assert watch.turn().reports == []
    assert stored(db) == [1, 2, 3, 4]


def test_a_file_that_grows_is_one_file_that_counts_all_its_hands(folder: Path, db: Path) -> None:
    watch = Watch([str(folder)], db)
    for count in range(1, 6):
        write(folder, a="".join(map(hand, range(1, count + 1))) + half_a_hand(count + 1))
        assert watch.turn().stored == 1
    assert files(db) == [(1, 6, 5, 1)]


@pytest.mark.parametrize("size", [1, 7, 100, 391])
def test_a_hand_that_is_written_in_pieces_is_stored_when_it_is_whole(
    folder: Path, db: Path, size: int
) -> None:
    text = (hand(1) + hand(2)).encode()
    cuts = range(len(text) - 500, len(text), max(size, 25))
    watch = Watch([str(folder)], db)
    for cut in [*cuts, len(text)]:
        (folder / "a.txt").write_bytes(text[:cut])
        watch.turn()
        assert set(stored(db)) <= {1, 2}
    assert stored(db) == [1, 2]
    with Database.open(db, read_only=True) as database:
        assert database.rows("SELECT count(*) FROM rejected") == [(0,)]
        assert database.rows("SELECT count(*) FROM hand_luck") == [(2,)]
        assert database.rows("SELECT count(*) FROM files") == [(1,)]


def test_files_that_rotate_are_renamed_or_deleted_lose_no_hand(folder: Path, db: Path) -> None:
    watch = Watch([str(folder)], db)
    write(folder, a=hand(1))
    watch.turn()
    (folder / "a.txt").rename(folder / "a-1.txt")
    write(folder, a=hand(2))
    turn = watch.turn()
    assert (turn.stored, len(turn.reports)) == (1, 2)
    (folder / "a-1.txt").unlink()
    write(folder, a=hand(3))  # as long as the one before: another content at the same place
    assert watch.turn().stored == 1
    (folder / "a.txt").unlink()
    assert watch.turn().reports == []
    write(folder, a=hand(3))
    assert watch.turn().stored == 0
    assert stored(db) == [1, 2, 3]


def test_a_burst_of_files_is_imported_over_several_turns(
    folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.watching._TURN_SECONDS", 0.0)
    for number in range(1, 8):
        write(folder, **{f"f{number}": hand(number)})
    watch = Watch([str(folder)], db)
    lefts = [watch.turn().left for _ in range(7)]
    assert lefts == [6, 5, 4, 3, 2, 1, 0]
    assert stored(db) == [*range(1, 8)]


def test_a_folder_that_is_away_is_told_once_and_may_come_back(folder: Path, db: Path) -> None:
    away = folder / "network"
    watch = Watch([str(away)], db)
    (missing,) = watch.turn().missing
    assert str(away) in (missing.span.file if missing.span else "")
    assert watch.turn().missing == []
    away.mkdir()
    write(away, a=hand(1))
    assert watch.turn().stored == 1
    (away / "a.txt").unlink()
    away.rmdir()
    assert len(watch.turn().missing) == 1


def test_findings_are_told_once_however_often_the_file_grows(folder: Path, db: Path) -> None:
    watch = Watch([str(folder)], db)
    write(folder, a=wrong_hand(1))
    assert [found.hand_id and found.hand_id.number for found in watch.turn().findings] == ["1"]
    write(folder, a=wrong_hand(1) + hand(2))
    assert watch.turn().findings == []
    write(folder, a=wrong_hand(1) + hand(2) + wrong_hand(3))
    assert [found.hand_id and found.hand_id.number for found in watch.turn().findings] == ["3"]


def test_a_file_that_cannot_be_read_is_tried_again_after_a_while(
    folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.zip").write_bytes(b"PK\x03\x04 no archive")
    watch = Watch([str(folder)], db)
    assert len(watch.turn().reports) == 1
    assert watch.turn().reports == []
    now = time.monotonic()
    monkeypatch.setattr("razzstats.watching.time.monotonic", lambda: now + 31)
    assert len(watch.turn().reports) == 1


def test_another_watch_begins_where_one_ended(folder: Path, db: Path) -> None:
    write(folder, a=hand(1) + hand(2))
    assert Watch([str(folder)], db).turn().stored == 2
    write(folder, a=hand(1) + hand(2) + hand(3))
    turn = Watch([str(folder)], db).turn()
    assert (turn.stored, turn.reports[0].duplicates) == (1, 2)
    (again,) = Watch([str(folder)], db).turn().reports
    assert again.known


def test_a_locked_database_costs_a_turn_and_no_hand(folder: Path, db: Path) -> None:
    write(folder, a=hand(1))
    watch = Watch([str(folder)], db, wait=0.0)
    watch.turn()
    write(folder, a=hand(1) + hand(2))
    with reading(db), pytest.raises(InUse, match="is in use by"):
        watch.turn()
    assert watch.turn().stored == 1
    assert stored(db) == [1, 2]


def test_a_watch_that_is_told_to_stop_stores_whole_batches(
    folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.batches.BATCH", 2)
    write(folder, a="".join(map(hand, range(1, 8))))
    asked = iter([False, False, True])
    watch = Watch([str(folder)], db, is_stopped=lambda: next(asked))
    with pytest.raises(Stopped) as stopped:
        watch.turn()
    assert stopped.value.stored == len(stored(db)) == 4
    assert Watch([str(folder)], db).turn().stored == 3
    assert stored(db) == [*range(1, 8)]
    assert files(db) == [(1, 7, 7, 0)]


def test_a_damaged_database_ends_the_watch(folder: Path, db: Path) -> None:
    write(folder, a=hand(1))
    db.write_bytes(b"no database" * 1_000)
    with pytest.raises(DatabaseError, match="is not a database of razzstats"):
        Watch([str(folder)], db).turn()


@contextlib.contextmanager
def reading(db: Path) -> Iterator[None]:
    """Let another process read the database, which shuts a writer out."""
    code = (
        f"import duckdb; held = duckdb.connect({str(db)!r}, read_only=True); print(1, flush=True)"
    )
    python = Path(COMMAND).parent / "python"
    process = subprocess.Popen(
        [python, "-c", f"{code}\ninput()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout
        assert process.stdout.readline()
        yield
        process.kill()


# ---- the command, for real


@contextlib.contextmanager
def watching(folder: Path, db: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """Run `razzstats watch` on a folder; end it the hard way if it still runs at the end."""
    command: Sequence[str | Path] = [
        COMMAND, "watch", folder, "--db", db, "--every", "0.1", *options,
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stderr.close()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; fail if it takes too long."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def has_stored(db: Path, count: int) -> Callable[[], bool]:
    def holds() -> bool:
        with contextlib.suppress(DatabaseError, duckdb.Error):
            return db.exists() and len(stored(db)) >= count
        return False

    return holds


def as_a_client_writes(path: Path, text: str, seed: int) -> None:
    """Write a text piece by piece, as poker clients do: some lines, a pause, half a line."""
    chance = random.Random(seed)
    content = text.encode()
    place = 0
    with open(path, "ab", buffering=0) as file:
        while place < len(content):
            size = chance.choice((13, 80, 300, 900))
            file.write(content[place : place + size])
            place += size
            time.sleep(chance.choice((0.0, 0.0, 0.005, 0.03)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_client_writes_and_the_watch_stops_with_everything_stored(
    folder: Path, db: Path, number: int
) -> None:
    hands = range(1, 31)
    with watching(folder, db) as process:
        for third in (hands[:10], hands[10:20], hands[20:]):
            as_a_client_writes(folder / f"t{third[0]}.txt", "".join(map(hand, third)), third[0])
        until(has_stored(db, 30))
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert sum(int(line.split()[1]) for line in out.splitlines()) == 30
    assert err.splitlines()[-1] == "stopped; 30 hands stored"
    assert "Traceback" not in err
    assert stored(db) == [*hands]


def test_reports_run_beside_a_watch(folder: Path, db: Path) -> None:
    with watching(folder, db, "--format", "jsonl") as process:
        write(folder, a=hand(1))
        until(has_stored(db, 1))
        for number in range(2, 6):
            write(folder, a="".join(map(hand, range(1, number + 1))))
            run = razzstats("stats", "door-cards", "--db", db, "--format", "json")
            assert run.code == 0, run
            assert 1 <= sum(door["hands"] for door in json.loads(run.out)) <= number
        until(has_stored(db, 5))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    records = [json.loads(line) for line in out.splitlines()]
    assert sum(record["stored"] for record in records) == 5
    assert all(record["files"] == [str(folder / "a.txt")] for record in records)
    assert process.returncode == 0, err


def test_a_watch_waits_for_a_database_that_somebody_reads(folder: Path, db: Path) -> None:
    write(folder, a=hand(1))
    assert razzstats("import", folder, "--db", db).code == 0
    write(folder, a=hand(1) + hand(2))
    with reading(db), watching(folder, db) as process:
        assert process.stderr
        assert process.stderr.readline().startswith("watching; ")
        assert " is in use by " in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "stopped; 0 hands stored\n")
    assert stored(db) == [1]


def test_a_wrong_format_is_wrong_use(folder: Path, db: Path) -> None:
    run = razzstats("watch", folder, "--db", db, "--format", "parquet")
    assert run.code == 2
    assert "Invalid value for '--format'" in run.sentence
