"""Which way to count a spot: by hands, by the dynamic programme, or by sampling."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import comb, factorial, prod

import numpy as np

from razzstats.cards import Rank
from razzstats.equity.enumeration import (
    by_card,
    by_rank,
    completions_by_card,
    completions_by_rank,
    count_hands,
)
from razzstats.equity.multisets import IntArray, multisets
from razzstats.equity.programme import count_whole_hands, number_of_steps
from razzstats.equity.results import Equity
from razzstats.equity.sampling import DEFAULT_SAMPLES, sample
from razzstats.equity.spots import Holding, Spot, SpotError
from razzstats.equity.suited import BestHand
from razzstats.equity.walks import Player, walk
from razzstats.lowball import best_low

FEW_HANDS = 30_000
"""So many combinations of hands are gone through rather than run through the programme."""
MOST_STEPS = 400_000_000
"""What counting may take before deals are sampled instead: some seconds."""
_STEPS_A_COMBINATION = 100
"""What one combination of hands takes where suits matter, beside a step of the programme."""
MOST_DEALS = 2**63 - 1
"""Counts are held in 64 bits."""


def calculate(
    spot: Spot,
    best_hand: BestHand = best_low,
    *,
    samples: int | None = None,
    seed: int = 1,
    most_steps: int = MOST_STEPS,
    samples_instead: int = DEFAULT_SAMPLES,
) -> Equity:
    """Return how the pot of a spot is shared out, on average over all deals.

    Every deal is counted unless ``samples`` are asked for, or that takes more than ``most_steps``
    and ``samples_instead`` are taken; the result says which. With no steps at all what few
    combinations of hands tell is counted still. ``best_hand`` is the ranking, as a
    `RuleSet` has it. Raises SpotError if the hands cannot be dealt.
    """
    if best_hand is not best_low and spot.has_unsaid_suits:
        raise SpotError("suits matter in this game: name every card with its suit")
    if samples is None:
        if best_hand is best_low:
            outcomes = _count_by_rank(spot, most_steps)
        else:
            outcomes = _count_by_card(spot, best_hand, most_steps)
        if outcomes is not None:
            if not outcomes:
                raise SpotError("no deal fits the ranges: their cards are not left")
            return Equity(len(spot.hands), outcomes)
    return sample(spot, samples or samples_instead, seed, best_hand)


def _number_of_deals(spot: Spot) -> int:
    """Return an upper bound: ranges are taken for unknown cards that fit in every way."""
    left, deals = sum(spot.live), 1
    for hand in spot.holdings:
        wanted = hand.unseen + len(hand.spans)
        alike = Counter(hand.spans).values()
        deals *= comb(left, wanted) * factorial(len(hand.spans)) // prod(map(factorial, alike))
        left -= wanted
    return deals


def _count_by_rank(spot: Spot, most_steps: int) -> dict[int, int] | None:
    """Return the deals by their winners, or None if that takes too long."""
    outcomes: Counter[int] = Counter()
    live = np.array(spot.live, dtype=np.int64)
    players = [_player(hand) for hand in spot.holdings]
    if not spot.has_shared_river:
        if _number_of_deals(spot) > MOST_DEALS:
            return None
        return _count_players(players, live, most_steps)
    for rank in np.flatnonzero(live):
        left = live.copy()
        left[rank] -= 1
        with_river = [_with_river(player, int(rank)) for player in players]
        counted = _count_players(with_river, left, most_steps // len(live))
        if counted is None:
            return None
        outcomes.update({winners: deals * int(live[rank]) for winners, deals in counted.items()})
    return dict(outcomes)


def _player(hand: Holding) -> Player:
    held = Counter(hand.known_ranks)
    start = hand.start if hand.spans else 0  # it matters to nothing else
    return Player(tuple(held[rank] for rank in Rank), hand.unseen, hand.spans, start)


def _with_river(player: Player, rank: int) -> Player:
    known = list(player.known)
    known[rank] += 1
    return player._replace(known=tuple(known), unseen=player.unseen - 1)


def _count_players(players: list[Player], live: IntArray, most_steps: int) -> dict[int, int] | None:
    ways_to_deal = by_rank(live)
    if prod(len(multisets(p.unseen + len(p.spans))) for p in players) <= FEW_HANDS:
        hands = [completions_by_rank(player, live, short=False) for player in players]
        return count_hands(hands, ways_to_deal)
    if not most_steps:
        return None
    walks = [walk(p.mask, p.start, p.unseen, p.spans) for p in players]
    if number_of_steps(walks, live) > most_steps:
        return None
    shorts = [completions_by_rank(player, live, short=True) for player in players]
    if prod(len(each.cards) for each in shorts) > most_steps:
        return None
    outcomes = Counter(count_whole_hands(walks, live))
    outcomes.update(count_hands(shorts, ways_to_deal))
    return dict(outcomes)


def _count_by_card(spot: Spot, best_hand: BestHand, most_steps: int) -> dict[int, int] | None:
    deck = spot.deck
    wanted = [hand.unseen + len(hand.spans) for hand in spot.holdings]
    combinations = prod(comb(len(deck), number) for number in wanted)
    if spot.has_shared_river or combinations > most_steps // _STEPS_A_COMBINATION:
        return None
    hands = [completions_by_card(hand, deck, best_hand) for hand in spot.holdings]
    return count_hands(hands, by_card)


def by_street(spot: Spot) -> Iterator[tuple[int, Spot]]:
    """Yield the spot as it was on each street, third to the last that a hand has a card of.

    Hands are cut to their first three, four … stated cards; the dead cards stay.
    """
    for street in range(3, max(len(hand.cards) for hand in spot.hands) + 1):
        yield (
            street,
            replace(spot, hands=tuple(Holding(hand.cards[:street]) for hand in spot.hands)),
        )
