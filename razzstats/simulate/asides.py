"""What stands between the lines of play: chat, connections, players who come and go."""

from collections.abc import Sequence
from random import Random

from razzstats.events import Event, Fold, Note, Seat, SeatedPlayer, StreetStart

_SAYINGS = (
    "nh",
    "ty",
    "gl all",
    "another king :(",
    "brick brick brick",
    "who calls that?",
    "lol",
    "wheel or bust",
    'I said "fold"!',
    "Seat 1: folds",
    "zzz...",
    "bring-in again...",
)


class Asides:
    """Collects the notes of one hand and strews them into its events."""

    def __init__(
        self, events: Sequence[Event], players: Sequence[SeatedPlayer], talk: float, rng: Random
    ) -> None:
        self.events, self.players, self.rng = events, players, rng
        self.deal = next(i for i, event in enumerate(events) if isinstance(event, StreetStart)) + 1
        self.notes: list[tuple[int, str]] = []
        """Each with the place of the event that it stands before."""
        if rng.random() < talk:
            self._talk()

    def anywhere(self, text: str) -> None:
        """Put a note somewhere after the antes."""
        self.notes.append((self.rng.randrange(self.deal, len(self.events) + 1), text))

    def at_the_end(self, text: str) -> None:
        """Put a note before the summary."""
        self.notes.append((len(self.events), text))

    def after(self, seat: Seat, text: str) -> None:
        """Put a note after the last thing that the player in the seat does."""
        last = [i for i, event in enumerate(self.events) if getattr(event, "seat", None) == seat]
        first = max([*last, self.deal]) + 1
        place = self.rng.randrange(first, len(self.events) + 1)
        self.notes.append((place, text))

    def scatter(self) -> list[Event]:
        """Return the events with the notes among them."""
        if not self.notes:
            return list(self.events)
        events: list[Event] = []
        notes = sorted(self.notes, key=lambda note: note[0])
        for place, event in enumerate(self.events):
            while notes and notes[0][0] <= place:
                events.append(Note(text=notes.pop(0)[1]))
            events.append(event)
        return events + [Note(text=text) for _, text in notes]

    def _talk(self) -> None:
        rng, name = self.rng, self.rng.choice(self.players).name
        folds = [event for event in self.events if isinstance(event, Fold)]
        subject = rng.random()
        if subject < 0.7 or not folds:
            self.anywhere(f'{name} said, "{rng.choice(_SAYINGS)}"')
        elif subject < 0.85:
            late = rng.choice(folds)
            place = self.events.index(late)
            self.notes.append((place, f"{self._name(late.seat)} has timed out"))
        else:
            self.anywhere(f"{name} is disconnected")
            self.at_the_end(f"{name} is connected")

    def _name(self, seat: Seat) -> str:
        return next(player.name for player in self.players if player.seat == seat)
