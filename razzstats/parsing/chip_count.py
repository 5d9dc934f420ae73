"""Who has put in how much, as far as the text says: what several readers have to know."""

from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
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


class ChipCount:
    """Counts along the events of one hand; nothing is judged, whoever acts is believed."""

    def __init__(self) -> None:
        """Begin before the antes."""
        self.contributed: dict[Seat, Chips] = {}
        """What each has put in, less what went back."""
        self.on_street: dict[Seat, Chips] = {}
        self.antes: dict[Seat, Chips] = {}
        self.brought_in: dict[Seat, Chips] = {}
        self.folded: set[Seat] = set()
        self.spoken: set[Seat] = set()
        """Who showed, be it before the showdown, or mucked."""
        self.street: Street | None = None
        self.showdown = False

    @property
    def live(self) -> list[Seat]:
        """The seats that posted or were dealt in and have not folded, in order."""
        return sorted(seat for seat in self.contributed if seat not in self.folded)

    def added(self, event: Ante | BringIn | Call | Wager) -> Chips:
        """Return how many chips the event moves."""
        if isinstance(event, Wager):
            return Chips(event.to - self.on_street.get(event.seat, 0))
        return event.amount

    def count(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case StreetStart():
                self.street, self.on_street = event.street, {}
            case ShowdownStart():
                self.showdown = True
            case Deal():
                self.contributed.setdefault(event.seat, Chips(0))
            case Fold():
                self.folded.add(event.seat)
            case Show() | Muck():
                self.spoken.add(event.seat)
            case ReturnedBet():
                self._pay(event.seat, -event.amount)
            case Ante():
                self.antes[event.seat] = event.amount
                self._pay(event.seat, event.amount)
            case BringIn() | Call() | Wager():
                self._bet(event)
            case _:
                pass

    def _bet(self, event: BringIn | Call | Wager) -> None:
        added = self.added(event)
        self._pay(event.seat, added)
        self.on_street[event.seat] = Chips(self.on_street.get(event.seat, 0) + added)
        if isinstance(event, BringIn):
            self.brought_in[event.seat] = event.amount

    def _pay(self, seat: Seat, amount: int) -> None:
        self.contributed[seat] = Chips(self.contributed.get(seat, 0) + amount)
