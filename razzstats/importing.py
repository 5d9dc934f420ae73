"""Hands into the database: file by file, batch by batch, in one process or several."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from razzstats.batches import Batch, Reading, batched, read_batches
from razzstats.diagnostics import Diagnostic, Severity, codes
from razzstats.locations import HandId, Span
from razzstats.pipeline import RAZZ_HANDS, Outcome, Status
from razzstats.processes import begun_ahead, processes
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.sources import STANDARD_INPUT, find_files
from razzstats.storage import (
    PARSER_VERSION,
    Database,
    FileRow,
    HandColumns,
    RejectedHand,
    hand_key,
)
from razzstats.writing import Ledger, Part, Writer

MOST_KEPT = 10_000
"""Findings of a file that are kept in memory."""

_PIECE = 1 << 20  # bytes that are hashed at a time
_BIG_FILE = 32 << 20  # bytes; a bigger one is read where it is written, and never held whole


@dataclass(slots=True)
class FileReport:
    """What an import made of one file."""

    file: str
    known: bool = False
    """Whether the same content was imported before, so that nothing had to be read."""
    failure: Diagnostic | None = None
    hands_seen: int = 0
    stored: int = 0
    duplicates: int = 0
    conflicts: int = 0
    rejected: int = 0
    other_games: int = 0
    incomplete: int = 0
    warnings: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)
    """The first findings, `MOST_KEPT` of them; all are in the table ``diagnostics``."""
    left_out: int = 0
    """How many findings are only in the table."""

    def add(self, found: Diagnostic) -> None:
        """Take in a finding."""
        if len(self.diagnostics) < MOST_KEPT:
            self.diagnostics.append(found)
        else:
            self.left_out += 1

    @property
    def failed(self) -> bool:
        """Whether the file could not be read or holds no hand at all."""
        return self.failure is not None

    @property
    def stored_nothing(self) -> bool:
        """Whether the file has hands of Razz and every one of them was rejected."""
        return self.hands_seen > 0 and self.rejected == self.hands_seen


COUNTS = (
    "hands_seen",
    "stored",
    "duplicates",
    "conflicts",
    "rejected",
    "other_games",
    "incomplete",
    "warnings",
)
"""The counts of a FileReport; hands_seen is the sum of the hands of Razz."""


def _read_whole(file: str, file_id: int, rules: RuleSet) -> list[Batch]:
    return list(read_batches(file, file_id, rules))


def import_paths(
    database: Database,
    paths: Iterable[str],
    rules: RuleSet = RAZZ,
    *,
    dry_run: bool = False,
    jobs: int = 1,
    after_file: Callable[[FileReport], None] | None = None,
    after_batch: Callable[[int, int], None] | None = None,
) -> list[FileReport]:
    """Import all files that the paths name; return what became of each, in their order.

    With ``dry_run`` everything is read and compared, and nothing is written. ``jobs`` processes
    read; one writes, and what it writes does not depend on how many read. Nothing is raised for a
    file that cannot be read: its report has ``failed`` and ``failure``. ``after_file`` is told of
    each file, ``after_batch`` how many new hands of one were read meanwhile, and how many
    characters their texts have. When an exception ends it, files and batches that were read whole
    are stored.

    >>> memory = razzstats.Database.in_memory()
    >>> reports = razzstats.import_paths(memory, ["sample_histories/pokerstars"])
    >>> [report.file for report in reports if report.failed]
    []
    """
    reports = []
    writer = Writer(database)
    common = _Import(database, rules, Ledger(database), writer, dry_run, after_batch)
    files = (
        file if isinstance(file, Diagnostic) else _FileImport(common, file)
        for file in find_files(paths)
    )
    with database.in_little_memory():
        try:
            for report in _in_turn(files) if jobs < 2 else _side_by_side(files, jobs):
                reports.append(report)
                if after_file:
                    after_file(report)
        finally:
            writer.flush()
    return reports


def import_outcomes(database: Database, name: str, outcomes: Iterable[Outcome]) -> FileReport:
    """Import hands that were read from elsewhere than a file; ``name`` is what they came from."""
    writer = Writer(database)
    common = _Import(database, RAZZ, Ledger(database), writer, False, None)
    file = _FileImport(common, name, is_file=False)
    with database.in_little_memory():
        try:
            return file.run(batched(outcomes, file.begin()))
        finally:
            writer.flush()


class _Import(NamedTuple):
    """What the files of one import have in common."""

    database: Database
    rules: RuleSet
    ledger: Ledger
    writer: Writer
    dry_run: bool
    after_batch: Callable[[int, int], None] | None


def _in_turn(files: "Iterable[_FileImport | Diagnostic]") -> Iterator[FileReport]:
    for file in files:
        yield _not_found(file) if isinstance(file, Diagnostic) else file.run()


def _side_by_side(files: "Iterable[_FileImport | Diagnostic]", jobs: int) -> Iterator[FileReport]:
    """Read several files at a time, a few ahead of what is written, and write them in order."""
    with processes(jobs) as pool:
        begun = ((file, _begin(file, pool)) for file in files)
        for file, batches in begun_ahead(begun, 2 * jobs):
            if isinstance(file, Diagnostic):
                yield _not_found(file)
            else:
                yield file.run(batches.result() if batches else None)


def _begin(file: "_FileImport | Diagnostic", pool: Executor) -> Future[list[Batch]] | None:
    """Begin to read a file in another process, if that can be done."""
    if isinstance(file, Diagnostic) or not file.can_be_read_elsewhere:
        return None
    return pool.submit(_read_whole, file.file, file.begin(), file.common.rules)


def _not_found(found: Diagnostic) -> FileReport:
    return FileReport(found.span.file if found.span else "", failure=found, diagnostics=[found])


def conflict_found(hand_id: HandId, file: str, first_line: int) -> Diagnostic:
    """Return what is said of a hand that is stored with another text."""
    return Diagnostic(
        code=codes.CONFLICTING_HAND,
        message="a hand with this number and another text is already in the database",
        span=Span(file, first_line, 1, first_line, 1),
        hand_id=hand_id,
        help="the stored hand stays; this text is kept apart among the rejected",
    )


class _FileImport:
    """One file on its way into the database, batch by batch."""

    def __init__(self, common: _Import, file: str, *, is_file: bool = True) -> None:
        """Prepare to import what stands in a file, or comes from elsewhere under this name."""
        self.common = common
        self.database = common.database
        self.file = file
        self.report = FileReport(file)
        self.file_id = 0
        self.rejected: list[RejectedHand] = []
        self.grown: list[int] = []
        self.findings: list[Diagnostic] = []
        self.is_first_batch = True
        self.place = os.path.abspath(file) if is_file and file != STANDARD_INPUT else None
        earlier = common.ledger.earlier_at(self.place) if self.place else None
        self.sha256, self.size, self.goes_on = _fingerprint(self.place, earlier)

    @property
    def can_be_read_elsewhere(self) -> bool:
        """Whether another process can read the file, and hold what it read."""
        is_small = self.size is not None and self.size <= _BIG_FILE
        return is_small and self._known() is None

    def begin(self) -> int:
        """Return the number under which the database will know this reading of the file."""
        if not self.common.dry_run and not self.file_id:
            self.file_id = self.common.ledger.number(self.place, goes_on=self.goes_on)
        return self.file_id

    def run(self, batches: Iterable[Batch] | None = None) -> FileReport:
        """Store the file, read here or in ``batches`` elsewhere; return what became of it."""
        report = self.report
        if known := self._known():
            _copy_counts(known, report)
            return report
        file_id = self.begin()
        if batches is None:
            batches = read_batches(self.file, file_id, self.common.rules)
        for batch in batches:
            self._store(batch)
        return report

    def _known(self) -> FileRow | None:
        return self.common.ledger.known(self.sha256)

    def _take(self, batch: Batch) -> None:
        self.report.hands_seen += batch.quiet
        for reading in batch.readings:
            self._take_reading(reading)

    def _take_reading(self, reading: Reading) -> None:
        report, status = self.report, reading.status
        worth_keeping = [each for each in reading.diagnostics if each.code != codes.OTHER_GAME]
        for found in worth_keeping:
            report.add(found)
        self.findings.extend(worth_keeping)
        report.warnings += sum(each.severity is Severity.WARNING for each in worth_keeping)
        report.hands_seen += status in RAZZ_HANDS
        report.other_games += status is Status.OTHER_GAME
        report.incomplete += status is Status.INCOMPLETE
        if status is Status.FAILED_FILE:
            report.failure = reading.diagnostics[0]
        report.rejected += status is Status.REJECTED
        if reading.rejected is not None:
            self.rejected.append(reading.rejected)

    def _store(self, batch: Batch) -> None:
        self._take(batch)
        if self.rejected or self._meets_waiting(batch.hands):
            self.common.writer.flush()
        new = self._new_hands(batch.hands)
        self.grown += self._outgrown()
        if not self.common.dry_run:
            self._write(new, self._file_row(batch.is_last))
            if self.common.after_batch:
                self.common.after_batch(len(new), sum(map(len, new.texts["text"])))
        self.is_first_batch = False
        self.rejected, self.findings, self.grown = [], [], []

    def _meets_waiting(self, hands: HandColumns) -> bool:
        """Return whether there are other texts of hands that are in no table yet."""
        waiting = self.common.writer.waiting
        if not waiting or self.common.dry_run:
            return False
        pairs = zip(hands.hands["hid"].tolist(), hands.hands["text_hash"], strict=True)
        return any(waiting.get(hid, digest) != digest for hid, digest in pairs)

    def _write(self, new: HandColumns, file: FileRow) -> None:
        # What comes from no file is never the same again.
        is_first = self.is_first_batch and self.place is not None
        self.common.ledger.note(self.file_id, file)
        self.common.writer.add(
            Part(self.file_id, file, is_first, new, self.grown, self.rejected, self.findings)
        )

    def _new_hands(self, hands: HandColumns) -> HandColumns:
        hids, digests = hands.hands["hid"].tolist(), hands.hands["text_hash"].tolist()
        stored = self.database.known_hashes(hids)
        keep = np.zeros(len(hands), dtype=np.bool_)
        waiting = self.common.writer.waiting
        for place, (hid, digest) in enumerate(zip(hids, digests, strict=True)):
            known = stored.get(hid) or waiting.get(hid)
            if known is None:
                waiting[hid] = digest
                self.report.stored += 1
                keep[place] = True
            elif known == digest:
                self.report.duplicates += 1
            elif hid in stored and hid not in self.grown and self._has_grown(hands, place):
                self.report.duplicates += 1
                self.grown.append(hid)
                keep[place] = True
            else:
                self._conflict(hands, place)
        return hands.chosen(keep)

    def _has_grown(self, hands: HandColumns, place: int) -> bool:
        # A file may end inside a hand's last line and read as a whole hand all the same.
        before = self.database.stored_text(int(hands.hands["hid"][place]))
        return str(hands.texts["text"][place]).startswith(before)

    def _outgrown(self) -> list[int]:
        """Return the stored hands of which the rest, come meanwhile, says that they are wrong."""
        texts = {
            hand_key(hand.found.hand_id): hand.text
            for hand in self.rejected
            if hand.reason == Status.REJECTED and hand.found.hand_id
        }
        if not texts:
            return []
        stored = {
            hid: self.database.stored_text(hid) for hid in self.database.known_hashes([*texts])
        }
        return [
            hid
            for hid, text in stored.items()
            if len(text) < len(texts[hid]) and texts[hid].startswith(text)
        ]

    def _conflict(self, hands: HandColumns, place: int) -> None:
        hand_id = HandId(hands.hands["site"][place], hands.hands["hand_no"][place])
        file, line = hands.files[place], int(hands.hands["first_line"][place])
        found = conflict_found(hand_id, file, line)
        self.report.conflicts += 1
        self.report.add(found)
        self.findings.append(found)
        text = hands.texts["text"][place]
        self.rejected.append(RejectedHand("conflict", found, file, line, text))

    def _file_row(self, is_whole: bool) -> FileRow:
        report = self.report
        done = "failed" if report.failed else "done"
        return FileRow(
            path=self.file,
            sha256=self.sha256,
            size_bytes=self.size,
            status=done if is_whole else "begun",
            parser_version=PARSER_VERSION,
            imported_at=datetime.now(UTC).replace(tzinfo=None),
            error=report.failure.message if report.failure else None,
            place=self.place,
            **{name: getattr(report, name) for name in COUNTS},
        )


class _Fingerprint(NamedTuple):
    """What a file is known by; nothing for what can be read only once or not at all."""

    sha256: str | None = None
    size: int | None = None
    goes_on: bool = False
    """Whether it begins with all that was read at its place before."""


def _fingerprint(place: str | None, earlier: FileRow | None) -> _Fingerprint:
    if place is None:
        return _Fingerprint()
    before = (earlier.size_bytes if earlier else None) or 0
    digest = hashlib.sha256()
    try:
        with open(place, "rb") as stream:
            left = before
            while left and (piece := stream.read(min(left, _PIECE))):
                digest.update(piece)
                left -= len(piece)
            goes_on = earlier is not None and digest.hexdigest() == earlier.sha256
            size = before - left
            while piece := stream.read(_PIECE):
                digest.update(piece)
                size += len(piece)
    except OSError:
        return _Fingerprint()
    return _Fingerprint(digest.hexdigest(), size, goes_on)


def _copy_counts(known: FileRow, report: FileReport) -> None:
    report.known = True
    for name in COUNTS:
        setattr(report, name, getattr(known, name))
    report.duplicates += report.stored
    report.stored = 0
