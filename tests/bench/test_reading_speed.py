"""How quickly hands are read, from file to database, beside a floor, PokerKit and a peer.

``pytest -m bench -s tests/bench/test_reading_speed.py`` prints the table; no time decides a test.
The number of hands is RAZZSTATS_HANDS, five thousand if it is not set.

In each round every contender has the same hands, a few at a time in turn, so that whatever else the
machine does hits all of them; a ratio is made within its round, and what is told is the median. The
rounds have different hands: nobody sees one twice, and to remember one is of no use. Whole imports
are made by processes of their own.
"""

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeVar

import floor
import pytest
from measured_hands import write_hands, write_one_file
from pokerkit_state import Script

from razzstats.events import ParsedHand
from razzstats.locations import HandText
from razzstats.parsing import CUTTING, Kind, parse_hand, read_heading
from razzstats.replay import ReplayedHand, replay
from razzstats.sources import find_files, read_hands
from razzstats.storage import Database, HandRows, hand_rows
from razzstats.validation import validate

pytestmark = pytest.mark.bench

HANDS = int(os.environ.get("RAZZSTATS_HANDS", "5000"))
ROUNDS = 5
ROUNDS_OF_IMPORTS = 3  # of these rounds; they take all hands each time
WARM_UP = 20  # hands that no clock counts
IN_TURN = 25  # hands for which the contenders take turns; not many are alive at a time
TIMES_LONGER = 10
PEER = 47  # hands a second that the free peer imports

READ, PARSE, FLOOR = "read and split", "parse", "parse: the floor"
REPLAY, POKERKIT = "replay and validate", "replay: PokerKit's State"
ROWS, LOAD = "rows", "load into DuckDB"
ONE, TWO, AGAIN = "end to end", "end to end, --jobs 2", "the known folder again"
STAGES = (READ, PARSE, FLOOR, REPLAY, POKERKIT, ROWS, LOAD, ONE, TWO, AGAIN)

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class Spent(NamedTuple):
    """What a number of hands cost, in seconds."""

    hands: int
    cpu: float
    wall: float

    @property
    def speeds(self) -> tuple[float, float]:
        """Hands by CPU second and by second of the clock."""
        return self.hands / max(self.cpu, 1e-9), self.hands / max(self.wall, 1e-9)


class Imported(NamedTuple):
    """What a process that imported has to tell."""

    stored: int
    known: int
    refused: int
    """Hands that were rejected, cut off, or known with another text."""
    cpu: float
    wall: float
    peak: float
    """The most memory that the process held, in MB."""
    readers_peak: float
    """The same of the largest process that read for it, 0 if none did."""

    @property
    def spent(self) -> Spent:
        """What its hands cost, known ones or new ones."""
        return Spent(self.stored + self.known, self.cpu, self.wall)


@dataclass(slots=True)
class Found:
    """All that was measured."""

    rounds: list[dict[str, Spent]] = field(default_factory=list)
    """By stage."""
    memory: list[tuple[str, Imported]] = field(default_factory=list)
    """Imports by what was imported."""
    refused: int = 0
    """Hands that PokerKit plays by other rules."""

    def speeds(self, stage: str) -> tuple[float, float]:
        """Return the median of hands by CPU second, and that by second."""
        found = [each[stage].speeds for each in self.rounds if stage in each]
        cpu, wall = zip(*found, strict=True)
        return median(cpu), median(wall)

    def ratio(self, stage: str, to: str) -> tuple[float, float]:
        """Return how many times as quick as another one a stage is, by CPU and by clock."""
        rounds = [each for each in self.rounds if stage in each]
        pairs = [(each[stage].speeds, each[to].speeds) for each in rounds]
        return (
            median(ours[0] / theirs[0] for ours, theirs in pairs),
            median(ours[1] / theirs[1] for ours, theirs in pairs),
        )


# ---- the stages of one process


