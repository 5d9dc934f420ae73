"""Random legal hands in PHH, as different people write it: on one line or many, quoted this or
that way, cards one by one or together, with winnings, stacks or neither."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from playouts import Playout

from razzstats.cards import Card
from razzstats.events import (
    BringIn,
    Call,
    Check,
    Event,
    Fold,
    Muck,
    Seat,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)


@dataclass
class Rendering:
    """One hand on its way to its text; `habits` chooses what the format leaves open."""

    hand: Playout
    habits: random.Random
    number: int = 1
    names: Mapping[Seat, str] = field(default_factory=dict)
    showdown: bool = False

    def __post_init__(self) -> None:
        self.seats = [player.seat for player in self.hand.players]
        self.label = {seat: f"p{number}" for number, seat in enumerate(self.seats, 1)}
        self.live = list(self.seats)
        self.all_cards_known = self.habits.random() < 0.4
        self.one_by_one = self.habits.random() < 0.3
        self.quote = self.habits.choice("'\"")

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"

    def lines(self) -> Iterator[str]:
        stakes = self.hand.stakes
        yield f"variant = {self.quote}FR{self.quote}"
        if self.habits.random() < 0.5:
            yield "ante_trimming_status = true"
        yield f"antes = {self._list(stakes.ante for _ in self.seats)}"
        yield f"bring_in = {self._money(stakes.bring_in)}"
        yield f"small_bet = {self._money(stakes.small_bet)}"
        yield f"big_bet = {self._money(stakes.big_bet)}"
        yield f"starting_stacks = {self._list(player.stack for player in self.hand.players)}"
        yield from self._written_actions()
        if stakes.money.currency == "USD":
            yield self.habits.choice(["currency = 'USD'", "currency_symbol = '$'"])
        yield f"hand = {self.number}"
        yield f"seats = {self.seats}"
        names = [self.names.get(player.seat, player.name) for player in self.hand.players]
        if self.names or self.habits.random() < 0.5:
            yield f"players = [{', '.join(map(quoted, names))}]"
        if self.hand.hero:
            yield f"_hero = {self.hand.hero}"
        yield from self._end()

    def _end(self) -> Iterator[str]:
        state = self.hand.state
        kinds = ["winnings", "finishing_stacks", "both"] + ["neither"] * (not self.hand.rake)
        kind = self.habits.choice(kinds)
        if kind in ("winnings", "both"):
            yield f"winnings = {self._list(state.collected[seat] for seat in self.seats)}"
        if kind in ("finishing_stacks", "both"):
            left = (state.stacks[seat] + state.collected[seat] for seat in self.seats)
            yield f"finishing_stacks = {self._list(left)}"

    def _money(self, amount: int) -> str:
        if not self.hand.stakes.money.decimals:
            return str(amount)
        whole, cents = divmod(amount, 100)
        if not cents and self.habits.random() < 0.5:
            return str(whole)
        return f"{whole}.{cents:02}" if cents % 10 or self.habits.random() < 0.5 else (
            f"{whole}.{cents // 10}"
        )  # fmt: skip

    def _list(self, amounts: Iterator[int]) -> str:
        return f"[{', '.join(map(self._money, amounts))}]"

    # ---- the actions

    def _written_actions(self) -> Iterator[str]:
        actions = [action for event in self.hand.events for action in self._actions(event)]
        written = [f"{self.quote}{action}{self.quote}" for action in actions]
        if self.habits.random() < 0.5:
            yield f"actions = [{', '.join(written)}]"
            return
        yield "actions = ["
        yield "  # what happened"
        yield from (f"  {action}," for action in written)
        yield "]"

    def _actions(self, event: Event) -> Iterator[str]:
        remark = " # he thinks for long" if self.habits.random() < 0.1 else ""
        match event:
            case StreetStart():
                yield from self._deals(event)
            case BringIn():
                yield f"{self.label[event.seat]} pb{remark}"
            case Fold():
                self.live.remove(event.seat)
                yield f"{self.label[event.seat]} f{remark}"
            case Check() | Call():
                yield f"{self.label[event.seat]} cc{remark}"
            case Wager():
                yield f"{self.label[event.seat]} cbr {self._money(event.to)}{remark}"
            case ShowdownStart():
                self.showdown = True
            case Show():
                cards = "".join(map(str, event.cards))
                dash = self._knows(event.seat) and self.habits.random() < 0.3
                yield f"{self.label[event.seat]} sm {'-' if dash else cards}{remark}"
            case Muck() if self.showdown:
                yield f"{self.label[event.seat]} sm{remark}"
            case _:
                pass

    def _knows(self, seat: Seat) -> bool:
        return self.all_cards_known or seat == self.hand.hero

    def _deals(self, event: StreetStart) -> Iterator[str]:
        if event.community:
            yield f"d db {event.community}"
            return
        first = 0 if event.street is Street.THIRD else event.street - 1
        dealt = {seat: self._seen(seat, range(first, event.street)) for seat in self.live}
        if self.one_by_one:
            for place in range(event.street - first):
                yield from (f"d dh {self.label[s]} {cards[place]}" for s, cards in dealt.items())
        else:
            yield from (f"d dh {self.label[s]} {''.join(cards)}" for s, cards in dealt.items())

    def _seen(self, seat: Seat, places: range) -> list[str]:
        cards: list[Card] = self.hand.hands[seat]
        return [
            str(cards[place]) if 2 <= place < 6 or self._knows(seat) else "??" for place in places
        ]


def quoted(text: str) -> str:
    """Return a text as a TOML string, with nothing but ASCII in it."""
    return '"' + "".join(f"\\U{ord(sign):08x}" for sign in text) + '"'
