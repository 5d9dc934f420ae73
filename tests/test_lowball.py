"""Ace-to-five lows: the lowest five, aces low, straights and flushes nothing, pairs bad."""

import contextlib
import random
import tomllib
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import RegularLowHand

from razzstats.cards import DECK, Card, Rank, Suit, parse_cards
from razzstats.lowball import (
    WHEEL,
    LowHand,
    LowKind,
    best_ace_to_six_low,
    best_low,
    describe_low,
    exposed_low,
    parse_low,
)
from razzstats.rules.ruleset import RAZZ

CASES = tomllib.loads(
    (Path(__file__).parent / "rules" / "lowball.toml").read_text(encoding="utf-8")
)
decks = st.permutations(DECK)


def cards_of(ranks: Sequence[Rank]) -> list[Card]:
    """Return cards of these ranks, each of another suit where a rank repeats."""
    return [Card(rank, Suit(1 + ranks[:place].count(rank))) for place, rank in enumerate(ranks)]


def patterns(size: int) -> list[tuple[Rank, ...]]:
    """Return every choice of that many ranks of which none comes more than four times."""
    every = combinations_with_replacement(Rank, size)
    return [ranks for ranks in every if max(map(ranks.count, ranks)) <= 4]


# ---- the conformance cases


@pytest.mark.parametrize("case", CASES["ranking"], ids=lambda case: case["id"])
def test_lows_rank_as_the_rules_say(case: dict[str, Any]) -> None:
    lows = [best_low(parse_cards(cards)) for cards in case["weakest_first"]]
    for worse, better in pairwise(lows):
        assert better < worse, f"{better} should beat {worse} ({case['source']})"


@pytest.mark.parametrize("case", CASES["named"], ids=lambda case: case["low"])
def test_a_low_is_called_as_players_call_it(case: dict[str, Any]) -> None:
    low = best_low(parse_cards(case["cards"]))
    assert str(low) == case["low"]
    assert describe_low(low) == case["words"]


# ---- all lows


def test_there_are_as_many_patterns_as_counted() -> None:
    assert len(patterns(5)) == 6175
    assert sum(len(set(ranks)) == 5 for ranks in patterns(5)) == 1287


def test_no_two_patterns_tie() -> None:
    lows = [best_low(cards_of(ranks)) for ranks in patterns(5)]
    assert len(set(lows)) == len(lows)
    assert min(lows) == WHEEL
    assert max(lows) == LowHand(LowKind.QUADS, (Rank.KING,) * 4 + (Rank.QUEEN,))


def test_every_unpaired_low_beats_every_paired_one() -> None:
    lows = [best_low(cards_of(ranks)) for ranks in patterns(5)]
    unpaired = [low for low in lows if low.kind is LowKind.UNPAIRED]
    assert max(unpaired) < min(set(lows) - set(unpaired))
    assert [low.ranks[0] for low in (min(unpaired), max(unpaired))] == [Rank.FIVE, Rank.KING]


def test_a_straight_flush_is_just_its_ranks() -> None:
    suited, mixed = parse_cards("5h 4h 3h 2h Ah"), parse_cards("5h 4c 3d 2s Ah")
    assert best_low(suited) == best_low(mixed) == WHEEL


@given(decks, st.integers(5, 7))
def test_order_and_suits_do_not_matter(deck: list[Card], size: int) -> None:
    hand = deck[:size]
    assert best_low(hand) == best_low(sorted(hand)) == best_low(cards_of([c.rank for c in hand]))


@given(decks)
def test_another_card_never_makes_a_low_worse(deck: list[Card]) -> None:
    assert best_low(deck[:7]) <= best_low(deck[:6]) <= best_low(deck[:5])


@given(decks)
def test_the_best_low_is_the_best_of_all_fives(deck: list[Card]) -> None:
    assert best_low(deck[:7]) == min(best_low(five) for five in combinations(deck[:7], 5))


