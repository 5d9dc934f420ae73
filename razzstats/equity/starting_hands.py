"""The 455 starting hands, by ranks: how often they come, what they win, what they are worth.

``python -m razzstats.equity.starting_hands FILE`` computes ``starting_hands.csv`` anew, in a few
minutes.
"""

import csv
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razzstats.cards import Rank
from razzstats.equity.calculation import calculate
from razzstats.equity.enumeration import by_rank
from razzstats.equity.multisets import (
    BINOMIALS,
    RANKS,
    SUITS,
    Counts,
    IntArray,
    multisets,
    seven_card_order,
)
from razzstats.equity.spots import Holding, Spot
from razzstats.lowball import LOW_CARD

OPPONENTS = 3
"""How many random hands the headline rating is to beat."""


class StartingClass(StrEnum):
    """What kind of starting hand it is, the better kinds first."""

    WHEEL_CARDS = "three wheel cards"
    SEVEN = "three to a seven"
    EIGHT = "three to an eight"
    NINE = "three to a nine"
    TWO_LOW = "two low, one high"
    LOW_PAIR = "low pair, low card"
    OTHER = "other"


CLASS_DEFINITIONS = {
    StartingClass.WHEEL_CARDS: "three unpaired cards, five or lower",
    StartingClass.SEVEN: "three unpaired cards, the highest a six or seven",
    StartingClass.EIGHT: "three unpaired cards, the highest an eight",
    StartingClass.NINE: "three unpaired cards, the highest a nine",
    StartingClass.TWO_LOW: "two unpaired cards eight or lower and a ten, jack, queen or king",
    StartingClass.LOW_PAIR: "a pair and a third card, all eight or lower",
    StartingClass.OTHER: "everything else",
}


class StartingHand(NamedTuple):
    """Three ranks from low to high, without suits."""

    ranks: tuple[Rank, Rank, Rank]

    @classmethod
    def of(cls, ranks: Iterable[Rank]) -> "StartingHand":
        """Return the starting hand of three ranks in any order."""
        low, middle, high = sorted(ranks)
        return cls((low, middle, high))

    def __str__(self) -> str:
        return "".join(rank.symbol for rank in self.ranks)

    @property
    def counts(self) -> Counts:
        """How many cards of each rank it has."""
        return np.bincount([rank - 1 for rank in self.ranks], minlength=RANKS).astype(np.int8)

    @property
    def combinations(self) -> int:
        """In how many of the 22,100 ways to be dealt three cards it comes."""
        return prod(int(BINOMIALS[SUITS, count]) for count in self.counts)

    @property
    def unpaired(self) -> bool:
        """Whether its ranks differ."""
        return len(set(self.ranks)) == len(self.ranks)

    @property
    def starting_class(self) -> StartingClass:
        """What kind of hand it is."""
        highest = self.ranks[-1]
        if self.unpaired:
            for top, kind in _UNPAIRED_CLASSES:
                if highest <= top:
                    return kind
            return StartingClass.TWO_LOW if self.ranks[1] <= LOW_CARD else StartingClass.OTHER
        if len(set(self.ranks)) > 1 and highest <= LOW_CARD:
            return StartingClass.LOW_PAIR
        return StartingClass.OTHER


_UNPAIRED_CLASSES = (
    (Rank.FIVE, StartingClass.WHEEL_CARDS),
    (Rank.SEVEN, StartingClass.SEVEN),
    (Rank.EIGHT, StartingClass.EIGHT),
    (Rank.NINE, StartingClass.NINE),
)


@cache
def starting_hands() -> tuple[StartingHand, ...]:
    """Return all 455 starting hands, aces first."""
    return tuple(map(StartingHand, combinations_with_replacement(Rank, 3)))


# ---- against one random hand


class HeadsUp(NamedTuple):
    """How a starting hand fares against one random hand, over all deals."""

    win: int
    tie: int
    deals: int

    @property
    def equity(self) -> Fraction:
        """Its part of the pot."""
        return Fraction(2 * self.win + self.tie, 2 * self.deals)


