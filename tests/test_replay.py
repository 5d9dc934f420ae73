"""A parsed hand played through the rules: what everybody did in poker's terms, and what it cost."""

import tomllib
from pathlib import Path

import pytest
from hands import check, clean, hand_text
from playouts import CASH, CHIPS, Playout, random_playout, render

from razzstats.cards import Card
from razzstats.events import Ante, Collect, Deal, Muck, ReturnedBet, Seat, Show, Street
from razzstats.locations import HandText
from razzstats.parsing import parse_hand
from razzstats.replay import PlayerResult, ReplayedHand, place_behind_name, replay
from razzstats.rules.actions import DECISIONS, Action
from razzstats.rules.ruleset import RAZZ, RuleSet

HANDS: dict[str, str] = tomllib.loads(
    (Path(__file__).parent / "syntax" / "hands.toml").read_text(encoding="utf-8")
)


def told(hand: ReplayedHand, action: Action) -> str:
    """Return a decision in a line: the state before it, and what was done."""
    name = next(result.name for result in hand.results if result.seat == action.seat)
    to = f" to {action.to}" if action.to is not None else ""
    all_in = " all-in" if action.all_in else ""
    could = "could wager" if action.could_wager else "could not wager"
    return (
        f"{action.street:d} pot {action.pot} wagers {action.wagers} {could}, {name} "
        f"owes {action.to_call}: {action.kind} {action.amount}{to}{all_in}"
    )


def decisions(hand: ReplayedHand) -> list[str]:
    return [told(hand, action) for action in hand.actions if action.kind in DECISIONS]


def result_of(hand: ReplayedHand, name: str) -> PlayerResult:
    return next(result for result in hand.results if result.name == name)


# ---- hands counted by hand


def test_each_decision_knows_the_state_before_it() -> None:
    assert decisions(clean(HANDS["showdown"])) == [
        "3 pot 4 wagers 0 could wager, Ben owes 2: bring-in 2",
        "3 pot 6 wagers 0 could wager, Carla owes 2: fold 0",
        "3 pot 6 wagers 0 could wager, Dan owes 2: complete 5 to 5",
        "3 pot 11 wagers 1 could wager, Anna owes 5: call 5",
        "3 pot 16 wagers 1 could wager, Ben owes 3: fold 0",
        "4 pot 16 wagers 0 could wager, Anna owes 0: check 0",
        "4 pot 16 wagers 0 could wager, Dan owes 0: bet 5 to 5",
        "4 pot 21 wagers 1 could wager, Anna owes 5: call 5",
        "5 pot 26 wagers 0 could wager, Dan owes 0: bet 10 to 10",
        "5 pot 36 wagers 1 could wager, Anna owes 10: call 10",
        "6 pot 46 wagers 0 could wager, Dan owes 0: check 0",
        "6 pot 46 wagers 0 could wager, Anna owes 0: bet 10 to 10",
        "6 pot 56 wagers 1 could wager, Dan owes 10: raise 20 to 20",
        "6 pot 76 wagers 2 could wager, Anna owes 10: call 10",
        "7 pot 86 wagers 0 could wager, Dan owes 0: check 0",
        "7 pot 86 wagers 0 could wager, Anna owes 0: bet 10 to 10",
        "7 pot 96 wagers 1 could wager, Dan owes 10: call 10",
    ]


def test_nobody_could_wager_above_the_cap() -> None:
    assert decisions(clean(HANDS["capped"])) == [
        "3 pot 3 wagers 0 could wager, Ben owes 2: bring-in 2",
        "3 pot 5 wagers 0 could wager, Carla owes 2: complete 5 to 5",
        "3 pot 10 wagers 1 could wager, Anna owes 5: raise 10 to 10",
        "3 pot 20 wagers 2 could wager, Ben owes 8: fold 0",
        "3 pot 20 wagers 2 could wager, Carla owes 5: raise 10 to 15",
        "3 pot 30 wagers 3 could wager, Anna owes 5: raise 10 to 20",
        "3 pot 40 wagers 4 could not wager, Carla owes 5: call 5",
        "4 pot 45 wagers 0 could wager, Anna owes 0: bet 5 to 5",
        "4 pot 50 wagers 1 could wager, Carla owes 5: fold 0",
    ]


