"""Exact equity: published and computed values, exact counts, and every deal counted by hand."""

import json
import tomllib
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from razzstats.cards import DECK, Card, Rank
from razzstats.equity import Equity, Holding, Spot, SpotError, calculate, parse_dead_cards, sampling
from razzstats.equity.calculation import by_street
from razzstats.equity.multisets import multisets, seven_card_order
from razzstats.equity.programme import number_of_orders, orders
from razzstats.equity.sampling import sample
from razzstats.lowball import LowHand, best_ace_to_six_low, best_low

GOLDEN = tomllib.loads((Path(__file__).parent / "equity" / "golden.toml").read_text("utf-8"))
ROWS = [row for rows in GOLDEN.values() for row in rows]


def spot(*hands: str, dead: str = "") -> Spot:
    return Spot(tuple(Holding.parse(hand) for hand in hands), parse_dead_cards(dead))


def shares(*hands: str, dead: str = "") -> list[float]:
    result = calculate(spot(*hands, dead=dead))
    assert result.exact
    return [float(result.share(player)) for player in range(len(hands))]


# ---- golden values


@pytest.mark.parametrize("row", ROWS)
def test_golden_value(row: str) -> None:
    first, _, second, printed, *dead = row.split()
    digits = len(printed.partition(".")[2])
    # Two lone unknown cards and a door are written xx8 in print; here every card has its own xx.
    found, _ = shares(first, second, dead=dead[1] if dead else "")
    assert round(found, digits) == pytest.approx(float(printed), abs=1e-12)


EXACT = [
    # hands, wins and ties of the first, all deals
    (("Ac2d3h", "4s5c6d"), 9_651_514_149, 6_515_802, 18_265_297_050),
    (("Ac2d3h", "7s8cKd"), 14_058_109_951, 3_340_278, 18_265_297_050),
    (("Ac2d3h", "6s7c8d"), 10_876_342_101, 4_282_146, 18_265_297_050),
    (("Ac2dKh", "6s7c8d"), 5_959_540_052, 4_818_204, 18_265_297_050),
    (("Ac2d3h7s", "4s5c8dKh"), 115_636_281, 8_991, 141_181_040),
    (("Ac2d3h7s8c", "4s5c6d9hTs"), 626_139, 0, 671_580),
    (("Ac2d3h9sKdQc", "4s5c6d8hTsJh"), 420, 0, 1_560),
]


@pytest.mark.parametrize(("hands", "win", "tie", "deals"), EXACT)
def test_every_deal_is_counted(hands: tuple[str, str], win: int, tie: int, deals: int) -> None:
    result = calculate(spot(*hands))
    assert (result.win(0), result.tie(0), result.deals) == (win, tie, deals)
    assert result.win(1) == deals - win - tie
    assert result.exact
    assert result.standard_error(0) == 0


SHARES = [
    (
        ("Ac2d5h", "3s6c7d", "9hTsQc"),
        (0.5246105304, 0.4214415586, 0.0539479110),
        531_485_201_847_600,
    ),
    (
        ("Ac2d5h8s", "3s6c7dKd", "9hTsQc4c"),
        (0.69577583, 0.24166003, 0.06256414),
        459_377_318_400,
    ),
    (("Ac2d5h8s9d", "3s6c7dKdJd", "9hTsQc4c4d"), (0.89774396, 0.10225604, 0), 209_230_560),
    (("Ac2d3h", "5s"), (0.6932410, 0.3067590), 1_373_550_338_160),
    (("Ac2d3h", "Ks"), (0.8264396, 0.1735604), 1_373_550_338_160),
]


@pytest.mark.parametrize(("hands", "expected", "deals"), SHARES)
def test_shares_of_several_hands(
    hands: tuple[str, ...], expected: tuple[float, ...], deals: int
) -> None:
    result = calculate(spot(*hands))
    assert result.deals == deals
    for player, share in enumerate(expected):
        assert float(result.share(player)) == pytest.approx(
            share, abs=6e-9 if deals < 1e12 else 6e-8
        )
    assert sum(result.share(player) for player in range(len(hands))) == 1


def test_ties_are_counted_once_for_each_who_shares() -> None:
    result = calculate(spot("A2345", "A2346"))
    assert round(result.tie(0) / result.deals, 4) == 0.1394
    alike = calculate(spot("A23K", "A23K"))
    assert alike.share(0) == Fraction(1, 2)
    assert round(alike.win(0) / alike.deals, 4) == 0.4920
    assert round(alike.tie(0) / alike.deals, 4) == 0.0160


