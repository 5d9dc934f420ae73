"""Files become batches of rows, ready for the database; they are made where the file is read."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from razzstats.diagnostics import Diagnostic, Severity
from razzstats.pipeline import ACCEPTED, Outcome, Status, our_mistake, read_file
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.storage import HandColumns, HandRows, RejectedHand, hand_rows

BATCH = 2_000
"""Hands of a batch: few enough to hold, enough for what each batch costs not to matter."""

_BATCH_CHARACTERS = 8 << 20
"""Of texts in a batch; twice what two thousand hands have, unless somebody tries to fill memory."""


class Reading(NamedTuple):
    """What the database is told of one piece of a file, beside a hand's rows."""

    status: Status
    diagnostics: tuple[Diagnostic, ...]
    rejected: RejectedHand | None = None
    """A hand of Razz that does not count, or does not yet."""


class Batch(NamedTuple):
    """What became of some pieces of a file, in their order."""

    hands: HandColumns
    """The rows of the hands that count."""
    readings: list[Reading]
    """The pieces of which there is anything to tell; the others are hands that count."""
    quiet: int
    """How many others there are."""
    is_last: bool
    """Whether the file ends with it."""


def read_batches(file: str, file_id: int, rules: RuleSet = RAZZ) -> Iterator[Batch]:
    """Read a file; yield what the database is told of its pieces; the last batch may be empty."""
    return batched(read_file(file, rules), file_id)


def batched(outcomes: Iterable[Outcome], file_id: int) -> Iterator[Batch]:
    """Yield what the database is told of pieces of a file; the last batch may be empty."""
    hands: list[HandRows] = []
    readings: list[Reading] = []
    quiet = characters = 0
    for outcome in outcomes:
        outcome, rows = rows_of(outcome, file_id)
        if rows is not None:
            hands.append(rows)
        if outcome.diagnostics or outcome.status is not Status.OK:
            readings.append(Reading(outcome.status, outcome.diagnostics, _rejected(outcome)))
        else:
            quiet += 1
        characters += outcome.text.size if outcome.text else 0
        if len(readings) + quiet >= BATCH or characters >= _BATCH_CHARACTERS:
            yield Batch(HandColumns.of(hands), readings, quiet, is_last=False)
            hands, readings, quiet, characters = [], [], 0, 0
    yield Batch(HandColumns.of(hands), readings, quiet, is_last=True)


def rows_of(outcome: Outcome, file_id: int) -> tuple[Outcome, HandRows | None]:
    """Return the rows of a hand that counts; where making them fails, it does not count."""
    if outcome.hand is None or outcome.status not in ACCEPTED:
        return outcome, None
    worst = Severity.WARNING if outcome.status is Status.WARNING else None
    try:
        return outcome, hand_rows(outcome.hand, file_id, worst)
    except Exception as error:  # our own mistake costs one hand, here as in reading
        return our_mistake(outcome.hand.parsed.text, error), None


def _rejected(outcome: Outcome) -> RejectedHand | None:
    text = outcome.text
    if outcome.status not in (Status.REJECTED, Status.INCOMPLETE) or text is None:
        return None
    return RejectedHand(str(outcome.status), outcome.reason, text.file, text.first_line, text.text)
