"""Equity beside poker-equity's: its walks through every deal, and its samples."""

from math import sqrt
from random import Random

import poker_equity
import pytest

from razzstats.cards import DECK, Card, Rank, format_cards
from razzstats.equity import Holding, Spot, calculate


def random_spot(random: Random, cards: int, players: int) -> Spot:
    """A spot with dead cards, every other time out of a deck that makes pairs."""
    ranks = random.sample(list(Rank), random.choice([6, 8, 13]))
    preferred = [card for card in DECK if card.rank in ranks]
    others = [card for card in DECK if card.rank not in ranks]
    random.shuffle(preferred)
    random.shuffle(others)
    deck = others + preferred  # dealt from the end
    hands = tuple(Holding(tuple(deck.pop() for _ in range(cards))) for _ in range(players))
    return Spot(hands, tuple(random.sample(deck, random.randint(0, 20 - 2 * players))))


def texts(spot: Spot) -> tuple[list[str], str]:
    hands = [format_cards(hand.known_cards).replace(" ", "") for hand in spot.hands]
    dead = [card for card in spot.dead if isinstance(card, Card)]
    return hands, format_cards(dead).replace(" ", "")


@pytest.mark.parametrize(
    ("cards", "players", "spots"),
    [(5, 2, 60), (6, 2, 80), (7, 2, 40), (6, 3, 60), (7, 3, 30), (6, 4, 40), (7, 4, 20)],
)
def test_agrees_exactly_from_fifth_street_on(cards: int, players: int, spots: int) -> None:
    random = Random(f"{cards} {players}")
    for _ in range(spots):
        spot = random_spot(random, cards, players)
        result = calculate(spot)
        assert result.exact
        hands, dead = texts(spot)
        walked = poker_equity.exact_from_text("razz", hands, dead=dead)
        assert walked is not None
        assert result.deals == walked["samples"]
        for player in range(players):
            assert result.win(player) == walked["win_count"][player], (hands, dead)
            assert result.tie(player) == walked["tie_count"][player], (hands, dead)
            ours = float(result.share(player) * result.deals)
            assert ours == pytest.approx(walked["share_sum"][player], rel=1e-12), (hands, dead)


@pytest.mark.parametrize(
    ("cards", "players", "spots"), [(3, 2, 8), (4, 2, 8), (3, 3, 2), (4, 3, 6), (5, 3, 6)]
)
def test_agrees_with_its_samples_on_earlier_streets(cards: int, players: int, spots: int) -> None:
    random = Random(f"{cards} {players}")
    samples = 400_000
    for seed in range(spots):
        spot = random_spot(random, cards, players)
        result = calculate(spot)
        assert result.exact
        hands, dead = texts(spot)
        chunk = poker_equity.chunk_from_text(
            "razz", hands, dead=dead, samples=samples, seed=seed, threads=1
        )
        for player in range(players):
            ours, theirs = float(result.share(player)), chunk["share_sum"][player] / samples
            error = sqrt(max(ours * (1 - ours), 1e-6) / samples)
            assert abs(ours - theirs) < 4 * error, (hands, dead)