class Stages:
    """One round: the clock of each stage over the same hands."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.refused = 0
        self._spent: dict[str, list[Spent]] = defaultdict(list)

    def run(self, files: Iterable[str]) -> dict[str, Spent]:
        """Take all hands of the files through all stages; return what each stage cost."""
        for number, file in enumerate(files, 1):
            texts = list(_razz_hands(file))
            self._time(READ, _read, [file], len(texts))
            rows: list[HandRows] = []
            for first in range(0, len(texts), IN_TURN):
                rows += self._rows(texts[first : first + IN_TURN], number)
            self._time(LOAD, self._load, [rows], len(rows))
        return {
            stage: Spent(*map(sum, zip(*spent, strict=True)))
            for stage, spent in self._spent.items()
        }

    def _rows(self, texts: list[HandText], file_id: int) -> list[HandRows]:
        parsed = [result.value for result in self._time(PARSE, parse_hand, texts)]
        assert self._time(FLOOR, floor.parse, texts) == parsed
        hands = self._time(REPLAY, _replay_and_validate, [hand for hand in parsed if hand])
        played = self._time(POKERKIT, _play, [Script.of(hand) for hand in hands])
        self.refused += played.count(False)
        return self._time(ROWS, lambda hand: hand_rows(hand, file_id, None), hands)

    def _load(self, rows: list[HandRows]) -> None:
        with self.database.transaction():
            assert not self.database.known_hashes([each.hand.hid for each in rows])
            self.database.insert_hands(rows)

    def _time(
        self, stage: str, do: Callable[[_In], _Out], things: Sequence[_In], hands: int | None = None
    ) -> list[_Out]:
        cpu, wall = time.process_time(), time.perf_counter()
        done = [do(thing) for thing in things]
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        self._spent[stage].append(Spent(len(things) if hands is None else hands, cpu, wall))
        return done


def _read(file: str) -> int:
    return sum(1 for _ in read_hands(file, CUTTING))  # as a stream: none is kept


def _razz_hands(file: str) -> Iterator[HandText]:
    for text in read_hands(file, CUTTING):
        assert isinstance(text, HandText)
        heading = read_heading(text)
        if heading and heading.kind is Kind.RAZZ:
            yield text


def _replay_and_validate(parsed: ParsedHand) -> ReplayedHand:
    replayed = replay(parsed)
    assert replayed.value is not None
    found = (*replayed.diagnostics, *validate(replayed.value))
    assert not any(each.is_error for each in found), found
    return replayed.value


def _play(script: Script) -> bool:
    try:
        script.play()
    except ValueError:
        return False
    return True


# ---- whole imports, each by a process of its own

_IMPORT = """
import json, resource, sys, time
from pathlib import Path
from razzstats.importing import import_paths
from razzstats.storage import Database

def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)

def peak(who):
    return resource.getrusage(who).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6

def own_peak():
    # A new process inherits the peak of the one that made it in its usage, but not here.
    status = Path("/proc/self/status")
    if not status.exists():
        return peak(resource.RUSAGE_SELF)
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6

path, database, jobs = sys.argv[1:]
begin, used = time.perf_counter(), cpu()
with Database.open(Path(database)) as opened:
    reports = import_paths(opened, [path], jobs=int(jobs))
counts = {name: sum(getattr(report, name) for report in reports)
          for name in ("stored", "duplicates", "rejected", "conflicts", "incomplete")}
