"""The amounts that PHH leaves to its reader: what is called, and what short stacks can pay.

Antes and the bring-in are those of the table however few chips a player has; a call has no amount,
and is a check where there is nothing to call; nobody is said to be all-in. A wager may stop at what
the opponents can still call, though who makes it has more: it is the whole one, of which the rest
goes back.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Event,
    Fold,
    Seat,
    SeatedPlayer,
    Stakes,
    Street,
    StreetStart,
    Wager,
)


class Amounts:
    """Who has how much left, and what is bet, as far as a hand was told."""

    def __init__(self, players: Iterable[SeatedPlayer], stakes: Stakes) -> None:
        """Begin a hand, before the antes."""
        self.stakes = stakes
        self.stacks = {player.seat: int(player.stack) for player in players}
        self.street = Street.THIRD
        self.on_street: dict[Seat, int] = {}
        self.folded: set[Seat] = set()

    def filled_in(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events with their amounts."""
        for event in events:
            match event:
                case StreetStart():
                    self.street, self.on_street = event.street, {}
                case Fold():
                    self.folded.add(event.seat)
                case Ante():
                    amount = self._paid(event.seat, event.amount)
                    event = replace(event, amount=amount, all_in=self._has_none_left(event))
                case BringIn():
                    amount = self._bet(event.seat, event.amount)
                    event = replace(event, amount=amount, all_in=self._has_none_left(event))
                case Call():
                    event = self._call(event)
                case Wager():
                    event = self._wager(event)
                case _:
                    pass
            yield event

    @property
    def _level(self) -> int:
        return max(self.on_street.values(), default=0)

    def _call(self, event: Call) -> Call | Check:
        due = self._level - self.on_street.get(event.seat, 0)
        if not due:
            return Check(seat=event.seat, line=event.line, column=event.column)
        amount = self._bet(event.seat, due)
        return replace(event, amount=amount, all_in=self._has_none_left(event))

    def _wager(self, event: Wager) -> Wager:
        seat, level, to = event.seat, self._level, int(event.to)
        all_mine = self.on_street.get(seat, 0) + self.stacks[seat]
        most_called = max(
            (
                self.on_street.get(other, 0) + stack
                for other, stack in self.stacks.items()
                if other != seat and other not in self.folded
            ),
            default=0,
        )
        if level < to == most_called < all_mine:
            to = max(to, min(self._whole_wager(level), all_mine))
        self.stacks[seat] = all_mine - to
        self.on_street[seat] = to
        verb = "raises" if level else event.verb
        return replace(event, to=Chips(to), verb=verb, all_in=to == all_mine)

    def _whole_wager(self, level: int) -> int:
        """Return the total of a wager of a whole bet; a completion is one bet in all."""
        is_small = self.street <= Street.FOURTH
        bet = self.stakes.small_bet if is_small else self.stakes.big_bet
        return level + bet if level >= bet else bet

    def _bet(self, seat: Seat, amount: int) -> Chips:
        paid = self._paid(seat, amount)
        self.on_street[seat] = self.on_street.get(seat, 0) + paid
        return paid

    def _paid(self, seat: Seat, amount: int) -> Chips:
        """Pay as much of the amount as the player has; return how much that is."""
        paid = Chips(min(amount, self.stacks[seat]))
        self.stacks[seat] -= paid
        return paid

    def _has_none_left(self, event: Ante | BringIn | Call) -> bool:
        return not self.stacks[event.seat]
