"""Very many simulated hands: each replays without a word, and no chip is made or lost.

The number of hands is RAZZSTATS_HANDS, shared out among processes; CI plays the default number.
"""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest

from razzstats.chips import Money
from razzstats.replay import replay
from razzstats.rules.ruleset import RULE_SETS
from razzstats.simulate import Setup, TournamentPlan, simulate_hands
from razzstats.simulate.payout import NO_RAKE
from razzstats.simulate.setup import usual_stakes
from razzstats.simulate.strategy import CALLING_STATION
from razzstats.validation import validate

HANDS = int(os.environ.get("RAZZSTATS_HANDS", "10000"))
HANDS_A_SESSION = 1_000
SHORT = (1.0, 6.0)  # big bets; such stacks go all-in often


def setup_of(session: int) -> Setup:
    """Return one of several kinds of session: deep, short, tournament, variants of Razz."""
    number = 1_000_000_000 + session * 100_000_000
    match session % 5:
        case 0:  # who folds little sees the river with seven others, and the deck run short
            return Setup(first_number=number, strategies=(CALLING_STATION,), rake=NO_RAKE)
        case 1:
            stakes = usual_stakes(Money("EUR", 2), 50 + session % 7)
            return Setup(first_number=number, stakes=stakes, buy_in=SHORT, hero=None)
        case 2:
            plan = TournamentPlan(number=str(3_000_000_000 + session), hands_per_level=40)
            return Setup(first_number=number, tournament=plan)
        case 3:
            return Setup(first_number=number, rules=RULE_SETS["home-game"], buy_in=SHORT)
        case _:
            return Setup(first_number=number, rules=RULE_SETS["ace-to-six"])


def play_session(session: int) -> Counter[str]:
    """Play one session; return how many hands there were, and how many of the rarer kinds."""
    setup, seen = setup_of(session), Counter[str]()
    for hand in simulate_hands(HANDS_A_SESSION, 2 + session % 7, session, setup):
        replayed = replay(hand, setup.rules)
        assert replayed.value is not None
        assert not replayed.diagnostics, replayed.diagnostics
        assert not list(validate(replayed.value)), hand.hand_id
        again = replayed.value
        assert sum(result.net for result in again.results) == -again.rake
        assert all(0 <= result.contributed <= result.stack for result in again.results)
        assert sum(pot.amount for pot in again.pots) == again.pot
        seen["hands"] += 1
        seen["with side pots"] += len(again.pots) > 1
        seen["with a community card"] += again.community is not None
        seen["at the showdown"] += any(result.showdown for result in again.results)
        seen["all-in"] += any(result.all_in for result in again.results)
    return seen


@pytest.mark.slow
def test_very_many_hands_replay_without_a_word() -> None:
    total = Counter[str]()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        # Tournaments end early, so there are more sessions than whole ones would be.
        for seen in pool.map(play_session, range(1 + HANDS * 4 // 3 // HANDS_A_SESSION)):
            total += seen
    print(f"\n{dict(total)}")
    assert total["hands"] >= HANDS
    rarer = ("with side pots", "with a community card", "at the showdown", "all-in")
    assert all(total[kind] > 0 for kind in rarer)
