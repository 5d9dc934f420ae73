"""The rules of Razz, case by case: tests/rules/*.toml says who is next and what he may do."""

from typing import Any

import pytest
from tables import CASES, EXPECTED, SETTING, SPLITS, Table

from razzstats.cards import parse_cards
from razzstats.chips import Chips
from razzstats.events import (
    Seat,
    Street,
    StreetStart,
)
from razzstats.rules.checks import end_violations, violations
from razzstats.rules.pots import Pot, award, build_pots, odd_chip_order, winners
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
            return next(violations(state, StreetStart(street=Street.THIRD))).code.name
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
    assert next(end_violations(table.state), None) is None
