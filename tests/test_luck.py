"""What luck did in a hand: all-ins, last cards, side pots, rake, and what cannot be measured."""

import os
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from razzstats.cards import DECK, Card, MaybeCard
from razzstats.chips import Chips
from razzstats.equity import Holding, Spot, calculate
from razzstats.events import Seat, Street
from razzstats.importing import import_paths
from razzstats.lowball import best_low
from razzstats.luck import Contestant, HandLuck, LuckKind, PlayerLuck, Showdown, measure
from razzstats.measuring import measure_hands
from razzstats.pots import build_pots
from razzstats.rules.ruleset import ACE_TO_SIX, RAZZ, RuleSet
from razzstats.simulate import render_hand, simulate_hands
from razzstats.storage import Database

SEVENTH = Street.SEVENTH


def cards(text: str) -> tuple[MaybeCard, ...]:
    pairs = [text[place : place + 2] for place in range(0, len(text), 2)]
    return tuple(None if pair == "xx" else Card.parse(pair) for pair in pairs)


def player(
    seat: int,
    held: str,
    put: int,
    collected: int = 0,
    *,
    before_river: int | None = None,
    folded_on: int | None = None,
) -> Contestant:
    return Contestant(
        Seat(seat),
        cards(held),
        Chips(put),
        Chips(put if before_river is None else before_river),
        Chips(collected),
        folded_on is not None,
        Street(folded_on or 7),
    )


def showdown(
    *players: Contestant, last_decision: int = 7, shared: bool = False, rules: RuleSet = RAZZ
) -> Showdown:
    return Showdown(
        number=1,
        rules=rules,
        players=players,
        last_decision=Street(last_decision),
        shared_river=shared,
    )


def by_seat(luck: HandLuck) -> dict[int, PlayerLuck]:
    assert luck.players is not None
    assert sum(each.luck for each in luck.players) == 0
    assert sum(each.equity for each in luck.players) == 1
    return {each.seat: each for each in luck.players}


def share(*hands: str, dead: str = "") -> Fraction:
    gone = tuple(card for card in cards(dead) if card is not None)
    return calculate(Spot(tuple(Holding(cards(hand)) for hand in hands), gone)).share(0)


# ---- all-in


def test_all_in_is_measured_where_betting_ended() -> None:
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 500, collected=1_000),
        player(2, "4c5c6d7hTdJh2h", 500),
        last_decision=4,
    )
    luck = measure(hand)
    assert (luck.kind, luck.street, luck.exact) == (LuckKind.ALL_IN, Street.FOURTH, True)
    equity = share("Ac2d3h4s", "4c5c6d7h")
    found = by_seat(luck)
    assert found[1] == PlayerLuck(Seat(1), equity, equity * 1_000, 1_000 - equity * 1_000)
    assert found[2].luck == -found[1].luck


def test_rake_is_taken_from_what_was_expected() -> None:
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 500, collected=950),
        player(2, "4c5c6d7hTdJh2h", 500),
        last_decision=4,
    )
    equity = share("Ac2d3h4s", "4c5c6d7h")
    assert by_seat(measure(hand))[1].expected == equity * 950


def test_dead_cards_are_those_seen_by_then() -> None:
    """A player who folded on third street showed his door; the hero's own down cards are known."""
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 500, collected=1_020),
        player(2, "4c5c6d7hTdJh2h", 500),
        player(3, "xxxx5d", 10, folded_on=3),
        player(4, "6s7s5h4d", 10, folded_on=4),
        last_decision=4,
    )
    expected = share("Ac2d3h4s", "4c5c6d7h", dead="5d6s7s5h4d")
    assert by_seat(measure(hand))[1].equity == expected


def test_each_side_pot_has_its_own_equity() -> None:
    """Seat 1 can win 300 only; the rest is between seats 2 and 3, with his cards dead."""
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 100, collected=300),
        player(2, "4c5c6d7hTdJh2h", 400, collected=600),
        player(3, "8c9c9dKhKsQdQh", 400),
        last_decision=4,
    )
    found = by_seat(measure(hand))
    main = calculate(Spot(tuple(Holding(p.cards[:4]) for p in hand.players)))
    side = share("4c5c6d7h", "8c9c9dKh", dead="Ac2d3h4s")
    assert found[1].expected == main.share(0) * 300
    assert found[2].expected == main.share(1) * 300 + side * 600
    assert found[3].expected == main.share(2) * 300 + (1 - side) * 600


def test_what_only_one_player_can_win_is_his() -> None:
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 100, collected=300),
        player(2, "4c5c6d7hTdJh2h", 250, collected=150),
        player(3, "8c9c9dKh", 100, folded_on=4),
        last_decision=4,
    )
    found = by_seat(measure(hand))
    assert found[2].expected == 150 + (300 - found[1].expected)


def test_all_in_for_the_ante_is_measured_on_third_street() -> None:
    hand = showdown(
        player(1, "Ac2d3h4sKdQcTs", 5, collected=10),
        player(2, "4c5c6d7hTdJh2h", 5),
        last_decision=3,
    )
    luck = measure(hand)
    assert luck.street is Street.THIRD
    assert by_seat(luck)[1].equity == share("Ac2d3h", "4c5c6d")