print(json.dumps({
    "stored": counts["stored"],
    "known": counts["duplicates"],
    "refused": counts["rejected"] + counts["conflicts"] + counts["incomplete"]
        + sum(report.failed for report in reports),
    "cpu": cpu() - used,
    "wall": time.perf_counter() - begin,
    "peak": own_peak(),
    "readers_peak": peak(resource.RUSAGE_CHILDREN),
}))
"""


def import_apart(path: Path, database: Path, jobs: int = 1) -> Imported:
    """Import a file or folder by another process; every hand must be taken."""
    told = subprocess.run(
        [sys.executable, "-c", _IMPORT, str(path), str(database), str(jobs)],
        stdout=subprocess.PIPE,
        check=True,
    )
    imported = Imported(**json.loads(told.stdout))
    assert not imported.refused
    return imported


# ---- all of it


def measure(folder: Path, hands: int, rounds: int = ROUNDS, *, real: bool = True) -> Found:
    """Make so many hands, measure everything with them, and return what was found.

    With ``real`` the real ones come on top.
    """
    found = Found()
    sessions = write_hands(folder / "hands", hands, real=real)
    files = [file for file in find_files([str(folder / "hands")]) if isinstance(file, str)]
    number = sum(1 for file in files for _ in _razz_hands(file))
    _warm_up(folder / "warm-up")
    for round_ in range(rounds):
        with Database.open(folder / f"stages-{round_}.duckdb") as database:
            stages = Stages(database)
            spent = stages.run(files[round_::rounds])
            found.refused += stages.refused
        found.rounds.append(spent)
        if round_ < ROUNDS_OF_IMPORTS:
            imports = _imports(folder, round_)
            assert [each.stored for each in imports.values()] == [number, number, 0]
            assert imports[AGAIN].known == number
            spent.update({stage: each.spent for stage, each in imports.items()})
            found.memory = [(f"{number:,} hands, {name}", each) for name, each in imports.items()]
    found.memory += _of_one_file(folder, sessions)
    return found


def _warm_up(folder: Path) -> None:
    """Let everything that is made once, grammars above all, be made before a clock runs."""
    files = write_hands(folder, WARM_UP, seed=2, real=False)
    with Database.in_memory() as database:
        Stages(database).run(map(str, files))


def _imports(folder: Path, round_: int) -> dict[str, Imported]:
    path = folder / "hands"
    one, two = folder / f"one-{round_}.duckdb", folder / f"two-{round_}.duckdb"
    return {
        ONE: import_apart(path, one),
        TWO: import_apart(path, two, jobs=2),
        AGAIN: import_apart(path, one),
    }


def _of_one_file(folder: Path, sessions: list[Path]) -> Iterator[tuple[str, Imported]]:
    for times in (1, TIMES_LONGER):
        file = folder / f"long-{times}.txt"
        write_one_file(file, sessions, times)
        imported = import_apart(file, folder / f"long-{times}.duckdb")
        megabytes = file.stat().st_size / 1e6
        yield f"one file of {imported.stored:,} hands, {megabytes:,.1f} MB", imported


def lines_of_table(found: Found) -> Iterator[str]:
    """Yield what was found: ratios first, then speeds, then memory."""
    peer = tuple(speed / PEER for speed in found.speeds(ONE))
    ratios = {
        "parse / the floor": found.ratio(PARSE, FLOOR),
        "replay and validate / PokerKit": found.ratio(REPLAY, POKERKIT),
        f"end to end / {PEER} hands a second": peer,
        "--jobs 2 / one process": found.ratio(TWO, ONE),
    }
    yield f"{'times as quick':42} {'by CPU':>10} {'by clock':>10}"
    for name, (cpu, wall) in ratios.items():
        yield f"{name:42} {cpu:10,.2f} {wall:10,.2f}"
    yield f"{'hands a second':42} {'of CPU':>10} {'of clock':>10}"
    for stage in STAGES:
        cpu, wall = found.speeds(stage)
        yield f"{stage:42} {cpu:10,.0f} {wall:10,.0f}"
    yield f"{'peak memory, MB':42} {'writes':>10} {'reads':>10}"
    for name, imported in found.memory:
        readers = f"{imported.readers_peak:.0f}" if imported.readers_peak else "-"
        yield f"{name:42} {imported.peak:10.0f} {readers:>10}"
    yield f"PokerKit plays {found.refused} hands by other rules, and not to their end"


def test_reading(tmp_path: Path) -> None:
    print()
    for line in lines_of_table(measure(tmp_path, HANDS)):
        print(line)
