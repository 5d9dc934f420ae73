"""Who won which pot, where a room's list leaves some of them out and the nets tell the rest.

A player's net is what he collected less what he put in, so that a pot without a line is found in
the nets. Nothing is judged here: whether the right player won is for the validation.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Collect,
    Event,
    Fold,
    ReturnedBet,
    Seat,
    SeatSummary,
    StreetStart,
    Wager,
)


def with_unlisted_pots(events: Sequence[Event], lines: Iterable[SeatSummary]) -> list[Event]:
    """Return the events with a collection for all that the nets say and no line does.

    Such a collection carries the line of the net that tells it.
    """
    table = _Table()
    for event in events:
        table.count(event)
    listed = [event for event in events if isinstance(event, Collect)]
    rest = [event for event in events if not isinstance(event, Collect)]
    return [*rest, *table.told(listed, list(lines))]


@dataclass
class _Layer:
    """A main or side pot: what is left of it, and who can win it."""

    left: int
    eligible: frozenset[Seat]


@dataclass
class _Table:
    """What everybody put in, and who is still in the hand."""

    contributed: Counter[Seat] = field(default_factory=Counter)
    on_street: Counter[Seat] = field(default_factory=Counter)
    folded: set[Seat] = field(default_factory=set)

    def count(self, event: Event) -> None:
        match event:
            case StreetStart():
                self.on_street.clear()
            case Fold():
                self.folded.add(event.seat)
            case Ante():
                self.contributed[event.seat] += event.amount
            case BringIn() | Call():
                self._bet(event.seat, event.amount)
            case Wager():
                self._bet(event.seat, event.to - self.on_street[event.seat])
            case ReturnedBet():
                self.contributed[event.seat] -= event.amount
            case _:
                pass

    def _bet(self, seat: Seat, amount: int) -> None:
        self.on_street[seat] += amount
        self.contributed[seat] += amount

    # ---- who won what

    def told(self, listed: list[Collect], lines: list[SeatSummary]) -> list[Collect]:
        """Return the listed collections and those that the nets tell, each with its pot."""
        layers = self._layers()
        several = len(layers) > 1
        unlisted = list(self._unlisted(listed, lines, several=several))
        if sum(event.amount for event in (*listed, *unlisted)) > self.contributed.total():
            unlisted = []  # more than there is: it is a net that is wrong, not the list
        if not several or (not unlisted and all(event.pot is None for event in listed)):
            return [*listed, *unlisted]  # one pot, or all of them in one line
        told: list[Collect] = []
        for event in listed:
            if event.pot is not None and event.pot < len(layers):
                layers[event.pot].left -= event.amount
        for event in listed:  # "pot" is the main pot, and those above it that he won with it
            told += [event] if event.pot is not None else self._spread(event, layers, up=True)
        # Who put in least can win the fewest pots, so there is least to choose for him.
        for event in sorted(unlisted, key=lambda event: self.contributed[event.seat]):
            told += self._spread(event, layers, up=False)
        return told

    def _unlisted(
        self, listed: list[Collect], lines: list[SeatSummary], *, several: bool
    ) -> Iterable[Collect]:
        taken = Counter[Seat]()
        for event in listed:
            taken[event.seat] += event.amount
        for line in lines:
            seat = line.seat
            if line.net is None or seat not in self.contributed or seat in self.folded:
                continue
            missing = line.net + self.contributed[seat] - taken[seat]
            # With one pot, a player who has a line has all that he won in it.
            if missing > 0 and (several or not taken[seat]):
                amount = Chips(missing)
                yield Collect(seat=seat, amount=amount, line=line.line, column=line.column)

    def _layers(self) -> list[_Layer]:
        live = [seat for seat in self.contributed if seat not in self.folded]
        layers, floor = list[_Layer](), 0
        for level in sorted({self.contributed[seat] for seat in live}):
            amount = sum(min(put, level) - min(put, floor) for put in self.contributed.values())
            eligible = frozenset(seat for seat in live if self.contributed[seat] >= level)
            layers.append(_Layer(amount, eligible))
            floor = level
        if layers:  # a folded player put in more than any live one: it is the last pot's
            layers[-1].left += sum(max(put - floor, 0) for put in self.contributed.values())
        return layers

    def _spread(self, event: Collect, layers: list[_Layer], *, up: bool) -> list[Collect]:
        """Return a collection cut into those of single pots, from the main pot up or down to it."""
        open_to = [number for number, one in enumerate(layers) if event.seat in one.eligible]
        if not up:
            open_to.reverse()
        whole = [number for number in open_to if layers[number].left == event.amount]
        amount, parts = int(event.amount), dict[int, int]()
        for number in whole[:1] or open_to:
            part = min(amount, max(layers[number].left, 0))
            if part:
                layers[number].left -= part
                parts[number] = part
                amount -= part
        if amount:  # more than there is: the validation says so
            parts[0] = parts.get(0, 0) + amount
        return [replace(event, amount=Chips(parts[n]), pot=n) for n in sorted(parts)]
