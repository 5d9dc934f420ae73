"""The rules of Razz, case by case: tests/rules/*.toml says who is next and what he may do."""

from typing import Any

import pytest
from tables import CASES, EXPECTED, SETTING, SPLITS, Table

from razzstats.cards import Card, parse_cards
from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import (
    BringIn,
    Call,
    Check,
    Deal,
    Fold,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    ShowdownStart,
    Street,
    StreetStart,
)
from razzstats.pots import Pot, award, build_pots, winners
from razzstats.rules.betting import HandState
from razzstats.rules.checks import end_violations, violations
from razzstats.rules.odd_chips import odd_chip_order
from razzstats.rules.ruleset import RAZZ, OddChip

# ---- the conformance cases


def test_every_case_names_its_source_and_asks_something() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    for case in CASES:
        assert case.get("source"), case["id"]
        assert case.keys() & EXPECTED, case["id"]
        assert case.keys() <= EXPECTED | SETTING, case["id"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_table_stands_as_the_rules_say(case: dict[str, Any]) -> None:
    table = Table(case)
    for words in case.get("actions", []):
        table.act(words)
    found = {name: _found(table, case, name) for name in EXPECTED if name in case}
    expected = {name: case[name] for name in found}
    if "legal" in expected:
        expected["legal"] = sorted(expected["legal"])
    assert found == expected, f"{case['source']}\n{table.view()}"


def _found(table: Table, case: dict[str, Any], name: str) -> Any:
    state = table.state
    match name:
        case "to_act":
            tied = list(dict.fromkeys(state.tied_openers))
            return tied if len(tied) > 1 else state.to_act[0] if state.to_act else "nobody"
        case "legal":
            return sorted(state.legal().kinds)
        case "to_call":
            return state.legal().to_call
        case "wager_to":
            return list(state.legal().wager_to)
        case "over":
            return state.is_over if state.betting_is_over else "the betting goes on"
        case "wagers":
            return state.wagers
        case "pot":
            return state.pot
        case "pots":
            pots = build_pots(state.contributed, state.folded)
            return [[pot.amount, *sorted(pot.eligible)] for pot in pots]
        case "uncalled":
            return list(state.uncalled() or [])
        case "breaks":
            broken = violations(state, table.event(case["tries"]))
            return next((found.code.name for found in broken), "no rule")
        case "refused":
            (found, *_) = violations(state, StreetStart(street=Street.THIRD))
            return found.code.name
        case "hidden":
            return {str(seat): cards.count(None) for seat, cards in state.cards.items()}
        case "ends_with":
            return next((found.code.name for found in end_violations(state)), "no violation")
    raise AssertionError(name)


# ---- split pots


@pytest.mark.parametrize("case", SPLITS, ids=lambda case: case["id"])
def test_odd_chips_go_to_whom_the_rules_name(case: dict[str, Any]) -> None:
    hands = {Seat(int(seat)): parse_cards(cards) for seat, cards in case["hands"].items()}
    order = odd_chip_order(OddChip(case["odd_chip"]), hands)
    lows = {seat: RAZZ.best_hand(cards) for seat, cards in hands.items()}
    shares = award(Pot(Chips(case["pot"]), frozenset(hands)), lows, order)
    assert {str(seat): amount for seat, amount in shares.items()} == case["shares"], case["source"]


# ---- the worked example of the rule texts


def test_the_worked_example_of_the_rule_texts() -> None:
    anna, ben, carla, dan = "1", "2", "3", "4"
    table = Table({"doors": {anna: "3s", ben: "Kd", carla: "Kc", dan: "7h"}})
    assert table.state.pot == 4
    assert table.state.to_act == [2]  # the king of diamonds over the king of clubs
    for words in ("bring-in", "3 folds", "complete", "call", "2 folds"):
        table.act(words)
    assert table.state.pot == 4 + 2 + 5 + 5
    table.act("4th 6h 2c")
    assert table.state.to_act[0] == 1  # 6-3 before 7-2
    for words in ("check", "check", "5th 8c 4d", "4 checks", "check"):
        table.act(words)
    for words in ("6th 9s Ks", "check", "check", "7th", "check", "check", "showdown"):
        table.act(words)
    table.act("1 shows Ad 9d 3s 6h 8c 9s Qc")
    table.act("4 shows Th 7s 7h 2c 4d Ks 8d")
    lows = {
        seat: RAZZ.best_hand(card for card in table.state.cards[seat] if card)
        for seat in table.state.live_seats
    }
    assert [str(low) for low in lows.values()] == ["9-8-6-3-A", "T-8-7-4-2"]
    (pot,) = build_pots(table.state.contributed, table.state.folded)
    assert winners(pot, lows) == (1,)
    table.act("1 collects 16")
    assert not list(end_violations(table.state))


# ---- states that no text of words leads to


def fresh_state(*doors: str) -> HandState:
    """Return a hand in which the antes are posted and nothing is dealt."""
    seats = {str(seat): door for seat, door in enumerate(doors, 1)}
    return Table({"doors": seats, "refused": ""}).state


def test_a_hand_without_third_street_is_not_over() -> None:
    (found,) = end_violations(fresh_state("Kh", "2c"))
    assert found.code is codes.STREET_OUT_OF_ORDER
    assert found.message == "the hand ends before third street"


def test_there_is_no_showdown_with_one_player_left() -> None:
    table = Table({"doors": {"1": "Kh", "2": "2c"}})
    for words in ("bring-in", "fold", "1 gets back 2"):
        table.act(words)
    table.state.apply(ShowdownStart())
    (found,) = end_violations(table.state)
    assert found.code is codes.MISSING_SHOWDOWN
    assert found.message == "there is a showdown, but only one player is left"


@pytest.mark.parametrize(("cards", "told"), [
    ("As 2s Kh Qd Jd Td ??", True),
    ("As ?? Kh Qd Jd Td ??", False),
    ("?? ?? Kh Qd Jd Td ??", False),
    ("As 2s Kh Qd Jd ?? ??", False),
    ("As 2s Kh Qd Jd Td 9d", False),
])  # fmt: skip
def test_whose_hole_cards_are_known_has_a_known_seventh_card(cards: str, told: bool) -> None:
    table = Table({"doors": {"1": "Kh", "2": "2c"}})
    checks = ("check", "check")
    for words in ("bring-in", "call", "4th Qd 3d", *checks, "5th Jd 4d", *checks, "6th Td 5d",
                  *checks, "7th", *checks, "showdown", "1 mucks", "2 mucks"):  # fmt: skip
        table.act(words)
    table.state.cards[Seat(1)][:] = [
        None if card == "??" else Card.parse(card) for card in cards.split()
    ]
    assert [found.code for found in end_violations(table.state)] == [codes.WRONG_CARD_COUNT] * told


def test_a_seventh_card_that_is_dealt_face_down_for_good_need_not_be_known() -> None:
    table = Table({"doors": {"1": "Kh", "2": "2c"}})
    checks = ("check", "check")
    for words in ("bring-in", "call", "4th Qd 3d", *checks, "5th Jd 4d", *checks, "6th Td 5d",
                  *checks, "7th"):  # fmt: skip
        table.act(words)
    table.do(Deal(seat=Seat(2), down=(None,), seen=parse_cards("2c 3d 4d 5d")))
    for words in (*checks, "showdown", "1 mucks", "2 mucks"):
        table.act(words)
    known = [*parse_cards("As 2s Qh Qd Jd Td"), None]
    table.state.cards[Seat(2)][:] = known
    assert not list(end_violations(table.state))
    table.state.cards[Seat(1)][:] = known
    assert [found.code for found in end_violations(table.state)] == [codes.WRONG_CARD_COUNT]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_whoever_opens_unseen_boards_is_believed(seat: int) -> None:
    state = fresh_state("Kh", "2c", "3c")
    state.apply(StreetStart(street=Street.THIRD))
    for other in state.seats:
        state.apply(Deal(seat=other, up=(None,), down=(None, None)))
    assert state.bring_in_due
    bring_in = BringIn(seat=Seat(seat), amount=Chips(2))
    assert not list(violations(state, bring_in))
    state.apply(bring_in)
    assert state.bring_in_seat == seat
    assert state.to_act == [*range(seat + 1, 4), *range(1, seat)]
    out_of_turn = Call(seat=Seat(state.to_act[1]), amount=Chips(2))
    assert [found.code for found in violations(state, out_of_turn)] == [codes.ACTION_OUT_OF_TURN]
    for other in list(state.to_act):
        state.apply(Call(seat=other, amount=Chips(2)))
    state.apply(StreetStart(street=Street.FOURTH))
    for other in state.seats:
        state.apply(Deal(seat=other, up=(None,)))
    assert not list(violations(state, Check(seat=Seat(seat))))


def test_nobody_folds_or_checks_an_unseen_bring_in() -> None:
    state = fresh_state("Kh", "2c")
    state.apply(StreetStart(street=Street.THIRD))
    for other in state.seats:
        state.apply(Deal(seat=other, up=(None,), down=(None, None)))
    for event in (Fold(seat=Seat(1)), Check(seat=Seat(2))):
        assert [found.code for found in violations(state, event)] == [codes.MISSING_ACTION]


def test_the_rest_of_an_ante_goes_back_before_the_deal() -> None:
    case = {"doors": {"1": "Kh", "2": "2c"}, "stacks": {"2": 1}, "stakes": {"ante": 2}}
    state = Table(case | {"refused": ""}).state
    back = ReturnedBet(seat=Seat(1), amount=Chips(1))
    assert not list(violations(state, back))
    players = [SeatedPlayer(seat=Seat(n), name=f"seat {n}", stack=Chips(9)) for n in (1, 2)]
    before_the_antes = HandState(RAZZ, state.stakes, players)
    assert [found.code for found in violations(before_the_antes, back)] == [
        codes.STREET_OUT_OF_ORDER, codes.RETURNED_BET_MISMATCH,
    ]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), [
    ("1 folds", "seat 1 folds before third street"),
    ("1 checks", "seat 1 checks before third street"),
    ("1 calls 2", "seat 1 calls before third street"),
    ("1 bets 5", "seat 1 bets before third street"),
    ("1 brings in for 2", "seat 1 brings in before third street"),
    ("1 is dealt 3d", "seat 1 is dealt cards before third street"),
    ("1 shows 3d", "seat 1 shows before third street"),
    ("1 mucks", "seat 1 mucks before third street"),
    ("1 collects 2", "seat 1 collects before third street"),
    ("showdown", "the showdown begins before third street"),
    ("4th", "fourth street begins before third street"),
])  # fmt: skip
def test_nothing_happens_before_third_street(words: str, told: str) -> None:
    table = Table({"doors": {"1": "Kh", "2": "2c"}, "refused": ""})
    (found, *_) = violations(table.state, table.event(words))
    assert (found.code, found.message) == (codes.STREET_OUT_OF_ORDER, told)


def test_nobody_is_to_act_when_all_have_folded() -> None:
    table = Table({"doors": {"1": "Kh", "2": "2c"}})
    table.act("bring-in")
    table.act("fold")
    assert table.state.to_act == []