def test_a_last_card_for_all_is_dealt_as_one() -> None:
    deck = Random(5).sample(DECK, 52)
    hands = [tuple(deck[6 * place : 6 * place + 6]) for place in range(8)]
    river = deck[48]
    lows = [best_low((*hand, river)) for hand in hands]
    best = [place for place, low in enumerate(lows) if low == min(lows)]
    contestants = tuple(
        Contestant(
            Seat(place + 1), (*hand, river), Chips(10), Chips(10),
            Chips(80 // len(best) if place in best else 0), False, SEVENTH,
        )
        for place, hand in enumerate(hands)
    )  # fmt: skip
    found = by_seat(measure(showdown(*contestants, last_decision=6, shared=True)))
    rivers = deck[48:]
    shares = [Fraction(0)] * 8
    for card in rivers:
        values = [best_low((*hand, card)) for hand in hands]
        winners = [place for place, value in enumerate(values) if value == min(values)]
        for place in winners:
            shares[place] += Fraction(1, len(winners) * len(rivers))
    assert [found[place + 1].equity for place in range(8)] == shares


# ---- the last card

SIXTH = ("Ac2d3h9sKdQc", "4s5c6d8hTsJh")  # 420 of 1,560 deals are the first one's


@pytest.mark.parametrize(
    ("rivers", "first_wins"), [(("4d", "Kh"), True), (("Qd", "Kh"), False), (("4d", "2h"), False)]
)
def test_last_card_is_what_it_did_to_the_pot_of_sixth_street(
    rivers: tuple[str, str], first_wins: bool
) -> None:
    """The bets of seventh street are no luck: 200 of the pot's 1,000 are left out."""
    hand = showdown(
        player(1, SIXTH[0] + rivers[0], 500, 1_000 if first_wins else 0, before_river=400),
        player(2, SIXTH[1] + rivers[1], 500, 0 if first_wins else 1_000, before_river=400),
    )
    luck = measure(hand)
    assert (luck.kind, luck.street) == (LuckKind.LAST_CARD, Street.SIXTH)
    equity = Fraction(420, 1_560)
    found = by_seat(luck)
    assert found[1].equity == equity
    assert found[1].luck == 800 * (first_wins - equity)


def test_who_folds_the_best_hand_on_seventh_street_was_not_unlucky() -> None:
    hand = showdown(
        player(1, SIXTH[0] + "4d", 400, folded_on=7),
        player(2, SIXTH[1] + "Kh", 500, 1_300, before_river=400),
        player(3, "KsKcQsQhJsJc9h", 400, before_river=400),
    )
    found = by_seat(measure(hand))
    assert found[1].luck > 0
    assert found[2].luck < 0


def test_a_tie_shares_the_pot() -> None:
    hand = showdown(
        player(1, "Ac2c3c4c6cKcKd", 100, 100),
        player(2, "Ad2d3d4d6dQcQd", 100, 100),
    )
    found = by_seat(measure(hand))
    assert found[1].luck == 100 - found[1].expected


def test_another_ranking_has_another_luck() -> None:
    # A five makes a straight for the first player, which is bad in ace-to-six.
    hands = ("Ac2d3h4sKdKc", "Ad2c3s4h7dQh")
    razz, other = (
        measure(
            showdown(
                player(1, hands[0] + "5c", 100, 200), player(2, hands[1] + "9s", 100), rules=rules
            )
        )
        for rules in (RAZZ, ACE_TO_SIX)
    )
    assert by_seat(razz)[1].equity > by_seat(other)[1].equity
    assert by_seat(razz)[1].luck > 0 > by_seat(other)[1].luck


# ---- what cannot be measured


@pytest.mark.parametrize(
    ("first", "last_decision"),
    [("xxxx3h4sKdQcxx", 7), ("Ac2d3h4sKdQcxx", 7), ("xxxx3h4sKdQcxx", 4), ("xx2d3h4sKdQcTs", 5)],
)
def test_unknown_cards_are_not_measured(first: str, last_decision: int) -> None:
    hand = showdown(
        player(1, first, 500), player(2, "4c5c6d7hTdJh2h", 500, 1_000), last_decision=last_decision
    )
    luck = measure(hand)
    assert luck.players is None
    assert luck.kind is (LuckKind.ALL_IN if last_decision < 7 else LuckKind.LAST_CARD)


def test_a_fold_on_seventh_street_with_unknown_cards_is_not_measured() -> None:
    hand = showdown(
        player(1, SIXTH[0] + "4d", 500, 1_200),
        player(2, SIXTH[1] + "Kh", 500),
        player(3, "xxxxKsQsJsJcxx", 200, folded_on=7),
    )
    assert measure(hand).players is None


def test_a_last_card_that_nobody_saw_does_not_matter_to_an_all_in() -> None:
    hand = showdown(
        player(1, "Ac2d3h4sKdQcxx", 500, 1_000),
        player(2, "4c5c6d7hTdJhxx", 500),
        last_decision=4,
    )
    assert by_seat(measure(hand))[1].equity == share("Ac2d3h4s", "4c5c6d7h")


def test_more_cards_than_a_deck_has_are_not_measured() -> None:
    """Eight hands on sixth street leave four cards for eight rivers, if none is for all."""
    deck = Random(5).sample(DECK, 52)
    contestants = tuple(
        Contestant(
            Seat(place + 1), (*deck[6 * place : 6 * place + 6], deck[48 + place % 4]), Chips(10),
            Chips(10), Chips(0), False, SEVENTH,
        )
        for place in range(8)
    )  # fmt: skip
    for last_decision in (6, 7):
        luck = measure(showdown(*contestants, last_decision=last_decision))
        assert luck.players is None
        assert luck.street is Street.SIXTH


# ---- properties


def random_showdown(random: Random) -> Showdown:
    """Random cards, stakes, folds and rake; the winner by the cards takes each pot."""
    deck = random.sample(DECK, 52)
    last_decision = random.choice([5, 6, 7, 7])
    live = random.choice([2, 2, 3])
    contestants = []
    put = {}
    for seat in range(1, live + random.randint(0, 3) + 1):
        folded_on = random.randint(3, min(6, last_decision)) if seat > live else None
        held = tuple(deck.pop() for _ in range(folded_on or 7))
        put[seat] = random.choice([40, 100, 100, 170])
        before = put[seat] - (10 if last_decision == 7 and folded_on is None else 0)
        contestants.append((seat, held, put[seat], before, folded_on))
    folded = [seat for seat, _, _, _, folded_on in contestants if folded_on]
    lows = {seat: best_low(held) for seat, held, *_ in contestants if seat not in folded}
    collected = dict.fromkeys(put, 0)
    for pot in build_pots({Seat(s): Chips(p) for s, p in put.items()}, [Seat(s) for s in folded]):
        best = min(pot.eligible, key=lambda seat: lows[seat])
        collected[best] += pot.amount * 19 // 20
    return showdown(
        *(
            Contestant(
                Seat(seat), held, Chips(chips), Chips(before), Chips(collected[seat]),
                folded_on is not None, Street(folded_on or 7),
            )
            for seat, held, chips, before, folded_on in contestants
        ),
        last_decision=last_decision,
    )  # fmt: skip


def test_the_luck_of_all_players_adds_up_to_nothing() -> None:
    random = Random(11)
    for _ in range(60):
        hand = random_showdown(random)
        found = by_seat(measure(hand))
        live = {p.seat for p in hand.players if not p.folded}
        assert found.keys() == live


def test_luck_of_every_river_averages_to_nothing() -> None:
    """Over all last cards that may come, what the cards win is what was expected."""
    first, second = (cards(text) for text in SIXTH)
    known = {*first, *second}
    rest = [card for card in DECK if card not in known]
    whole = sum(
        _luck_with((*first, mine), (*second, theirs))
        for mine in rest
        for theirs in rest
        if mine != theirs
    )
    assert whole == 0


def _luck_with(first: Sequence[MaybeCard], second: Sequence[MaybeCard]) -> Fraction:
    lows = [best_low(card for card in held if card) for held in (first, second)]
    best = [place for place, low in enumerate(lows) if low == min(lows)]
    won = [100 // len(best) if place in best else 0 for place in range(2)]
    hand = showdown(
        Contestant(Seat(1), tuple(first), Chips(50), Chips(50), Chips(won[0]), False, SEVENTH),
        Contestant(Seat(2), tuple(second), Chips(50), Chips(50), Chips(won[1]), False, SEVENTH),
    )
    return by_seat(measure(hand))[1].luck


@pytest.mark.slow
def test_the_luck_adjusted_total_converges_to_the_net(tmp_path: Path) -> None:
    """Over many hands luck stays within 4 standard deviations of nothing, for every player.

    RAZZSTATS_HANDS sets the number of hands. The adjusted results also vary less: that is what
    they are for.
    """
    number = int(os.environ.get("RAZZSTATS_HANDS", "6000"))
    path = tmp_path / "simulated.txt"
    with path.open("w", encoding="utf-8") as file:
        for hand in simulate_hands(number, 6, 17):
            file.write(render_hand(hand))
    with Database.in_memory() as database:
        import_paths(database, [str(path)])
        measure_hands(database)
        found = database.rows(
            """SELECT name, count(luck), sum(luck / big_bet), sum((luck / big_bet) ** 2),
                stddev(net / big_bet), stddev((net - coalesce(luck, 0)) / big_bet)
            FROM hand_players LEFT JOIN player_luck USING (hid, seat)
            GROUP BY name HAVING count(luck) >= 50"""
        )
        (sums,) = database.rows(
            "SELECT max(abs(s)) FROM (SELECT sum(luck) AS s FROM player_luck GROUP BY hid)"
        )
    assert len(found) > 3
    assert sums[0] < 1e-6
    for name, measured, luck, squares, spread, adjusted_spread in found:
        assert abs(luck) < 4 * sqrt(squares), (name, measured)
        assert adjusted_spread < spread, name
