"""Files into a lake: workers read, one process decides what the lake's log says.

What is in a lake does not depend on how many workers read it, on which of them died, or on how
often a command was begun: results follow from the files, and are taken in the order of these.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from razzstats.chains import Chains
from razzstats.diagnostics import Diagnostic, codes
from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.importing import COUNTS, FileReport
from razzstats.lake.settling import Arrival, Settling, is_read
from razzstats.lake.units import (
    UNIT_BYTES,
    FileResult,
    Looked,
    Unit,
    UnitResult,
    changed_meanwhile,
    look_at_files,
    read_unit,
    unread_number,
)
from razzstats.locations import Span
from razzstats.processes import begun_ahead
from razzstats.sources import STANDARD_INPUT, find_files
from razzstats.storage import PARSER_VERSION, FileRow
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import Manifest, State

_SECONDS = 20.0  # between two entries of the log: what they cost grows with their number
_MOST_PIECES = 256  # of an entry
_MOST_FILES = 200  # of a unit

_T = TypeVar("_T")


def import_to_lake(
    paths: Iterable[str],
    files: LakeFiles,
    workers: Executor,
    *,
    ahead: int,
    variant: str = "razz",
    unit_bytes: int = UNIT_BYTES,
    after_file: Callable[[FileReport], None] | None = None,
) -> list[FileReport]:
    """Import all files that the paths name into a lake; return what became of each, in order.

    ``workers`` read, ``ahead`` units of some ``unit_bytes`` at a time; they must reach the files
    and the lake under the same names. A file that cannot be read costs no other: its report has
    ``failed`` and ``failure``. ``after_file`` is told of each file when it is in the lake. What was
    added when an exception ends it stays, and the same call goes on from there. Raises
    DatabaseError if the lake or the cluster cannot be used.
    """
    return _LakeImport(files, workers, variant, unit_bytes, after_file).run(paths, ahead)


@dataclass(slots=True)
class _File:
    """A file on its way into the lake."""

    report: FileReport
    looked: Looked | None = None
    """None for what nobody could look at."""
    is_there: bool = True
    is_read: bool = False

    @property
    def path(self) -> str:
        """Return where the file is."""
        return self.report.file

    @property
    def file_id(self) -> int:
        """Return the number of the file's content; of its place, where nobody could read it."""
        if self.looked is not None:
            return self.looked.file_id
        return unread_number(self.path)

    def fail(self, found: Diagnostic) -> None:
        """Say why nothing of the file comes into the lake."""
        self.report.failure = found
        self.report.add(found)

    def row(self) -> FileRow:
        """Return what the lake is told of the file."""
        report, looked = self.report, self.looked
        return FileRow(
            path=self.path,
            sha256=looked.sha256 if looked and self.is_read else None,
            size_bytes=looked.size if looked else None,
            status="failed" if report.failed else "done",
            parser_version=PARSER_VERSION,
            imported_at=datetime.now(UTC).replace(tzinfo=None),
            error=report.failure.message if report.failure else None,
            place=self.path,
            **{name: getattr(report, name) for name in COUNTS},
        )


class _Look(NamedTuple):
    """Files that a worker looks at."""

    paths: Sequence[str]
    found: "Future[list[Looked | Diagnostic]]"


@dataclass(slots=True)
class _Load:
    """Files that are read together, and come into the lake together."""

    files: list[_File] = field(default_factory=list)
    size: int = 0
    """Bytes."""
    units: "list[Future[UnitResult]]" = field(default_factory=list)
    """What reads those of the files that nobody has read yet."""
    arrival: Arrival = field(default_factory=Arrival)

    def add(self, file: _File) -> None:
        """Take in a file."""
        self.files.append(file)
        self.size += file.looked.size if file.looked else 0


