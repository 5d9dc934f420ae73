"""The rules of Razz, case by case: tests/rules/*.toml says who is next and what he may do."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from razzstats.cards import Card, format_cards, parse_cards
from razzstats.chips import PLAY_MONEY, Chips
from razzstats.diagnostics import Severity
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    ShowdownStart,
    Stakes,
    Street,
    StreetStart,
    Wager,
)
from razzstats.rules.actions import ActionKind
from razzstats.rules.betting import HandState
from razzstats.rules.checks import end_violations, violations
from razzstats.rules.pots import build_pots, winners
from razzstats.rules.ruleset import RAZZ, RULE_SETS, OpenerTie, RuleSet

FOLDER = Path(__file__).parent / "rules"
EXPECTED = {"to_act", "legal", "to_call", "wager_to", "over", "pot", "pots", "uncalled", "breaks",
            "ends_with", "wagers"}  # fmt: skip
SETTING = {"id", "source", "variant", "stakes", "stacks", "doors", "actions", "tries", "rules"}
STREETS = {"4th": Street.FOURTH, "5th": Street.FIFTH, "6th": Street.SIXTH, "7th": Street.SEVENTH}


def load_cases() -> list[dict[str, Any]]:
    cases = []
    for file in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", []):
            case["id"] = f"{file.stem}:{case['id']}"
            cases.append(case)
    return cases


CASES = load_cases()


# ---- a case becomes a table


class Table:
    """A hand in play, driven by the words of a case."""

    def __init__(self, case: dict[str, Any]) -> None:
        sizes = {"ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10} | case.get("stakes", {})
        self.stakes = Stakes(money=PLAY_MONEY, **{name: Chips(n) for name, n in sizes.items()})
        doors = {Seat(int(seat)): Card.parse(card) for seat, card in case["doors"].items()}
        stacks = {int(seat): stack for seat, stack in case.get("stacks", {}).items()}
        players = [
            SeatedPlayer(seat=seat, name=f"seat {seat}", stack=Chips(stacks.get(seat, 200)))
            for seat in doors
        ]
        self.state = HandState(_rules(case), self.stakes, players)
        self.told: list[str] = []
        for seat in self.state.seats:
            amount = min(self.stakes.ante, self.state.stacks[seat])
            self.do(Ante(seat=seat, amount=amount, all_in=amount == self.state.stacks[seat]))
        self.do(StreetStart(street=Street.THIRD))
        for seat, card in doors.items():
            self.do(Deal(seat=seat, up=(card,), down=(None, None)))

    def do(self, event: Event) -> None:
        """Apply an event that the rules must allow."""
        for found in violations(self.state, event):
            assert found.code.severity is not Severity.ERROR, f"{found.message}\n{self.view()}"
        self.state.apply(event)

    def act(self, words: str) -> None:
        """Do what a word of a case says: an action of the next player, or a whole street's deal."""
        self.told.append(words)
        street, *cards = words.split()
        if street in STREETS and not words.endswith("]"):
            self.do(StreetStart(street=STREETS[street]))
            for seat, card in zip(self.state.live_seats, cards, strict=bool(cards)):
                self.do(self.event(f"{seat} is dealt {card}"))
        else:
            self.do(self.event(words))

    def event(self, words: str) -> Event:
        """Return the event that the words tell, legal or not."""
        first, *rest = words.split()
        if first in STREETS:
            card = Card.parse(rest[0].strip("[]")) if rest else None
            return StreetStart(street=STREETS[first], community=card)
        if first == "showdown":
            return ShowdownStart()
        if first == "capped":
            return CapNotice()
        if not first.isdigit():
            return self._usual(ActionKind(first))
        return self._told(Seat(int(first)), rest)

    def _usual(self, kind: ActionKind) -> Event:
        legal, seat = self.state.legal(), self.state.to_act[0]
        assert kind in legal.kinds, f"{kind} is not legal: {sorted(legal.kinds)}\n{self.view()}"
        verb = {ActionKind.BRING_IN: "brings in", ActionKind.CALL: "calls"}.get(kind)
        if kind in (ActionKind.FOLD, ActionKind.CHECK):
            return self._told(seat, [f"{kind}s"])
        if verb:
            return self._told(seat, [*verb.split(), str(legal.to_call)])
        verb = "raises to" if self.state.level else "bets"
        return self._told(seat, [*verb.split(), str(legal.wager_to[0])])

    def _told(self, seat: Seat, words: list[str]) -> Event:
        verb, amount = words[0], Chips(int(words[-1]) if words[-1].isdigit() else 0)
        on_street, stack = self.state.street_bets[seat], self.state.stacks[seat]
        match verb:
            case "brings":
                return BringIn(seat=seat, amount=amount, all_in=amount == stack)
            case "calls":
                return Call(seat=seat, amount=amount, all_in=amount == stack)
            case "bets" | "raises":
                by = Chips(amount - self.state.level) if verb == "raises" else None
                if words[1:2] == ["by"]:  # "raises by 5 to 10"
                    by = Chips(int(words[2]))
                return Wager(
                    seat=seat, to=amount, by=by, verb=verb, all_in=amount - on_street == stack
                )
            case "folds":
                return Fold(seat=seat)
            case "checks":
                return Check(seat=seat)
            case "mucks":
                return Muck(seat=seat)
            case "is":  # "is dealt 2c 3d"
                return self._deal(seat, parse_cards(" ".join(words[2:])))
            case "shows":
                return Show(seat=seat, cards=parse_cards(" ".join(words[1:])))
            case "gets":  # "gets back 5"
                return ReturnedBet(seat=seat, amount=amount)
            case "collects":
                return Collect(seat=seat, amount=amount)
            case "posts":
                return Ante(seat=seat, amount=amount, all_in=amount == stack)
        raise AssertionError(words)

    def _deal(self, seat: Seat, cards: tuple[Card, ...]) -> Deal:
        seen = tuple(card for card in self.state.cards[seat] if card is not None)
        if self.state.street is Street.SEVENTH:
            return Deal(seat=seat, down=cards, seen=seen)
        return Deal(seat=seat, up=cards, seen=seen)

    def view(self) -> str:
        """Return the table as a player would see it."""
        state = self.state
        street = state.street.title if state.street else "before the deal"
        lines = [f"{street}, pot {state.pot}, {state.wagers} wagers, after {self.told}"]
        for seat in state.seats:
            notes = [f"stack {state.stacks[seat]}", f"bet {state.street_bets[seat]}"]
            notes += ["folded"] * (seat in state.folded)
            notes += ["to act"] * (seat in state.to_act[:1])
            cards = format_cards(state.cards[seat])
            lines.append(f"  seat {seat}  {cards:20}  {', '.join(notes)}")
        return "\n".join(lines)


