"""The path of a hand: file, text, parsed, replayed, validated."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from razzstats.chains import Chains
from razzstats.diagnostics import Diagnostic, Severity, codes, sort_diagnostics
from razzstats.events import ParsedHand
from razzstats.locations import HandId, HandText, Span
from razzstats.parsing import CUTTING, parse_hand, read_heading
from razzstats.replay import ReplayedHand, replay
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.sources import Stretch, find_files, read_hands, read_stretch
from razzstats.validation import validate
from razzstats.values import value


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


@value
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


def read_paths(
    paths: Iterable[str], rules: RuleSet = RAZZ, *, raise_errors: bool = False
) -> Iterator[Outcome]:
    """Read all files that the paths name; yield what became of each piece, in file order."""
    for file in find_files(paths):
        if isinstance(file, Diagnostic):
            yield _failed(file)
        else:
            yield from read_file(file, rules, raise_errors=raise_errors)


def read_file(file: str, rules: RuleSet = RAZZ, *, raise_errors: bool = False) -> Iterator[Outcome]:
    """Read one file; yield what became of each hand, and of text that belongs to none.

    A file in which no hand begins, of whatever game, ends in one outcome ``failed-file``. With
    ``raise_errors`` a mistake of our own is an exception and not a rejected hand.
    """
    yield from _read_texts(file, read_hands(file, CUTTING), rules, Chains(), raise_errors)


def read_part(
    file: str, stretch: Stretch, rules: RuleSet = RAZZ, *, chains: Chains
) -> Iterator[Outcome]:
    """Read a stretch of a file as `read_file` does all of it.

    What only its first hands and those before could tell together is told by ``chains``.
    """
    yield from _read_texts(file, read_stretch(file, stretch, CUTTING), rules, chains)


def _read_texts(
    file: str,
    texts: Iterable[HandText | Diagnostic],
    rules: RuleSet,
    chains: Chains,
    raise_errors: bool = False,
) -> Iterator[Outcome]:
    stray: Outcome | None = None
    hands = unreadable = False
    for text in texts:
        if isinstance(text, Diagnostic):
            unreadable = True
            yield _failed(text)
            continue
        outcome = read_hand(text, rules, raise_errors=raise_errors)
        if outcome.status is Status.STRAY_TEXT and not hands:
            stray = stray or outcome
            continue
        if stray:
            yield stray
        hands, stray = True, None
        yield _chained(outcome, chains)
    if not hands and not unreadable:
        yield _no_hand_in(file, stray)


def _chained(outcome: Outcome, chains: Chains) -> Outcome:
    if outcome.hand is None or outcome.status not in ACCEPTED:
        chains.forget()  # what a hand of another game, or one that does not count, changed
        return outcome
    found = [*chains.follow(outcome.hand)]
    if not found:
        return outcome
    diagnostics = sort_diagnostics((*outcome.diagnostics, *found))
    return replace(outcome, diagnostics=tuple(diagnostics))


def read_hand(text: HandText, rules: RuleSet = RAZZ, *, raise_errors: bool = False) -> Outcome:
    """Take one text through parser, rules and validation.

    No text says by which variant of Razz it was played; ``rules`` says it.
    """
    try:
        return _read_hand(text, rules)
    except Exception as error:  # our own mistakes are caught here and where rows are made
        if raise_errors:
            raise
        return our_mistake(text, error)


def our_mistake(text: HandText, error: Exception) -> Outcome:
    """Return the outcome of a hand on which razzstats itself failed."""
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


def _read_hand(text: HandText, rules: RuleSet) -> Outcome:
    heading = read_heading(text)
    parsed = parse_hand(text, heading)
    found = list(parsed.diagnostics)
    hand: ReplayedHand | None = None
    if parsed.value is not None:
        replayed = replay(parsed.value, rules)
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
    if not found:
        return Status.OK
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