def _loads(files: Iterable[_File], unit_bytes: int) -> Iterator[_Load]:
    """Put small files together: what each unit costs is what some two hundred hands do.

    Which files come together does not depend on which of them are known, so that an import that
    is begun again finds the units that the first one read.
    """
    load = _Load()
    for file in files:
        if file.looked and file.looked.size > unit_bytes:
            if load.files:
                yield load
            load = _Load()
        load.add(file)
        if load.size >= unit_bytes or len(load.files) >= _MOST_FILES:
            yield load
            load = _Load()
    if load.files:
        yield load


class _LakeImport:
    def __init__(
        self,
        files: LakeFiles,
        workers: Executor,
        variant: str,
        unit_bytes: int,
        after_file: Callable[[FileReport], None] | None,
    ) -> None:
        self.files = files
        self.workers = workers
        self.variant = variant
        self.unit_bytes = unit_bytes
        self.after_file = after_file
        self.manifest = Manifest.make(files)
        self.state: State = self.manifest.state()
        self.begun: set[int] = set()
        """The files that are being read, or were, by their numbers."""
        self.read: list[_Load] = []
        """What was read and is not in the log yet."""
        self.noted = time.monotonic()

    def run(self, paths: Iterable[str], ahead: int) -> list[FileReport]:
        """Import the files, and return the reports."""
        reports = []
        files = self._files(paths, ahead)
        loads = (self._begin(load) for load in _loads(files, self.unit_bytes))
        try:
            for load in begun_ahead(loads, ahead):
                self._finish(load)
                self.read.append(load)
                reports += [file.report for file in load.files]
                pieces = sum(len(each.arrival.pieces) for each in self.read)
                if pieces >= _MOST_PIECES or time.monotonic() - self.noted > _SECONDS:
                    self._note()
        finally:
            self._note()
        return reports

    # ---- looking

    def _files(self, paths: Iterable[str], ahead: int) -> Iterator[_File]:
        """Yield all files, looked at."""
        for look in begun_ahead(self._looks(find_files(paths)), ahead):
            if isinstance(look, Diagnostic):
                file = _File(FileReport(look.span.file if look.span else ""), is_there=False)
                file.fail(look)
                yield file
                continue
            try:
                found = _done(look.found)
            except _NoWorker as error:
                found = [_failure(path, str(error)) for path in look.paths]
            for path, looked in zip(look.paths, found, strict=True):
                if isinstance(looked, Looked):
                    yield _File(FileReport(path), looked)
                else:
                    file = _File(FileReport(path))
                    file.fail(looked)
                    yield file

    def _looks(self, files: Iterable[str | Diagnostic]) -> Iterator[_Look | Diagnostic]:
        """Have files looked at, several small ones at a time."""
        paths: list[str] = []
        size = 0
        for file in files:
            is_named = not isinstance(file, Diagnostic) and file != STANDARD_INPUT
            if is_named:
                # Workers may be at home in other folders.
                paths.append(os.path.abspath(str(file)))
                size += _size(paths[-1])
            if paths and (not is_named or size >= self.unit_bytes or len(paths) >= _MOST_FILES):
                yield self._look(paths)
                paths, size = [], 0
            if isinstance(file, Diagnostic):
                yield file
            elif not is_named:
                yield _failure(file, "workers have a standard input of their own")
        if paths:
            yield self._look(paths)

    def _look(self, paths: list[str]) -> _Look:
        return _Look(paths, self.workers.submit(look_at_files, paths, self.unit_bytes))

    # ---- reading

    def _begin(self, load: _Load) -> _Load:
        """Have those files of a load read whose content is not known."""
        new = []
        for file in load.files:
            if file.looked is None:
                continue
            known = is_read(self.state.files.get(file.file_id))
            file.report.known = known or file.file_id in self.begun
            if not file.report.known:
                self.begun.add(file.file_id)
                new.append(file.looked)
        stretches = [(looked, stretch) for looked in new for stretch in looked.stretches]
        # Where there are several files, they are small ones of a stretch each.
        units = [stretches] if len(new) > 1 else [[each] for each in stretches]
        load.units = [
            self.workers.submit(read_unit, self.files.place, Unit(tuple(each), self.variant))
            for each in units
        ]
        return load

    def _finish(self, load: _Load) -> None:
        """Wait until a load is read."""
        failure = None
        results: list[UnitResult] = []
        try:
            results = [_done(unit) for unit in load.units]
        except _NoWorker as error:
            failure = str(error)
        load.units = []  # in a long run nobody needs them any more
        load.arrival.pieces = [piece for result in results for piece in result.pieces]
        for file in load.files:
            if file.report.known or not file.is_there:
                continue
            if file.looked is not None and failure is None:
                notes = self._take(load, file, results)
            else:
                if failure is not None and file.looked is not None:
                    file.fail(_failure(file.path, failure))
                notes = file.report.diagnostics
            load.arrival.files[file.file_id] = file.row()
            load.arrival.notes[file.file_id] = [*notes]

    def _take(self, load: _Load, file: _File, results: list[UnitResult]) -> list[Diagnostic]:
        """Take in what was read of a file; return what was found only here."""
        parts = [each.files[file.file_id] for each in results if file.file_id in each.files]
        if len(parts) < len(results):
            file.fail(changed_meanwhile(file.path))
            if len(results) > 1:  # all of them are stretches of this file
                load.arrival.pieces = []
            assert file.report.failure
            return [file.report.failure]
        file.is_read = True
        carried = Chains(of_part=True)
        notes: list[Diagnostic] = []
        for part in parts:
            _add(file.report, part)
            notes += carried.follow_part(part.ends)
        for note in notes:
            file.report.add(note)
        return notes

    # ---- the log

    def _note(self) -> None:
        """Tell the log of all files that were read meanwhile."""
        read, self.read = self.read, []
        settling = Settling(self.files, [load.arrival for load in read])
        entry = self.manifest.commit(settling.decide)
        self.state = self.manifest.state()
        self.noted = time.monotonic()
        for file in (file for load in read for file in load.files):
            report = file.report
            if file.is_there:
                report.known = report.known or file.file_id not in entry.files
                row = entry.files.get(file.file_id) or self.state.files[file.file_id]
                _tell(report, row, settling.conflicts.get(file.file_id, []))
            if self.after_file:
                self.after_file(report)


