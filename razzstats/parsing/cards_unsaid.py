"""What a room's lines leave unsaid of cards dealt before: which they were, and in which order.

Like `conventions`, this walks along the events; it remembers what is known of each hand.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from razzstats.cards import Card, MaybeCard
from razzstats.events import Deal, Event, Seat, Show

_DOWN_CARDS = 2  # of the first three


class KnownCards:
    """What is known of each player's hand, in dealt order."""

    def __init__(self) -> None:
        """Begin a hand, before the first card."""
        self._hands: dict[Seat, list[MaybeCard]] = {}

    def repeated(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events with each deal repeating what was known of the hand before it."""
        for event in events:
            if isinstance(event, Deal):
                known = self._hands.get(event.seat, [])
                event = replace(event, seen=tuple(card for card in known if card is not None))
            self._remember(event)
            yield event

    def in_dealt_order(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events with the first two of the shown cards in the order of the deal."""
        for event in events:
            if isinstance(event, Show):
                event = replace(event, cards=self._reordered(event))
            self._remember(event)
            yield event

    def _reordered(self, event: Show) -> tuple[Card, ...]:
        dealt = self._hands.get(event.seat, [])[:_DOWN_CARDS]
        shown = event.cards[:_DOWN_CARDS]
        same = set(dealt) == set(shown)
        known = tuple(card for card in dealt if card is not None)
        return (*known, *event.cards[_DOWN_CARDS:]) if same else event.cards

    def _remember(self, event: Event) -> None:
        if isinstance(event, Deal):
            self._hands.setdefault(event.seat, []).extend((*event.down, *event.up))
        elif isinstance(event, Show) and len(event.cards) == len(self._hands.get(event.seat, [])):
            self._hands[event.seat][:] = event.cards
