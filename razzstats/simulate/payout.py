"""How a simulated hand ends: shows, pots, rake, and the room's summary."""

from dataclasses import dataclass
from random import Random

from razzstats.cards import Card
from razzstats.chips import Chips
from razzstats.events import (
    Check,
    Collect,
    Event,
    Muck,
    Seat,
    SeatSummary,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Summary,
    Wager,
)
from razzstats.lowball import LowClaim, LowHand
from razzstats.pots import Pot, award, build_pots
from razzstats.rules.odd_chips import odd_chip_order
from razzstats.rules.opening import clockwise
from razzstats.simulate.playout import Playout

_SHOWS_ANYWAY = 0.12
"""How often a beaten player turns his hand up at the showdown."""
_SHOWS_UNASKED = 0.04
"""How often a winner shows though all the others folded."""
_SAYS_NO = 0.6
"""How often the room notes that such a winner does not show."""


@dataclass(frozen=True, slots=True)
class Rake:
    """What the house takes of each pot: a percentage, rounded down, up to a cap for the hand."""

    percent: int = 5
    cap: int = 100

    def of(self, pots: tuple[Pot, ...]) -> list[Chips]:
        """Return what is taken of each pot, from the main pot on."""
        taken: list[Chips] = []
        for pot in pots:
            share = min(pot.amount * self.percent // 100, self.cap - sum(taken))
            taken.append(Chips(share))
        return taken


NO_RAKE = Rake(0, 0)


def pay_out(hand: Playout, rake: Rake, rng: Random) -> Summary:
    """Add the end of a hand to its events and state, and return the room's summary of it."""
    return _Payout(hand, rake, rng).run()


class _Payout:
    def __init__(self, hand: Playout, rake: Rake, rng: Random) -> None:
        self.hand, self.state, self.rng = hand, hand.state, rng
        self.pots = build_pots(self.state.contributed, self.state.folded)
        # No seventh card, no drop: a hand that ends on third street is not raked.
        ends_early = self.state.street is Street.THIRD
        self.rake = (NO_RAKE if ends_early else rake).of(self.pots)

    def run(self) -> Summary:
        if self.state.is_uncontested:
            self._walk()
        else:
            self._showdown()
        nets = self._pots_after_rake()
        return Summary(
            pot=Chips(sum(pot.amount for pot in self.pots)),
            rake=Chips(sum(self.rake)),
            pots=tuple(pot.amount for pot in nets) if len(nets) > 1 else (),
            board=self.state.community,
            seats=tuple(map(self._seat_summary, self.state.seats)),
        )

    def _do(self, event: Event) -> None:
        self.hand.events.append(event)
        self.state.apply(event)

    def _pots_after_rake(self) -> list[Pot]:
        return [
            Pot(Chips(pot.amount - taken), pot.eligible)
            for pot, taken in zip(self.pots, self.rake, strict=True)
        ]

    # ---- all the others folded

    def _walk(self) -> None:
        (winner,) = self.state.live_seats
        (pot,) = self._pots_after_rake()
        self._do(Collect(seat=winner, amount=pot.amount))
        if self.rng.random() < _SHOWS_UNASKED:
            self._show(winner)
        elif self.rng.random() < _SAYS_NO:
            self._do(Muck(seat=winner))

    def _show(self, seat: Seat) -> None:
        cards = tuple(self.hand.cards[seat])
        self._do(
            Show(
                seat=seat,
                cards=cards,
                low=LowClaim(None, self.state.rules.low_of(self._with_community(cards)).ranks),
            )
        )

    def _with_community(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        community = self.state.community
        return cards if community is None else (*cards, community)

    # ---- the showdown

    def _showdown(self) -> None:
        self._do(ShowdownStart())
        lows = {
            seat: self.state.rules.best_hand(self._with_community(tuple(self.hand.cards[seat])))
            for seat in self.state.live_seats
        }
        order = clockwise(list(lows), self._first_to_show())
        pots = self._pots_after_rake()
        for number in reversed(range(len(pots))):
            pot = pots[number]
            for seat in order:
                if seat in pot.eligible and seat not in self.state.shown | self.state.mucked:
                    self._show_or_muck(seat, pot, lows)
            odd_chips_to = odd_chip_order(self.state.rules.odd_chip, self.hand.cards)
            for seat, amount in award(pot, lows, odd_chips_to).items():
                self._do(Collect(seat=seat, amount=amount, pot=number if len(pots) > 1 else None))

    def _first_to_show(self) -> Seat:
        """Return who made the last wager of the river, else who opened it, else the first seat."""
        opener: Seat | None = None
        for event in reversed(self.hand.events):
            if isinstance(event, Wager):
                return event.seat
            if isinstance(event, Check):
                opener = event.seat
            elif isinstance(event, StreetStart):
                break
        return self.state.live_seats[0] if opener is None else opener

    def _show_or_muck(self, seat: Seat, pot: Pot, lows: dict[Seat, LowHand]) -> None:
        seen = [lows[other] for other in self.state.shown if other in pot.eligible]
        if not seen or lows[seat] <= min(seen) or self.rng.random() < _SHOWS_ANYWAY:
            self._show(seat)
        else:
            self._do(Muck(seat=seat))

    # ---- the summary

    def _seat_summary(self, seat: Seat) -> SeatSummary:
        state, name = self.state, self.state.names[seat]
        won = state.collected[seat] or None
        if seat in state.folded:
            street = state.last_street[seat]
            only_ante = state.contributed[seat] == state.antes.get(seat, 0)
            no_bet = only_ante and street is Street.THIRD
            return SeatSummary(seat=seat, name=name, folded_on=street, did_not_bet=no_bet)
        if not state.showdown:
            return SeatSummary(seat=seat, name=name, won=won)
        cards = tuple(self.hand.cards[seat])
        if seat in state.mucked:
            return SeatSummary(seat=seat, name=name, cards=cards, mucked=True)
        return SeatSummary(
            seat=seat,
            name=name,
            cards=cards,
            showed=True,
            lost=won is None,
            won=won,
            low=LowClaim(None, self.state.rules.best_hand(self._with_community(cards)).ranks),
        )
