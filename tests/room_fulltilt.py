"""The text of a random hand as Full Tilt would write it.

Where nobody can bet any more the room turns up all hands at once, deals the rest face up and says
nothing of a showdown; this text does so too.
"""

import re
from collections.abc import Iterator

from playouts import Playout

from razzstats.cards import Card, format_cards
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
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowHand, LowKind
from razzstats.rules.betting import HandState
from razzstats.rules.ruleset import RAZZ

NAMES = {
    1: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
    9: "nine", 10: "ten", 11: "jack", 12: "queen", 13: "king",
}  # fmt: skip
STREETS = {
    Street.THIRD: "3RD", Street.FOURTH: "4TH", Street.FIFTH: "5TH", Street.SIXTH: "6TH",
    Street.SEVENTH: "7TH",
}  # fmt: skip


def render(hand: Playout, number: int = 1) -> str:
    """Return the hand as Full Tilt writes it."""
    return "\n".join(_Text(hand).lines(number)) + "\n"


def is_shown_early(hand: Playout) -> bool:
    """Return whether the hands are turned up before seventh street."""
    text = _Text(hand)
    list(text.lines(1))
    return text.face_up


def low_words(low: LowHand) -> str:
    """Return a low in the room's words: ``8,6,4,3,2``, ``a pair of Sevens``."""
    if low.kind is LowKind.UNPAIRED:
        return ",".join(rank.symbol for rank in low.ranks)
    first, *rest = [_plural(rank) for rank in dict.fromkeys(low.ranks)]
    return {
        LowKind.PAIR: f"a pair of {first}",
        LowKind.TWO_PAIR: f"two pair, {first} and {(rest or [first])[0]}",
        LowKind.TRIPS: f"three of a kind, {first}",
        LowKind.FULL_HOUSE: f"a full house, {first} full of {(rest or [first])[0]}",
    }[low.kind]


def _plural(rank: int) -> str:
    name = NAMES[rank]
    return name.capitalize() + ("es" if name == "six" else "s")


