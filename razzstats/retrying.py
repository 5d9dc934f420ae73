"""Hands that were not stored are read again: after an upgrade, or by other rules."""

from dataclasses import dataclass

from razzstats.batches import rows_of
from razzstats.diagnostics import Diagnostic
from razzstats.importing import conflict_found
from razzstats.locations import HandId, HandText
from razzstats.pipeline import Outcome, Status, read_hand
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.storage import Database, RejectedHand, RejectedText


@dataclass(slots=True)
class RetryReport:
    """What became of the hands that were kept apart."""

    tried: int = 0
    stored: int = 0
    """Now in the tables, and no longer kept apart."""
    known: int = 0
    """Stored by another file meanwhile, with the same text; no longer kept apart."""
    conflicts: int = 0
    """They count by themselves, but another text of the same hand is stored."""
    rejected: int = 0
    """Still not stored; the reason is the present one."""


def retry_rejected(database: Database, rules: RuleSet = RAZZ) -> RetryReport:
    """Read every rejected or incomplete hand again, and store those that count now."""
    report = RetryReport()
    with database.transaction():
        kept = database.rejected_texts()
        for each in kept:
            _retry(database, each, rules, report)
        database.recount_files({each.file_id for each in kept})
    return report


def read_again(kept: RejectedText, rules: RuleSet = RAZZ) -> Outcome:
    """Take the text of a hand that is kept apart through parser, rules and validation."""
    incomplete = kept.reason == Status.INCOMPLETE
    text = HandText.of(kept.file, kept.line, kept.text, last_in_file=incomplete)
    return read_hand(text, rules)


def _retry(database: Database, kept: RejectedText, rules: RuleSet, report: RetryReport) -> None:
    report.tried += 1
    outcome, rows = rows_of(read_again(kept, rules), kept.file_id)
    if rows is None:
        report.rejected += 1
        if outcome.status in (Status.REJECTED, Status.INCOMPLETE):
            _keep(database, kept, str(outcome.status), outcome.reason)
        return
    stored = database.known_hashes([rows.hand.hid]).get(rows.hand.hid)
    if stored is not None and stored != rows.hand.text_hash:
        report.conflicts += 1
        hand_id = HandId(rows.hand.site, rows.hand.hand_no)
        _keep(database, kept, "conflict", conflict_found(hand_id, kept.file, kept.line))
        return
    if stored is None:
        report.stored += 1
        database.insert_hands([rows])
    else:
        report.known += 1
    database.delete_rejected(kept)


def _keep(database: Database, kept: RejectedText, reason: str, found: Diagnostic) -> None:
    """Record the present reason in the place of the earlier one."""
    database.delete_rejected(kept)
    again = RejectedHand(reason, found, kept.file, kept.line, kept.text)
    database.insert_rejected(kept.file_id, [again])
