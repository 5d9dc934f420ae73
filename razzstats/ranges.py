"""What a player may hold, judged by what all can see: his up cards and what he did with them.

A judgement, not a fact: nobody has published what Razz players enter with. It is kept here as
data, in one place, and is shown with every number that rests on it.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import comb
from typing import NamedTuple

from razzstats.cards import Card, Rank
from razzstats.equity import Holding, Span, Spot, calculate
from razzstats.lowball import LOW_CARD

STEAL_WEIGHT = 0.3
"""How likely any two down cards are in a steal, beside two that make three low cards."""

_LOW = Span(Rank.ACE, LOW_CARD)


class RangeKind(StrEnum):
    """What is assumed of a player's two down cards of third street."""

    ANY = "any cards"
    """He has not put in chips by choice: all that is left in the deck."""
    LOW = "two low cards"
    """He has: two cards eight or lower that pair neither each other nor his door card."""
    STEAL = "two low cards or a steal"
    """He completed first in, with no viable door card left to act but the bring-in: low cards,
    and any others with a weight of `STEAL_WEIGHT`."""


class Opponent(NamedTuple):
    """A live opponent as all can see him."""

    kind: RangeKind
    up_cards: tuple[Card, ...]

    def holding(self, kind: RangeKind) -> Holding:
        """Return his cards with down cards of one kind."""
        down = (None, None) if kind is RangeKind.ANY else (_LOW, _LOW)
        return Holding((*down, *self.up_cards))

    def __str__(self) -> str:
        low, other = (str(self.holding(kind)) for kind in (RangeKind.LOW, RangeKind.ANY))
        if self.kind is RangeKind.STEAL:
            return f"{low} or {STEAL_WEIGHT:.0%} {other}"
        return other if self.kind is RangeKind.ANY else low


class Estimate(NamedTuple):
    """An equity and its standard error, 0 if every deal was counted."""

    equity: float
    error: float


def equity_against(
    hero: Sequence[Card],
    opponents: Sequence[Opponent],
    dead: Iterable[Card],
    river: Card | None = None,
    *,
    most_steps: int,
    samples: int,
) -> Estimate:
    """Return the hero's equity against opponents of whom only ranges are known.

    ``river`` is the last card where it is one for all; it is no player's own then. Where counting
    takes more than ``most_steps``, ``samples`` deals are sampled.
    """
    gone = tuple(dead)
    parts = []
    for weight, kinds in _mixture(hero, opponents, gone):
        holdings = (each.holding(kind) for each, kind in zip(opponents, kinds, strict=True))
        spot = Spot((Holding(tuple(hero)), *holdings), gone, river=river)
        found = calculate(spot, most_steps=most_steps, samples_instead=samples)
        parts.append((weight, float(found.share(0)), found.standard_error(0)))
    whole = sum(weight for weight, _, _ in parts)
    return Estimate(
        sum(weight * share for weight, share, _ in parts) / whole,
        sum((weight * error) ** 2 for weight, _, error in parts) ** 0.5 / whole,
    )


def _mixture(
    hero: Sequence[Card], opponents: Sequence[Opponent], dead: tuple[Card, ...]
) -> list[tuple[float, list[RangeKind]]]:
    """Return what the opponents may hold together, as kinds with their weights.

    A steal is two of them: all down cards with a small weight, and low ones with the rest.
    """
    kinds = [each.kind for each in opponents]
    if RangeKind.STEAL not in kinds:
        return [(1.0, kinds)]
    place = kinds.index(RangeKind.STEAL)  # only one player can be the first in
    known = (*hero, *dead, *(card for each in opponents for card in each.up_cards))
    ranks = [card.rank for card in known]
    live = {rank: 4 - ranks.count(rank) for rank in Rank}
    door = opponents[place].up_cards[0].rank
    low = [live[rank] for rank in Rank if rank in _LOW and rank != door]
    low_pairs = (sum(low) ** 2 - sum(number**2 for number in low)) / 2

    def with_kind(kind: RangeKind) -> list[RangeKind]:
        return [*kinds[:place], kind, *kinds[place + 1 :]]

    return [
        ((1 - STEAL_WEIGHT) * low_pairs, with_kind(RangeKind.LOW)),
        (STEAL_WEIGHT * comb(sum(live.values()), 2), with_kind(RangeKind.ANY)),
    ]
