"""Ace-to-five lows: the best low of five to seven cards, and what one to four up cards show."""

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import NamedTuple

from razzstats.cards import Card, Rank


class Pairing(IntEnum):
    """How a low is paired, the better kind first; straights and flushes do not exist in Razz."""

    UNPAIRED = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    FULL_HOUSE = 4
    QUADS = 5


class LowHand(NamedTuple):
    """A low of at most five cards; the smaller tuple is the better low, equal tuples tie.

    ``ranks`` stand by how often they occur, then from high to low: 9-8-6-3-A, or 3-3-5-4.
    """

    pairing: Pairing
    ranks: tuple[Rank, ...]

    def __str__(self) -> str:
        return "-".join(rank.symbol for rank in self.ranks)


WHEEL = LowHand(Pairing.UNPAIRED, (Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO, Rank.ACE))
"""The best low: 5-4-3-2-A."""

_PAIRINGS = {
    (2,): Pairing.PAIR,
    (2, 2): Pairing.TWO_PAIR,
    (3,): Pairing.TRIPS,
    (3, 2): Pairing.FULL_HOUSE,
    (4,): Pairing.QUADS,
}

_RANK_NAMES = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
]


def best_low(cards: Iterable[Card]) -> LowHand:
    """Return the best low that five to seven cards make; raises ValueError for fewer or more."""
    return _best_low_of_ranks(tuple(sorted([card.rank for card in cards])))


def exposed_low(up_cards: Iterable[Card]) -> LowHand:
    """Return the low that one to four cards show by themselves; the best one acts first.

    Boards of equal size compare by the returned value. Raises ValueError for no or over four cards.
    """
    return _exposed_low_of_ranks(tuple(sorted([card.rank for card in up_cards])))


def low_of(cards: Iterable[Card]) -> LowHand:
    """Return the low of one to seven cards, as rooms print it for hands shown early."""
    ranks = tuple(sorted([card.rank for card in cards]))
    return _exposed_low_of_ranks(ranks) if len(ranks) < 5 else _best_low_of_ranks(ranks)


def describe_low(low: LowHand) -> str:
    """Return a low in words: "the wheel", "a nine-eight low", "a pair of threes"."""
    first, *rest = [_RANK_NAMES[rank - 1] for rank in dict.fromkeys(low.ranks)]
    if low == WHEEL:
        return "the wheel"
    if low.pairing is Pairing.UNPAIRED:
        return f"a {first}-{rest[0]} low" if rest else f"a {first}"
    if low.pairing is Pairing.PAIR:
        return f"a pair of {_plural(first)}"
    if low.pairing is Pairing.TWO_PAIR:
        return f"two pair, {_plural(first)} and {_plural(rest[0])}"
    if low.pairing is Pairing.TRIPS:
        return f"three {_plural(first)}"
    if low.pairing is Pairing.FULL_HOUSE:
        return f"a full house, {_plural(first)} over {_plural(rest[0])}"
    return f"four {_plural(first)}"


def _plural(rank_name: str) -> str:
    return rank_name + ("es" if rank_name == "six" else "s")


@cache  # 49,205 multisets of seven ranks at most
def _best_low_of_ranks(ranks: tuple[Rank, ...]) -> LowHand:
    if not 5 <= len(ranks) <= 7:
        raise ValueError(f"a low is made of five to seven cards, not {len(ranks)}")
    return min(_rank_low(five) for five in combinations(ranks, 5))


@cache
def _exposed_low_of_ranks(ranks: tuple[Rank, ...]) -> LowHand:
    if not 1 <= len(ranks) <= 4:
        raise ValueError(f"a board has one to four up cards, not {len(ranks)}")
    return _rank_low(ranks)


def _rank_low(ranks: tuple[Rank, ...]) -> LowHand:
    counts = Counter(ranks)
    grouped = tuple(sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))
    repeats = tuple(sorted((count for count in counts.values() if count > 1), reverse=True))
    return LowHand(_PAIRINGS.get(repeats, Pairing.UNPAIRED), grouped)
