"""Rates of decisions, on third street and by street, as frames."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from razzstats.stats.catalogue import Stat
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import made_and_chances, table_frame
from razzstats.stats.groups import Group
from razzstats.stats.intervals import wilson
from razzstats.storage import Database

ALL = "all"
"""The only group where none is asked for."""

_STREETS = range(3, 8)


def third_street(database: Database, filters: Filters, group: Group | None = None) -> pd.DataFrame:
    """Return what was chosen on third street, one row a statistic and group."""
    counts = _counts(database, filters, THIRD_STREET_STATS, group)
    rows = [
        _row(stat, key, counts[key, 3][place]) if (key, 3) in counts else _row(stat, key, (0, 0))
        for place, stat in enumerate(THIRD_STREET_STATS)
        for key in _keys(counts)
    ]
    return table_frame("third-street", rows)


def street_rates(database: Database, filters: Filters, group: Group | None = None) -> pd.DataFrame:
    """Return what was chosen on each street, one row a statistic, street and group."""
    counts = _counts(database, filters, STREET_STATS, group)
    rows = [
        {"street": street, **_row(stat, key, found[place] if found else (0, 0))}
        for place, stat in enumerate(STREET_STATS)
        for street in _STREETS
        for key in _keys(counts)
        for found in [counts.get((key, street))]
    ]
    return table_frame("street-rates", rows)


_Counts = dict[tuple[str, int], list[tuple[int, int]]]
"""By group and street: numerator and denominator of each statistic."""


def _keys(counts: _Counts) -> list[str]:
    return list(dict.fromkeys(key for key, _ in counts)) or [ALL]


def _counts(
    database: Database, filters: Filters, stats: Sequence[Stat], group: Group | None
) -> _Counts:
    where, parameters = filters.where()
    key = f"'{ALL}'" if group is None else group.sql
    order = "key" if group is None else group.order
    found = database.rows(
        f"""SELECT key, street, {", ".join(made_and_chances(stat) for stat in stats)}
        FROM (SELECT hid, seat, last_street, collected, showdown, {key} AS key
            FROM hand_players WHERE {where})
        JOIN decisions USING (hid, seat) WHERE key IS NOT NULL
        GROUP BY key, street ORDER BY {order}, street""",
        parameters,
    )
    return {
        (str(key), int(street)): list(zip(numbers[::2], numbers[1::2], strict=True))
        for key, street, *numbers in found
    }


def _row(stat: Stat, group: str, counts: tuple[int, int]) -> dict[str, Any]:
    made, chances = counts
    low, high = wilson(made, chances)
    return {
        "title": stat.title,
        "group": group,
        "rate": made / chances if chances else None,
        "rate_low": low,
        "rate_high": high,
        "made": made,
        "chances": chances,
        "id": stat.id,
    }
