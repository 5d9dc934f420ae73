"""Sampled deals, for spots of which counting every deal would take too long."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razzstats.cards import DECK
from razzstats.equity.multisets import RANKS, IntArray, seven_card_order
from razzstats.equity.results import Equity
from razzstats.equity.spots import Holding, Spot, SpotError
from razzstats.equity.suited import BestHand, five_card_order
from razzstats.lowball import best_low

DEFAULT_SAMPLES = 200_000
_BATCH = 20_000
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
        hands = _deal(spot, kind, random)[: samples - done]
        empty = 0 if len(hands) else empty + 1
        if empty > _MOST_EMPTY_BATCHES:
            raise SpotError("hardly any deal fits the ranges; name the cards instead")
        done += len(hands)
        for winners, deals in _winners(hands, kind):
            outcomes[winners] = outcomes.get(winners, 0) + deals
    return Equity(len(spot.hands), outcomes, seed)


def _by_rank(spot: Spot) -> _Kind:
    order = seven_card_order()
    places = 5 ** np.arange(RANKS, dtype=np.int64)

    def value(hands: Cards) -> IntArray:
        held = np.bitwise_or.reduce(np.left_shift(np.int64(1), hands.astype(np.int64)), axis=1)
        values = order.of_ranks[held]
        short = values < 0
        values[short] = order.value_of_keys(places[hands[short]].sum(axis=1))
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
    numbers = {card: number for number, card in enumerate(DECK)}
    return _Kind(
        deck=np.array([numbers[card] for card in spot.deck], dtype=np.uint8),
        known=tuple(
            np.array([numbers[card] for card in hand.known_cards], dtype=np.uint8)
            for hand in spot.holdings
        ),
        rank_of=np.array([card.rank - 1 for card in DECK], dtype=np.uint8),
        value=five_card_order(best_hand).value,
    )


def _deal(spot: Spot, kind: _Kind, random: np.random.Generator) -> Cards:
    """Return deals that fit what is known: shape (number, players, 7)."""
    decks = np.tile(kind.deck, (_BATCH, 1))
    dealt = 0

    def draw(number: int) -> Cards:
        nonlocal dealt
        row = np.arange(len(decks))
        for place in range(dealt, dealt + number):
            other = random.integers(place, decks.shape[1], len(decks))
            drawn = decks[row, other]
            decks[row, other] = decks[:, place]
            decks[:, place] = drawn
        dealt += number
        return decks[:, dealt - number : dealt]

    # Cards of which something is known come first: what does not fit need not be dealt to its end.
    ranges: list[slice] = []
    for hand in spot.holdings:
        cards = draw(len(hand.spans))
        ranges.append(slice(dealt - len(hand.spans), dealt))
        decks = decks[_fits(kind.rank_of[cards], hand)]
    shared = spot.has_shared_river
    unseen = [slice(0, 0)] * len(spot.hands)
    for player, hand in enumerate(spot.holdings):
        draw(hand.unseen - shared)
        unseen[player] = slice(dealt - hand.unseen + shared, dealt)
    draw(int(shared))
    river = decks[:, dealt - shared : dealt]
    hands = [
        np.concatenate(
            [np.tile(known, (len(decks), 1)), decks[:, placed], decks[:, drawn], river], axis=1
        )
        for known, placed, drawn in zip(kind.known, ranges, unseen, strict=True)
    ]
    return np.stack(hands, axis=1)


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
