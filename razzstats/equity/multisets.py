"""Ranks without suits: multisets of cards, and the order of all seven-card hands of Razz.

A multiset is a row of thirteen counts, aces first; suits never matter to an ace-to-five low.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int8]
"""Cards per rank, ace to king: one row of 13, or a table of such rows."""

IntArray = NDArray[np.int64]

RANKS = 13
SUITS = 4

BINOMIALS: IntArray = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]],
    dtype=np.int64,
)
"""``BINOMIALS[n, k]`` ways to take k of n cards of a rank, up to four."""

PLACES: IntArray = 5 ** np.arange(RANKS, dtype=np.int64)
"""What a card of each rank adds to the key of a multiset."""

_BITS: IntArray = 1 << np.arange(RANKS, dtype=np.int64)


@cache
def multisets(size: int) -> Counts:
    """Return every multiset of so many cards, at most four of a rank: shape (number, 13)."""
    rows = np.zeros((1, RANKS), dtype=np.int8)
    for rank in range(RANKS):
        room = SUITS * (RANKS - 1 - rank)
        grown = []
        for count in range(SUITS + 1):
            held = rows.sum(axis=1) + count
            more = rows[(held <= size) & (held + room >= size)].copy()
            more[:, rank] = count
            grown.append(more)
        rows = np.concatenate(grown)
    rows.setflags(write=False)
    return rows


def keys(rows: Counts) -> IntArray:
    """Return a number for each multiset; the key of two multisets put together is the sum."""
    return rows @ PLACES


def rank_masks(rows: Counts, least: int = 1) -> IntArray:
    """Return which ranks each multiset holds at least so often, as bits, the ace's the lowest."""
    return (rows >= least) @ _BITS


def lowest_bits(masks: IntArray, number: int) -> IntArray:
    """Return the masks without all but their lowest set bits."""
    kept = np.zeros_like(masks)
    rest = masks.copy()
    for _ in range(number):
        bit = rest & -rest
        kept |= bit
        rest ^= bit
    return kept


class SevenCardOrder(NamedTuple):
    """What every seven-card hand is worth: 0 (a wheel) to 5,082, the lower the better."""

    keys: IntArray
    """The 49,205 multisets' keys, ascending."""
    values: IntArray
    """What each of them is worth."""
    of_ranks: IntArray
    """By the mask of the ranks held: the worth of hands of five or more ranks, else -1."""

    def value(self, rows: Counts) -> IntArray:
        """Return what seven-card multisets are worth."""
        return self.value_of_keys(keys(rows))

    def value_of_keys(self, wanted: IntArray) -> IntArray:
        """Return what the multisets with these keys are worth."""
        return self.values[np.searchsorted(self.keys, wanted)]


@cache
def seven_card_order() -> SevenCardOrder:
    """Return the order of the seven-card hands (5,083 values), computed once."""
    rows = multisets(7)
    row_keys = keys(rows)
    order = np.argsort(row_keys)
    rows, row_keys = rows[order], row_keys[order]
    worths = _worths(rows)
    _, values = np.unique(worths, return_inverse=True)
    held = rank_masks(rows)
    of_ranks = np.full(1 << RANKS, -1, dtype=np.int64)
    unpaired = np.bitwise_count(held) >= 5
    of_ranks[held[unpaired]] = values[unpaired]
    return SevenCardOrder(row_keys, values.astype(np.int64), of_ranks)


def _worths(rows: Counts) -> IntArray:
    """Return a number for each seven-card hand that sorts as its best low does.

    With five ranks no pair need be played, and the five lowest ranks compare from the highest
    down, as their masks do. With four it is the lowest pair there is, then the three other ranks;
    with three the two lowest pairs, the higher of them first, then the last rank; with two (four
    cards and three) the lower rank three times.
    """
    held = rank_masks(rows)
    paired, tripled = rank_masks(rows, 2), rank_masks(rows, 3)
    low_pair, low_trips = lowest_bits(paired, 1), lowest_bits(tripled, 1)
    two_pairs = lowest_bits(paired, 2)
    high_pair = two_pairs ^ low_pair
    ranks = np.bitwise_count(held)
    kinds = [
        (ranks >= 5, 0, lowest_bits(held, 5)),
        (ranks == 4, 1, (low_pair << RANKS) | (held ^ low_pair)),
        (ranks == 3, 2, (((high_pair << RANKS) | low_pair) << RANKS) | (held ^ two_pairs)),
        (ranks == 2, 3, (low_trips << RANKS) | (held ^ low_trips)),
    ]
    worths = np.zeros(len(rows), dtype=np.int64)
    for which, kind, worth in kinds:
        worths[which] = worth[which] | (kind << 3 * RANKS)
    return worths
