"""The path of a hand, end to end: file, text, parsed, replayed, validated, stored."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from razzstats.diagnostics import Diagnostic, Severity, codes, sort_diagnostics
from razzstats.events import ParsedHand
from razzstats.locations import HandId, HandText, Span
from razzstats.parsing import is_first_line, parse_hand, read_heading
from razzstats.replay import ReplayedHand, replay
from razzstats.sources import STANDARD_INPUT, find_files, read_hands
from razzstats.storage import (
    PARSER_VERSION,
    Database,
    FileRow,
    HandRows,
    RejectedHand,
    hand_rows,
)
from razzstats.validation import validate

_BATCH = 2_000  # hands a transaction: few enough to hold, enough for the commit not to matter


class Status(StrEnum):
    """What became of a piece of a file."""

    OK = "ok"
    WARNING = "warning"
    REJECTED = "rejected"
    INCOMPLETE = "incomplete"
    OTHER_GAME = "other-game"
    STRAY_TEXT = "stray-text"
    FAILED_FILE = "failed-file"


ACCEPTED = frozenset((Status.OK, Status.WARNING))
"""The hands that count."""

RAZZ_HANDS = ACCEPTED | {Status.REJECTED, Status.INCOMPLETE}
"""The hands of Razz, whether they count or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One piece of a file, and how far it came."""

    file: str
    status: Status
    diagnostics: tuple[Diagnostic, ...]
    text: HandText | None = None
    hand_id: HandId | None = None
    parsed: ParsedHand | None = None
    hand: ReplayedHand | None = None
    """For a rejected hand, as far as the rules could follow it."""

    @property
    def reason(self) -> Diagnostic:
        """The first error: why a hand or file did not count."""
        return next(found for found in self.diagnostics if found.is_error)


def read_paths(paths: Iterable[str], *, raise_errors: bool = False) -> Iterator[Outcome]:
    """Read all files that the paths name; yield what became of each piece, in file order."""
    for file in find_files(paths):
        if isinstance(file, Diagnostic):
            yield _failed(file)
        else:
            yield from read_file(file, raise_errors=raise_errors)


def read_file(file: str, *, raise_errors: bool = False) -> Iterator[Outcome]:
    """Read one file; yield what became of each hand, and of text that belongs to none.

    A file in which no hand begins, of whatever game, ends in one outcome ``failed-file``. With
    ``raise_errors`` a mistake of our own is an exception and not a rejected hand.
    """
    stray: Outcome | None = None
    hands = False
    for text in read_hands(file, is_first_line):
        if isinstance(text, Diagnostic):
            yield _failed(text)
            return
        outcome = read_hand(text, raise_errors=raise_errors)
        if outcome.status is Status.STRAY_TEXT and not hands:
            stray = stray or outcome
            continue
        if stray:
            yield stray
        hands, stray = True, None
        yield outcome
    if not hands:
        yield _no_hand_in(file, stray)


def read_hand(text: HandText, *, raise_errors: bool = False) -> Outcome:
    """Take one text through parser, rules and validation."""
    try:
        return _read_hand(text)
    except Exception as error:  # our own mistakes are caught here and where rows are made
        if raise_errors:
            raise
        return _our_mistake(text, error)


def _our_mistake(text: HandText, error: Exception) -> Outcome:
    heading = read_heading(text)
    hand_id = heading.hand_id if heading else None
    found = Diagnostic(
        code=codes.INTERNAL_ERROR,
        message=f"razzstats failed on this hand: {type(error).__name__}: {error}",
        span=text.span(0),
        hand_id=hand_id,
        help="please report it with the hand's text; the hand is kept among the rejected",
    )
    return Outcome(
        file=text.file,
        status=Status.REJECTED,
        diagnostics=(found,),
        text=text,
        hand_id=hand_id,
    )


def _read_hand(text: HandText) -> Outcome:
    heading = read_heading(text)
    parsed = parse_hand(text, heading)
    found = list(parsed.diagnostics)
    hand: ReplayedHand | None = None
    if parsed.value is not None:
        replayed = replay(parsed.value)
        hand = replayed.value
        found.extend(replayed.diagnostics)
        if hand is not None and not any(each.is_error for each in found):
            found.extend(validate(hand))
    return Outcome(
        file=text.file,
        status=_status(found, text),
        diagnostics=tuple(sort_diagnostics(found)),
        text=text,
        hand_id=heading.hand_id if heading else None,
        parsed=parsed.value,
        hand=hand,
    )


def _status(found: list[Diagnostic], text: HandText) -> Status:
    names = {each.code for each in found}
    if codes.OTHER_GAME in names:
        return Status.OTHER_GAME
    if codes.STRAY_TEXT in names:
        return Status.STRAY_TEXT
    if codes.TRUNCATED_HAND in names and text.last_in_file:
        return Status.INCOMPLETE
    if any(each.is_error for each in found):
        return Status.REJECTED
    if any(each.severity is Severity.WARNING for each in found):
        return Status.WARNING
    return Status.OK


def _failed(found: Diagnostic) -> Outcome:
    file = found.span.file if found.span else ""
    return Outcome(file=file, status=Status.FAILED_FILE, diagnostics=(found,))


def _no_hand_in(file: str, stray: Outcome | None) -> Outcome:
    if stray is None or stray.text is None:
        span = Span(file, 1, 1, 1, 1)
        message = "the file is empty"
        return _failed(Diagnostic(code=codes.EMPTY_FILE, message=message, span=span))
    return _failed(
        Diagnostic(
            code=codes.UNKNOWN_SITE,
            message="no hand of a known room begins in this file",
            span=stray.text.span(0),
            help="razzstats reads hand histories in English as the room's client writes them",
        )
    )


# ---- importing


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

    @property
    def failed(self) -> bool:
        """Whether the file could not be read or holds no hand at all."""
        return self.failure is not None


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


def import_paths(
    database: Database,
    paths: Iterable[str],
    *,
    dry_run: bool = False,
    after_file: Callable[[FileReport], None] | None = None,
) -> list[FileReport]:
    """Import all files that the paths name; return what became of each.

    With ``dry_run`` everything is read and compared, and nothing is written.
    """
    reports = []
    seen: dict[int, str] = {}
    for file in find_files(paths):
        if isinstance(file, Diagnostic):
            name = file.span.file if file.span else ""
            report = FileReport(name, failure=file, diagnostics=[file])
        else:
            report = _FileImport(database, file, seen if dry_run else {}, dry_run).run()
        reports.append(report)
        if after_file:
            after_file(report)
    return reports


class _FileImport:
    """One file on its way into the database, batch by batch."""

    def __init__(self, database: Database, file: str, seen: dict[int, str], dry_run: bool) -> None:
        """Prepare to import; ``seen`` holds the hands that are new but in no table yet."""
        self.database = database
        self.file = file
        self.seen = seen
        self.dry_run = dry_run
        self.report = FileReport(file)
        self.file_id = 0
        self.batch: list[tuple[HandRows, Outcome]] = []
        self.rejected: list[RejectedHand] = []
        self.findings: list[Diagnostic] = []
        self.is_first_batch = True
        self.sha256, self.size = _fingerprint(file)

    def run(self) -> FileReport:
        report, sha256 = self.report, self.sha256
        if sha256 and (known := self.database.known_file(sha256, PARSER_VERSION)):
            _copy_counts(known, report)
            return report
        if not self.dry_run:
            self.file_id = self.database.new_file_id(self.file, sha256)
        for outcome in read_file(self.file):
            self._take(outcome)
            if len(self.batch) + len(self.rejected) >= _BATCH:
                self._flush("begun")
        self._flush("failed" if report.failed else "done")
        return report

    def _take(self, outcome: Outcome) -> None:
        rows: HandRows | None = None
        if outcome.status in ACCEPTED and outcome.hand is not None:
            worst = Severity.WARNING if outcome.status is Status.WARNING else None
            try:
                rows = hand_rows(outcome.hand, self.file_id, worst)
            except Exception as error:
                outcome = _our_mistake(outcome.hand.parsed.text, error)
        self._count(outcome)
        if rows is not None:
            self.batch.append((rows, outcome))

    def _count(self, outcome: Outcome) -> None:
        report, text = self.report, outcome.text
        worth_keeping = [each for each in outcome.diagnostics if each.code is not codes.OTHER_GAME]
        report.diagnostics.extend(worth_keeping)
        self.findings.extend(worth_keeping)
        report.warnings += sum(each.severity is Severity.WARNING for each in worth_keeping)
        if outcome.status in RAZZ_HANDS:
            report.hands_seen += 1
        if outcome.status is Status.FAILED_FILE:
            report.failure = outcome.diagnostics[0]
        elif outcome.status is Status.OTHER_GAME:
            report.other_games += 1
        elif outcome.status is Status.INCOMPLETE:
            report.incomplete += 1
        elif outcome.status is Status.REJECTED and text is not None:
            report.rejected += 1
            self.rejected.append(RejectedHand("rejected", outcome.reason, text))

    def _flush(self, status: str) -> None:
        new = self._new_hands()
        if not self.dry_run:
            with self.database.transaction():
                # What comes by standard input is never the same file again.
                if self.is_first_batch and self.file != STANDARD_INPUT:
                    self.database.forget_findings(self.file)
                self.database.insert_hands(new)
                self.database.insert_rejected(self.file_id, self.rejected)
                self.database.insert_diagnostics(self.file_id, self.findings)
                self.database.insert_file(self.file_id, self._file_row(status))
        self.is_first_batch = False
        self.batch, self.rejected, self.findings = [], [], []

    def _new_hands(self) -> list[HandRows]:
        stored = self.database.known_hashes([rows.hand.hid for rows, _ in self.batch])
        new: list[HandRows] = []
        for rows, outcome in self.batch:
            hid, digest = rows.hand.hid, rows.hand.text_hash
            known = stored.get(hid) or self.seen.get(hid)
            if known is None:
                self.seen[hid] = digest
                self.report.stored += 1
                new.append(rows)
            elif known == digest:
                self.report.duplicates += 1
            else:
                self._conflict(outcome)
        return new

    def _conflict(self, outcome: Outcome) -> None:
        assert outcome.text is not None
        self.report.conflicts += 1
        found = Diagnostic(
            code=codes.CONFLICTING_HAND,
            message="a hand with this number and another text is already in the database",
            span=outcome.text.span(0),
            hand_id=outcome.hand_id,
            help="the stored hand stays; this text is kept apart among the rejected",
        )
        self.report.diagnostics.append(found)
        self.findings.append(found)
        self.rejected.append(RejectedHand("conflict", found, outcome.text))

    def _file_row(self, status: str) -> FileRow:
        report = self.report
        return FileRow(
            path=self.file,
            sha256=self.sha256,
            size_bytes=self.size,
            status=status,
            parser_version=PARSER_VERSION,
            imported_at=datetime.now(UTC).replace(tzinfo=None),
            error=report.failure.message if report.failure else None,
            **{name: getattr(report, name) for name in COUNTS},
        )


def _fingerprint(file: str) -> tuple[str | None, int | None]:
    """Return a file's SHA-256 and size, or nothing for what can be read only once or not at all."""
    if file == STANDARD_INPUT:
        return None, None
    try:
        with open(file, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return digest, os.fstat(stream.fileno()).st_size
    except OSError:
        return None, None


def _copy_counts(known: FileRow, report: FileReport) -> None:
    report.known = True
    for name in COUNTS:
        setattr(report, name, getattr(known, name))
    report.duplicates += report.stored
    report.stored = 0
