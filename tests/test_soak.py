"""A day of play, compressed: many hands through `razzstats watch` while reports are asked for.

``RAZZSTATS_SOAK`` says how many hands (2,000 if not set); ``-s`` prints the figures.
"""

import itertools
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli import COMMAND, Run, environment, razzstats

from razzstats.errors import DatabaseError
from razzstats.simulate import DOLLARS, Setup, render_hands, simulate_hands, usual_stakes
from razzstats.storage import Database
from razzstats.storage.checkup import disagreements, unreadable_tables

HANDS = int(os.environ.get("RAZZSTATS_SOAK", "2000"))
TABLES = 4
HANDS_A_FILE = 250
PIECE = 20_000  # characters, some ten hands
STATUS = Path("/proc/self/status")


def text_of_table(number: int) -> str:
    """Return the hands of one table for one file."""
    setup = Setup(
        stakes=usual_stakes(DOLLARS, 200),
        names=tuple(f"player {name}" for name in range(200)),
        start=datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(hours=12 * number),
        first_number=100_000_000 * (number + 1),
    )
    return "".join(render_hands(simulate_hands(HANDS_A_FILE, 6, number, setup)))


class Client(threading.Thread):
    """Writes tables side by side, a piece of each in turn, and then others in other files."""

    def __init__(self, folder: Path, files: int) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.files = files

    def run(self) -> None:
        for first in range(0, self.files, TABLES):
            numbers = range(first, min(first + TABLES, self.files))
            pieces = [self._pieces(number) for number in numbers]
            for each in itertools.zip_longest(*pieces):
                for piece in filter(None, each):
                    path, text = piece
                    with open(path, "a", encoding="utf-8", newline="\n") as file:
                        file.write(text)
                    time.sleep(0.01)

    def _pieces(self, number: int) -> Iterator[tuple[Path, str]]:
        path, text = self.folder / f"table {number}.txt", text_of_table(number)
        for start in range(0, len(text), PIECE):
            yield path, text[start : start + PIECE]


@dataclass
class Seen:
    """What was seen of the watch meanwhile."""

    memory: list[int] = field(default_factory=list)
    """Megabytes, from second to second."""
    files_open: list[int] = field(default_factory=list)
    reports: list[Run] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)

    def look(self, process: int) -> None:
        status = Path(f"/proc/{process}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        self.memory.append(int(line.split()[1]) >> 10)
        self.files_open.append(len(list(Path(f"/proc/{process}/fd").iterdir())))


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="how much memory is used is read in /proc")
def test_a_day_of_play_loses_no_hand_and_grows_by_its_data_only(tmp_path: Path) -> None:
    histories, db = tmp_path / "histories", tmp_path / "razz.duckdb"
    histories.mkdir()
    files = -(-HANDS // HANDS_A_FILE)
    hands, seen = files * HANDS_A_FILE, Seen()
    command: list[str | Path] = [COMMAND, "watch", histories, "--db", db, "--every", "0.5"]
    with open(tmp_path / "told", "w+") as told:
        watch = subprocess.Popen(command, stdout=told, stderr=told, env=environment())
        client = Client(histories, files)
        client.start()
        while client.is_alive() or count(db) < hands:
            assert watch.poll() is None
            seen.look(watch.pid)
            seen.hands.append(count(db))
            seen.reports.append(razzstats("stats", "door-cards", "--db", db, variables=PATIENT))
            time.sleep(1.0)
        watch.send_signal(signal.SIGTERM)
        assert watch.wait(timeout=60) == 0
        told.seek(0)
        lines = told.read().splitlines()
    plain = tmp_path / "plain.duckdb"
    razzstats("import", histories, "--db", plain)
    print_figures(seen, db, plain)

    assert lines[-1] == f"stopped; {hands} hands stored"
    assert "Traceback" not in "\n".join(lines)
    with Database.open(db, read_only=True) as database:
        assert database.rows("SELECT count(*), count(DISTINCT hid) FROM hands") == [(hands, hands)]
        assert database.rows("SELECT count(*), sum(stored) FROM files") == [(files, hands)]
        assert database.rows("SELECT count(*) FROM hand_luck") == [(hands,)]
        assert database.rows("SELECT count(*) FROM rejected") == [(0,)]
        assert not disagreements(database)
    assert not unreadable_tables(db, wait=0.0)
    assert sorted(path.name for path in tmp_path.glob("razz*")) == ["razz.duckdb"]
    assert db.stat().st_size < 2 * plain.stat().st_size
    # Reports found the database free and whole; before its first hand there is none.
    answered = [report for report in seen.reports if report.code == 0]
    assert all(report.code == 2 for report in seen.reports[: -len(answered)])
    assert seen.hands == sorted(seen.hands)
    # Nothing piles up: the second half needs hardly more than the first.
    half = len(seen.memory) // 2
    assert max(seen.memory[half:]) < 1.3 * max(seen.memory[:half]) + 100
    assert max(seen.files_open[half:]) <= max(seen.files_open[:half]) + 6


PATIENT = {"RAZZSTATS_WAIT": "60"}


def count(db: Path) -> int:
    if not db.exists():
        return 0
    try:
        with Database.open(db, read_only=True, wait=60.0) as database:
            return int(database.rows("SELECT count(*) FROM hands")[0][0])
    except DatabaseError:  # it is being made
        return 0


def print_figures(seen: Seen, db: Path, plain: Path) -> None:
    sizes = [path.stat().st_size / 1e6 for path in (db, plain)]
    memory = " ".join(map(str, seen.memory[:: max(1, len(seen.memory) // 12)]))
    print(
        f"\n{seen.hands[-1]} hands in {len(seen.memory)} looks, {len(seen.reports)} reports; "
        f"memory of the watch in MB: {memory}; files open: {max(seen.files_open)}; "
        f"database {sizes[0]:.1f} MB, of a plain import {sizes[1]:.1f} MB"
    )