def test_all_ins_are_told_by_the_stacks() -> None:
    hand = clean(HANDS["side_pot"])
    assert decisions(hand) == [
        "3 pot 30 wagers 0 could wager, Ben owes 15: bring-in 15",
        "3 pot 45 wagers 0 could wager, Carla owes 15: complete 50 to 50 all-in",
        "3 pot 95 wagers 1 could wager, Anna owes 50: call 50",
        "3 pot 145 wagers 1 could wager, Ben owes 35: call 35",
        "4 pot 180 wagers 0 could wager, Anna owes 0: bet 50 to 50",
        "4 pot 230 wagers 1 could wager, Ben owes 50: raise 70 to 70 all-in",
        "4 pot 300 wagers 1 could not wager, Anna owes 20: call 20",
    ]
    assert [result.all_in for result in hand.results] == [False, True, True]
    assert [(pot.amount, sorted(pot.eligible)) for pot in hand.pots] == [
        (180, [1, 2, 3]),
        (140, [1, 2]),
    ]


def test_the_bring_in_player_who_bets_at_once_completes() -> None:
    text = HANDS["showdown"].replace("Ben: brings in for $0.02", "Ben: bets $0.05")
    text = text.replace("Dan: raises $0.03 to $0.05", "Dan: calls $0.05")
    text = text.replace("Ben: folds\n", "").replace("Total pot $1.06", "Total pot $1.09")
    hand = check(text).replayed
    assert hand
    assert decisions(hand)[0] == "3 pot 4 wagers 0 could wager, Ben owes 0: complete 5 to 5"
    assert hand.bring_in_seat == 2


def test_results_say_what_each_player_had_did_and_got() -> None:
    hand = clean(HANDS["showdown"])
    assert [(r.name, r.contributed, r.collected, r.net) for r in hand.results] == [
        ("Anna", 51, 101, 50),
        ("Ben", 3, 0, -3),
        ("Carla", 1, 0, -1),
        ("Dan", 51, 0, -51),
    ]
    assert [(r.last_street, r.folded, r.showdown, r.shown) for r in hand.results] == [
        (Street.SEVENTH, False, True, True),
        (Street.THIRD, True, False, False),
        (Street.THIRD, True, False, False),
        (Street.SEVENTH, False, True, False),
    ]
    assert (hand.pot, hand.rake, hand.bring_in_seat) == (106, 5, 2)
    assert hand.hero == result_of(hand, "Dan")
    assert [str(result.low) for result in hand.results] == [
        "9-8-6-3-A", "None", "None", "T-8-7-4-2",
    ]  # fmt: skip


def test_a_player_who_sits_out_has_no_result() -> None:
    assert "Emil" not in [result.name for result in clean(HANDS["showdown"]).results]


def test_cards_are_known_as_far_as_anybody_saw_them() -> None:
    hand = clean(HANDS["showdown"])
    ben, dan = result_of(hand, "Ben"), result_of(hand, "Dan")
    assert ben.cards == (None, None, Card.parse("Kd"))
    assert ben.up_cards == (ben.door_card,) == (Card.parse("Kd"),)
    assert dan.up_cards == tuple(map(Card.parse, ("7h", "2c", "4d", "8d")))
    assert dan.cards[:2] == (Card.parse("7s"), Card.parse("Ks"))


def test_a_mucked_hand_is_known_from_the_summary() -> None:
    text = HANDS["side_pot"].replace(
        "Anna: shows [Ad 9d 3s 6h 8c 8d Qc] (Lo: 9,8,6,3,A)", "Anna: mucks hand"
    )
    text = text.replace(
        "showed [Ad 9d 3s 6h 8c 8d Qc] and lost with Lo: 9,8,6,3,A",
        "mucked [Ad 9d 3s 6h 8c 8d Qc]",
    )
    anna = result_of(clean(text), "Anna")
    assert str(anna.low) == "9-8-6-3-A"
    assert anna.showdown
    assert not anna.shown
    unseen = result_of(clean(text.replace("mucked [Ad 9d 3s 6h 8c 8d Qc]", "mucked")), "Anna")
    assert unseen.low is None
    assert unseen.cards.count(None) == 3


# ---- broken hands


def test_the_replay_stops_at_the_first_broken_rule() -> None:
    text = (
        HANDS["showdown"]
        .replace("Anna: checks", "Anna: bets $0.10")
        .replace("Dan: checks", "Anna: checks")
    )
    checked = check(text)
    assert checked.codes == ["wager-off-size"]
    assert checked.replayed
    assert decisions(checked.replayed)[-1].startswith("3 pot 16")
    assert result_of(checked.replayed, "Ben").folded