_FIELDS = ("hand", "win", "tie", "deals", "rating")


@cache
def heads_up_results() -> dict[StartingHand, HeadsUp]:
    """Return the exact results of all starting hands against one random hand, the best first."""
    found = {
        hand: HeadsUp(int(row["win"]), int(row["tie"]), int(row["deals"]))
        for hand, row in _computed().items()
    }
    return dict(sorted(found.items(), key=lambda item: item[1].equity, reverse=True))


@cache
def _computed() -> dict[StartingHand, dict[str, str]]:
    text = files("razzstats.equity").joinpath("starting_hands.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {StartingHand.of(map(Rank.parse, row["hand"])): row for row in rows}


def play_heads_up(hand: StartingHand) -> HeadsUp:
    """Count how a starting hand fares against one random hand."""
    result = calculate(Spot((Holding(hand.ranks), Holding())))
    return HeadsUp(result.win(0), result.tie(0), result.deals)


# ---- ratings


@cache
def whole_deck_ratings() -> dict[StartingHand, float]:
    """Return what `ratings` says of all starting hands while no other card has been seen."""
    return {hand: float(row["rating"]) for hand, row in _computed().items()}


def ratings(
    hand: StartingHand, dead: Sequence[Sequence[int]] | Counts, opponents: int = OPPONENTS
) -> NDArray[np.float64]:
    """Return how likely the hand is to beat so many random hands, given dead cards.

    ``dead`` is one row of 13 numbers, cards seen of each rank, for each answer. The hand is
    completed from the live cards in every way; a final hand counts with the part of all seven-card
    hands that it beats, ties half, to the power of ``opponents``. It is a rating rather than an
    equity: the others' hands are taken from a whole deck, so that dead high cards help and dead
    low cards hurt.
    """
    rows, ways = _completed(hand, np.asarray(dead, dtype=np.int8))
    worth = _parts_beaten()[seven_card_order().value(rows)] ** opponents
    # Row by row: the last digits of a product of matrices depend on how many rows there are.
    found: NDArray[np.float64] = (ways * worth).sum(axis=1) / ways.sum(axis=1)
    return found


def chance_of_low(hand: StartingHand, top: Rank, dead: Sequence[int] = (0,) * RANKS) -> float:
    """Return how likely the hand is to end as an unpaired low with at most this top card."""
    rows, ways = _completed(hand, np.array([dead], dtype=np.int8))
    enough = (rows[:, :top] > 0).sum(axis=1) >= 5
    return float(ways[0, enough].sum() / ways.sum())


def _completed(hand: StartingHand, dead: Counts) -> tuple[Counts, NDArray[np.float64]]:
    """Return the hand's final seven cards, and the ways to each of them by the dead cards."""
    live = SUITS - hand.counts.astype(np.int64)
    rows = multisets(4)
    rows = rows[(rows <= live).all(axis=1)]
    return rows + hand.counts, by_rank(live)(dead, rows).astype(np.float64)


@cache
def _parts_beaten() -> NDArray[np.float64]:
    """Return by value which part of all seven-card hands it beats, ties counting half."""
    ways = BINOMIALS[SUITS, multisets(7)].prod(axis=1)
    values = seven_card_order().value(multisets(7))
    as_good: IntArray = np.zeros(values.max() + 1, dtype=np.int64)
    np.add.at(as_good, values, ways)
    worse = as_good.sum() - np.cumsum(as_good)
    parts: NDArray[np.float64] = (worse + as_good / 2) / as_good.sum()
    return parts


def _write(path: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_FIELDS)
        for hand in starting_hands():
            rating = float(ratings(hand, [[0] * RANKS])[0])
            writer.writerow((str(hand), *play_heads_up(hand), round(rating, 12)))


if __name__ == "__main__":
    _write(sys.argv[1])
