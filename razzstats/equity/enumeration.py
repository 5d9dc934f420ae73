"""Exact counts by going through the players' possible hands, all of one against all of the others.

For what the dynamic programme cannot tell apart, hands with fewer than five ranks; for spots with
so few cards to come that it would take longer; and for lows in which suits matter.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razzstats.cards import Card, card_number
from razzstats.equity.multisets import (
    BINOMIALS,
    RANKS,
    SUITS,
    Counts,
    IntArray,
    multisets,
    rank_masks,
    seven_card_order,
)
from razzstats.equity.spots import Holding, Span
from razzstats.equity.suited import BestHand, five_card_order
from razzstats.equity.walks import WHOLE_LOW, Player, open_places

_BLOCK = 1 << 20  # pairs of hands at once: some tens of megabytes

with np.errstate(divide="ignore"):
    # -inf for what cannot be dealt, which a finite number must stand for in a matrix product.
    _LOGARITHMS = np.maximum(np.log(BINOMIALS.astype(np.float64)), -1e4)

CardSets: TypeAlias = NDArray[Any]
"""Sets of cards that add up: rows of counts by rank, or bits by card."""


class Completions(NamedTuple):
    """The ways to fill one player's hand: parallel arrays, the best hand first."""

    cards: CardSets
    """Which cards come."""
    ways: IntArray
    """In how many ways they may fill his places, beside which suits they are of."""
    values: IntArray
    """What the seven cards are worth."""


WaysToDeal: TypeAlias = Callable[[CardSets, CardSets], IntArray]
"""From sets of cards that are used and sets that are wanted: in how many ways they are there."""


def completions_by_rank(player: Player, live: IntArray, *, short: bool) -> Completions:
    """Return what may come to a player, by ranks; with ``short`` only what leaves him under five.

    ``live`` has the cards of each rank that nobody is known to hold.
    """
    held = np.array(player.known, dtype=np.int8)
    rows = multisets(player.unseen + len(player.spans))
    possible = (rows <= live).all(axis=1)
    if short:
        possible &= np.bitwise_count(rank_masks(rows) | player.mask) < WHOLE_LOW
    rows = rows[possible]
    ways = _ways_to_place(rows, player.start, player.spans)
    rows, ways = rows[ways > 0], ways[ways > 0]
    return _best_first(rows, ways, seven_card_order().value(rows + held))


def completions_by_card(holding: Holding, deck: Sequence[Card], best: BestHand) -> Completions:
    """Return what may come to a player out of a deck, card by card."""
    number = holding.unseen + len(holding.spans)
    sets = list(combinations(map(card_number, deck), number))
    drawn = np.array(sets, dtype=np.int64).reshape(len(sets), number)
    known = np.array([card_number(card) for card in holding.known_cards], dtype=np.int64)
    ranks = (drawn[:, :, None] % RANKS == np.arange(RANKS)).sum(axis=1, dtype=np.int8)
    ways = _ways_to_place(ranks, holding.start, holding.spans)
    drawn, ways = drawn[ways > 0], ways[ways > 0]
    hands = np.concatenate([np.tile(known, (len(drawn), 1)), drawn], axis=1)
    masks = (np.int64(1) << drawn).sum(axis=1)
    return _best_first(masks, ways, five_card_order(best).value(hands))


def _best_first(cards: CardSets, ways: IntArray, values: IntArray) -> Completions:
    order = np.argsort(values, kind="stable")
    return Completions(cards[order], ways[order], values[order])


def _ways_to_place(rows: Counts, start: int, spans: Sequence[Span]) -> IntArray:
    """Return in how many ways each multiset's cards fill the spans, by walking up the ranks."""
    ways = {0: np.ones(len(rows), dtype=np.int64)}
    for rank in range(RANKS):
        grown = dict(ways)
        for placed, number in ways.items():
            for place in open_places(placed, rank, start, spans):
                target = placed | 1 << place
                grown[target] = grown.get(target, 0) + number * rows[:, rank]
        ways = grown
    return ways.get((1 << len(spans)) - 1, np.zeros(len(rows), dtype=np.int64))


# ---- one player after the other