def _tell(report: FileReport, row: FileRow, conflicts: Iterable[Diagnostic]) -> None:
    """Bring the counts of a report to what became of the file's hands."""
    for name in COUNTS:
        setattr(report, name, getattr(row, name))
    if report.known:
        report.duplicates += report.stored
        report.stored = 0
        if row.status == "failed":
            report.failure = _diagnostic(report.file, row.error or "")
            report.add(report.failure)
    else:
        for found in conflicts:
            report.add(found)


def _add(report: FileReport, part: FileResult) -> None:
    for name in COUNTS:
        setattr(report, name, getattr(report, name) + part.counts[name])
    report.failure = report.failure or part.failure
    for found in part.findings:
        report.add(found)
    report.left_out += part.left_out


# ---- workers


class _NoWorker(Exception):
    """No worker could do something; the others can."""


def _done(future: "Future[_T]") -> _T:
    """Return what a worker made of something; raises _NoWorker if none could."""
    try:
        return future.result()
    except RazzstatsError:
        raise
    except (CancelledError, asyncio.CancelledError, BrokenExecutor, OSError) as error:
        reason = str(error) or type(error).__name__
        raise DatabaseError(
            f"the workers are gone ({reason}); what they had read is kept, and the same command "
            "goes on from there"
        ) from None
    except Exception as error:  # of a worker that died at it several times, or our own mistake
        raise _NoWorker(f"no worker could do it: {type(error).__name__}: {error}") from error


def _failure(path: str, reason: str) -> Diagnostic:
    return _diagnostic(path, f"the file cannot be read: {reason}")


def _diagnostic(path: str, message: str) -> Diagnostic:
    return Diagnostic(code=codes.UNREADABLE_FILE, message=message, span=Span(path, 1, 1, 1, 1))


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:  # which is told when it is looked at
        return 0
