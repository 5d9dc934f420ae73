"""Lows in which suits matter: what any seven cards are worth to a rule set's own ranking."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razzstats.cards import DECK, Card, Rank, Suit
from razzstats.equity.multisets import PLACES, RANKS, IntArray, keys, multisets
from razzstats.lowball import LowHand

BestHand = Callable[[Iterable[Card]], LowHand]
"""What five to seven cards are worth, the lesser the better."""

_FIVE = 5
_LEFT_OUT = tuple(combinations(range(7), 2))
CARD_KEYS: IntArray = PLACES[[card.rank - 1 for card in DECK]]
"""The key of each card of the deck, as `multisets.keys` adds them up."""

_SUITS = np.array([card.suit for card in DECK], dtype=np.int64)


class FiveCardOrder(NamedTuple):
    """What every five cards are worth, of several suits and of one."""

    keys: IntArray
    of_suits: IntArray
    of_one_suit: IntArray
    """The same as ``of_suits`` where a rank comes twice."""

    def value(self, cards: NDArray[np.integer]) -> IntArray:
        """Return what the best five of seven cards are worth; shape (number, 7), by card number."""
        all_keys, suits = CARD_KEYS[cards], _SUITS[cards]
        total = all_keys.sum(axis=1)
        best = np.full(len(cards), np.iinfo(np.int64).max)
        for out in _LEFT_OUT:
            place = np.searchsorted(self.keys, total - all_keys[:, out[0]] - all_keys[:, out[1]])
            held = np.delete(suits, out, axis=1)
            flush = (held == held[:, :1]).all(axis=1)
            worth = np.where(flush, self.of_one_suit[place], self.of_suits[place])
            np.minimum(best, worth, out=best)
        return best


@cache
def five_card_order(best_hand: BestHand) -> FiveCardOrder:
    """Return the order of a ranking, asked for each five ranks with one suit and with several."""
    rows = multisets(_FIVE)
    row_keys = keys(rows)
    rows = rows[np.argsort(row_keys)]
    several = [best_hand(_of_several_suits(row)) for row in rows.tolist()]
    one = [
        best_hand([Card(rank, Suit.CLUB) for rank in _ranks(row)]) if max(row) == 1 else low
        for row, low in zip(rows.tolist(), several, strict=True)
    ]
    numbers = {low: number for number, low in enumerate(sorted({*several, *one}))}
    return FiveCardOrder(
        np.sort(row_keys),
        np.array([numbers[low] for low in several], dtype=np.int64),
        np.array([numbers[low] for low in one], dtype=np.int64),
    )


def _ranks(row: list[int]) -> list[Rank]:
    return [Rank(rank + 1) for rank in range(RANKS) for _ in range(row[rank])]


def _of_several_suits(row: list[int]) -> list[Card]:
    suits = list(Suit)
    ranks = _ranks(row)
    # Equal ranks stand side by side, so suits in turn make cards that differ.
    return [Card(rank, suits[place % len(suits)]) for place, rank in enumerate(ranks)]
