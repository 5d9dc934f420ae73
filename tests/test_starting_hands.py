"""The 455 starting hands: results against a random hand, ratings, and what they end as."""

import csv
import os
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from razzstats.cards import Rank
from razzstats.equity.starting_hands import (
    CLASS_DEFINITIONS,
    StartingClass,
    StartingHand,
    chance_of_low,
    heads_up_results,
    play_heads_up,
    ratings,
    starting_hands,
    whole_deck_ratings,
)

NONE_DEAD = [[0] * 13]


def hand(text: str) -> StartingHand:
    return StartingHand.of(map(Rank.parse, text))


def counts(text: str) -> list[int]:
    return [text.count(rank.symbol) for rank in Rank]


def test_the_455_add_up_to_all_deals() -> None:
    hands = starting_hands()
    assert len(set(hands)) == 455
    assert sum(each.combinations for each in hands) == 22_100
    assert set(heads_up_results()) == set(hands)


def test_against_a_random_hand_all_of_them_together_are_even() -> None:
    results = heads_up_results()
    mean = sum(results[each].equity * each.combinations for each in starting_hands()) / 22_100
    assert mean == Fraction(1, 2)


def test_every_three_low_cards_are_better_than_any_other_hand() -> None:
    ranked = list(heads_up_results())
    low = [each for each in ranked if each.unpaired and each.ranks[-1] <= Rank.EIGHT]
    assert len(low) == 56
    assert ranked[:56] == low
    assert str(ranked[0]) == "A23"
    assert str(ranked[56]) == "A29"
    assert str(ranked[-1]) == "KKK"


@pytest.mark.parametrize("text", ["A23", "A2K", "AA2", "678", "KKK"])
def test_the_stored_results_are_those_that_are_counted(text: str) -> None:
    assert heads_up_results()[hand(text)] == play_heads_up(hand(text))


@pytest.mark.slow
def test_all_stored_results_are_those_that_are_counted() -> None:
    assert heads_up_results() == {each: play_heads_up(each) for each in starting_hands()}


@pytest.mark.skipif("RAZZSTATS_DATA" not in os.environ, reason="the computed tables are not here")
def test_agrees_with_tables_that_others_computed() -> None:
    path = Path(os.environ["RAZZSTATS_DATA"]) / "start_vs_random.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert len(rows) == 455
    for row in rows:
        each = hand(row["hand"])
        found = heads_up_results()[each]
        assert each.combinations == int(row["combos"])
        assert found.win / found.deals == pytest.approx(float(row["win"]), abs=6e-9)
        assert found.tie / found.deals == pytest.approx(float(row["tie"]), abs=6e-9)
        assert float(found.equity) == pytest.approx(float(row["equity"]), abs=6e-9)
        for opponents in (1, 3, 7):
            rating = ratings(each, NONE_DEAD, opponents)[0]
            assert rating == pytest.approx(float(row[f"R{opponents}"]), abs=6e-7)
        for top in range(5, 10):
            chance = chance_of_low(each, Rank(top))
            assert chance == pytest.approx(float(row[f"p_le{top}"]), abs=6e-7)


@pytest.mark.parametrize(
    ("text", "dead", "rating"),
    [
        ("A23", "", 0.5389), ("A23", "4456", 0.4627), ("A23", "KQJT9", 0.5866),
        ("456", "4456", 0.5423), ("A28", "", 0.4528), ("A28", "3456", 0.3937),
        ("678", "", 0.3797), ("678", "A2345", 0.3193), ("345", "", 0.5156), ("456", "", 0.4919),
        ("789", "", 0.2854), ("AA2", "", 0.2628), ("KKK", "", 0.0007),
    ],
)  # fmt: skip
def test_rating(text: str, dead: str, rating: float) -> None:
    assert round(float(ratings(hand(text), [counts(dead)])[0]), 4) == rating


def test_the_stored_ratings_are_those_of_a_whole_deck() -> None:
    stored = whole_deck_ratings()
    assert set(stored) == set(starting_hands())
    for each, rating in stored.items():
        assert rating == pytest.approx(float(ratings(each, NONE_DEAD)[0]), abs=1e-11)


def test_dead_low_cards_hurt_and_dead_high_cards_help() -> None:
    dead = np.array([counts(""), counts("4567"), counts("KKQQ")])
    whole, without_low, without_high = ratings(hand("A23"), dead)
    assert without_low < whole < without_high


@pytest.mark.parametrize(
    ("text", "top", "chance"),
    [
        ("A23", 5, 0.0715), ("A23", 6, 0.1895), ("A23", 7, 0.3325), ("A23", 8, 0.4827),
        ("A23", 9, 0.6259), ("A28", 7, 0.1072), ("A28", 8, 0.4827), ("A28", 9, 0.6259),
        ("A29", 8, 0.1963), ("A29", 9, 0.6259), ("A2K", 6, 0.0465), ("A2K", 7, 0.1072),
        ("A2K", 8, 0.1963), ("A2K", 9, 0.3119), ("AA2", 6, 0.0465), ("AA2", 9, 0.3119),
    ],
)  # fmt: skip
def test_chance_of_a_low(text: str, top: int, chance: float) -> None:
    assert round(chance_of_low(hand(text), Rank(top)), 4) == chance


def test_classes_follow_their_definitions() -> None:
    assert set(CLASS_DEFINITIONS) == set(StartingClass)
    combinations = dict.fromkeys(StartingClass, 0)
    for each in starting_hands():
        combinations[each.starting_class] += each.combinations
    assert combinations[StartingClass.WHEEL_CARDS] == 640
    assert combinations[StartingClass.SEVEN] == 2_240 - 640
    assert combinations[StartingClass.EIGHT] == 3_584 - 2_240
    assert combinations[StartingClass.NINE] == 1_792
    assert sum(combinations.values()) == 22_100
    examples = {"A2T": "two low, one high", "9TJ": "other", "AA8": "low pair, low card"}
    examples |= {"AA9": "other", "AAA": "other", "29T": "other", "8JK": "other"}
    for text, expected in examples.items():
        assert hand(text).starting_class == expected


def test_the_stored_file_is_plain() -> None:
    text = files("razzstats.equity").joinpath("starting_hands.csv").read_text("utf-8")
    assert text.startswith("hand,win,tie,deals,rating\nAAA,")
