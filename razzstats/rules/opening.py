"""Who brings in, and who acts first on the later streets."""

from collections.abc import Callable, Collection, Mapping, Sequence

from razzstats.cards import Card
from razzstats.events import Seat
from razzstats.lowball import LowHand, exposed_low


def bring_in_seat(door_cards: Mapping[Seat, Card]) -> Seat:
    """Return the seat with the highest door card; equal ranks go by suit, spades highest.

    PokerStars, Razz rules, "Third street".
    """
    return max(door_cards, key=door_cards.__getitem__)


def lowest_boards(
    up_cards: Mapping[Seat, Sequence[Card]],
    value: Callable[[Collection[Card]], LowHand] = exposed_low,
) -> tuple[Seat, ...]:
    """Return the seats whose up cards make the lowest exposed hand, several if they tie."""
    values = [(value(cards), seat) for seat, cards in up_cards.items()]
    best = min(values)[0]
    return tuple(sorted([seat for low, seat in values if low == best]))


def clockwise(seats: Sequence[Seat], first: Seat) -> list[Seat]:
    """Return the seats in clockwise order, beginning at ``first`` or the next one after it."""
    ordered = sorted(seats)
    return [seat for seat in ordered if seat >= first] + [seat for seat in ordered if seat < first]
