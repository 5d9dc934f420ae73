"""How each leak that shows over many hands is looked for, priced and listed."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from razzstats.stats.filters import Filters
from razzstats.stats.leaks import bands, lines, swings
from razzstats.stats.leaks.costs import FoldRates, price
from razzstats.stats.leaks.finding import Charge, Counted
from razzstats.stats.leaks.rule import OverallRule
from razzstats.storage import Database

PRICED = 150
"""Mistakes of a rule that are priced; more are taken to cost the same on average."""

Places = Callable[[Database, Filters, int], list[tuple[int, int]]]


class Check(NamedTuple):
    """What is done for one rule."""

    find: Callable[[Database, Filters, OverallRule], Counted]
    decisions: Places | None = None
    """The latest mistakes by hid and seq, at most so many."""
    hands: Places | None = None
    """The latest hands by hid and seat, where no single decision is the mistake."""
    charge: Callable[[Database, Filters, OverallRule, FoldRates], Charge | None] | None = None
    """What mistakes cost, where that is not the price of the listed decisions."""


CHECKS: Mapping[int, Check] = {
    314: Check(lines.count_dead_cards, decisions=lines.dead_card_places),
    316: Check(bands.count_band),
    801: Check(bands.count_band),
    802: Check(bands.count_band),
    803: Check(bands.count_band),
    804: Check(swings.count_tilt, hands=swings.tilted_hands, charge=swings.charge_tilt),
    805: Check(swings.count_late, hands=swings.late_hands, charge=swings.charge_late),
    806: Check(bands.count_table_sizes),
    807: Check(lines.count_sunk, decisions=lines.sunk_places, charge=lines.charge_sunk),
    808: Check(swings.count_chases, hands=swings.chasing_hands),
    809: Check(lines.count_check_calls, decisions=lines.check_call_places),
}


def charge(
    database: Database,
    filters: Filters,
    rule: OverallRule,
    counted: Counted,
    rates: FoldRates,
    most_priced: int = PRICED,
) -> Charge | None:
    """Return what the mistakes of a rule cost, or None where they have no price."""
    check = CHECKS[rule.id]
    if check.charge is not None:
        return check.charge(database, filters, rule, rates)
    if check.decisions is None or not counted.mistakes:
        return None
    priced = price(database, rule, check.decisions(database, filters, most_priced), rates)
    return None if priced is None else lines.per_100(database, filters, priced, counted.mistakes)