def test_pokerkit_ranks_random_hands_alike() -> None:
    chance = random.Random(17)
    hands = [chance.sample(DECK, 7) for _ in range(200)]
    for one, other in pairwise(hands):
        ours = (best_low(one), best_low(other))
        theirs = [RegularLowHand.from_game("".join(map(str, hand)), "") for hand in (one, other)]
        assert (ours[0] < ours[1]) == (theirs[0] > theirs[1]), (one, other)
        assert (ours[0] == ours[1]) == (theirs[0] == theirs[1]), (one, other)


def test_pokerkit_ranks_all_patterns_alike() -> None:
    theirs = {ranks: RegularLowHand("".join(map(str, cards_of(ranks)))) for ranks in patterns(5)}
    by_ours = sorted(theirs, key=lambda ranks: best_low(cards_of(ranks)))
    for better, worse in pairwise(by_ours):
        assert theirs[better] > theirs[worse], (better, worse)


# ---- boards, and hands of the wrong size


@given(decks, st.integers(1, 4))
def test_a_board_counts_its_own_cards(deck: list[Card], size: int) -> None:
    board = exposed_low(deck[:size])
    assert sorted(board.ranks) == sorted(card.rank for card in deck[:size])
    assert board == RAZZ.low_of(deck[:size])


def test_a_board_is_no_better_for_a_straight() -> None:
    assert exposed_low(parse_cards("2h 3h 4h 5h")) < exposed_low(parse_cards("2c 3d 4s 6c"))


@pytest.mark.parametrize("size", [0, 1, 4, 8])
@pytest.mark.parametrize("low_of", [best_low, best_ace_to_six_low])
def test_a_low_needs_five_to_seven_cards(
    low_of: Callable[[Iterable[Card]], LowHand], size: int
) -> None:
    with pytest.raises(ValueError, match=f"five to seven cards, not {size}"):
        low_of(DECK[:size])


@pytest.mark.parametrize("size", [0, 5])
def test_a_board_has_one_to_four_cards(size: int) -> None:
    with pytest.raises(ValueError, match=f"not {size}"):
        exposed_low(DECK[:size])


def test_a_low_has_the_article_that_people_say() -> None:
    assert describe_low(best_low(parse_cards("8c 7d 3h 2s Ac"))) == "an eight-seven low"
    assert describe_low(exposed_low(parse_cards("Ac"))) == "an ace"
    assert describe_low(best_low(parse_cards("9c 7d 3h 2s Ac"))) == "a nine-seven low"


# ---- lows as rooms print them


@pytest.mark.parametrize("case", CASES["printed"], ids=lambda case: case["text"])
def test_a_printed_low_is_the_hands(case: dict[str, Any]) -> None:
    claim = parse_low(case["text"])
    assert claim.fits(best_low(parse_cards(case["cards"])))
    assert not claim.fits(best_low(parse_cards(case["not"])))


def test_a_printed_low_of_few_cards_lists_them() -> None:
    claim = parse_low("8,6")
    assert claim.fits(exposed_low(parse_cards("6c 8d")))
    assert not claim.fits(exposed_low(parse_cards("6c 7d")))


@pytest.mark.parametrize("text", CASES["not_printed"])
def test_other_words_are_no_low(text: str) -> None:
    with pytest.raises(ValueError, match="not a low"):
        parse_low(text)


def test_the_words_of_every_low_say_it() -> None:
    lows = [best_low(cards_of(ranks)) for ranks in patterns(5)]
    for low in lows:
        assert parse_low(describe_low(low)).fits(low)
        assert parse_low(str(low)).fits(low)
    assert [low for low in lows if parse_low("a pair of sixes").fits(low)] == [
        low for low in lows if low.kind is LowKind.PAIR and low.ranks[0] is Rank.SIX
    ]


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_lows(text: str) -> None:
    with contextlib.suppress(ValueError):
        parse_low(text)
