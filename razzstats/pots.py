"""Main pot and side pots, and who wins what."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from razzstats.chips import Chips
from razzstats.events import Seat
from razzstats.lowball import LowHand


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that the same players can win; pots stand from the main pot to the last side pot."""

    amount: Chips
    eligible: frozenset[Seat]


def build_pots(contributed: Mapping[Seat, Chips], folded: Collection[Seat]) -> tuple[Pot, ...]:
    """Return the pots, the main pot first, after uncalled bets went back.

    Each live player's total makes a level; a pot is what lies between two levels, and the players
    who reached the upper one can win it. What folded players put in stays in the pots.
    """
    live = [seat for seat in contributed if seat not in folded]
    levels = {contributed[seat] for seat in live}
    if len(levels) == 1:  # nine hands of ten
        total = Chips(sum(contributed.values()))
        return (Pot(total, frozenset(live)),) if total else ()
    pots: list[Pot] = []
    floor = 0
    for level in sorted(levels):
        amount = sum(min(put, level) - min(put, floor) for put in contributed.values())
        pots.append(
            Pot(Chips(amount), frozenset(seat for seat in live if contributed[seat] >= level))
        )
        floor = level
    rest = sum(contributed.values()) - sum(pot.amount for pot in pots)
    if rest and pots:  # a folded player put in more than any live one: it is the last pot's
        pots[-1] = Pot(Chips(pots[-1].amount + rest), pots[-1].eligible)
    return tuple(pot for pot in pots if pot.amount)


def winners(pot: Pot, lows: Mapping[Seat, LowHand]) -> tuple[Seat, ...]:
    """Return the eligible seats with the best low among ``lows``, in order of seats."""
    contenders = {seat: lows[seat] for seat in pot.eligible if seat in lows}
    if not contenders:
        return ()
    best = min(contenders.values())
    return tuple(sorted(seat for seat, low in contenders.items() if low == best))


def award(
    pot: Pot, lows: Mapping[Seat, LowHand], odd_chips_to: Sequence[Seat] = ()
) -> dict[Seat, Chips]:
    """Return what each winner takes of the pot.

    Odd chips go one each to the winners in the order of ``odd_chips_to``, by seat without one.
    """
    best = winners(pot, lows)
    if not best:
        return {}
    share, odd = divmod(pot.amount, len(best))
    takers = [seat for seat in odd_chips_to if seat in best] or best
    return {seat: Chips(share + (seat in takers[:odd])) for seat in best}
