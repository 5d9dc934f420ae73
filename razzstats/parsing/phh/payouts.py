"""Who takes the pots, where a text ends with the showdown and says nothing more.

A hand that was mucked wins nothing. What the text does say of winnings goes before what follows
from the cards; whether the two agree is checked later, as for all other rooms.
"""

from collections.abc import Iterator, Mapping

from razzstats.chips import Chips
from razzstats.events import Collect, Seat
from razzstats.lowball import LowHand
from razzstats.parsing.chip_count import ChipCount
from razzstats.pots import Pot, award, build_pots


def is_decided(count: ChipCount) -> bool:
    """Return whether there is nothing left but to hand out the pots."""
    return len(count.live) == 1 or count.showdown


def collects(
    count: ChipCount, lows: Mapping[Seat, LowHand], told: Mapping[Seat, Chips] | None, line: int
) -> Iterator[Collect] | None:
    """Return who collects what, pot by pot, or None if nobody can know.

    ``lows`` are the hands that were shown, ``told`` is what the text says that players won; what
    is missing from the pots then is rake. Odd chips go to the first of the tied seats.
    """
    pots = build_pots(count.contributed, count.folded)
    one_pot = len(pots) == 1
    if told is not None and one_pot:
        won = {(seat, 0): amount for seat, amount in told.items()}
    else:
        shares = [_shares(pot, lows) for pot in pots]
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


def _shares(pot: Pot, lows: Mapping[Seat, LowHand]) -> dict[Seat, Chips]:
    """Return who takes how much of a pot; nobody if several could and none shows his hand."""
    if len(pot.eligible) == 1:
        return dict.fromkeys(pot.eligible, pot.amount)
    return award(pot, lows)


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
