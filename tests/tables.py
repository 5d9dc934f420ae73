"""The conformance cases of tests/rules/*.toml, and a table in play that follows their words."""

import tomllib
from pathlib import Path
from typing import Any

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
from razzstats.rules.checks import violations
from razzstats.rules.ruleset import RULE_SETS, OddChip, OpenerTie, RuleSet, SharedRiverOpener

FOLDER = Path(__file__).parent / "rules"
EXPECTED = {"to_act", "legal", "to_call", "wager_to", "over", "pot", "pots", "uncalled", "breaks",
            "ends_with", "wagers", "refused", "hidden"}  # fmt: skip
SETTING = {"id", "source", "variant", "stakes", "stacks", "doors", "actions", "tries", "rules"}
STREETS = {"4th": Street.FOURTH, "5th": Street.FIFTH, "6th": Street.SIXTH, "7th": Street.SEVENTH}
OPEN_POINTS = {"opener_tie": OpenerTie, "shared_river_opener": SharedRiverOpener,
               "odd_chip": OddChip}  # fmt: skip


def load_cases() -> list[dict[str, Any]]:
    cases = []
    for file in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", []):
            case["id"] = f"{file.stem}:{case['id']}"
            cases.append(case)
    return cases


CASES = load_cases()
SPLITS = tomllib.loads((FOLDER / "splits.toml").read_text(encoding="utf-8"))["split"]


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
        if "refused" in case:
            return
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
        elif name in OPEN_POINTS:
            value = OPEN_POINTS[name](value)
        fields[name] = tuple(value) if isinstance(value, list) else value
    return RuleSet(**fields)
