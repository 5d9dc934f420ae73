"""Lows, ace to five and ace to six: the best of five to seven cards, and what up cards show."""

import re
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from razzstats.cards import RANK_SYMBOLS, Card, Rank


class LowKind(IntEnum):
    """What kind of hand a low is, the better kind first.

    Straights and flushes exist only in ace-to-six lows, where they count against the hand.
    """

    UNPAIRED = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


class LowHand(NamedTuple):
    """A low of at most five cards; the smaller tuple is the better low, equal tuples tie.

    ``ranks`` stand by how often they occur, then from high to low: 9-8-6-3-A, or 3-3-5-4.
    """

    kind: LowKind
    ranks: tuple[Rank, ...]

    def __str__(self) -> str:
        return "-".join(rank.symbol for rank in self.ranks)


class LowClaim(NamedTuple):
    """A low as a room prints it; it may name only some of the low's ranks."""

    kind: LowKind | None
    """None where the text lists all ranks and leaves the kind to the reader."""
    ranks: tuple[Rank, ...]

    def fits(self, low: LowHand) -> bool:
        """Whether the claim may be said of this low."""
        if self.kind is None:
            return sorted(self.ranks) == sorted(low.ranks)
        named = tuple(dict.fromkeys(low.ranks))[: len(self.ranks)]
        return self.kind is low.kind and self.ranks == named


LOW_CARD = Rank.EIGHT
"""A card up to this rank is a low card; as a door card it is viable, worth playing on."""

WHEEL = LowHand(LowKind.UNPAIRED, (Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO, Rank.ACE))
"""The best low: 5-4-3-2-A."""

