"""Exact counts by a dynamic programme over the ranks, ace to king.

Of two hands with five ranks or more the better is the one whose five lowest ranks, read as bits,
make the smaller number: a rank that only one of them has decides over all lower ones. So while the
ranks are dealt upwards it is enough to know, for each player, his state (`walks`), and how the
players stand to each other so far: a weak order, of which there are 1, 3, 13, 75 for 1 to 4.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from razzstats.equity.multisets import BINOMIALS, RANKS, IntArray
from razzstats.equity.walks import Step, Walk

_BLOCK = 1 << 21  # entries at once: some tens of megabytes


class Orders(NamedTuple):
    """The weak orders of some players; 0 stands for the best place."""

    places: IntArray
    """Shape (orders, players); the first is that of equal players."""
    after: IntArray
    """``after[order, bits]``: the order once the players of ``bits`` hold a further rank."""


@cache
def orders(players: int) -> Orders:
    """Return all weak orders of the players; a higher rank puts those that hold it last."""
    places = sorted({_dense(each) for each in product(range(players), repeat=players)})
    numbers = {order: number for number, order in enumerate(places)}
    after = [
        [
            numbers[_dense(tuple((bits >> p & 1) * players + order[p] for p in range(players)))]
            for bits in range(1 << players)
        ]
        for order in places
    ]
    return Orders(np.array(places, dtype=np.int64), np.array(after, dtype=np.int64))


def _dense(values: tuple[int, ...]) -> tuple[int, ...]:
    rank = {value: place for place, value in enumerate(sorted(set(values)))}
    return tuple(rank[value] for value in values)


def number_of_steps(walks: Sequence[Walk], live: IntArray) -> int:
    """Return how many sums the programme would make: how long it takes."""
    total = 0
    for rank in range(RANKS):
        # How many ways take so many cards of the rank, of all players together.
        by_taken = [1]
        for each in walks:
            own = np.bincount(each.steps[rank].taken, minlength=1)
            by_taken = np.convolve(by_taken, own)[: int(live[rank]) + 1].tolist()
        total += sum(by_taken)
    return total * number_of_orders(len(walks))


def number_of_orders(players: int) -> int:
    """Return how many weak orders there are: the Fubini numbers 1, 3, 13, 75, 541 …"""
    known = [1]
    for number in range(1, players + 1):
        known.append(
            sum(comb(number, first) * known[number - first] for first in range(1, number + 1))
        )
    return known[players]


def count_whole_hands(walks: Sequence[Walk], live: IntArray) -> dict[int, int]:
    """Count the deals in which a player ends with five ranks or more, by their winners.

    ``live`` has the cards of each rank that nobody is known to hold. Returns the number of deals
    for each set of winners, as bits; the deals in which nobody has five ranks are not among them.
    """
    players = len(walks)
    order_after = orders(players).after
    width = len(order_after)
    block = max(1, _BLOCK // width)
    counts = np.zeros((1, width), dtype=np.int64)
    counts[0, 0] = 1
    for rank in range(RANKS):
        entries = _joined([each.steps[rank] for each in walks], int(live[rank]))
        reached = np.zeros(entries.states * width, dtype=np.int64)
        for start in range(0, len(entries.source), block):
            part = slice(start, start + block)
            targets = entries.target[part, None] * width + order_after.T[entries.bits[part]]
            deals = counts[entries.source[part]] * entries.ways[part, None]
            np.add.at(reached, targets.ravel(), deals.ravel())
        counts = reached.reshape(-1, width)
    return _by_winners(counts, walks)


class _Entries(NamedTuple):
    """A step of all players together."""

    source: IntArray
    target: IntArray
    bits: IntArray
    ways: IntArray
    states: int


def _joined(steps: Sequence[Step], live: int) -> _Entries:
    zero = np.zeros(1, dtype=np.int64)
    source, target, bits, used, ways = zero, zero, zero, zero, zero + 1
    states = 1
    for player, step in enumerate(steps):
        before = int(step.source.max(initial=0)) + 1
        total = used[:, None] + step.taken
        fits = total <= live
        left = np.broadcast_to((live - used)[:, None], total.shape)[fits]
        taken = np.broadcast_to(step.taken, total.shape)[fits]
        ways = (ways[:, None] * step.ways)[fits] * BINOMIALS[left, taken]
        source = (source[:, None] * before + step.source)[fits]
        target = (target[:, None] * step.states + step.target)[fits]
        bits = (bits[:, None] | (step.counts << player))[fits]
        used = total[fits]
        states *= step.states
    return _Entries(source, target, bits, ways, states)


def _by_winners(counts: IntArray, walks: Sequence[Walk]) -> dict[int, int]:
    places = orders(len(walks)).places
    found: dict[int, int] = {}
    for state, ends in enumerate(product(*(each.whole for each in walks))):
        whole = [player for player, is_whole in enumerate(ends) if is_whole]
        for order in np.flatnonzero(counts[state]) if whole else ():
            best = min(places[order][player] for player in whole)
            winners = sum(1 << p for p in whole if places[order][p] == best)
            found[winners] = found.get(winners, 0) + int(counts[state, order])
    return found
