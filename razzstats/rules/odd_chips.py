"""Who takes what is left when a pot is split."""

from collections.abc import Collection, Mapping

from razzstats.cards import Card
from razzstats.events import Seat
from razzstats.rules.ruleset import OddChip


def odd_chip_order(rule: OddChip, cards: Mapping[Seat, Collection[Card]]) -> list[Seat]:
    """Return the seats in the order in which they take odd chips; all their cards count.

    Robert's Rules of Poker, "Ties" and "Razz", know both cards; online rooms choose by seat.
    """
    match rule:
        case OddChip.ANY:
            return sorted(cards)
        case OddChip.HIGHEST_CARD:
            return sorted(cards, key=lambda seat: max(cards[seat]), reverse=True)
        case OddChip.LOWEST_CARD:
            return sorted(cards, key=lambda seat: min(cards[seat]))
