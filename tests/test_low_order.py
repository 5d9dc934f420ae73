"""The order of lows: all hands of seven ranks in exact numbers, ace-to-six, and lows in words."""

import csv
import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from razzstats.cards import DECK, Card, Rank, Suit, parse_cards
from razzstats.lowball import LowHand, LowKind, best_ace_to_six_low, best_low, describe_low

CASES = tomllib.loads(
    (Path(__file__).parent / "rules" / "ace_to_six.toml").read_text(encoding="utf-8")
)
DEALS = comb(52, 7)

# ---- ace to five: every hand of seven cards


class SevenRanks(NamedTuple):
    """Seven ranks, in how many ways they are dealt, and the low that they make."""

    ranks: tuple[Rank, ...]
    deals: int
    low: LowHand


@pytest.fixture(scope="module")
def hands() -> list[SevenRanks]:
    return list(_all_hands())


def _all_hands() -> Iterator[SevenRanks]:
    for ranks in combinations_with_replacement(Rank, 7):
        counts = Counter(ranks)
        if max(counts.values()) <= 4:
            cards = [Card(rank, suit) for rank, n in counts.items() for suit in tuple(Suit)[:n]]
            yield SevenRanks(ranks, prod(comb(4, n) for n in counts.values()), best_low(cards))


@pytest.fixture(scope="module")
def classes(hands: list[SevenRanks]) -> dict[LowHand, int]:
    """Return in how many of all deals each low is the best, the best low first."""
    counts: Counter[LowHand] = Counter()
    for hand in hands:
        counts[hand.low] += hand.deals
    return dict(sorted(counts.items()))


def test_all_hands_of_seven_cards_are_there(
    hands: list[SevenRanks], classes: dict[LowHand, int]
) -> None:
    assert len(hands) == 49_205
    assert len(classes) == 5_083
    assert sum(classes.values()) == DEALS == 133_784_560


def test_the_kinds_are_as_frequent_as_counted(classes: dict[LowHand, int]) -> None:
    lows = Counter(low.kind for low in classes)
    assert lows == {
        LowKind.UNPAIRED: comb(13, 5),
        LowKind.PAIR: 13 * comb(12, 3),
        LowKind.TWO_PAIR: comb(13, 2) * 11,
        LowKind.FULL_HOUSE: comb(13, 2),  # of four and three the three of the lower rank and two
    }
    deals: Counter[LowKind] = Counter()
    for low, number in classes.items():
        deals[low.kind] += number
    assert deals == {
        LowKind.UNPAIRED: 127_615_488,
        LowKind.PAIR: 5_948_800,
        LowKind.TWO_PAIR: 219_648,
        LowKind.FULL_HOUSE: 624,
    }


@pytest.mark.parametrize("high", range(5, 14))
def test_lows_by_their_highest_card_are_as_frequent_as_the_formula_says(
    classes: dict[LowHand, int], high: int
) -> None:
    """The five are of four lower ranks and the highest; the two others must not be lower new ones.

    With ``above`` cards of higher ranks the two others are: both above; one above and one that
    pairs; a pair each for two of the five; or two more of one rank, which makes three of it.
    """
    above = 52 - 4 * high
    ways = (
        4**5 * comb(above, 2)
        + above * 5 * comb(4, 2) * 4**4
        + comb(5, 2) * comb(4, 2) ** 2 * 4**3
        + 5 * comb(4, 3) * 4**4
    )
    counted = sum(
        number
        for low, number in classes.items()
        if low.kind is LowKind.UNPAIRED and low.ranks[0] == high
    )
    assert counted == comb(high - 1, 4) * ways


def test_lows_are_as_frequent_and_in_the_order_of_the_published_table(
    classes: dict[LowHand, int],
) -> None:
    folder = os.environ.get("RAZZSTATS_DATA")
    if folder is None:
        pytest.skip("RAZZSTATS_DATA is not set")
    file = Path(folder, "values7.csv")
    assert file.is_file(), f"RAZZSTATS_DATA is set, but there is no {file}"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    published = [(row["category"], row["ranks_high_to_low_or_grouped"], int(row["count"]))
                 for row in rows]  # fmt: skip
    titles = {LowKind.UNPAIRED: "no_pair", LowKind.PAIR: "one_pair"}
    ours = [
        (titles.get(low.kind, low.kind.name.lower()), str(low).replace("-", ""), number)
        for low, number in classes.items()
    ]
    assert ours == published


def test_no_better_five_is_overlooked(hands: list[SevenRanks]) -> None:
    """An unpaired low is the five lowest different ranks; without five there are pairs."""
    for ranks, _, low in hands:
        lowest = sorted(set(ranks))[:5]
        assert (low.kind is LowKind.UNPAIRED) == (len(lowest) == 5)
        if low.kind is LowKind.UNPAIRED:
            assert low.ranks == tuple(reversed(lowest))


# ---- ace to six


@pytest.mark.parametrize("case", CASES["ranking"], ids=lambda case: case["id"])
def test_ace_to_six_lows_rank_as_the_rules_say(case: dict[str, Any]) -> None:
    lows = [best_ace_to_six_low(parse_cards(cards)) for cards in case["weakest_first"]]
    for worse, better in pairwise(lows):
        assert better < worse, f"{better} should beat {worse} ({case['source']})"


