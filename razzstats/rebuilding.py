"""Stored hands are read again: all of them, or those that an earlier parser read; or a damaged
database is made anew from its sources and from the texts in it."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from razzstats.batches import BATCH, rows_of
from razzstats.diagnostics import Diagnostic, codes
from razzstats.errors import DatabaseError
from razzstats.importing import FileReport, import_outcomes, import_paths
from razzstats.locations import HandId, HandText
from razzstats.measuring import measure_hands
from razzstats.parsing import CUTTING
from razzstats.pipeline import Outcome, read_hand
from razzstats.places import WAIT_SECONDS
from razzstats.retrying import RetryReport, retry_rejected
from razzstats.rules.ruleset import RAZZ, RULE_SETS, RuleSet
from razzstats.storage import (
    PARSER_VERSION,
    Database,
    HandRows,
    InUse,
    RejectedHand,
    StoredReading,
    text_hash,
)
from razzstats.storage.backup import beside, put_in_place
from razzstats.storage.opening import connect
from razzstats.storage.salvage import Salvage

# ---- in place


@dataclass(slots=True)
class AgainReport:
    """What became of stored hands that were read again."""

    tried: int = 0
    rejected: int = 0
    """No longer stored: they break a rule, as it is read now; they are kept apart."""
    retried: RetryReport = field(default_factory=RetryReport)
    """What became of those that had been kept apart."""


def count_outdated(database: Database) -> int:
    """Return how many hands an earlier parser read, which this one may read otherwise."""
    return len(database.hands_of_parsers_before(PARSER_VERSION))


def read_again(
    database: Database,
    rules: RuleSet = RAZZ,
    *,
    everything: bool = False,
    after_batch: Callable[[int], None] | None = None,
) -> AgainReport:
    """Read stored hands from their texts again, and put what comes of it in their place.

    Only those that an earlier parser read, or with ``everything`` all; then those that are kept
    apart, by ``rules``. Each batch is stored whole or not at all: after an interruption the next
    call goes on. ``after_batch`` is told how many hands are left. The hands must be measured
    anew.
    """
    report = AgainReport()
    pending = database.hands_of_parsers_before(sys.maxsize if everything else PARSER_VERSION)
    for start in range(0, len(pending), BATCH):
        batch = pending[start : start + BATCH]
        _Again(database.stored_readings(batch)).store(database, report)
        if after_batch:
            after_batch(len(pending) - start - len(batch))
    report.retried = retry_rejected(database, rules)
    return report


class _Again:
    """A batch of stored hands, read again."""

    def __init__(self, readings: Sequence[StoredReading]) -> None:
        self.readings = readings
        self.hands: list[HandRows] = []
        self.rejected: dict[int, list[RejectedHand]] = defaultdict(list)
        self.findings: dict[int, list[Diagnostic]] = defaultdict(list)
        self.ids: list[tuple[int, HandId]] = []
        for reading in readings:
            self._read(reading)

    def _read(self, reading: StoredReading) -> None:
        text = _text_of(reading)
        outcome, rows = rows_of(read_hand(text, RULE_SETS[reading.game]), reading.file_id)
        self.findings[reading.file_id].extend(outcome.diagnostics)
        if outcome.hand_id:
            self.ids.append((reading.file_id, outcome.hand_id))
        if rows is not None and rows.hand.hid == reading.hid:
            self.hands.append(rows)
        else:
            self.rejected[reading.file_id].append(_no_longer(outcome, text))

    def store(self, database: Database, report: AgainReport) -> None:
        with database.transaction():
            database.delete_hands([reading.hid for reading in self.readings])
            database.insert_hands(self.hands)
            # What hands say of one another is not found again in one of them.
            database.forget_findings_of(self.ids, but=codes.STACK_GAP)
            for file_id, found in self.findings.items():
                database.insert_diagnostics(file_id, found)
            for file_id, rejected in self.rejected.items():
                database.insert_rejected(file_id, rejected)
            database.recount_files({reading.file_id for reading in self.readings})
        report.tried += len(self.readings)
        report.rejected += len(self.readings) - len(self.hands)


def _no_longer(outcome: Outcome, text: HandText) -> RejectedHand:
    errors = [found for found in outcome.diagnostics if found.is_error]
    found = (errors or [_not_this_hand(outcome, text)])[0]
    return RejectedHand("rejected", found, text.file, text.first_line, text.text)


def _not_this_hand(outcome: Outcome, text: HandText) -> Diagnostic:
    return Diagnostic(
        code=codes.INTERNAL_ERROR,
        message="an earlier parser read this text as a hand of Razz, or as another hand",
        span=text.span(0),
        hand_id=outcome.hand_id,
        help="please report it with the hand's text; the hand is kept among the rejected",
    )


def count_changed_texts(database: Database) -> int:
    """Return how many stored texts are not those that were stored, by their hashes."""
    hids = database.hands_of_parsers_before(sys.maxsize)
    return sum(
        text_hash(_text_of(reading)) != reading.text_hash
        for start in range(0, len(hids), BATCH)
        for reading in database.stored_readings(hids[start : start + BATCH])
    )


def _text_of(reading: StoredReading) -> HandText:
    """Return a kept text as the file had it: with what stood elsewhere in the file apart."""
    whole = HandText.of(reading.path, reading.first_line, reading.text)
    leads = next(
        (place for place, line in enumerate(whole.lines) if not CUTTING.is_lead_line(line)), 0
    )
    own = HandText(whole.file, whole.first_line, whole.lines[leads:], context=whole.lines[:leads])
    return own if text_hash(own) == reading.text_hash else whole


# ---- anew


@dataclass(slots=True)
class RebuildReport:
    """What a new database was made of."""

    files: list[FileReport]
    """Those that were imported before and are still there, and others that were named."""
    missing: int
    """How many files were imported before and are gone."""
    salvaged: FileReport
    """What came of the texts in the earlier database: stored are the hands that only these had."""
    lost: int
    """Texts in the earlier database that could not be read; a source may have had the same."""
    kept: Path | None
    """Where the earlier database is now."""


def rebuild(
    path: Path,
    paths: Sequence[str] = (),
    rules: RuleSet = RAZZ,
    *,
    jobs: int = 1,
    wait: float = WAIT_SECONDS,
    after_file: Callable[[FileReport], None] | None = None,
) -> RebuildReport:
    """Make a database anew from the files it was made of, from other ``paths``, and from its texts.

    The earlier one, damaged or not, is only read; it keeps its name with ``.before-rebuild``
    behind it once the new one is whole and has its place. Whatever happens before, all is as it
    was. Raises DatabaseError if there is nothing to make it of, somebody else has it open, or
    nothing can be written there.
    """
    old = Salvage(path)
    recorded = old.places()
    there = [place for place in recorded if Path(place).is_file()]
    with beside(path) as aside:
        with Database.open(aside) as database, _nobody_writes(path, wait):
            files = import_paths(
                database, [*there, *paths], rules, jobs=jobs, after_file=after_file
            )
            salvaged = _import_texts(old, database)
            measure_hands(database, jobs=jobs)
            if not database.rows("SELECT 1 FROM hands LIMIT 1"):
                raise DatabaseError(
                    f"nothing can be read in {path}, and no file that it was made of is there; "
                    "`razzstats restore BACKUP`, or `razzstats rebuild FOLDER` with your hand "
                    "histories, makes a new one"
                )
        kept = put_in_place(aside, path, "before-rebuild", wait=wait)
    return RebuildReport(files, len(recorded) - len(there), salvaged, old.lost, kept)


@contextmanager
def _nobody_writes(path: Path, wait: float) -> Iterator[None]:
    """Keep others from writing a database, which what is made meanwhile would not have."""
    try:
        connection = connect(path, read_only=True, wait=wait)
    except InUse:
        raise
    except DatabaseError:  # too damaged to be opened by anybody
        yield
        return
    with connection:
        yield


def _import_texts(old: Salvage, database: Database) -> FileReport:
    name = f"texts in {old.path.name}"
    outcomes = _kept(old, database)
    first = next(outcomes, None)
    if first is None:
        return FileReport(name)
    return import_outcomes(database, name, chain([first], outcomes))


def _kept(old: Salvage, database: Database) -> Iterator[Outcome]:
    """Yield what the texts in a database are, but those that the other has already."""
    games = old.games()
    stored = {hid for (hid,) in database.rows("SELECT hid FROM hands")}
    apart = {text for (text,) in database.rows("SELECT text FROM rejected")}
    for kept in old.texts():
        if kept.hid not in stored and kept.text not in apart:
            rules = RULE_SETS.get(games.get(kept.hid or 0, RAZZ.name), RAZZ)
            yield read_hand(HandText.of(old.path.name, 1, kept.text), rules)