def test_a_warning_does_not_stop_the_replay() -> None:
    text = HANDS["showdown"].replace("Anna: bets $0.10", "Anna: bets $0.10 and is all-in")
    checked = check(text)
    assert checked.codes == ["all-in-mismatch"] * 2
    assert checked.replayed
    assert checked.replayed.pot == 106


def test_the_evidence_for_a_wrong_bring_in_is_the_door_card() -> None:
    checked = check(HANDS["showdown"].replace("Ben: brings in", "Carla: brings in"))
    (label,) = checked.diagnostics[0].labels
    assert label.text == "the highest door card"
    assert checked.text.lines[label.span.line - 1] == "Dealt to Ben [Kd]"


def test_the_evidence_for_a_second_card_is_the_first_one() -> None:
    checked = check(HANDS["showdown"].replace("[3s 6h] [8c]", "[3s 6h] [Kc]"))
    (label,) = checked.diagnostics[0].labels
    assert checked.text.lines[label.span.line - 1] == "Dealt to Carla [Kc]"


def test_another_cap_makes_another_hand_legal() -> None:
    text = HANDS["capped"].replace("Betting is capped\n", "")
    parsed = parse_hand(hand_text(text)).value
    assert parsed
    three = RuleSet(name="three", title="Three", streets=RAZZ.streets, cap=3, cap_heads_up=3)
    assert [found.code.name for found in replay(parsed, three).diagnostics] == ["wager-above-cap"]
    assert not replay(parsed, RAZZ).diagnostics


# ---- hands as they come out of the rules


def assert_replays(hand: Playout, number: int) -> None:
    text = render(hand, number)
    found = clean(text)
    state = hand.state
    assert found.parsed.events == tuple(hand.events), text
    assert {r.seat: (r.contributed, r.collected) for r in found.results} == {
        seat: (state.contributed[seat], state.collected[seat]) for seat in state.seats
    }
    assert sum(result.net for result in found.results) == -found.rake == -hand.rake
    assert all(result.stack + result.net >= 0 for result in found.results)
    assert sum(pot.amount for pot in found.pots) == found.pot
    assert found.bring_in_seat == state.bring_in_seat
    for result in found.results:
        assert result.last_street == state.last_street[result.seat]
        assert result.folded == (result.seat in state.folded)
        if result.low:
            assert result.low == hand.lows()[result.seat]
    put_in = sum(event.amount for event in hand.events if isinstance(event, Ante))
    first = next(action for action in found.actions if action.kind in DECISIONS)
    assert first.pot == put_in


@pytest.mark.parametrize("deep", [True, False], ids=["deep stacks", "short stacks"])
def test_a_hand_played_by_the_rules_has_no_fault(deep: bool) -> None:
    for seed in range(150):
        hand = random_playout(seed, stakes=CASH if seed % 2 else CHIPS, deep=deep)
        if any(action for action in hand.events if type(action).__name__ in ("BringIn", "Wager")):
            assert_replays(hand, seed)


@pytest.mark.slow
@pytest.mark.parametrize("deep", [True, False], ids=["deep stacks", "short stacks"])
def test_thousands_of_hands_played_by_the_rules_have_no_fault(deep: bool) -> None:
    for seed in range(10_000, 13_000):
        hand = random_playout(seed, stakes=CASH if seed % 2 else CHIPS, deep=deep)
        if any(action for action in hand.events if type(action).__name__ in ("BringIn", "Wager")):
            assert_replays(hand, seed)


def test_a_hand_of_eight_to_the_river_shares_its_last_card() -> None:
    seeds = range(2_000)
    hand = next(hand for seed in seeds if (hand := random_playout(seed, players=8)).state.community)
    found = clean(render(hand))
    shown = [result for result in found.results if result.shown]
    assert found.community == hand.state.community
    assert all(len(result.cards) == 6 for result in shown)
    assert all(result.low == hand.lows()[result.seat] for result in shown)


