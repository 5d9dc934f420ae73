"""Checks of rates that should lie in a band: the usual by table size, widened by the pool's own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from razzstats.rules.actions import VOLUNTARY, WAGERS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import counts_of
from razzstats.stats.leaks.finding import Counted
from razzstats.stats.leaks.judging import chance_inside, chance_of_gap
from razzstats.stats.leaks.rule import OverallRule, Reference, Source
from razzstats.stats.pool import TABLE_SIZE, Player, everybody
from razzstats.storage import Database
from razzstats.storage.decisions import sql_kinds

REFERENCE_PLAYERS = 8
"""With fewer players the pool says nothing of what is usual."""

_LEAST_GAP = 0.05  # of VPIP, between any two sizes
_TABLE_SIZES = ("2", "3-4", "5-6", "7-8")


class _Rate(NamedTuple):
    """A rate as SQL over ``hand_players``, or over its join with decisions to put chips in."""

    made: str
    chances: str
    of_decisions: bool = False
    usual: Mapping[str, tuple[float, float]] = {}
    """The band by table size; that of the rule where none is named."""


_VOLUNTARY = f"""JOIN (SELECT hid, seat, street, kind FROM decisions
    WHERE kind IN {sql_kinds(VOLUNTARY)}) USING (hid, seat)"""

_ENTERED = _Rate(
    "vpip",
    "vpip_chance AND NOT brought_in",
    usual={"2": (0.55, 0.90), "3-4": (0.35, 0.65), "5-6": (0.25, 0.35), "7-8": (0.20, 0.30)},
)
_RATES: Mapping[tuple[int, int | None], _Rate] = {
    (316, 3): _ENTERED,
    (801, None): _Rate(
        "showdown", "last_street >= 4", usual={"2": (0.40, 0.75), "3-4": (0.35, 0.65)}
    ),
    (802, None): _Rate("collected > 0", "showdown", usual={"2": (0.45, 0.60)}),
    **{
        (803, first): _Rate(
            f"kind IN {sql_kinds(WAGERS)}",
            f"street BETWEEN {first} AND {last}",
            of_decisions=True,
        )
        for first, last in ((3, 3), (4, 5), (6, 7))
    },
}


def count_band(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return how far a rate is from the usual at the tables where the player is met most."""
    rate = _RATES[rule.id, rule.street]
    own = _counts(database, filters, rate)
    made, chances = _by_size(own)
    size = max(_TABLE_SIZES, key=lambda size: chances[size])
    if chances[size] < rule.least:
        return Counted(chances[size], made[size], rule.reference, None)
    judged = {each.player for each in own}
    others = [
        counts
        for counts in _counts(database, everybody(filters), rate, rule.least)
        if counts.player not in judged
    ]
    reference = _reference(rule, rate, size, others)
    least, most = reference.least, reference.most
    chance = chance_inside(made[size], chances[size], least, most)
    is_low = made[size] / chances[size] < least
    return Counted(chances[size], made[size], reference, chance, is_low)


def _reference(rule: OverallRule, rate: _Rate, size: str, others: Sequence["_Counts"]) -> Reference:
    """Return the usual band at a table size, so wide that most of the others are in it."""
    least, most = rate.usual.get(size, (rule.reference.least, rule.reference.most))
    words = f"at {size} players"
    rates = [each.made / each.chances for each in others if each.table_size == size]
    if len(rates) < REFERENCE_PLAYERS:
        return Reference(most, Source.JUDGEMENT, words, least)
    low, high = np.quantile(rates, [0.1, 0.9])
    return Reference(
        max(most, float(high)),
        Source.POOL,
        f"{words}; the middle of {len(rates)} others there is {100 * low:.0f} to {100 * high:.0f} "
        "%",
        min(least, float(low)),
    )


class _Counts(NamedTuple):
    """What one player did at tables of one size."""

    table_size: str
    player: Player
    made: int
    chances: int


def _by_size(counts: Sequence[_Counts]) -> tuple[Counter[str], Counter[str]]:
    """Return made and chances of all players together by table size."""
    made: Counter[str] = Counter()
    chances: Counter[str] = Counter()
    for each in counts:
        made[each.table_size] += each.made
        chances[each.table_size] += each.chances
    return made, chances


def _counts(database: Database, filters: Filters, rate: _Rate, least: int = 1) -> list[_Counts]:
    """Return what each player that matches did at tables of each size, where he could so often."""
    hands, parameters = filters.hands()
    # All rates that are counted over the same rows are asked for together.
    rates = [each for each in _RATES.values() if each.of_decisions == rate.of_decisions]
    place = 2 * rates.index(rate)
    return [
        _Counts(str(size), (str(site), str(name)), counts[place], counts[place + 1])
        for size, site, name, *counts in database.rows(
            f"""SELECT {TABLE_SIZE} AS table_size, site, name,
                {", ".join(counts_of(each.made, each.chances) for each in rates)}
            FROM {hands} {_VOLUNTARY if rate.of_decisions else ""} GROUP BY ALL""",
            parameters,
        )
        if counts[place + 1] >= least
    ]


def count_table_sizes(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return whether more hands are played at the smallest tables than at the largest."""
    made, chances = _by_size(_counts(database, filters, _ENTERED))
    sizes = [size for size in _TABLE_SIZES if chances[size] >= rule.least]
    if len(sizes) < 2:
        return Counted(chances[_TABLE_SIZES[0]], made[_TABLE_SIZES[0]], rule.reference, None)
    small, large = sizes[0], sizes[-1]
    # As far apart as the usual bands are, the least of the smaller from the most of the larger.
    gap = max(_LEAST_GAP, _ENTERED.usual[small][0] - _ENTERED.usual[large][1])
    least = min(1.0, made[large] / chances[large] + gap)
    reference = Reference(
        1.0, Source.OWN, f"at {small} players, {100 * gap:.0f} points above {large} players", least
    )
    chance = chance_of_gap((made[small], chances[small]), (made[large], chances[large]), gap)
    return Counted(chances[small], made[small], reference, chance, is_low=True)
