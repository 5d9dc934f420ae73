"""Rules as rows: what makes a game, so that the engine never asks which game it plays."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

from razzstats.cards import Card
from razzstats.events import Street
from razzstats.lowball import LowHand, best_ace_to_six_low, best_low, exposed_low


class BetSize(Enum):
    """Which of the two fixed bets a street is played with."""

    SMALL = auto()
    BIG = auto()


class Opening(Enum):
    """Who begins the betting of a street."""

    BRING_IN = auto()
    """The highest door card must bring in or complete."""
    LOWEST_BOARD = auto()
    """The lowest exposed hand acts first and may check."""


class OpenerTie(StrEnum):
    """Who opens when several boards are equally low."""

    ANY = "any tied seat"
    """The lowest one is usual; another gives a note."""
    LOWEST_SEAT = "the lowest tied seat"


class SharedRiverOpener(StrEnum):
    """Who opens seventh street after a community card."""

    AS_ON_SIXTH = "as on sixth street"
    """The four up cards of each player count."""
    LOWEST_OF_FIVE = "the lowest board with the community card"


class OddChip(StrEnum):
    """Who takes what is left when a pot is split."""

    ANY = "any winner"
    """The lowest seat in simulated hands."""
    HIGHEST_CARD = "the highest card by suit"
    LOWEST_CARD = "the lowest card by suit"


@dataclass(frozen=True, slots=True)
class StreetRule:
    """One street: what is dealt to each player, how much is bet, who begins."""

    street: Street
    down_cards: int
    up_cards: int
    bet_size: BetSize
    opening: Opening


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One game. Fields with several real answers are the open points of the rule texts."""

    name: str
    title: str
    streets: tuple[StreetRule, ...]
    most_players: int = 8
    cap: int | None = 4
    """Wagers a street: the completion or bet and three raises; None is no cap."""
    cap_heads_up: int | None = 4
    """The same with two players left."""
    full_wager: tuple[int, int] = (1, 2)
    """From which fraction of a bet an all-in wager counts and reopens the betting."""
    bring_in_option: bool = False
    """Whether the bring-in player may still complete when all others only called."""
    opener_tie: OpenerTie = OpenerTie.ANY
    shared_river_opener: SharedRiverOpener = SharedRiverOpener.AS_ON_SIXTH
    odd_chip: OddChip = OddChip.ANY
    burn_cards: int = 4
    """How many cards the dealer may have burned by seventh street; online rooms show none."""
    best_hand: Callable[[Iterable[Card]], LowHand] = best_low
    """What five to seven cards are worth; the lesser value wins."""
    board_value: Callable[[Iterable[Card]], LowHand] = exposed_low
    """What one to four up cards are worth; the lesser value opens."""

    def low_of(self, cards: Collection[Card]) -> LowHand:
        """Return what one to seven cards are worth, as rooms print it for hands shown early."""
        return self.best_hand(cards) if len(cards) >= 5 else self.board_value(cards)

    def rule(self, street: Street) -> StreetRule:
        """Return the street's row."""
        return self.streets[street - Street.THIRD]


RAZZ = RuleSet(
    name="razz",
    title="Razz",
    streets=(
        StreetRule(Street.THIRD, 2, 1, BetSize.SMALL, Opening.BRING_IN),
        StreetRule(Street.FOURTH, 0, 1, BetSize.SMALL, Opening.LOWEST_BOARD),
        StreetRule(Street.FIFTH, 0, 1, BetSize.BIG, Opening.LOWEST_BOARD),
        StreetRule(Street.SIXTH, 0, 1, BetSize.BIG, Opening.LOWEST_BOARD),
        StreetRule(Street.SEVENTH, 1, 0, BetSize.BIG, Opening.LOWEST_BOARD),
    ),
)
"""Razz as the online rooms deal it."""

HOME_GAME = replace(
    RAZZ,
    name="home-game",
    title="Razz without a bring-in",
    streets=(replace(RAZZ.streets[0], opening=Opening.LOWEST_BOARD), *RAZZ.streets[1:]),
)
"""No bring-in and a higher ante: the lowest board opens every street and may check."""

ACE_TO_SIX = replace(
    RAZZ, name="ace-to-six", title="Ace-to-six Razz", best_hand=best_ace_to_six_low
)
"""Straights and flushes count against the hand."""

RULE_SETS: dict[str, RuleSet] = {rules.name: rules for rules in (RAZZ, HOME_GAME, ACE_TO_SIX)}
"""All games that can be replayed, by name."""
