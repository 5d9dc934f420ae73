"""Equity's speed beside poker-equity's and PokerKit's on the same spots.

``pytest -m bench -s tests/bench`` prints the table; nothing in here decides a test.
"""

import time
from collections.abc import Callable
from random import Random

import poker_equity
import pytest
from pokerkit import Card as TheirCard
from pokerkit import Deck, calculate_equities
from pokerkit.hands import RegularLowHand

from razzstats.cards import DECK
from razzstats.equity import Holding, Spot, calculate
from razzstats.equity.walks import walk

pytestmark = pytest.mark.bench

SPOTS = {
    "third street, heads-up": ("Ac2d3h", "4s5c6d"),
    "third street, three-way": ("Ac2d5h", "3s6c7d", "9hTsQc"),
    "fourth street, heads-up": ("Ac2d3h7s", "4s5c8dKh"),
    "fifth street, heads-up": ("Ac2d3h7s8c", "4s5c6d9hTs"),
    "sixth street, heads-up": ("Ac2d3h9sKdQc", "4s5c6d8hTsJh"),
}
SAMPLES = 100_000
THEIR_SAMPLES = 1_000


def best_of(run: Callable[[], object], times: int) -> float:
    """Return the shortest time of a call, in seconds; what it needs once is there by then."""
    run()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        spent.append(time.perf_counter() - begin)
    return min(spent)


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:,.2f}"


def test_beside_peers() -> None:
    print("\nMilliseconds; theirs as multiples of ours. Exact unless samples are named.")
    for name, texts in SPOTS.items():
        spot = Spot(tuple(map(Holding.parse, texts)))
        ours = best_of(lambda spot=spot: calculate(spot), 5)  # type: ignore[misc]
        sampled = best_of(lambda spot=spot: calculate(spot, samples=SAMPLES), 2)  # type: ignore[misc]
        print(f"{name}: exact {milliseconds(ours)}, {SAMPLES:,} samples {milliseconds(sampled)}")
        if poker_equity.exact_from_text("razz", list(texts)) is not None:
            walked = best_of(lambda t=texts: poker_equity.exact_from_text("razz", list(t)), 3)  # type: ignore[misc]
            print(f"  poker-equity exact: {walked / ours:.1f} times ours")
        else:
            print("  poker-equity exact: refused")
        chunk = best_of(
            lambda t=texts: poker_equity.chunk_from_text(  # type: ignore[misc]
                "razz", list(t), samples=SAMPLES, threads=1
            ),
            2,
        )
        print(f"  poker-equity, {SAMPLES:,} samples: {chunk / ours:.2f} times ours, exact")
        theirs = best_of(lambda t=texts: pokerkit(t), 1)  # type: ignore[misc]
        print(f"  PokerKit, {THEIR_SAMPLES:,} samples: {theirs / ours:.0f} times ours, exact")


def pokerkit(texts: tuple[str, ...]) -> object:
    ranges = [[list(TheirCard.parse(text))] for text in texts]
    return calculate_equities(
        ranges, (), 7, 0, Deck.STANDARD, (RegularLowHand,), sample_count=THEIR_SAMPLES
    )


def test_spots_that_were_never_seen() -> None:
    random = Random(1)
    print()
    for cards, players in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)]:
        spots = []
        for _ in range(20 if players == 3 and cards == 3 else 100):
            deck = random.sample(DECK, cards * players + 4)
            hands = [Holding(tuple(deck.pop() for _ in range(cards))) for _ in range(players)]
            spots.append(Spot(tuple(hands), tuple(deck)))
        walk.cache_clear()
        begin = time.perf_counter()
        for spot in spots:
            calculate(spot)
        each = (time.perf_counter() - begin) / len(spots)
        print(f"{cards} cards, {players} players: {milliseconds(each)} ms a random spot")
