"""What a player did, in poker's own terms, and what he could have done."""

from enum import StrEnum
from typing import NamedTuple

from razzstats.chips import Chips
from razzstats.diagnostics import Code
from razzstats.events import Event, Seat, Street


class ActionKind(StrEnum):
    """The kinds of action; the room's verbs become these by the rules, not by their words."""

    ANTE = "ante"
    BRING_IN = "bring-in"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    COMPLETE = "complete"
    BET = "bet"
    RAISE = "raise"
    RETURN = "return"
    SHOW = "show"
    MUCK = "muck"
    COLLECT = "collect"


WAGERS = frozenset((ActionKind.COMPLETE, ActionKind.BET, ActionKind.RAISE))
VOLUNTARY = WAGERS | {ActionKind.CALL}
"""What puts chips in by choice."""
CHOICES = VOLUNTARY | {ActionKind.FOLD, ActionKind.CHECK}
"""What a player decides; the bring-in is not his choice."""
DECISIONS = CHOICES | {ActionKind.BRING_IN}


class LegalActions(NamedTuple):
    """What the player to act may do."""

    kinds: frozenset[ActionKind]
    to_call: Chips
    """What a call, or the bring-in, adds."""
    wager_to: tuple[Chips, ...]
    """The totals that a wager may make on this street, the usual one first; empty if none may."""


class Action(NamedTuple):
    """One action, and the state that the player faced before it."""

    street: Street
    seat: Seat
    kind: ActionKind
    amount: Chips
    """The chips that moved."""
    to: Chips | None
    """For wagers, the player's total on this street."""
    all_in: bool
    """Whether the action took the player's last chips."""
    pot: Chips
    """The pot before the action."""
    to_call: Chips
    """What the player had to add to stay in."""
    wagers: int
    """How many wagers stood on this street before the action."""
    could_wager: bool
    """Whether a completion, bet or raise was open to the player."""
    line: int
    """The line in the hand's text."""


class Violation(NamedTuple):
    """A rule that an event breaks."""

    code: Code
    message: str
    help: str | None = None
    at_player: bool = False
    """Whether the fault is who acts rather than what he does."""
    evidence: tuple[tuple[Event, str], ...] = ()
    """Earlier events that prove it, and what they show."""