def _rules(case: dict[str, Any]) -> RuleSet:
    variant = RULE_SETS[case.get("variant", "razz")]
    fields = {name: getattr(variant, name) for name in variant.__slots__}
    for name, value in case.get("rules", {}).items():
        if value == "no cap":
            value = None
        elif name == "opener_tie":
            value = OpenerTie(value)
        fields[name] = tuple(value) if isinstance(value, list) else value
    return RuleSet(**fields)


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
        case "ends_with":
            return next((found.code.name for found in end_violations(state)), "no violation")
    raise AssertionError(name)


# ---- counting the tree


def _leaves(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield every way in which the betting on this street can go."""
    if table.state.betting_is_over:
        yield tuple(table.told)
        return
    for kind in sorted(table.state.legal().kinds):
        branch = copy.deepcopy(table)
        branch.act(kind)
        yield from _leaves(branch)


@pytest.mark.parametrize(("doors", "number"), [
    ({"1": "Kh", "2": "2c"}, 18),
    ({"1": "Kh", "2": "2c", "3": "3c"}, 258),
])  # fmt: skip
def test_third_street_can_go_as_many_ways_as_counted(doors: dict[str, str], number: int) -> None:
    # 18 by hand: 8 from a completion at once, and bring-in then fold 1, call 1, completion 8.
    # Both numbers come out of PokerKit 0.7.7 too.
    ways = list(_leaves(Table({"doors": doors})))
    assert len(ways) == len(set(ways)) == number


def test_fourth_street_heads_up_can_go_as_many_ways_as_counted() -> None:
    # A bet can be folded to, called or raised, three raises: 8 ways. After a check as many again,
    # and both may check. Whoever may check may fold, too: one more way for each of the two.
    table = Table({"doors": {"1": "Kh", "2": "2c"}})
    for words in ("bring-in", "call", "4th 3d 4d"):
        table.act(words)
    assert len(list(_leaves(table))) == 8 + 8 + 1 + 2


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
