"""Hands of a World Series event, told in PHH: the rules let them pass, and the chips add up."""

import tomllib
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hands import corpus_folder
from pokerkit import HandHistory

from razzstats.cards import Card, parse_cards
from razzstats.chips import PLAY_MONEY, Chips
from razzstats.diagnostics import Severity
from razzstats.events import (
    Ante,
    BringIn,
    Call,
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
from razzstats.pots import award, build_pots
from razzstats.rules.betting import HandState
from razzstats.rules.checks import end_violations, violations
from razzstats.rules.ruleset import RAZZ

HANDS = 6


def cards_of(text: str) -> tuple[Card, ...]:
    """Return cards as PHH writes them, without blanks."""
    return parse_cards(" ".join(map("".join, zip(text[::2], text[1::2], strict=True))))


class Dealt(NamedTuple):
    """One round of cards of a PHH file, and what was done after it."""

    cards: dict[Seat, tuple[Card, ...]]
    actions: list[tuple[Seat, list[str]]]


class History:
    """A hand of a PHH file on its way through the rules."""

    def __init__(self, file: Path) -> None:
        self.text = file.read_text(encoding="utf-8")
        self.told: dict[str, Any] = tomllib.loads(self.text)
        self.number: int = self.told["hand"]
        self.begin: list[int] = self.told["starting_stacks"]
        (ante,) = set(self.told["antes"])
        sizes = {name: Chips(self.told[name]) for name in ("bring_in", "small_bet", "big_bet")}
        stakes = Stakes(money=PLAY_MONEY, ante=Chips(ante), **sizes)
        players = [
            SeatedPlayer(seat=Seat(number), name=f"p{number}", stack=Chips(stack))
            for number, stack in enumerate(self.begin, start=1)
        ]
        self.state = HandState(RAZZ, stakes, players)
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in self.state.seats}
        self.notes: list[str] = []
        self.events: list[Event] = []

    def do(self, event: Event) -> None:
        for found in violations(self.state, event):
            assert found.code.severity is not Severity.ERROR, (self.number, found, event)
            self.notes.append(found.code.name)
        self.events.append(event)
        self.state.apply(event)

    # ---- the file in pieces

    def rounds(self) -> Iterator[Dealt]:
        """Yield the streets: cards for everybody who is left, then actions."""
        cards: dict[Seat, tuple[Card, ...]] = {}
        actions: list[tuple[Seat, list[str]]] = []
        for line in self.told["actions"]:
            who, *words = line.split()
            if who == "d":
                if actions:
                    yield Dealt(cards, actions)
                    cards, actions = {}, []
                seat = Seat(int(words[1][1:]))
                cards[seat] = cards.get(seat, ()) + cards_of(words[2])
            else:
                actions.append((Seat(int(who[1:])), words))
        yield Dealt(cards, actions)

    # ---- the hand

    def run(self) -> "History":
        state = self.state
        for seat in state.seats:
            amount = min(state.stakes.ante, state.stacks[seat])
            self.do(Ante(seat=seat, amount=amount, all_in=amount == state.stacks[seat]))
        for street, dealt in zip(Street, self.rounds(), strict=False):
            self.deal(street, dealt.cards)
            shows = [(seat, words) for seat, words in dealt.actions if words[0] == "sm"]
            for seat, words in dealt.actions:
                if words[0] != "sm":
                    self.do(self.action(seat, words))
            if (uncalled := state.uncalled()) is not None:
                self.do(ReturnedBet(seat=uncalled[0], amount=uncalled[1]))
            if shows:
                self.do(ShowdownStart())
            for seat, words in shows:
                cards = tuple(self.hands[seat])
                told = cards_of(words[1]) if words[1:] else None
                assert told in (cards, None)
                self.do(Show(seat=seat, cards=cards) if told else Muck(seat=seat))
        self.pay_out()
        assert not list(end_violations(state))
        return self

    def deal(self, street: Street, cards: dict[Seat, tuple[Card, ...]]) -> None:
        assert sorted(cards) == self.state.live_seats
        self.do(StreetStart(street=street))
        for seat, new in cards.items():
            seen, down = tuple(self.hands[seat]), new[: self.state.rules.rule(street).down_cards]
            self.do(Deal(seat=seat, down=down, up=new[len(down) :], seen=seen))
            self.hands[seat].extend(new)

    def action(self, seat: Seat, words: list[str]) -> Event:
        state = self.state
        legal = state.legal()
        assert seat == state.to_act[0] or seat in state.tied_openers
        on_street, stack = state.street_bets[seat], state.stacks[seat]
        match words:
            case ["f"]:
                return Fold(seat=seat)
            case ["cc"] if not legal.to_call:
                return Check(seat=seat)
            case ["cc"]:
                return Call(seat=seat, amount=legal.to_call, all_in=legal.to_call == stack)
            case ["pb"]:
                return BringIn(seat=seat, amount=legal.to_call, all_in=legal.to_call == stack)
            case ["cbr", amount]:
                to, level = Chips(int(amount)), state.level
                return Wager(
                    seat=seat,
                    to=to,
                    by=Chips(to - level) if level else None,
                    verb="raises" if level else "bets",
                    all_in=to - on_street == stack,
                )
        raise AssertionError(words)

    def pay_out(self) -> None:
        state = self.state
        pots = build_pots(state.contributed, state.folded)
        lows = {seat: RAZZ.low_of(self.hands[seat]) for seat in state.live_seats}
        for number, pot in enumerate(pots):
            for seat, amount in award(pot, lows).items():
                which = number if len(pots) > 1 else None
                self.do(Collect(seat=seat, amount=amount, pot=which))

    @property
    def end(self) -> list[int]:
        return [self.state.stacks[s] + self.state.collected[s] for s in self.state.seats]

    @property
    def payoffs(self) -> list[int]:
        return [end - begin for begin, end in zip(self.begin, self.end, strict=True)]


@pytest.fixture(scope="module")
def histories() -> list[History]:
    """Return the hands by number, each played through the rules."""
    files = sorted(corpus_folder("phh").glob("*.phh"))
    return sorted((History(file).run() for file in files), key=lambda history: history.number)


def test_the_rules_let_every_hand_pass(histories: list[History]) -> None:
    assert len(histories) == HANDS
    for history in histories:
        assert set(history.notes) <= {"tied-opener"}, (history.number, history.notes)
        assert history.state.is_over


def test_every_action_of_the_files_was_played(histories: list[History]) -> None:
    played = (BringIn, Fold, Check, Call, Wager, Show, Muck)
    for history in histories:
        told = [line for line in history.told["actions"] if not line.startswith("d ")]
        assert sum(isinstance(event, played) for event in history.events) == len(told)
        cards = [line.split()[3] for line in history.told["actions"] if line.startswith("d ")]
        assert sorted(map(str, history.state.seen)) == sorted(cards)


def test_the_next_hand_begins_with_the_stacks_of_the_last(histories: list[History]) -> None:
    followed = 0
    for before, after in pairwise(histories):
        if after.number == before.number + 1:
            assert before.end == after.begin, after.number
            followed += 1
    assert followed == HANDS - 1


def test_no_chip_comes_or_goes(histories: list[History]) -> None:
    for history in histories:
        assert sum(history.payoffs) == 0
        assert min(history.end) >= 0


def test_pokerkit_pays_out_alike(histories: list[History]) -> None:
    for history in histories:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, last = HandHistory.loads(history.text)
        assert list(last.payoffs) == history.payoffs, history.number
        assert list(last.stacks) == history.end, history.number
