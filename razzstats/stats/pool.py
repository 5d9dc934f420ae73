"""The pool: the rates of all players at the same tables, and where somebody stands among them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from razzstats.stats.catalogue import STATS, Stat
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.catalogue.players import POOL_CHANCES, POOL_HANDS, POOL_PLAYERS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import made_and_chances, table_frame
from razzstats.stats.groups import GROUP_BY_NAME
from razzstats.stats.resampling import Floats
from razzstats.storage import Database

TABLE_SIZE = """CASE WHEN players <= 2 THEN '2' WHEN players <= 4 THEN '3-4'
    WHEN players <= 6 THEN '5-6' ELSE '7-8' END"""
"""SQL over ``hand_players``: the table's size by players dealt in."""

PERCENTILES = (10, 25, 50, 75, 90)

Player = tuple[str, str]
"""Room and name."""

_STAKES = GROUP_BY_NAME["stakes"].sql
_LUCK = ("win_rate", "brought_in")  # what says more of the cards than of the player
_TABLES = ["stakes", "table_size"]
_PLAYER = [*_TABLES, "site", "name"]


class _Part(NamedTuple):
    """Statistics that are counted together, and what rows they are counted over."""

    stats: tuple[Stat, ...]
    joined: str
    """What ``hand_players`` is joined with."""
    by_street: bool = False


_HANDS = _Part(
    tuple(stat for stat in STATS if stat.id not in _LUCK),
    "JOIN (SELECT hid, pot, rake FROM hands) USING (hid)",
)
_THIRD_STREET = _Part(
    THIRD_STREET_STATS,
    "JOIN (SELECT * EXCLUDE (all_in) FROM decisions WHERE street = 3) USING (hid, seat)",
)
_AGGRESSION = _Part(
    tuple(stat for stat in STREET_STATS if stat.id == "aggression_frequency"),
    "JOIN (SELECT hid, seat, street, kind FROM decisions) USING (hid, seat)",
    by_street=True,
)


def everybody(filters: Filters) -> Filters:
    """Return filters that let all players of the same tables and times through."""
    return Filters(
        all_players=True,
        game=filters.game,
        site=filters.site,
        stakes=filters.stakes,
        currency=filters.currency,
        since=filters.since,
        until=filters.until,
        players=filters.players,
        tournament=filters.tournament,
    )


def place_among(rates: Sequence[float], rate: float) -> float | None:
    """Return the part of sorted rates below one, equals counted by half; None if they are few."""
    if len(rates) < POOL_PLAYERS:
        return None
    return (bisect_left(rates, rate) + bisect_right(rates, rate)) / (2 * len(rates))


def pool_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return percentiles of each rate by stakes and table size, with the own rate beside them."""
    hands = _counts(database, filters, _HANDS)
    played = hands.groupby(_PLAYER, as_index=False)["rows"].sum()
    regulars = played[played["rows"] >= POOL_HANDS][_PLAYER]
    rows: list[dict[str, Any]] = []
    for part in (_HANDS, _THIRD_STREET, _AGGRESSION):
        counts = hands if part is _HANDS else _counts(database, filters, part)
        for street in sorted(counts["street"].unique()):
            rows += _rows(part.stats, int(street), counts[counts["street"] == street], regulars)
    rows.sort(key=lambda row: (*_by_size(row["stakes"]), row["table_size"], row["street"] or 0))
    return table_frame("pool", rows)


def _by_size(stakes: str) -> tuple[str, float]:
    """Return currency and big bet of stakes in words: "0.04/0.08 USD"."""
    bets, _, currency = stakes.partition(" ")
    return currency, float(bets.partition("/")[2])


def _counts(database: Database, filters: Filters, part: _Part) -> pd.DataFrame:
    """Return what each player of the pool did, apart for the hands that match and the others.

    A row has the columns `_PLAYER`, ``is_own``, ``street`` (0 for all together), ``rows`` (how many
    were counted), and ``made`` and ``chances``, each with the place of its statistic.
    """
    own, own_parameters = filters.where()
    where, parameters = everybody(filters).where()
    names = [f"{name}{place}" for place in range(len(part.stats)) for name in ("made", "chances")]
    keys = "small_bet, big_bet, decimals, currency, table_size, site, name, is_own, street"
    street = "street" if part.by_street else "0"
    sums = ", ".join(f"sum({name})::BIGINT AS {name}" for name in names)
    # Grouped by numbers first, so that the names of stakes are made for few rows only.
    return database.frame(
        f"""SELECT {_STAKES} AS stakes, table_size, site, name, is_own, street,
            sum(rows)::BIGINT AS rows, {sums}
        FROM (SELECT small_bet, big_bet, decimals, currency, table_size, site, name, is_own,
                {street}, count(*), {", ".join(made_and_chances(stat) for stat in part.stats)}
            FROM (SELECT *, {TABLE_SIZE} AS table_size, coalesce({own}, false) AS is_own
                FROM hand_players WHERE {where}) {part.joined}
            GROUP BY ALL) AS counted({keys}, rows, {", ".join(names)})
        GROUP BY ALL""",
        [*own_parameters, *parameters],
    )


def _rows(
    stats: Sequence[Stat], street: int, counts: pd.DataFrame, regulars: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Yield a row for each rate that enough of the regulars have."""
    numbers = [f"{name}{place}" for place in range(len(stats)) for name in ("made", "chances")]
    own = counts[counts["is_own"]].groupby(_TABLES)[numbers].sum()
    pool = counts.merge(regulars, on=_PLAYER).groupby(_PLAYER, as_index=False)[numbers].sum()
    for tables, players in pool.groupby(_TABLES):
        for place, stat in enumerate(stats):
            made, chances = players[f"made{place}"], players[f"chances{place}"]
            enough = chances >= POOL_CHANCES
            if enough.sum() >= POOL_PLAYERS:
                rates = np.sort((made[enough] / chances[enough]).to_numpy(np.float64))
                mine = own.loc[[tables]].iloc[0] if tables in own.index else None
                yield {
                    "stakes": tables[0],
                    "table_size": tables[1],
                    "street": street or None,
                    **_cells(stat, rates, *_own(mine, place)),
                }


def _own(counts: "pd.Series[int] | None", place: int) -> tuple[int, int]:
    if counts is None:
        return 0, 0
    return int(counts[f"made{place}"]), int(counts[f"chances{place}"])


def _cells(stat: Stat, rates: Floats, made: int, chances: int) -> dict[str, Any]:
    """Return a rate's percentiles among the pool's sorted rates, and the own one."""
    own = made / chances if chances else None
    percentiles = np.quantile(rates, [percent / 100 for percent in PERCENTILES])
    return {
        "id": stat.id,
        "title": stat.title,
        "pool_players": len(rates),
        **{f"p{percent}": value for percent, value in zip(PERCENTILES, percentiles, strict=True)},
        "own": own,
        "own_chances": chances,
        "own_place": None if own is None else place_among(rates.tolist(), own),
    }
