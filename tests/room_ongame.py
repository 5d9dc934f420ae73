"""Random hands as OnGame would write them."""

from collections import Counter
from collections.abc import Iterator

from playouts import Playout

from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Deal,
    Event,
    Fold,
    Seat,
    Street,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowKind

_STREETS = {
    Street.THIRD: "pocket cards",
    Street.FOURTH: "4th street",
    Street.FIFTH: "5th street",
    Street.SIXTH: "6th street",
    Street.SEVENTH: "river",
}


def render(hand: Playout, number: int = 1, *, totals_of_hand: bool = True) -> str:
    """Return the hand's text; raises name the total of the hand, or that of the street."""
    return "\n".join(_Text(hand, number, totals_of_hand).lines()) + "\n"


class _Text:
    def __init__(self, hand: Playout, number: int, totals_of_hand: bool) -> None:
        self.hand, self.totals_of_hand = hand, totals_of_hand
        self.in_dollars = bool(hand.stakes.money.decimals)
        self.number = f"{'R5' if self.in_dollars else 'T5'}-90000001-{number}"
        self.money = hand.stakes.money.format
        self.on_street = Counter[Seat]()
        self.earlier = Counter[Seat]()
        self.wagers = 0
        self.street = Street.THIRD

    def lines(self) -> Iterator[str]:
        yield from self.head()
        for event in self.hand.events:
            yield from self.event_lines(event)
        yield "---"
        yield from self.summary()

    def head(self) -> Iterator[str]:
        hand, stakes = self.hand, self.hand.stakes
        sizes = f"{self.money(stakes.small_bet)}/{self.money(stakes.big_bet)}"
        tournament = "" if self.in_dollars else ' (TOURNAMENT: "Alpha", S-700-12, buy-in: $5)'
        kind = "Real money" if self.in_dollars else "Chips"
        yield f"***** History for hand {self.number}{tournament} *****"
        yield "Start hand: Wed May 23 23:24:52 CEST 2012"
        limits = f"LIMIT RAZZ {sizes}, ante: {self.money(stakes.ante)}"
        yield f"Table: Alpha [90000001] ({limits}, {kind})"
        if hand.hero:
            yield f"User: {self.name(hand.hero)}"
        yield f"Players in round: {len(hand.players)} (8)"
        for player in hand.players:
            yield f"Seat {player.seat}: {player.name} ({self.money(player.stack)})"

    def name(self, seat: Seat) -> str:
        return self.hand.state.names[seat]

    # ---- events

    def event_lines(self, event: Event) -> Iterator[str]:
        if isinstance(event, StreetStart):
            yield from self.street_lines(event)
        elif isinstance(event, Deal):
            cards = [str(card or "-") for card in (*event.down, *event.up)]
            yield f"Dealing to {self.name(event.seat)}: [{', '.join(cards)}]"
        elif isinstance(event, Ante):
            yield f"{self.name(event.seat)} posts ante {self.money(event.amount)}"
        elif isinstance(event, BringIn | Call | Wager):
            yield f"{self.name(event.seat)} {self.payment(event)}"
        elif isinstance(event, Fold | Check):
            yield f"{self.name(event.seat)} {'folds' if isinstance(event, Fold) else 'checks'}"

    def street_lines(self, event: StreetStart) -> Iterator[str]:
        self.earlier += self.on_street
        self.on_street.clear()
        self.wagers, self.street = 0, event.street
        card = f" [{event.community}]" if event.community else ""
        yield "---"
        yield f"Dealing {_STREETS[event.street]}{card}"

    def payment(self, event: BringIn | Call | Wager) -> str:
        own, level = self.on_street[event.seat], max(self.on_street.values(), default=0)
        added = event.to - own if isinstance(event, Wager) else event.amount
        self.on_street[event.seat] += added
        all_in = " [all in]" if event.all_in else ""
        if isinstance(event, BringIn):
            return f"small bring in {self.money(event.amount)}"
        if isinstance(event, Call):
            return f"calls {self.money(event.amount)}{all_in}"
        completes = not self.wagers and not own
        self.wagers += 1
        if not level and self.street is Street.THIRD:
            return f"big bring in {self.money(added)}{all_in}"
        if completes:
            return f"bets {self.money(added)}{all_in}"
        total = event.to + (self.earlier[event.seat] if self.totals_of_hand else 0)
        return f"raises {self.money(added)} to {self.money(total)}{all_in}"

    # ---- the summary

    def summary(self) -> Iterator[str]:
        yield "Summary:"
        for number, pot in enumerate(self.hand.pots):
            shares = self.hand.shares(number)
            winners = ", ".join(f"{self.name(s)} ({self.money(a)})" for s, a in shares.items())
            name = f"Side pot {number}" if number else "Main pot"
            yield f"{name}: {self.money(pot.amount)} won by {winners}"
        yield f"Rake taken: {'' if self.in_dollars else '$'}{self.money(self.hand.rake)}"
        for player in self.hand.players:
            yield self.seat_line(player.seat, player.stack)
        yield f"***** End of hand {self.number} *****"

    def seat_line(self, seat: Seat, stack: Chips) -> str:
        state = self.hand.state
        net = state.collected[seat] - state.contributed[seat]
        sign = "" if net < 0 else "+"
        result = f", net: {sign}{self.money(net)}" if net else ""
        cards = ", ".join(map(str, self.hand.hands[seat]))
        shown = f", [{cards}] ({self.value(seat)})" if seat in state.shown else ""
        return f"Seat {seat}: {self.name(seat)} ({self.money(stack + net)}){result}{shown}"

    def value(self, seat: Seat) -> str:
        low = self.hand.lows()[seat]
        kind = "HIGH_CARD" if low.kind is LowKind.UNPAIRED else low.kind.name
        return f"{kind} {low.ranks[0].name}"
