"""Hand histories are imported while a client writes them, in short turns."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from razzstats.diagnostics import Diagnostic, codes
from razzstats.importing import FileReport, import_paths
from razzstats.measuring import measure_hands
from razzstats.places import WAIT_SECONDS
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.sources import find_files
from razzstats.storage import Database

_TURN_SECONDS = 1.0
"""No further file is begun in a turn after so long: others want to read the database."""

_RETRY_SECONDS = 30.0
"""After so long a file that could not be read is tried again, though it has not changed."""


class Turn(NamedTuple):
    """What one look at the folders came to."""

    reports: list[FileReport]
    """Of the files that had changed and were read, in their order."""
    findings: list[Diagnostic]
    """What was found in them and was not told in an earlier turn."""
    missing: list[Diagnostic]
    """Folders and files that are not there, or cannot be read, since this turn."""
    left: int
    """How many changed files wait for the next turn."""

    @property
    def stored(self) -> int:
        """How many hands are new."""
        return sum(report.stored for report in self.reports)


class Stopped(Exception):
    """The watch was told to stop; what was read whole is stored."""

    def __init__(self, stored: int = 0) -> None:
        """Stop a turn in which so many hands were stored."""
        super().__init__()
        self.stored = stored


class _State(NamedTuple):
    """What tells whether a file has changed."""

    size: int
    modified: int
    inode: int


class Watch:
    """Folders that are looked at again and again.

    The database is open in the middle of a turn only, so that reports run between two of them.
    Files are known by size, time and inode meanwhile, and by their content across runs: one that
    was renamed or rotated is not read again, one that grew is read again and gives what is new. A
    folder that is not there, as on a network, may come back.
    """

    def __init__(
        self,
        paths: Sequence[str],
        database: Path,
        rules: RuleSet = RAZZ,
        *,
        wait: float = WAIT_SECONDS,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Watch what the paths name; ``is_stopped`` is asked between files and batches of hands."""
        self.paths = paths
        self.database = database
        self.rules = rules
        self.wait = wait
        self.is_stopped = is_stopped
        self._seen: dict[str, _State] = {}
        self._told: dict[str, set[tuple[int, str]]] = {}
        self._missing: set[str] = set()
        self._retry_at: dict[str, float] = {}

    def turn(self) -> Turn:
        """Import what has changed since the last turn.

        Raises InUse if another process holds the database for longer than ``wait`` seconds, and
        other DatabaseErrors if it cannot be used; the next turn takes up what this one left.
        Raises Stopped in the middle of a long file, if it is told to stop.
        """
        changed, missing = self._look()
        reports: list[FileReport] = []
        if changed and not self.is_stopped():
            with Database.open(self.database, wait=self.wait) as database:
                reports = self._import(database, changed)
        findings = [found for report in reports for found in self._news(report)]
        return Turn(reports, findings, missing, len(changed) - len(reports))

    def _look(self) -> tuple[dict[str, _State], list[Diagnostic]]:
        """Return the files that have changed, and what has gone missing."""
        states: dict[str, _State] = {}
        gone: list[Diagnostic] = []
        for found in find_files(self.paths):
            if isinstance(found, Diagnostic):
                gone.append(found)
            elif state := _state(found):
                states[found] = state
        self._seen = {file: state for file, state in self._seen.items() if file in states}
        self._told = {file: told for file, told in self._told.items() if file in states}
        self._retry_at = {file: at for file, at in self._retry_at.items() if file in states}
        news = [each for each in gone if _place(each) not in self._missing]
        self._missing = set(map(_place, gone))
        now = time.monotonic()
        changed = {
            file: state
            for file, state in states.items()
            if self._seen.get(file) != state or self._retry_at.get(file, now) < now
        }
        return changed, news

    def _import(self, database: Database, changed: dict[str, _State]) -> list[FileReport]:
        stored = 0

        def note(report: FileReport) -> None:
            self._seen[report.file] = changed[report.file]
            self._retry_at.pop(report.file, None)
            if report.failure and report.failure.code == codes.UNREADABLE_FILE:
                self._retry_at[report.file] = time.monotonic() + _RETRY_SECONDS

        def after_batch(hands: int, characters: int) -> None:
            nonlocal stored
            stored += hands
            self._go_on()

        try:
            reports = import_paths(
                database,
                self._in_time(changed),
                self.rules,
                after_file=note,
                after_batch=after_batch,
            )
            measure_hands(database, self._go_on)
        except Stopped:
            raise Stopped(stored) from None
        return reports

    def _in_time(self, files: Iterable[str]) -> Iterator[str]:
        """Yield files until the turn has been long enough; the first one always."""
        until = time.monotonic() + _TURN_SECONDS
        for number, file in enumerate(files):
            if number and (time.monotonic() > until or self.is_stopped()):
                return
            yield file

    def _go_on(self, left: int = 0) -> None:
        if self.is_stopped():
            raise Stopped

    def _news(self, report: FileReport) -> Iterator[Diagnostic]:
        told = self._told.setdefault(report.file, set())
        for found in report.diagnostics:
            mark = (found.span.line if found.span else 0, found.code.id)
            if mark not in told:
                told.add(mark)
                yield found


def _state(file: str) -> _State | None:
    """Return what tells whether the file has changed, or None if it is gone meanwhile."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return _State(found.st_size, found.st_mtime_ns, found.st_ino)


def _place(found: Diagnostic) -> str:
    return found.span.file if found.span else ""
