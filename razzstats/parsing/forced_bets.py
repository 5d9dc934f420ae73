"""The ante and the bring-in of a table, as the hand itself tells them."""

from collections import Counter
from collections.abc import Iterable

from razzstats.chips import Chips
from razzstats.events import Ante, BringIn, Event


def usual_ante(events: Iterable[Event]) -> Chips:
    """Return what most players post; those whose last chips it takes may post less."""
    antes = [event for event in events if isinstance(event, Ante)]
    whole = Counter(ante.amount for ante in antes if not ante.all_in)
    amounts = whole or Counter(ante.amount for ante in antes)
    return max(amounts, key=lambda amount: (amounts[amount], amount), default=Chips(0))


def usual_bring_in(events: Iterable[Event]) -> Chips:
    """Return what was brought in with chips left, or 0 if the hand does not tell."""
    whole = (event for event in events if isinstance(event, BringIn) and not event.all_in)
    return next((event.amount for event in whole), Chips(0))