# ---- the order of seven cards


def test_the_order_of_seven_cards_is_that_of_the_rules() -> None:
    rows = multisets(7)
    assert [len(multisets(size)) for size in range(1, 8)] == [
        13, 91, 455, 1_820, 6_175, 18_395, 49_205,
    ]  # fmt: skip
    values = seven_card_order().value(rows)
    by_value: dict[int, LowHand] = {}
    for value, row in zip(values.tolist(), rows.tolist(), strict=True):
        suits = iter(range(7))
        hand = [DECK[13 * (next(suits) % 4) + rank] for rank in range(13) for _ in range(row[rank])]
        assert len(set(hand)) == 7
        low = best_low(hand)
        assert by_value.setdefault(value, low) == low
    lows = [by_value[value] for value in range(len(by_value))]
    assert len(lows) == 5_083
    assert all(better < worse for better, worse in pairwise(lows))


@pytest.mark.parametrize(("players", "number"), [(1, 1), (2, 3), (3, 13), (4, 75), (5, 541)])
def test_weak_orders(players: int, number: int) -> None:
    assert number_of_orders(players) == len(orders(players).places) == number


# ---- every deal by hand


def brute_force(of: Spot, best_hand: object = best_low) -> dict[int, int]:
    """Deal every deal card by card, as no engine would."""
    ranking = best_low if best_hand is best_low else best_ace_to_six_low
    counts: dict[int, int] = {}

    def deal(player: int, deck: tuple[Card, ...], lows: list[LowHand]) -> None:
        if player == len(of.hands):
            winners = sum(1 << p for p, low in enumerate(lows) if low == min(lows))
            counts[winners] = counts.get(winners, 0) + 1
            return
        holding = of.hands[player]
        for drawn in combinations(deck, holding.unseen + len(holding.spans)):
            low = ranking((*holding.known_cards, *drawn))
            ways = ways_to_place(holding, drawn)
            if ways:
                rest = tuple(card for card in deck if card not in drawn)
                for _ in range(ways):
                    deal(player + 1, rest, [*lows, low])

    deal(0, of.deck, [])
    return counts


def ways_to_place(holding: Holding, drawn: tuple[Card, ...]) -> int:
    """In how many ways the cards drawn fill the ranges; equal ranges are not told apart."""
    spans = holding.spans
    found = set()
    for places in permutations(drawn, len(spans)):
        ranks = [card.rank for card in places]
        fits = all(rank in span for rank, span in zip(ranks, spans, strict=True))
        start = set(Holding(holding.cards[:3]).known_ranks)
        pairs_nothing = len({*ranks, *start}) == len(ranks) + len(start)
        if fits and pairs_nothing:
            found.add(frozenset(zip(spans, places, strict=True)))
    return len(found)


def random_spot(random: Random, to_come: tuple[int, ...], live: int) -> Spot:
    """A spot with so few live cards that every deal can be gone through."""
    # A deck of few ranks makes pairs, ties and hands of fewer than five ranks.
    ranks = random.sample(list(Rank), random.choice([5, 6, 9, 13]))
    deck = [card for card in DECK if card.rank in ranks]
    random.shuffle(deck)
    hands: list[Holding] = []
    for number in to_come:
        size = 7 - number
        if len(deck) < size + live:
            deck = [c for c in DECK if c not in {x for h in hands for x in h.cards}]
            random.shuffle(deck)
        hands.append(Holding(tuple(deck.pop() for _ in range(size))))
    stay = random.sample(deck, min(live, len(deck)))
    held = {card for hand in hands for card in hand.cards}
    return Spot(tuple(hands), tuple(c for c in DECK if c not in held and c not in stay))


FEW_TO_COME = [(1, 1), (2, 1), (2, 2), (0, 2), (1, 1, 1), (2, 1, 1), (3, 2), (0, 0), (3, 3)]