@pytest.mark.parametrize("case", CASES["same"], ids=lambda case: case["id"])
def test_ace_to_six_lows_tie_as_the_rules_say(case: dict[str, Any]) -> None:
    assert len({best_ace_to_six_low(parse_cards(cards)) for cards in case["cards"]}) == 1


@pytest.mark.parametrize("case", CASES["named"], ids=lambda case: case["words"])
def test_an_ace_to_six_low_is_called_as_players_call_it(case: dict[str, Any]) -> None:
    low = best_ace_to_six_low(parse_cards(case["cards"]))
    assert (str(low), describe_low(low)) == (case["low"], case["words"])


def test_ace_to_six_has_nine_straights_and_the_flushes_of_all_others() -> None:
    kinds: Counter[LowKind] = Counter()
    for ranks in combinations(Rank, 5):
        suited = [Card(rank, Suit(1)) for rank in ranks]
        mixed = [*suited[:4], Card(ranks[4], Suit(2))]
        kinds.update(best_ace_to_six_low(cards).kind for cards in (suited, mixed))
    assert kinds == {
        LowKind.UNPAIRED: 1278,
        LowKind.FLUSH: 1278,
        LowKind.STRAIGHT: 9,
        LowKind.STRAIGHT_FLUSH: 9,
    }


def test_ace_to_six_ranks_random_hands_as_counted_apart() -> None:
    chance = Random(23)
    hands = [chance.sample(DECK[:28] if n % 2 else DECK, 7) for n in range(600)]
    hands += [chance.sample([card for card in DECK if card.suit <= 2], 7) for _ in range(300)]
    for one, other in pairwise(hands):
        ours = best_ace_to_six_low(one), best_ace_to_six_low(other)
        apart = _apart(one), _apart(other)
        assert (ours[0] < ours[1], ours[0] == ours[1]) == (
            apart[0] < apart[1],
            apart[0] == apart[1],
        )


def _apart(cards: Sequence[Card]) -> tuple[Any, ...]:
    """Return what seven cards are worth, told by the shape of each five as high poker would."""
    shapes = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "straight", "flush", [3, 2],
              [4, 1], "straight flush"]  # fmt: skip

    def worth(five: tuple[Card, ...]) -> tuple[Any, ...]:
        count = Counter(int(card.rank) for card in five)
        groups = sorted(((n, rank) for rank, n in count.items()), reverse=True)
        in_row = set(count) in [set(range(low, low + 5)) for low in range(1, 10)]
        suited = len({card.suit for card in five}) == 1
        name = " ".join(["straight"] * in_row + ["flush"] * suited)
        return shapes.index(name or [n for n, _ in groups]), [rank for _, rank in groups]

    return min(map(worth, combinations(cards, 5)))


# ---- lows in words

WORDS = {
    "5c 4d 3h 2s Ac": "the wheel",
    "6c 5d 4h 3s 2c": "a six-five low",
    "8c 7d 4h 3s 2c": "an eight-seven low",
    "Kc Qd Jh Ts 9c": "a king-queen low",
    "Ac Ad Th 9s 8c": "a pair of aces",
    "6c 6d Th 9s 8c": "a pair of sixes",
    "Kc Kd Qh Qs 8c": "two pair, kings and queens",
    "6c 6d Ah As 2c": "two pair, sixes and aces",
    "6c 6d 6h Ks 2c": "three sixes",
    "9c 9d 9h 6s 6c": "a full house, nines over sixes",
    "6c 6d 6h 6s Kc": "four sixes",
}


@pytest.mark.parametrize(("cards", "words"), WORDS.items())
def test_a_low_of_each_kind_has_a_name(cards: str, words: str) -> None:
    assert describe_low(best_low(parse_cards(cards))) == words


def test_every_kind_of_low_has_words_of_its_own() -> None:
    ranks = {
        LowKind.UNPAIRED: "the wheel",
        LowKind.STRAIGHT: "a straight, five high",
        LowKind.FLUSH: "a flush, five high",
        LowKind.STRAIGHT_FLUSH: "a straight flush, five high",
    }
    five_high = tuple(map(Rank, (5, 4, 3, 2, 1)))
    assert {kind: describe_low(LowHand(kind, five_high)) for kind in ranks} == ranks


def test_the_words_tell_lows_apart_by_kind_and_highest_ranks(classes: dict[LowHand, int]) -> None:
    """Equal words are said only of lows that share their kind and their two first ranks."""
    said: dict[str, tuple[Any, ...]] = {}
    for low in classes:
        ranks = tuple(dict.fromkeys(low.ranks))
        shared = 1 if low.kind is LowKind.PAIR else 2
        assert said.setdefault(describe_low(low), (low.kind, ranks[:shared])) in (
            (low.kind, ranks[:shared]),
            (LowKind.UNPAIRED, tuple(map(Rank, (5, 4)))),
        )


@pytest.mark.parametrize(
    ("rank", "words"), [(Rank.ACE, "an ace"), (Rank.TWO, "a two"), (Rank.EIGHT, "an eight")]
)
def test_one_card_on_board_is_called_by_its_rank(rank: Rank, words: str) -> None:
    assert describe_low(LowHand(LowKind.UNPAIRED, (rank,))) == words
