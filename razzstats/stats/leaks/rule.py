"""What a leak is, as data: a spot, what is wrong there, how often is too often, what it costs."""

from enum import Enum, StrEnum
from typing import NamedTuple


class Source(StrEnum):
    """Where a reference comes from."""

    EXACT = "exact"
    """Follows from equity counted over all deals."""
    PUBLISHED = "published"
    """Is in books and articles on Razz."""
    JUDGEMENT = "judgement"
    """Is ours: nobody has published it."""
    POOL = "pool"
    """Is what other players at such tables do, beside our judgement."""
    OWN = "own"
    """Is what the player does elsewhere himself."""


class Cost(Enum):
    """How one mistake is priced, in big bets.

    P is the pot before the decision, c the price of a call, b the bet of the street, E equity
    against what opponents may hold (`ranges`), r what part of an equity a hand is worth with
    betting to come, f how often players fold to a wager on that street.
    """

    CALL = "c - r E (P + c)"
    """Chips put in that come back too seldom."""
    FOLD = "r E (P + c) - c"
    """A pot given up that was worth its price."""
    BET = "b ((m + 1) E - 1) + f (1 - E) P"
    """A bet or raise that was not made, with m opponents."""
    RAISE = "b (1 - (m + 1) E)"
    """A bet or raise made with the worse of it."""
    BLUFF = "b - f P - (1 - f) r E (P + 2 b) - f b"
    """A bet made to win the pot at once, less what a check would have been worth."""
    MISSED_BLUFF = "f P + (1 - f) (r E (P + 2 b) - b)"
    """Such a bet that was not made, less what a check is worth."""


class Reference(NamedTuple):
    """How often is too often, or too seldom."""

    most: float
    """The part of the spots in which a sound player does it at most."""
    source: Source
    text: str
    least: float = 0.0
    """The part of the spots in which he does it at least."""


class LeakRule(NamedTuple):
    """One leak."""

    id: int
    """The street and a number: 301."""
    title: str
    spot: str
    """SQL over ``decisions`` joined with ``spots``: where the mistake can be made."""
    mistake: str
    """SQL over the same: that it was made."""
    reference: Reference
    least: int
    """With fewer spots it is never said that there is no leak."""
    cost: Cost
    advice: str
    realised: float | None = None
    """r in the cost, where it is not that of the street."""

    @property
    def street(self) -> int:
        """The street of the decision."""
        return self.id // 100


class OverallRule(NamedTuple):
    """A leak that shows over many hands, found by a check of its own (`checks`)."""

    id: int
    title: str
    counted: str
    """What its spots and mistakes are, in words."""
    reference: Reference
    """What is said of the reference until the check has settled it."""
    least: int
    """With fewer spots nothing is said."""
    advice: str
    advice_if_low: str = ""
    """What is advised where a rate is too low rather than too high."""
    cost: Cost | None = None
    """How mistakes are priced; None if they have no price of their own."""
    street: int | None = None
    """The street of the decisions, if it is one."""
    realised: float | None = None


Rule = LeakRule | OverallRule

ENTERS = "kind IN ('call', 'complete', 'bet', 'raise')"
"""He puts chips in by choice."""

HEADS_UP = "opponents = 1"

PRICE = "to_call / (pot + to_call)"
"""The part of the pot after a call that the call is."""