@pytest.mark.parametrize("to_come", FEW_TO_COME)
@pytest.mark.parametrize("few", [True, False], ids=["by hands", "by the programme"])
def test_agrees_with_every_deal_by_hand(
    to_come: tuple[int, ...], few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not few:
        monkeypatch.setattr("razzstats.equity.calculation.FEW_HANDS", 0)
    random = Random(str((to_come, few)))
    for _ in range(6):
        case = random_spot(random, to_come, sum(to_come) + 3)
        assert dict(calculate(case).outcomes) == brute_force(case)


RANGES = ["[8-][8-]", "[5-][9-]", "[3+][3+]", "[6-9]", "[7]"]


@pytest.mark.parametrize("ranges", RANGES)
@pytest.mark.parametrize("few", [True, False], ids=["by hands", "by the programme"])
def test_ranges_agree_with_every_deal_by_hand(
    ranges: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not few:
        monkeypatch.setattr("razzstats.equity.calculation.FEW_HANDS", 0)
    random = Random(ranges)
    asked = Holding.parse(ranges).cards
    compared = 0
    for _ in range(12):
        whole = random_spot(random, (1, 3), 8)
        first, second = whole.hands
        cut = Holding((*asked, *second.cards[: 6 - len(asked)]))
        dead = (*whole.dead, *second.known_cards[6 - len(asked) :])
        case = Spot((first, cut), dead)
        expected = brute_force(case)
        if not expected:
            with pytest.raises(SpotError, match="no deal fits"):
                calculate(case)
            continue
        assert dict(calculate(case).outcomes) == expected
        compared += 1
    assert compared


def test_ace_to_six_agrees_with_every_deal_by_hand() -> None:
    random = Random(6)
    for to_come in [(1, 1), (2, 1), (1, 1, 1), (2, 2)]:
        case = random_spot(random, to_come, sum(to_come) + 3)
        result = calculate(case, best_ace_to_six_low)
        assert result.exact
        assert dict(result.outcomes) == brute_force(case, best_ace_to_six_low)


def test_ace_to_six_counts_straights_and_flushes_against_a_hand() -> None:
    wheel, six = "Ac2d3c4s5cKdKs", "Ad2c3s4h6dQhQs"
    assert calculate(spot(wheel, six)).share(0) == 1
    assert calculate(spot(wheel, six), best_ace_to_six_low).share(0) == 0
    flush, eight = "Ah2h3h4h6hKhKd", "Ad2c3s4d8cQhQs"
    assert calculate(spot(flush, eight)).share(0) == 1
    assert calculate(spot(flush, eight), best_ace_to_six_low).share(0) == 0


# ---- properties


@given(st.integers(0, 2**32), st.sampled_from([(4, 4), (3, 3), (3, 2), (2, 2, 2), (1, 1, 1, 1)]))
@settings(max_examples=40, deadline=None)
def test_neither_order_nor_suits_matter(seed: int, to_come: tuple[int, ...]) -> None:
    random = Random(seed)
    cards = random.sample(DECK, sum(7 - number for number in to_come) + 3)
    hands = [Holding(tuple(cards.pop() for _ in range(7 - number))) for number in to_come]
    case = calculate(Spot(tuple(hands), tuple(cards)))
    assert sum(case.share(p) for p in range(len(hands))) == 1
    turned = calculate(Spot(tuple(reversed(hands)), tuple(cards)))
    assert [turned.share(p) for p in range(len(hands))] == [
        case.share(p) for p in reversed(range(len(hands)))
    ]
    bare = calculate(
        Spot(tuple(Holding(h.known_ranks) for h in hands), tuple(c.rank for c in cards))
    )
    assert bare.outcomes == case.outcomes


def test_what_is_not_known_is_the_mean_of_what_it_may_be() -> None:
    """The river's equity averages to that of sixth street, as luck adds up to nothing."""
    case = spot("Ac2d3h9sKdQc", "4s5c6d8hTsJh2c")
    rivers = [
        calculate(Spot((Holding((*case.hands[0].cards, card)), case.hands[1])))
        for card in case.deck
    ]
    mean = sum(river.share(0) for river in rivers) / len(rivers)
    assert calculate(case).share(0) == mean


def test_a_pot_of_a_hand_that_cannot_lose() -> None:
    assert shares("A2345K", "23467K") == [1, 0]


# ---- decks that run out


def test_the_last_card_is_one_for_all_when_the_deck_runs_out() -> None:
    """Eight hands on sixth street hold 48 cards: four are left, and one of them is dealt."""
    cards = Random(3).sample(DECK, 52)
    hands = tuple(Holding(tuple(cards[6 * p : 6 * p + 6])) for p in range(8))
    case = Spot(hands)
    assert case.has_shared_river
    counts: dict[int, int] = {}
    for river in cards[48:]:
        lows = [best_low((*hand.known_cards, river)) for hand in hands]
        winners = sum(1 << p for p, low in enumerate(lows) if low == min(lows))
        counts[winners] = counts.get(winners, 0) + 1
    assert dict(calculate(case).outcomes) == counts
    sampled = sample(case, 20_000)
    for player in range(8):
        assert float(sampled.share(player)) == pytest.approx(
            float(calculate(case).share(player)), abs=5 * sampled.standard_error(player) + 1e-12
        )


def test_cards_that_left_the_deck_unseen_make_it_run_out() -> None:
    cards = Random(4).sample(DECK, 52)
    hands = tuple(Holding(tuple(cards[6 * p : 6 * p + 6])) for p in range(4))
    dead = tuple(cards[24:46])
    assert not Spot(hands, dead).has_shared_river
    assert Spot(hands, dead, gone=3).has_shared_river
    with pytest.raises(SpotError, match="too few cards: 1 to be dealt, 0 left"):
        Spot(hands, dead, gone=6)


# ---- sampling


@pytest.mark.parametrize(
    ("hands", "dead"),
    [
        (("Ac2d3h", "4s5c6d"), ""),
        (("Ac2d5h", "3s6c7d", "9hTsQc"), "KdKh"),
        (("Ac2d3h", "[8-][8-]4d"), "5c"),
        (("A23K", "[8-][8-]75", "[5-][9-]KT"), ""),
        (("2233", "4455", "66"), "AAAA"),
    ],
)
def test_sampling_finds_what_counting_finds(hands: tuple[str, ...], dead: str) -> None:
    case = spot(*hands, dead=dead)
    exact, sampled = calculate(case), calculate(case, samples=60_000, seed=7)
    assert exact.exact
    assert not sampled.exact
    assert sampled.deals == 60_000
    for player in range(len(hands)):
        error = sampled.standard_error(player)
        assert 0 < error < 0.003
        assert abs(float(exact.share(player) - sampled.share(player))) < 4.5 * error


def test_the_same_seed_samples_the_same_deals() -> None:
    case = spot("A23", "456", "789", "A2K")
    first, again, other = (sample(case, 5_000, seed) for seed in (3, 3, 4))
    assert first == again
    assert first.outcomes != other.outcomes


def test_what_takes_too_long_is_sampled_and_says_so() -> None:
    result = calculate(spot("A23", "xx", "xx", "xx"))
    assert not result.exact
    assert result.seed == 1
    assert 0.0005 < result.standard_error(0) < 0.002


def test_ace_to_six_is_sampled_early() -> None:
    result = calculate(spot("Ac2d3h", "4s5c6d"), best_ace_to_six_low, samples=20_000)
    assert not result.exact
    assert abs(float(result.share(0)) - 0.565) < 5 * result.standard_error(0)


def test_standard_error() -> None:
    assert Equity(2, {1: 50, 2: 50}, seed=1).standard_error(0) == pytest.approx(0.05)
    assert Equity(2, {3: 100}, seed=1).standard_error(0) == 0


# ---- texts


@pytest.mark.parametrize(
    ("text", "spelled", "unseen"),
    [
        ("Ac2d3h", "Ac2d3h", 4),
        ("ac 2D 3H", "Ac2d3h", 4),
        ("xxxx8c", "xxxx8c", 6),
        ("A23", "A23", 4),
        ("10c T", "TcT", 5),
        ("[8-][ 9 + ]4d", "[8-][9+]4d", 4),
        ("[6-8][A][a-5]", "[6-8][A][5-]", 4),
        ("", "xx", 7),
    ],
)
def test_hands_as_people_write_them(text: str, spelled: str, unseen: int) -> None:
    holding = Holding.parse(text)
    assert str(holding) == spelled
    assert holding.unseen == unseen


@pytest.mark.parametrize(
    ("hands", "dead", "words"),
    [
        (("Ac2x", "3c"), "", "'x' is no card"),
        (("Ac", "\x1b[31m"), "", "is no card"),
        (("[8", "3c"), "", "is no card"),
        (("[8-3]", "3c"), "", "is no range"),
        (("[1-]", "3c"), "", "is no range"),
        (("Ac2d3h4h5h6h7h8h", "3c"), "", "more than seven cards"),
        (("Ac2d", "Ac"), "", "Ac is there twice"),
        (("Ac2d", "3c"), "3c", "3c is there twice"),
        (("Ac2d", "3c"), "xx", "dead cards are known cards"),
        (("AA", "AA"), "A", "more than four cards of rank A"),
        (("Ac",), "", "two to 8 hands, not 1"),
        (("A",) + ("2",) * 4 + ("3",) * 4, "", "two to 8 hands, not 9"),
        (("[A]", "2"), "AcAdAhAs", "no deal fits"),
        (("[A]2", "[A]3", "[A]4", "[A]5", "[A]6"), "", "hardly any deal fits"),
        (("A2345", "A2345"), "89TJQK" * 4 + "AA22334466667777", "3 to be dealt, 2 left"),
    ],
)
def test_hands_that_cannot_be_dealt(hands: tuple[str, ...], dead: str, words: str) -> None:
    with pytest.raises(SpotError, match=words):
        calculate(spot(*hands, dead=dead))


def test_streets_cut_the_hands() -> None:
    case = spot("Ac2d3h9sKdQc", "4s5c6d8h", dead="Tc")
    cuts = list(by_street(case))
    assert [street for street, _ in cuts] == [3, 4, 5, 6]
    assert [str(hand) for hand in cuts[0][1].hands] == ["Ac2d3h", "4s5c6d"]
    assert [str(hand) for hand in cuts[2][1].hands] == ["Ac2d3h9sKd", "4s5c6d8h"]
    assert all(cut.dead == case.dead for _, cut in cuts)


def test_counts_are_plain_numbers() -> None:
    result = calculate(spot("Ac2d3h", "7s8cKd"))
    assert json.dumps(dict(result.outcomes))
    assert not any(isinstance(deals, np.integer) for deals in result.outcomes.values())


# ---- by the number of good cards

GOOD_CARDS = {
    # street: (good cards of the one, of the other): equity, over all hands
    3: {(3, 2): 0.678, (3, 1): 0.802, (2, 1): 0.652},
    4: {(4, 3): 0.728, (4, 2): 0.871, (3, 2): 0.690},
    5: {(5, 4): 0.788, (5, 3): 0.955, (4, 3): 0.755, (4, 2): 0.890, (3, 2): 0.705},
    6: {(5, 4): 0.864, (4, 3): 0.786, (5, 3): 1.000},
}
GOOD_FREQUENCIES = {4: {4: 0.066, 3: 0.324}, 5: {5: 0.022, 4: 0.179, 3: 0.400}}


@pytest.mark.slow
def test_equity_by_the_number_of_good_cards() -> None:
    """Ranks up to eight, pairs counted once; 3 million random deals, to the printed digits."""
    case = Spot((Holding(), Holding()))
    kind, random = sampling._by_rank(case), np.random.default_rng(2)
    sums: dict[tuple[int, int, int], list[float]] = {}
    numbers: dict[tuple[int, int], int] = {}
    deals = 0
    for _ in range(150):
        hands = sampling._deal(case, kind, random, 20_000)
        deals += len(hands)
        values = np.stack([kind.value(hands[:, player]) for player in range(2)], axis=1)
        share = (values[:, 0] < values[:, 1]) + (values[:, 0] == values[:, 1]) / 2
        for street in GOOD_CARDS:
            held = (hands[:, :, :street, None] == np.arange(8)).any(axis=2).sum(axis=2)
            for pair in np.unique(held, axis=0).tolist():
                which = (held == pair).all(axis=1)
                found = sums.setdefault((street, *pair), [0.0, 0.0])
                found[0] += float(share[which].sum())
                found[1] += int(which.sum())
            for good, number in zip(*np.unique(held[:, 0], return_counts=True), strict=True):
                numbers[street, int(good)] = numbers.get((street, int(good)), 0) + int(number)
    for street, expected in GOOD_CARDS.items():
        for (first, second), equity in expected.items():
            won, count = sums[street, first, second]
            error = np.sqrt(equity * (1 - equity) / count)
            assert won / count == pytest.approx(equity, abs=0.0005 + 4 * error + 0.001), (
                street, first, second,
            )  # fmt: skip
    for street, frequencies in GOOD_FREQUENCIES.items():
        for good, frequency in frequencies.items():
            assert numbers[street, good] / deals == pytest.approx(frequency, abs=0.0008)