def test_everybody_all_in_on_the_ante_is_a_hand() -> None:
    text = """
PokerStars Hand #104: Tournament #2010, $1 Razz Limit - Level IV (50/100) - 2012/05/23 17:26:52 ET
Table '2010 7' 8-max
Seat 1: Anna (10 in chips)
Seat 2: Ben (7 in chips)
Anna: posts the ante 10 and is all-in
Ben: posts the ante 7 and is all-in
*** 3rd STREET ***
Dealt to Anna [3s]
Dealt to Ben [Kd]
Uncalled bet (3) returned to Anna
*** 4th STREET ***
Dealt to Anna [3s] [6h]
Dealt to Ben [Kd] [Ah]
*** 5th STREET ***
Dealt to Anna [3s 6h] [8c]
Dealt to Ben [Kd Ah] [2c]
*** 6th STREET ***
Dealt to Anna [3s 6h 8c] [8d]
Dealt to Ben [Kd Ah 2c] [Td]
*** RIVER ***
*** SHOW DOWN ***
Anna: shows [Ad 9d 3s 6h 8c 8d Qc] (Lo: 9,8,6,3,A)
Ben: shows [4h 7h Kd Ah 2c Td 9c] (Lo: 9,7,4,2,A)
Ben collected 14 from pot
*** SUMMARY ***
Total pot 14 | Rake 0
Seat 1: Anna showed [Ad 9d 3s 6h 8c 8d Qc] and lost with Lo: 9,8,6,3,A
Seat 2: Ben showed [4h 7h Kd Ah 2c Td 9c] and won (14) with Lo: 9,7,4,2,A
"""
    hand = clean(text)
    assert decisions(hand) == []
    assert hand.bring_in_seat is None
    assert [result.net for result in hand.results] == [-7, 7]
    assert [result.all_in for result in hand.results] == [True, True]
    assert len([event for event in hand.parsed.events if isinstance(event, Deal)]) == 8
    assert hand.results[0].seat == Seat(1)


def test_nobody_has_brought_in_who_only_posted_an_ante() -> None:
    text = HANDS["showdown"].replace("Ben: brings in for $0.02", "Carla: checks")
    replayed = check(text).replayed
    assert replayed
    assert replayed.bring_in_seat is None


# ---- places


@pytest.mark.parametrize(("line", "column", "place"), [
    ("Ben: folds", 3, (6, 11)),
    ("Ben folds", 3, (5, 10)),
    ("Ben: folds  ", 3, (6, 11)),
    ("BenXfolds", 3, (4, 10)),
    ("Ben", 3, (1, 4)),
    ("Ben: ", 3, (1, 5)),
    ("*** RIVER ***", 0, (1, 14)),
    (": Ben: folds", 0, (1, 13)),
])  # fmt: skip
def test_a_place_is_what_the_line_says_of_the_player(
    line: str, column: int, place: tuple[int, int]
) -> None:
    span = place_behind_name(HandText("hand.txt", 7, ("first", line)), 1, column)
    assert (span.line, span.column, span.end_column) == (8, *place)


def test_a_place_behind_the_last_line_is_the_last_line() -> None:
    for line in (2, 9):
        span = place_behind_name(HandText("hand.txt", 7, ("first", "last")), line, 2)
        assert (span.line, span.column, span.end_column) == (8, 1, 1)


OTHERS = (Ante, ReturnedBet, Show, Muck, Collect)


def test_what_is_no_decision_is_an_action_too() -> None:
    """Antes, returns, shows, mucks and collections are there with who, what and how much."""
    for seed in range(20):
        playout = random_playout(seed)
        hand = check(render(playout)).replayed
        assert hand is not None
        kinds = {
            Ante: "ante",
            ReturnedBet: "return",
            Show: "show",
            Muck: "muck",
            Collect: "collect",
        }
        told = [
            (event.seat, kinds[type(event)], getattr(event, "amount", 0))
            for event in hand.parsed.events
            if isinstance(event, OTHERS)
        ]
        actions = [a for a in hand.actions if a.kind not in DECISIONS]
        assert [(action.seat, action.kind, action.amount) for action in actions] == told
        assert not any(action.to_call or action.could_wager for action in actions)


def test_who_was_never_dealt_a_card_reached_third_street_at_most() -> None:
    checked = check(
        HANDS["showdown"].replace("Dan: posts the ante $0.01", "Dan: posts the ante $3")
    )
    assert checked.codes == ["ante-off-size"]
    assert checked.replayed is not None
    assert {result.last_street for result in checked.replayed.results} == {Street.THIRD}


def test_every_action_knows_its_line() -> None:
    for seed in range(20):
        text = hand_text(render(random_playout(seed)))
        parsed = parse_hand(text).value
        assert parsed is not None
        hand = replay(parsed).value
        assert hand is not None
        acts = [e for e in parsed.events if hasattr(e, "seat") and not isinstance(e, Deal)]
        assert [action.line for action in hand.actions] == [event.line for event in acts]
