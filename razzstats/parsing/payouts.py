"""Who takes the pots, where a text ends with the showdown and says nothing more.

A hand that was mucked wins nothing. What the text does say of winnings goes before what follows
from the cards; whether the two agree is checked later, as for all other rooms.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Collect,
    Deal,
    Event,
    Fold,
    ReturnedBet,
    Seat,
    ShowdownStart,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowHand


class Standing(NamedTuple):
    """How a hand stands when its text ends."""

    put: Mapping[Seat, Chips]
    """What everybody put in, less what came back."""
    live: list[Seat]
    """Who did not fold, by seat."""
    showdown: bool

    @property
    def is_decided(self) -> bool:
        """Whether there is nothing left but to hand out the pots."""
        return len(self.live) == 1 or self.showdown


def standing(events: Iterable[Event]) -> Standing:
    """Return how the hand stands after these events, of which none is missing."""
    put: dict[Seat, Chips] = {}
    on_street: dict[Seat, int] = {}
    folded: set[Seat] = set()
    showdown = False
    for event in events:
        match event:
            case StreetStart():
                on_street = {}
            case Deal():
                put.setdefault(event.seat, Chips(0))
            case Ante() | BringIn() | Call() | Wager():
                before = on_street.get(event.seat, 0)
                added = event.to - before if isinstance(event, Wager) else event.amount
                if not isinstance(event, Ante):
                    on_street[event.seat] = before + added
                put[event.seat] = Chips(put.get(event.seat, 0) + added)
            case ReturnedBet():
                put[event.seat] = Chips(put.get(event.seat, 0) - event.amount)
            case Fold():
                folded.add(event.seat)
            case ShowdownStart():
                showdown = True
            case _:
                pass
    return Standing(put, sorted(seat for seat in put if seat not in folded), showdown)


def collects(
    hand: Standing, lows: Mapping[Seat, LowHand], told: Mapping[Seat, Chips] | None, line: int
) -> Iterator[Collect] | None:
    """Return who collects what, pot by pot, or None if nobody can know.

    ``lows`` are the hands that were shown, ``told`` is what the text says that players won; what
    is missing from the pots then is rake. Odd chips go to the first of the tied seats.
    """
    pots = _pots(hand)
    one_pot = len(pots) == 1
    if told is not None and one_pot:
        won = {(seat, 0): amount for seat, amount in told.items()}
    else:
        shares = [_shares(amount, eligible, lows) for amount, eligible in pots]
        won = {(seat, n): share for n, each in enumerate(shares) for seat, share in each.items()}
        if not all(shares):
            return None
        if told is not None:
            won = _as_told(won, told)
    in_order = sorted(won.items(), key=lambda item: (item[0][1], item[0][0]))
    return (
        Collect(seat=seat, amount=amount, pot=None if one_pot else pot, line=line)
        for (seat, pot), amount in in_order
        if amount > 0
    )


def _pots(hand: Standing) -> list[tuple[int, list[Seat]]]:
    """Return the pots from the main pot on, each with those who can win it."""
    pots: list[tuple[int, list[Seat]]] = []
    floor, highest = 0, max(hand.put.values(), default=Chips(0))
    levels = sorted({hand.put[seat] for seat in hand.live})
    for level in levels:
        # What a folded player put in beyond all others' stacks belongs to the last pot.
        upper = highest if level == levels[-1] else level
        amount = sum(min(put, upper) - min(put, floor) for put in hand.put.values())
        if amount:
            pots.append((amount, [seat for seat in hand.live if hand.put[seat] >= level]))
        floor = level
    return pots


def _shares(amount: int, eligible: list[Seat], lows: Mapping[Seat, LowHand]) -> dict[Seat, Chips]:
    """Return who takes how much of a pot; nobody if several could and none shows his hand."""
    shown = {seat: lows[seat] for seat in eligible if seat in lows}
    best = [seat for seat in eligible if shown and shown.get(seat) == min(shown.values())]
    winners = best or (eligible if len(eligible) == 1 else [])
    if not winners:
        return {}
    share, odd = divmod(amount, len(winners))
    return {seat: Chips(share + (place < odd)) for place, seat in enumerate(winners)}


def _as_told(
    won: Mapping[tuple[Seat, int], Chips], told: Mapping[Seat, Chips]
) -> dict[tuple[Seat, int], Chips]:
    """Return the winnings changed so that everybody has what is told, from the main pot on."""
    changed = dict(won)
    for seat in {seat for seat, _ in won} | told.keys():
        mine = sorted(key for key in won if key[0] == seat)
        missing = told.get(seat, 0) - sum(won[key] for key in mine)
        for key in mine or [(seat, 0)]:
            before = changed.get(key, Chips(0))
            changed[key] = Chips(max(before + missing, 0))
            missing -= changed[key] - before
    return changed
