"""Planted leaks: each simulated player makes his mistake, and is told apart from a sound one.

The number of hands a player is RAZZSTATS_HANDS; with 5,000 or more the long test demands that nine
in ten of the leaks that cost more than a big bet in 100 hands are found.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

import pytest
from planted import (
    LEAKS,
    PLANTED,
    Leak,
    Player,
    Seen,
    chasing_hands,
    play_sessions,
    play_tables,
    sound_habit,
    sound_player,
    strategy,
    true_costs,
)

from razzstats.replay import ReplayedHand, replay
from razzstats.rules.actions import ActionKind, LegalActions
from razzstats.simulate.strategy import View
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import RULES, LeakRule
from razzstats.stats.leaks.finder import FALSE_DISCOVERIES, count_mistakes, find_leaks
from razzstats.stats.leaks.finding import Finding, Verdict
from razzstats.storage import Database

HANDS = int(os.environ.get("RAZZSTATS_HANDS", "600"))
ENOUGH = 5_000
FOUND = (Verdict.LEAK, Verdict.UNUSUAL)


def leak(name: str) -> Leak:
    (found,) = [each for each in LEAKS if each.name.startswith(name)]
    return found


def test_a_leak_is_planted_for_every_rule() -> None:
    planted = {(each.rule, each.street) for each in LEAKS}
    for rule in RULES:
        street = rule.street if rule.id == 803 else None
        assert (rule.id, street) in planted, rule.title
    assert len({each.name for each in LEAKS}) == len(LEAKS)


# ---- what players see and do


def test_what_a_player_sees_is_what_the_spots_say() -> None:
    """Two ways to the same words: from the simulator's view, and from the stored hand by SQL."""
    views: list[Seen] = []

    def notes(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        views.append(what)
        return None

    with play_sessions(150, 3, Player(strategy("notes", notes))) as database:
        stored = database.rows(
            """SELECT street, wagers, good, fewest_bad, most_bad, board_good, best_good,
                coalesce(fifth_rank, 14), coalesce(fourth_rank, 14), start_top, start_pairs,
                start_good, coalesce(start_second, 14), door, opponents, caught_good,
                pairs, one_caught_good
            FROM decisions JOIN spots USING (hid, seq, seat)
            JOIN hand_players USING (hid, seat) JOIN (SELECT hid, hand_no FROM hands) USING (hid)
            WHERE is_hero ORDER BY hand_no::BIGINT, seq"""
        )
    assert len(stored) == len(views) > 100
    for what, row in zip(views, stored, strict=True):
        street, pairs, one_caught_good = row[0], row[16], row[17]
        assert row[:16] == (
            what.street, what.faces, what.good, what.bad_board, what.most_bad, what.own_board,
            what.best_board, what.made, what.fourth, what.start_top, what.start_pairs,
            what.start_good, what.start_second, what.door, what.opponents, what.caught_good,
        )  # fmt: skip
        assert not what.paired or pairs > 0
        assert street in (3, 7) or what.one_caught_good == one_caught_good


def test_tilt_lasts_twenty_hands() -> None:
    """After the loss of a big pot every hand with a choice is played, and not all before."""
    player = leak("804").player()
    losses: list[bool] = []

    def after_hand(hand: ReplayedHand) -> None:
        player.after_hand(hand)
        losses.append(lost_big(hand))

    with play_sessions(240, 4, player._replace(after_hand=after_hand)) as database:
        rows = database.rows(
            """SELECT vpip OR NOT vpip_chance, vpip_chance FROM hand_players
            JOIN (SELECT hid, hand_no FROM hands) USING (hid)
            WHERE is_hero ORDER BY hand_no::BIGINT"""
        )
    first = losses.index(True)
    assert all(played for played, _ in rows[first + 1 : first + 21])
    before = [played for played, choice in rows[: first + 1] if choice]
    assert sum(before) < 0.7 * len(before) or len(before) < 5


def lost_big(hand: ReplayedHand) -> bool:
    (own,) = [result for result in hand.results if result.seat == hand.parsed.hero]
    pot = sum(pot.amount for pot in hand.pots)
    return own.net < 0 and own.last_street >= 5 and pot >= 5 * hand.parsed.stakes.big_bet


def test_sessions_have_pauses_between_them() -> None:
    with play_sessions(90, 5, sound_player(), session_hands=30) as database:
        times = [at for (at,) in database.rows("SELECT played_at FROM hands ORDER BY played_at")]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert sum(pause > timedelta(hours=9) for pause in pauses) == 2
    assert sorted(pauses)[-3] < timedelta(minutes=30)


@pytest.mark.parametrize("chases", [True, False])
def test_who_chases_moves_up_after_losses_only(chases: bool) -> None:
    hands = [
        value
        for hand in chasing_hands(240, 3, sound_player(), chases=chases, session_hands=40)
        if (value := replay(hand).value)
    ]
    moves = 0
    for begin in range(0, 240, 40):
        half, rest = hands[begin : begin + 20], hands[begin + 20 : begin + 40]
        net = sum(r.net for hand in half for r in hand.results if r.seat == hand.parsed.hero)
        stakes = {hand.parsed.stakes.big_bet for hand in rest}
        assert {hand.parsed.stakes.big_bet for hand in half} == {8}
        assert stakes == {16 if (net < 0) == chases else 8}
        moves += stakes == {16}
    assert 0 < moves < 6


def test_tables_of_each_size_are_played() -> None:
    with play_tables(60, 7, sound_player()) as database:
        sizes = dict(database.rows("SELECT max_seats, count(*) FROM hands GROUP BY ALL"))
    assert sizes == {2: 20, 6: 20, 8: 20}


def test_a_habit_that_changes_nothing_costs_nothing() -> None:
    costs = true_costs({"none": sound_habit, "folds": PLANTED[302]}, 80, 1)
    assert costs["none"] == (0, 0, 0)
    assert costs["folds"].changed > 0
    assert costs["folds"].error > 0


# ---- each planted player against the sound one


class Counts(NamedTuple):
    spots: int
    mistakes: int | None


def counts(database: Database, planted: Leak) -> Counts:
    (rule,) = [r for r in RULES if r.id == planted.rule and planted.street in (None, r.street)]
    (counted,) = count_mistakes(database, Filters(), [rule])
    return Counts(counted.spots, counted.mistakes)


@pytest.fixture(scope="module")
def sound() -> Iterator[Database]:
    with play_sessions(HANDS, 11, sound_player()) as database:
        yield database


STREET_LEAKS = [each for each in LEAKS if each.rule in PLANTED]


@pytest.mark.slow
@pytest.mark.parametrize("planted", STREET_LEAKS, ids=[each.name for each in STREET_LEAKS])
def test_a_planted_player_makes_his_mistake(planted: Leak, sound: Database) -> None:
    """In nearly all of the spots of the rule; a habit may be about only some of them."""
    (rule,) = [rule for rule in RULES if rule.id == planted.rule]
    assert isinstance(rule, LeakRule)
    with play_sessions(HANDS, planted.rule, planted.player()) as database:
        spots, mistakes = counts(database, planted)
    if spots < 5:
        pytest.skip(f"{spots} spots in {HANDS} hands")
    assert mistakes is not None
    usual = counts(sound, planted)
    assert mistakes / spots > rule.reference.most
    if usual.spots >= 5 and usual.mistakes is not None:
        assert mistakes / spots >= usual.mistakes / usual.spots


# ---- the finder's verdicts


def found_of(planted: Leak) -> Finding:
    with planted.game(HANDS, 1_000 + LEAKS.index(planted), planted.player()) as database:
        found = find_leaks(database, Filters())
    (own,) = [
        each
        for each in found
        if each.rule.id == planted.rule and planted.street in (None, each.rule.street)
    ]
    return own


def accusations(seed: int) -> tuple[int, int]:
    """Return how many rules accuse a sound player, and how many were judged."""
    with play_sessions(HANDS, seed, sound_player()) as database:
        verdicts = [each.verdict for each in find_leaks(database, Filters())]
    return sum(v in FOUND for v in verdicts), sum(v is not Verdict.TOO_FEW for v in verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("id", [303, 310, 403, 701])
def test_a_common_leak_is_found_in_few_hands(id: int) -> None:
    (planted,) = [each for each in LEAKS if each.rule == id]
    with play_sessions(2_500, id, planted.player()) as database:
        (found,) = [each for each in find_leaks(database, Filters()) if each.rule.id == id]
    assert found.verdict is Verdict.LEAK
    assert found.cost_per_100 is not None
    assert found.cost_per_100 > 0


COSTLY = 1.0
"""Big bets in 100 hands."""


@pytest.mark.slow
@pytest.mark.skipif(HANDS < ENOUGH, reason=f"RAZZSTATS_HANDS is under {ENOUGH}")
def test_nine_in_ten_of_the_costly_leaks_are_found() -> None:
    habits = {each.name: each.habit for each in LEAKS if each.habit is not None}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        costs = true_costs(habits, 4 * HANDS, 1)
        # Surely costly: what is not known to cost so much may be left out by the finder as well.
        costly = [
            each
            for each in LEAKS
            if each.name in costs and costs[each.name].per_100 - 2 * costs[each.name].error > COSTLY
        ]
        found = list(pool.map(found_of, costly))
    for planted, own in zip(costly, found, strict=True):
        cost = costs[planted.name]
        said = "-" if own.cost_per_100 is None else f"{own.cost_per_100:.2f}"
        print(f"{planted.name}: {cost.per_100:.2f} ± {cost.error:.2f}, {said}, {own.verdict}")
    assert len(costly) >= 10
    assert sum(own.verdict in FOUND for own in found) >= 0.9 * len(costly)


@pytest.mark.slow
def test_a_sound_player_is_accused_seldom() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        both = list(pool.map(accusations, range(50, 56)))
    accused, judged = (sum(each) for each in zip(*both, strict=True))
    assert judged >= len(both) * 4
    assert accused <= FALSE_DISCOVERIES * judged
