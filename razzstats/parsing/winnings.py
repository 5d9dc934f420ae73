"""Who won which pot, where a room's list leaves some of them out and the nets tell the rest.

A player's net is what he collected less what he put in, so that a pot without a line is found in
the nets. Nothing is judged here: whether the right player won is for the validation.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from razzstats.chips import Chips
from razzstats.events import Collect, Event, Seat, SeatSummary
from razzstats.parsing.chip_count import ChipCount
from razzstats.pots import Pot, build_pots


def with_unlisted_pots(events: Sequence[Event], lines: Iterable[SeatSummary]) -> list[Event]:
    """Return the events with a collection for all that the nets say and no line does.

    Such a collection carries the line of the net that tells it.
    """
    count = ChipCount()
    for event in events:
        count.count(event)
    listed = [event for event in events if isinstance(event, Collect)]
    rest = [event for event in events if not isinstance(event, Collect)]
    return [*rest, *_Pots(count).told(listed, list(lines))]


class _Pots:
    """The pots of a hand, and what is left of each."""

    def __init__(self, count: ChipCount) -> None:
        self.count = count
        self.pots: Sequence[Pot] = build_pots(count.contributed, count.folded)
        self.left = [int(pot.amount) for pot in self.pots]

    def told(self, listed: list[Collect], lines: list[SeatSummary]) -> list[Collect]:
        """Return the listed collections and those that the nets tell, each with its pot."""
        several = len(self.pots) > 1
        unlisted = list(self._unlisted(listed, lines, several=several))
        if sum(event.amount for event in (*listed, *unlisted)) > sum(
            self.count.contributed.values()
        ):
            unlisted = []  # more than there is: it is a net that is wrong, not the list
        if not several or (not unlisted and all(event.pot is None for event in listed)):
            return [*listed, *unlisted]  # one pot, or all of them in one line
        told: list[Collect] = []
        for event in listed:
            if event.pot is not None and event.pot < len(self.pots):
                self.left[event.pot] -= event.amount
        for event in listed:  # "pot" is the main pot, and those above it that he won with it
            told += [event] if event.pot is not None else self._spread(event, up=True)
        # Who put in least can win the fewest pots, so there is least to choose for him.
        for event in sorted(unlisted, key=lambda event: self.count.contributed[event.seat]):
            told += self._spread(event, up=False)
        return told

    def _unlisted(
        self, listed: list[Collect], lines: list[SeatSummary], *, several: bool
    ) -> Iterable[Collect]:
        taken = Counter[Seat]()
        for event in listed:
            taken[event.seat] += event.amount
        for line in lines:
            seat = line.seat
            if line.net is None or seat not in self.count.live:
                continue
            missing = line.net + self.count.contributed[seat] - taken[seat]
            # With one pot, a player who has a line has all that he won in it.
            if missing > 0 and (several or not taken[seat]):
                amount = Chips(missing)
                yield Collect(seat=seat, amount=amount, line=line.line, column=line.column)

    def _spread(self, event: Collect, *, up: bool) -> list[Collect]:
        """Return a collection cut into those of single pots, from the main pot up or down to it."""
        open_to = [number for number, pot in enumerate(self.pots) if event.seat in pot.eligible]
        if not up:
            open_to.reverse()
        whole = [number for number in open_to if self.left[number] == event.amount]
        amount, parts = int(event.amount), dict[int, int]()
        for number in whole[:1] or open_to:
            part = min(amount, max(self.left[number], 0))
            if part:
                self.left[number] -= part
                parts[number] = part
                amount -= part
        if amount:  # more than there is: the validation says so
            parts[0] = parts.get(0, 0) + amount
        return [replace(event, amount=Chips(parts[n]), pot=n) for n in sorted(parts)]