class _Text:
    """Walks along the events with a state of its own, which tells when nobody can bet."""

    def __init__(self, hand: Playout) -> None:
        self.hand = hand
        self.state = HandState(RAZZ, hand.stakes, hand.players)
        self.face_up = False

    def lines(self, number: int) -> Iterator[str]:
        hand, money = self.hand, self._money
        stakes = f"{money(hand.stakes.small_bet)}/{money(hand.stakes.big_bet)}"
        ante = money(hand.stakes.ante)
        yield (
            f"Full Tilt Poker Game #{number}: Table Alpha - {stakes} Ante {ante} - Limit Razz - "
            "17:24:52 ET - 2012/05/23"
        )
        for player in hand.players:
            yield f"Seat {player.seat}: {player.name} ({money(player.stack)})"
        for event in _in_the_rooms_order(hand.events):
            yield from self._event(event)
            self.state.apply(event)
            if not self.face_up and self._nothing_is_left_to_bet():
                self.face_up = True
                for seat in self.state.live_seats:
                    yield f"{self._name(seat)} shows [{format_cards(self._held(seat))}]"
        yield from self._summary()

    # ---- the events

    def _event(self, event: Event) -> Iterator[str]:
        match event:
            case StreetStart():
                yield from self._street(event)
            case Deal():
                if self.state.street is not Street.SEVENTH or not self.face_up:
                    yield self._deal(event)
                if self.state.street is Street.THIRD and len(self.state.undealt) == 1:
                    yield self._high_card(event)
            case ShowdownStart():
                if not self.face_up:
                    yield "*** SHOW DOWN ***"
            case Show() | Muck():
                yield self._reveal(event.seat, shows=isinstance(event, Show))
            case Collect():
                yield self._collect(event)
            case _:
                yield self._bet(event)

    def _street(self, event: StreetStart) -> Iterator[str]:
        board = f" [{event.community}]" if event.community else ""
        live = len(self.state.live_seats)
        without_chips = sum(not self.state.stacks[seat] for seat in self.state.live_seats)
        all_in = f", {without_chips} All-In" if without_chips else ""
        pot = f"(Total Pot: {self._money(self.state.pot)}, {live} Players{all_in})"
        yield f"*** {STREETS[event.street]} STREET ***{board} {pot}"
        if event.street is Street.SEVENTH and self.face_up and not event.community:
            for seat in self.state.live_seats:
                *held, last = self.hand.hands[seat]
                yield f"Dealt to {self._name(seat)} [{format_cards(held)}] [{last}]"

    def _deal(self, event: Deal) -> str:
        name = self._name(event.seat)
        if self.state.street is Street.THIRD:
            down = [card for card in event.down if card is not None]
            hole = f" [{format_cards(down)}]" if down else ""
            return f"Dealt to {name}{hole} [{format_cards(event.up)}]"
        seen = self._held(event.seat) if self.face_up else list(event.seen)
        return f"Dealt to {name} [{format_cards(seen)}] [{format_cards((*event.up, *event.down))}]"

    def _high_card(self, last: Deal) -> str:
        doors = {seat: cards[0] for seat, cards in self.state.up_cards.items() if cards}
        door = last.up[0]
        assert door is not None
        doors[last.seat] = door
        seat = max(doors, key=lambda seat: doors[seat])
        return f"{self._name(seat)} is high with [{doors[seat]}]"

    def _bet(self, event: Event) -> str:
        all_in = ", and is all in" if getattr(event, "all_in", False) else ""
        name, money = self._name(getattr(event, "seat", Seat(0))), self._money
        match event:
            case Ante():
                return f"{name} antes {money(event.amount)}{all_in}"
            case BringIn():
                return f"{name} brings in for {money(event.amount)}{all_in}"
            case Fold():
                return f"{name} folds"
            case Check():
                return f"{name} checks"
            case Call():
                return f"{name} calls {money(event.amount)}{all_in}"
            case Wager():
                return f"{name} {self._verb()} {money(event.to)}{all_in}"
            case ReturnedBet():
                return f"Uncalled bet of {money(event.amount)} returned to {name}"
        raise AssertionError(event)

    def _verb(self) -> str:
        if self.state.street is Street.THIRD and not self.state.wagers:
            return "completes it to"
        return "raises to" if self.state.level else "bets"

    def _reveal(self, seat: Seat, *, shows: bool) -> str:
        if not (shows or self.face_up):
            return f"{self._name(seat)} mucks"
        cards = format_cards(self.hand.hands[seat])
        return f"{self._name(seat)} shows [{cards}] {low_words(self.hand.lows()[seat])}"

    def _collect(self, event: Collect) -> str:
        takers = [e for e in self.hand.events if isinstance(e, Collect) and e.pot == event.pot]
        verb = "wins" if len(takers) == 1 else "ties for"
        low = "" if self.state.is_uncontested else f" with {self._low(event.seat)}"
        return (
            f"{self._name(event.seat)} {verb} the {self._pot_title(event.pot)} "
            f"({self._money(event.amount)}){low}"
        )

    # ---- the summary

    def _summary(self) -> Iterator[str]:
        hand, money = self.hand, self._money
        amounts = [
            pot.amount - (0 if number else hand.rake) for number, pot in enumerate(hand.pots)
        ]
        pots = ""
        if len(amounts) > 1:
            titles = [self._pot_title(number).capitalize() for number in range(len(amounts))]
            pots = "".join(f" {t} {money(a)}." for t, a in zip(titles, amounts, strict=True))
        yield "*** SUMMARY ***"
        yield f"Total pot {money(self.state.pot)}{pots} | Rake {money(hand.rake)}"
        if self.state.community:
            yield f"Board: [{self.state.community}]"
        for player in hand.players:
            yield f"Seat {player.seat}: {player.name} {self._outcome(player.seat)}"

    def _outcome(self, seat: Seat) -> str:
        state = self.state
        won = state.collected[seat]
        if seat in state.folded:
            return f"folded on {STREETS[state.last_street[seat]].lower()} St."
        if state.is_uncontested:
            return f"collected ({self._money(won)}), mucked"
        cards = format_cards(self.hand.hands[seat])
        if self.face_up or seat in state.shown:
            result = f"won ({self._money(won)})" if won else "lost"
            return f"showed [{cards}] and {result} with {self._low(seat)}"
        return f"mucked [{cards}] - {self._low(seat)}"

    # ---- parts

    def _money(self, amount: int) -> str:
        """Return an amount with commas between the thousands."""
        text = self.hand.stakes.money.format(amount)
        return re.sub("[0-9]+", lambda whole: f"{int(whole[0]):,}", text, count=1)

    def _nothing_is_left_to_bet(self) -> bool:
        state = self.state
        before_the_end = state.street is not None and state.street is not Street.SEVENTH
        return before_the_end and state.nobody_can_bet and not state.is_uncontested

    def _held(self, seat: Seat) -> list[Card]:
        return self.hand.hands[seat][: len(self.state.cards[seat])]

    def _low(self, seat: Seat) -> str:
        return low_words(self.hand.lows()[seat])

    def _name(self, seat: Seat) -> str:
        return self.state.names[seat]

    def _pot_title(self, pot: int | None) -> str:
        if pot is None:
            return "pot"
        if pot == 0:
            return "main pot"
        return "side pot" if len(self.hand.pots) == 2 else f"side pot #{pot}"


def _in_the_rooms_order(events: list[Event]) -> list[Event]:
    """Return the events with an ante that nobody matched going back before the deal."""
    third = next(n for n, event in enumerate(events) if isinstance(event, StreetStart))
    for number, event in enumerate(events):
        if isinstance(event, BringIn | Wager):
            break
        if isinstance(event, ReturnedBet):
            return [*events[:third], event, *events[third:number], *events[number + 1 :]]
    return events
