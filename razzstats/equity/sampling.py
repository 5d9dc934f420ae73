"""Sampled deals, for spots of which counting every deal would take too long."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razzstats.cards import DECK, card_number
from razzstats.equity.multisets import PLACES, RANKS, IntArray, seven_card_order
from razzstats.equity.results import Equity
from razzstats.equity.spots import Holding, Spot, SpotError
from razzstats.equity.suited import BestHand, five_card_order
from razzstats.lowball import best_low

DEFAULT_SAMPLES = 200_000
_MOST_AT_ONCE = 20_000
_DECKS_A_FIT = 4  # a guess: too few make another round, too many are dealt for nothing
_MOST_EMPTY_BATCHES = 200

Cards = NDArray[np.uint8]
"""Cards or ranks by number."""


class _Kind(NamedTuple):
    """How cards are numbered, by rank or by rank and suit, and what seven of them are worth."""

    deck: Cards
    known: tuple[Cards, ...]
    """What each player is known to hold."""
    rank_of: Cards
    value: Callable[[Cards], IntArray]


def sample(
    spot: Spot,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 1,
    best_hand: BestHand = best_low,
) -> Equity:
    """Deal the unknown cards so often, and count who wins; the same for the same seed.

    Raises SpotError if what is known of the hands can hardly ever be dealt.
    """
    random = np.random.default_rng(seed)
    kind = _by_rank(spot) if best_hand is best_low else _by_card(spot, best_hand)
    outcomes: dict[int, int] = {}
    done = empty = 0
    while done < samples:
        hands = _deal(spot, kind, random, _batch(spot, samples - done))[: samples - done]
        empty = 0 if len(hands) else empty + 1
        if empty > _MOST_EMPTY_BATCHES:
            raise SpotError("hardly any deal fits the ranges; name the cards instead")
        done += len(hands)
        for winners, deals in _winners(hands, kind):
            outcomes[winners] = outcomes.get(winners, 0) + deals
    return Equity(len(spot.hands), outcomes, seed)


def _batch(spot: Spot, wanted: int) -> int:
    """Return how many decks to deal from: of those with bounds on cards some are given up."""
    has_spans = any(hand.spans for hand in spot.holdings)
    return min(_MOST_AT_ONCE, wanted * _DECKS_A_FIT if has_spans else wanted)


def _by_rank(spot: Spot) -> _Kind:
    order = seven_card_order()

    def value(hands: Cards) -> IntArray:
        held = np.bitwise_or.reduce(np.left_shift(np.int64(1), hands.astype(np.int64)), axis=1)
        values = order.of_ranks[held]
        short = values < 0
        values[short] = order.value_of_keys(PLACES[hands[short]].sum(axis=1))
        return values

    numbers = np.arange(RANKS, dtype=np.uint8)
    return _Kind(
        deck=np.repeat(numbers, spot.live),
        known=tuple(
            np.array([rank - 1 for rank in hand.known_ranks], dtype=np.uint8)
            for hand in spot.holdings
        ),
        rank_of=numbers,
        value=value,
    )


def _by_card(spot: Spot, best_hand: BestHand) -> _Kind:
    return _Kind(
        deck=np.array([card_number(card) for card in spot.deck], dtype=np.uint8),
        known=tuple(
            np.array([card_number(card) for card in hand.known_cards], dtype=np.uint8)
            for hand in spot.holdings
        ),
        rank_of=np.array([card.rank - 1 for card in DECK], dtype=np.uint8),
        value=five_card_order(best_hand).value,
    )


def _deal(spot: Spot, kind: _Kind, random: np.random.Generator, decks: int) -> Cards:
    """Return deals from so many decks that fit what is known: shape (number, players, 7)."""
    # Cards of which bounds are known come first, out of those that are within anybody's bounds:
    # deals in which one does not fit are given up before they are dealt to their end.
    spans = [span for hand in spot.holdings for span in hand.spans]
    within = np.array(
        [any(int(kind.rank_of[card]) + 1 in span for span in spans) for card in kind.deck]
    )
    deck = np.concatenate([kind.deck[within], kind.deck[~within]])
    dealer = _Dealer(np.tile(deck, (decks, 1)), random)
    placed = []
    for hand in spot.holdings:
        placed.append(dealer.draw(len(hand.spans), int(within.sum())))
        dealer.keep(_fits(kind.rank_of[dealer.decks[:, placed[-1]]], hand))
    shared = spot.has_shared_river
    unseen = [dealer.draw(hand.unseen - shared) for hand in spot.holdings]
    river = dealer.draw(int(shared))
    hands = [
        np.concatenate(
            [
                np.tile(known, (len(dealer.decks), 1)),
                *(dealer.decks[:, part] for part in (span_cards, drawn, river)),
            ],
            axis=1,
        )
        for known, span_cards, drawn in zip(kind.known, placed, unseen, strict=True)
    ]
    return np.stack(hands, axis=1)


class _Dealer:
    """Many decks at once; the first cards of each are dealt."""

    def __init__(self, decks: Cards, random: np.random.Generator) -> None:
        self.decks = decks
        self.random = random
        self.dealt = 0

    def draw(self, number: int, among: int | None = None) -> slice:
        """Deal so many cards from each deck; return where they lie.

        ``among`` names the first cards of the decks to draw from; None is all that are left.
        """
        places = slice(self.dealt, self.dealt + number)
        end = self.decks.shape[1] if among is None else among
        if places.stop > end:
            self.keep(np.zeros(len(self.decks), dtype=np.bool_))
            return places
        rows = np.arange(len(self.decks))
        for place in range(places.start, places.stop):
            other = self.random.integers(place, end, len(rows))
            drawn = self.decks[rows, other]
            self.decks[rows, other] = self.decks[:, place]
            self.decks[:, place] = drawn
        self.dealt += number
        return places

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Give up all other decks."""
        self.decks = self.decks[rows]


def _fits(ranks: Cards, hand: Holding) -> NDArray[np.bool_]:
    """Whether each row of ranks (0 for the ace) fits the hand's spans."""
    fits: NDArray[np.bool_] = (hand.start >> ranks.astype(np.int64) & 1 == 0).all(axis=1)
    taken: list[Cards] = []
    for place, span in enumerate(hand.spans):
        drawn = ranks[:, place]
        fits &= (drawn + 1 >= span.lowest) & (drawn + 1 <= span.highest)
        for other in taken:
            fits &= drawn != other
        taken.append(drawn)
    return fits


def _winners(hands: Cards, kind: _Kind) -> list[tuple[int, int]]:
    values = np.stack([kind.value(hands[:, p]) for p in range(hands.shape[1])], axis=1)
    best = values == values.min(axis=1, keepdims=True)
    sets = best @ (1 << np.arange(hands.shape[1]))
    winners, deals = np.unique(sets, return_counts=True)
    return [(int(each), int(number)) for each, number in zip(winners, deals, strict=True)]
