"""One player's walk through the ranks, ace to king: which cards of each rank he may still get.

Suits never matter to an ace-to-five low, and neither does how often he holds a rank unless he ends
with fewer than five. A walk's state is therefore how many cards he was dealt so far, how many
ranks he holds (five is as good as more), and which of his `Span` cards are placed.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razzstats.equity.multisets import RANKS, SUITS, IntArray
from razzstats.equity.spots import Span

WHOLE_LOW = 5


class Player(NamedTuple):
    """What is known of one player's cards, by ranks."""

    known: tuple[int, ...]
    """How many cards of each rank he is known to hold."""
    unseen: int
    """The number of cards of which nothing is known."""
    spans: tuple[Span, ...]
    """What is known of further cards."""
    start: int
    """The known ranks of his first three cards, as bits: what fills a span pairs none of them."""

    @property
    def mask(self) -> int:
        """The ranks that he is known to hold, as bits."""
        return sum(1 << rank for rank, count in enumerate(self.known) if count)


class Step(NamedTuple):
    """What one rank may bring: parallel arrays, one entry a way from a state to the next."""

    source: IntArray
    """The state before the rank."""
    target: IntArray
    """The state after it."""
    taken: IntArray
    """Cards of the rank that the player is dealt."""
    counts: IntArray
    """1 where the rank becomes one of his five lowest, else 0."""
    ways: IntArray
    """In how many ways the cards may fill his places: over 1 where one fills a span."""
    states: int
    """How many states there are after the rank."""


class Walk(NamedTuple):
    """All that one player may be dealt."""

    steps: tuple[Step, ...]
    """One for each of the 13 ranks; the first begins in state 0."""
    whole: NDArray[np.bool_]
    """Of each last state, whether the player ends with five ranks or more."""


class _State(NamedTuple):
    drawn: int
    """Cards dealt that fill no span."""
    ranks: int
    placed: int
    """Bits of the spans that are filled."""


class _Way(NamedTuple):
    source: _State
    target: _State
    taken: int
    counts: bool
    ways: int


@lru_cache(maxsize=4_096)  # some 25 kB each
def walk(known: int, start: int, unseen: int, spans: tuple[Span, ...]) -> Walk:
    """Return the walk of a player; ``known`` and ``start`` are masks of ranks as in `Player`."""
    begin = _State(0, 0, 0)
    reached: set[_State] = {begin}
    ways: list[list[_Way]] = []
    for rank in range(RANKS):
        ways.append([
            way
            for state in sorted(reached)
            for way in _ways(
                state,
                bool(known >> rank & 1),
                tuple(open_places(state.placed, rank, start, spans)),
            )
            if way.target.drawn <= unseen
        ])  # fmt: skip
        reached = {way.target for way in ways[-1]}
    ends = [s for s in sorted(reached) if s.drawn == unseen and s.placed == (1 << len(spans)) - 1]
    steps: list[Step] = []
    after = ends
    for entries in reversed(ways):  # states that lead nowhere are dropped, from the end
        kept = [way for way in entries if way.target in set(after)]
        before = sorted({way.source for way in kept}) or [begin]
        steps.append(_step(kept, before, after))
        after = before
    whole = np.array([state.ranks >= WHOLE_LOW for state in ends], dtype=np.bool_)
    return Walk(tuple(reversed(steps)), whole)


@lru_cache(maxsize=16_384)  # the same for every rank and hand
def _ways(state: _State, known: bool, places: tuple[int, ...]) -> tuple[_Way, ...]:
    found = []
    for drawn in range(SUITS + 1):
        for place in (None, *places):
            filled = place is not None
            if drawn + filled > SUITS:
                continue
            counts = (known or filled or drawn > 0) and state.ranks < WHOLE_LOW
            target = _State(
                state.drawn + drawn,
                state.ranks + counts,
                state.placed | (1 << place if place is not None else 0),
            )
            taken = drawn + filled
            found.append(_Way(state, target, taken, counts, taken if filled else 1))
    return tuple(found)


def open_places(placed: int, rank: int, start: int, spans: Sequence[Span]) -> list[int]:
    """Return the spans that a card of this rank (0 for the ace) may fill.

    ``placed`` are the bits of those that are filled, ``start`` the ranks that they must not pair.
    Equal spans are filled in order: which of their cards is which makes no other hand.
    """
    if start >> rank & 1:
        return []
    return [
        place
        for place, span in enumerate(spans)
        if not placed >> place & 1
        and rank + 1 in span
        and all(placed >> other & 1 for other in range(place) if spans[other] == span)
    ]


def _step(ways: list[_Way], before: list[_State], after: list[_State]) -> Step:
    numbers_before = {state: number for number, state in enumerate(before)}
    numbers_after = {state: number for number, state in enumerate(after)}

    def column(values: list[int]) -> IntArray:
        return np.array(values, dtype=np.int64)

    return Step(
        source=column([numbers_before[way.source] for way in ways]),
        target=column([numbers_after[way.target] for way in ways]),
        taken=column([way.taken for way in ways]),
        counts=column([int(way.counts) for way in ways]),
        ways=column([way.ways for way in ways]),
        states=len(after),
    )