class _Dealt(NamedTuple):
    """Hands of the first players together: parallel arrays."""

    used: CardSets
    ways: IntArray
    best: IntArray
    winners: IntArray


def count_hands(hands: Sequence[Completions], ways_to_deal: WaysToDeal) -> dict[int, int]:
    """Count the deals in which every player completes his hand in one of these ways.

    Returns the number of deals for each set of winners, as bits.
    """
    if not all(len(hand.cards) for hand in hands):
        return {}
    dealt = _Dealt(
        np.zeros((1, *hands[0].cards.shape[1:]), dtype=hands[0].cards.dtype),
        np.ones(1, dtype=np.int64),
        np.full(1, np.iinfo(np.int64).max),
        np.zeros(1, dtype=np.int64),
    )
    for player, hand in enumerate(hands[:-1]):
        dealt = _deal(dealt, player, hand, ways_to_deal)
    counts: dict[int, int] = {}
    last = hands[-1]
    block = max(1, _BLOCK // max(1, len(last.cards)))
    for start in range(0, len(dealt.used), block):
        rows = slice(start, start + block)
        part = _Dealt(dealt.used[rows], dealt.ways[rows], dealt.best[rows], dealt.winners[rows])
        for winners, deals in _last_deal(part, len(hands) - 1, last, ways_to_deal):
            counts[winners] = counts.get(winners, 0) + deals
    return {winners: deals for winners, deals in counts.items() if deals}


def _deal(dealt: _Dealt, player: int, hand: Completions, ways_to_deal: WaysToDeal) -> _Dealt:
    """Return the players so far together with one more."""
    ways = dealt.ways[:, None] * ways_to_deal(dealt.used, hand.cards) * hand.ways
    first, second = np.nonzero(ways)
    values, best, winners = hand.values[second], dealt.best[first], dealt.winners[first]
    ahead = np.where(values < best, 0, winners) | 1 << player
    return _Dealt(
        dealt.used[first] + hand.cards[second],
        ways[first, second],
        np.minimum(values, best),
        np.where(values > best, winners, ahead),
    )


def _last_deal(
    dealt: _Dealt, player: int, hand: Completions, ways_to_deal: WaysToDeal
) -> list[tuple[int, int]]:
    """Return winners and numbers of deals; a set of winners may come more than once."""
    ways = dealt.ways[:, None] * ways_to_deal(dealt.used, hand.cards) * hand.ways
    sums = np.zeros((len(ways), len(hand.cards) + 1), dtype=np.int64)
    np.cumsum(ways, axis=1, out=sums[:, 1:])
    row = np.arange(len(sums))
    better = sums[row, np.searchsorted(hand.values, dealt.best, "left")]
    as_good = sums[row, np.searchsorted(hand.values, dealt.best, "right")] - better
    worse = sums[:, -1] - better - as_good
    found = [(1 << player, int(better.sum()))]
    for winners in np.unique(dealt.winners):
        which = dealt.winners == winners
        found.append((int(winners) | 1 << player, int(as_good[which].sum())))
        found.append((int(winners), int(worse[which].sum())))
    return found


def by_rank(live: IntArray) -> WaysToDeal:
    """Return how many ways there are to deal cards by rank."""

    def ways(used: CardSets, wanted: CardSets) -> IntArray:
        # A product of binomials over the ranks; by logarithms it is one matrix product, and being
        # a whole number far under 2^40 it comes back exactly.
        one_hot = (used[:, :, None] == np.arange(SUITS + 1)).reshape(len(used), -1)
        left = np.maximum(live[:, None] - np.arange(SUITS + 1), 0)
        logarithms = _LOGARITHMS[left[:, :, None], wanted.T[:, None, :]]
        sums = one_hot.astype(np.float64) @ logarithms.reshape(one_hot.shape[1], -1)
        exact: NDArray[np.float64] = np.rint(np.exp(sums))
        return exact.astype(np.int64)

    return ways


def by_card(used: CardSets, wanted: CardSets) -> IntArray:
    """Return whether cards are still there: 1 or 0."""
    free: NDArray[np.bool_] = (used[:, None] & wanted) == 0
    return free.astype(np.int64)
