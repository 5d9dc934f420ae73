"""What a hand history says: events, stakes, seats and the room's own summary, as written.

Events state what the text states. Whether it was legal is for the rules to say, and what the
room's verb was worth in poker terms (``raises`` may be a completion) is for the replay.
"""

from dataclasses import field
from datetime import datetime
from enum import IntEnum
from typing import Any, NewType, TypeAlias

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips, Money
from razzstats.locations import HandId, HandText
from razzstats.lowball import LowClaim
from razzstats.values import value

Seat = NewType("Seat", int)
"""The seat number at the table."""


class Street(IntEnum):
    """A betting round, by the number of cards that a player has."""

    THIRD = 3
    FOURTH = 4
    FIFTH = 5
    SIXTH = 6
    SEVENTH = 7

    @property
    def title(self) -> str:
        """The street in a sentence: "third street"."""
        return f"{self.name.lower()} street"


def _place() -> Any:
    return field(default=0, compare=False, repr=False)


# `line` is the index of the event's line in its hand, `column` where the words after the player's
# name begin. Both stand outside equality: two events are equal if they say the same.


@value
class Ante:
    """A player posts the forced payment before the deal."""

    seat: Seat
    amount: Chips
    all_in: bool = False
    line: int = _place()
    column: int = _place()


@value
class StreetStart:
    """A street begins; ``community`` is the seventh card of everybody where the deck ran short."""

    street: Street
    community: MaybeCard = None
    line: int = _place()
    column: int = _place()


@value
class Deal:
    """A player is dealt cards; None is a card that the text does not show.

    ``seen`` is what the line repeats of the player's earlier cards, a claim that is checked.
    """

    seat: Seat
    up: tuple[MaybeCard, ...] = ()
    down: tuple[MaybeCard, ...] = ()
    seen: tuple[Card, ...] = ()
    line: int = _place()
    column: int = _place()


@value
class BringIn:
    """The player with the highest door card makes the forced bet."""

    seat: Seat
    amount: Chips
    all_in: bool = False
    line: int = _place()
    column: int = _place()


@value
class Fold:
    """A player gives up his hand."""

    seat: Seat
    line: int = _place()
    column: int = _place()


@value
class Check:
    """A player passes without a bet to call."""

    seat: Seat
    line: int = _place()
    column: int = _place()


@value
class Call:
    """A player matches the bet; ``amount`` is what he adds."""

    seat: Seat
    amount: Chips
    all_in: bool = False
    line: int = _place()
    column: int = _place()


@value
class Wager:
    """A completion, bet or raise, in the room's own verb.

    ``to`` is the player's total on this street; ``by`` is the raise as printed, a claim to check.
    """

    seat: Seat
    to: Chips
    by: Chips | None = None
    verb: str
    all_in: bool = False
    line: int = _place()
    column: int = _place()


@value
class ReturnedBet:
    """The part of a bet that nobody matched goes back."""

    seat: Seat
    amount: Chips
    line: int = _place()
    column: int = _place()


@value
class CapNotice:
    """The room says that the betting on this street is capped."""

    line: int = _place()
    column: int = _place()


@value
class ShowdownStart:
    """The room announces the showdown."""

    line: int = _place()
    column: int = _place()


@value
class Show:
    """A player turns up cards, in dealt order; ``low`` is the low that the room prints for them."""

    seat: Seat
    cards: tuple[Card, ...]
    low: LowClaim | None = None
    line: int = _place()
    column: int = _place()


@value
class Muck:
    """A player throws his hand away without showing it."""

    seat: Seat
    line: int = _place()
    column: int = _place()


@value
class Collect:
    """A player takes chips from a pot: 0 the main pot, 1 the first side pot; None the only pot."""

    seat: Seat
    amount: Chips
    pot: int | None = None
    line: int = _place()
    column: int = _place()


@value
class Note:
    """Something that is no part of the game: chat, connections, players who come and go."""

    text: str
    line: int = _place()
    column: int = _place()


Event: TypeAlias = (
    Ante
    | StreetStart
    | Deal
    | BringIn
    | Fold
    | Check
    | Call
    | Wager
    | ReturnedBet
    | CapNotice
    | ShowdownStart
    | Show
    | Muck
    | Collect
    | Note
)

SeatEvent: TypeAlias = (
    Ante | Deal | BringIn | Fold | Check | Call | Wager | ReturnedBet | Show | Muck | Collect
)
"""The events in which a seated player does something or receives something."""


@value
class Stakes:
    """What the hand was played for; 0 is an amount that the text does not state."""

    money: Money
    ante: Chips
    bring_in: Chips
    small_bet: Chips
    big_bet: Chips


@value
class SeatedPlayer:
    """A player in the seat list, who need not be dealt in."""

    seat: Seat
    name: str
    stack: Chips
    sitting_out: bool = False
    line: int = _place()


@value
class SeatSummary:
    """What the room's summary says of one seat; every part of it is a claim that is checked."""

    seat: Seat
    name: str
    folded_on: Street | None = None
    did_not_bet: bool = False
    cards: tuple[Card, ...] | None = None
    showed: bool = False
    mucked: bool = False
    lost: bool = False
    won: Chips | None = None
    net: Chips | None = None
    """What he won or lost, where the room says it."""
    stack: Chips | None = None
    """What he has after the hand, where the room says it."""
    low: LowClaim | None = None
    line: int = _place()
    column: int = _place()


@value
class Summary:
    """The room's summary of the hand; None is what it does not say."""

    pot: Chips | None = None
    rake: Chips | None = None
    pots: tuple[Chips, ...] = ()
    """The main pot and the side pots after rake, where the room lists them."""
    board: MaybeCard = None
    seats: tuple[SeatSummary, ...] = ()
    lists_everybody: bool = True
    """Whether a player without a line is missing, as in rooms that list all who were dealt in."""
    line: int = _place()


@value
class Tournament:
    """What a hand's header says of its tournament."""

    number: str
    buy_in: str
    level: str


@value
class ParsedHand:
    """One hand as its text tells it: all rooms end here, the rules begin here."""

    hand_id: HandId
    played_at: datetime | None
    """Aware, in UTC; None if the text gives no time."""
    table: str
    max_seats: int
    tournament: Tournament | None
    mixed_game: str | None
    """The mix that the hand was dealt in ("8-Game", "HORSE"), or None."""
    club: str | None
    stakes: Stakes
    players: tuple[SeatedPlayer, ...]
    hero: Seat | None
    events: tuple[Event, ...]
    summary: Summary
    text: HandText = field(compare=False, repr=False)
