"""Rates of hands and of decisions, and results, by group, as frames."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from razzstats.stats.catalogue import STAT_BY_ID, STATS, Stat
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import counts_of, made_and_chances, no_hands, results_by, table_frame
from razzstats.stats.groups import ALL, EVERYTHING, Group, grouped_hands
from razzstats.stats.intervals import wilson
from razzstats.storage import Database

_STREETS = range(3, 8)


_RESULT_STATS = [STAT_BY_ID[id] for id in ("win_rate", "vpip", "complete", "saw_fourth")]


def result_table(database: Database, filters: Filters, group: Group = EVERYTHING) -> pd.DataFrame:
    """Return what the hands brought, one row a group."""
    hands, parameters = grouped_hands(filters, group)
    found = results_by(database, _RESULT_STATS, "key", f"({hands})", parameters, group.order)
    rows = [{"group": key, **result.columns()} for key, result in found.items()]
    return table_frame("results", rows or [{"group": ALL, **no_hands(_RESULT_STATS).columns()}])


def hand_rates(database: Database, filters: Filters, group: Group = EVERYTHING) -> pd.DataFrame:
    """Return how often hands went one way or another, one row a statistic and group."""
    hands, parameters = grouped_hands(filters, group)
    found = database.rows(
        f"""SELECT key, {", ".join(made_and_chances(stat) for stat in STATS)}
        FROM ({hands}) JOIN (SELECT hid, pot, rake FROM hands) USING (hid)
        GROUP BY key ORDER BY {group.order}""",
        parameters,
    )
    by_key = {
        str(key): list(zip(numbers[::2], numbers[1::2], strict=True)) for key, *numbers in found
    } or {ALL: [(0, 0)] * len(STATS)}
    rows = [
        _row(stat, key, counts[place])
        for place, stat in enumerate(STATS)
        for key, counts in by_key.items()
    ]
    return table_frame("hand-rates", rows)


def third_street(database: Database, filters: Filters, group: Group = EVERYTHING) -> pd.DataFrame:
    """Return what was chosen on third street, one row a statistic and group."""
    counts = _counts(database, filters, THIRD_STREET_STATS, group, "decisions")
    rows = [
        _row(stat, key, counts[key, 3][place]) if (key, 3) in counts else _row(stat, key, (0, 0))
        for place, stat in enumerate(THIRD_STREET_STATS)
        for key in _keys(counts)
    ]
    return table_frame("third-street", rows)


def street_rates(database: Database, filters: Filters, group: Group = EVERYTHING) -> pd.DataFrame:
    """Return what was chosen on each street, one row a statistic, street and group."""
    decisions = """(SELECT decisions.*, caught_good, one_caught_good FROM decisions
        LEFT JOIN (SELECT hid, seq, caught_good, one_caught_good FROM spots
            WHERE caught_good <> one_caught_good) USING (hid, seq))"""
    counts = _counts(database, filters, STREET_STATS, group, decisions)
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
    database: Database, filters: Filters, stats: Sequence[Stat], group: Group, decisions: str
) -> _Counts:
    hands, parameters = grouped_hands(filters, group)
    # Each condition is worked out once, and counted as a numerator and as a denominator.
    places = range(len(stats))
    conditions = ", ".join(
        f"({stat.made}) AS made_{place}, ({stat.chances}) AS chance_{place}"
        for place, stat in enumerate(stats)
    )
    found = database.rows(
        f"""SELECT key, street, {", ".join(counts_of(f"made_{i}", f"chance_{i}") for i in places)}
        FROM (SELECT key, street, {conditions}
            FROM (SELECT hid, seat, last_street, collected, showdown, key FROM ({hands}))
            JOIN {decisions} USING (hid, seat))
        GROUP BY key, street ORDER BY {group.order}, street""",
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