_PAIRED_KINDS = {
    (2,): LowKind.PAIR,
    (2, 2): LowKind.TWO_PAIR,
    (3,): LowKind.TRIPS,
    (3, 2): LowKind.FULL_HOUSE,
    (4,): LowKind.QUADS,
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


def best_ace_to_six_low(cards: Iterable[Card]) -> LowHand:
    """Return the best ace-to-six low of five to seven cards: 6-4-3-2-A in two suits is the best.

    Straights and flushes count against the hand; the ace is low, so A-K is no part of a straight.
    Raises ValueError for fewer cards or more.
    """
    held = sorted(cards)
    if not 5 <= len(held) <= 7:
        raise ValueError(f"a low is made of five to seven cards, not {len(held)}")
    return min(map(_ace_to_six_low, combinations(held, 5)))


def exposed_low(up_cards: Iterable[Card]) -> LowHand:
    """Return the low that one to four cards show by themselves; the best one acts first.

    Boards of equal size compare by the returned value. Raises ValueError for no or over four cards.
    """
    return _exposed_low_of_ranks(tuple(sorted([card.rank for card in up_cards])))


def describe_low(low: LowHand) -> str:
    """Return a low in words: "the wheel", "a nine-eight low", "a pair of threes"."""
    first, *rest = [_RANK_NAMES[rank - 1] for rank in dict.fromkeys(low.ranks)]
    if low == WHEEL:
        return "the wheel"
    if low.kind is LowKind.UNPAIRED:
        return f"{_article(first)} {first}-{rest[0]} low" if rest else f"{_article(first)} {first}"
    if low.kind is LowKind.PAIR:
        return f"a pair of {_plural(first)}"
    if low.kind is LowKind.TWO_PAIR:
        return f"two pair, {_plural(first)} and {_plural(rest[0])}"
    if low.kind is LowKind.TRIPS:
        return f"three {_plural(first)}"
    if low.kind in (LowKind.STRAIGHT, LowKind.FLUSH, LowKind.STRAIGHT_FLUSH):
        return f"a {low.kind.name.lower().replace('_', ' ')}, {first} high"
    if low.kind is LowKind.FULL_HOUSE:
        return f"a full house, {_plural(first)} over {_plural(rest[0])}"
    return f"four {_plural(first)}"


@lru_cache(maxsize=10_000)  # the whole lows there are, and most of the ways to say them
def parse_low(text: str) -> LowClaim:
    """Return what a low says in a room's spelling or in that of `describe_low`.

    ``9,8,6,3,A``, ``T-8-7-4-2``, ``a pair of Sevens``, ``One pair : 6``, ``two pair, Tens and
    Twos``. Raises ValueError for anything else.
    """
    symbols = re.split(r", ?|-", text)
    if len(symbols) > 1 and all(symbol in _RANK_SPELLINGS for symbol in symbols):
        return LowClaim(None, tuple(Rank.parse(symbol.replace("10", "T")) for symbol in symbols))
    words = text.lower()
    if words == "the wheel":
        return LowClaim(WHEEL.kind, WHEEL.ranks)
    for kind, pattern in _CLAIMS:
        if match := re.fullmatch(pattern, words):
            names = [name for name in match.groups() if name]
            if all(name in _RANK_OF_NAME for name in names):
                return LowClaim(kind, tuple(_RANK_OF_NAME[name] for name in names))
    raise ValueError(f"not a low: {text!r}")


def _article(rank_name: str) -> str:
    return "an" if rank_name in ("ace", "eight") else "a"


def _plural(rank_name: str) -> str:
    return rank_name + ("es" if rank_name == "six" else "s")


_NAME = "([a-z0-9]+)"
_CLAIMS = (
    (LowKind.UNPAIRED, f"an? {_NAME}-{_NAME} low"),
    (LowKind.PAIR, f"(?:a |one )?pair(?: of | ?: ?){_NAME}"),
    (LowKind.TWO_PAIR, f"two pairs?(?:, | ?: ?){_NAME} and {_NAME}"),
    (LowKind.TRIPS, f"three of a kind(?:, | ?: ?){_NAME}|three {_NAME}"),
    (LowKind.STRAIGHT_FLUSH, f"a straight flush, {_NAME} high"),
    (LowKind.STRAIGHT, f"a straight, {_NAME} high"),
    (LowKind.FLUSH, f"a flush, {_NAME} high"),
    (LowKind.FULL_HOUSE, f"a full house(?:, | ?: ?){_NAME} (?:over|full of) {_NAME}"),
    (LowKind.QUADS, f"four of a kind(?:, | ?: ?){_NAME}|four {_NAME}"),
)
"""How rooms say a low in words, in lower case; the groups are ranks, the paired ones first."""

_RANK_OF_NAME = {
    name: rank
    for rank in Rank
    for singular in (_RANK_NAMES[rank - 1], *({2: ["deuce"], 3: ["trey"]}.get(rank, [])))
    for name in (singular, _plural(singular), rank.symbol.lower())
} | {"10": Rank.TEN}
_RANK_SPELLINGS = (*RANK_SYMBOLS, "10")


@cache  # 49,205 multisets of seven ranks at most
def _best_low_of_ranks(ranks: tuple[Rank, ...]) -> LowHand:
    if not 5 <= len(ranks) <= 7:
        raise ValueError(f"a low is made of five to seven cards, not {len(ranks)}")
    lowest = sorted(set(ranks))[:5]
    if len(lowest) == 5:  # no pair need be played, and no other five ranks are lower
        return LowHand(LowKind.UNPAIRED, tuple(reversed(lowest)))
    return min(_rank_low(five) for five in combinations(ranks, 5))


@cache
def _exposed_low_of_ranks(ranks: tuple[Rank, ...]) -> LowHand:
    if not 1 <= len(ranks) <= 4:
        raise ValueError(f"a board has one to four up cards, not {len(ranks)}")
    return _rank_low(ranks)


def _ace_to_six_low(five: tuple[Card, ...]) -> LowHand:
    low = _rank_low(tuple([card.rank for card in five]))
    if low.kind is not LowKind.UNPAIRED:
        return low
    straight = low.ranks[0] - low.ranks[-1] == 4
    flush = len({card.suit for card in five}) == 1
    if straight or flush:
        kind = LowKind.STRAIGHT if straight else LowKind.FLUSH
        return LowHand(LowKind.STRAIGHT_FLUSH if straight and flush else kind, low.ranks)
    return low


def _rank_low(ranks: tuple[Rank, ...]) -> LowHand:
    counts = Counter(ranks)
    grouped = tuple(sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))
    repeats = tuple(sorted((count for count in counts.values() if count > 1), reverse=True))
    return LowHand(_PAIRED_KINDS.get(repeats, LowKind.UNPAIRED), grouped)
