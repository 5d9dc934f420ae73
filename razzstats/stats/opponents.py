"""The other players: what they did in the hands that match, and where they stand among all."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from razzstats.rules.actions import VOLUNTARY, WAGERS
from razzstats.stats.catalogue import STAT_BY_ID
from razzstats.stats.catalogue.players import POOL_HANDS, PRIOR_HANDS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import (
    BIG_BET_SUMS,
    big_bet_cells,
    exact,
    exact_sum,
    made_and_chances,
    rate_cells,
    table_frame,
)
from razzstats.stats.pool import TABLE_SIZE, Player, everybody, place_among
from razzstats.storage import Database
from razzstats.storage.decisions import sql_kinds

_STATS = [
    STAT_BY_ID[id]
    for id in ("vpip", "complete", "saw_fourth", "went_to_showdown", "won_at_showdown")
]
_PLACED = [STAT_BY_ID[id] for id in ("vpip", "complete", "went_to_showdown")]


def opponent_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return the other players of the hands that match, those met most often first.

    With all players at once everybody is the others' opponent, in every hand just once.
    """
    return first_opponents(database, filters, None)[0]


def first_opponents(
    database: Database, filters: Filters, limit: int | None
) -> tuple[pd.DataFrame, int]:
    """Return the first rows of `opponent_table`, and how many there are in all."""
    pool = _pool(database, filters)
    if limit is None:
        met = _met(database, filters)
        return table_frame("opponents", [_row(found, pool) for found in met]), len(met)
    names = _names(database, filters)
    met = _met(database, filters, names[:limit])
    return table_frame("opponents", [_row(found, pool) for found in met]), len(names)


def _names(database: Database, filters: Filters) -> list[Player]:
    """Return the opponents, those met most often first."""
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT site, name FROM hand_players AS other JOIN (
            SELECT hid, count(*) AS heroes, any_value(seat) AS seat
            FROM hand_players WHERE {where} GROUP BY hid) AS hand USING (hid)
        WHERE heroes > 1 OR other.seat <> hand.seat
        GROUP BY site, name ORDER BY count(*) DESC, name, site""",
        parameters,
    )
    return [(str(site), str(name)) for site, name in found]


def _met(
    database: Database, filters: Filters, players: Sequence[Player] | None = None
) -> list[tuple[Any, ...]]:
    """Return what the opponents did, or of them only these players."""
    where, parameters = filters.where()
    others, of_others = "TRUE", []
    if players is not None:
        others = "(site, name) IN (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))"
        of_others = [[site for site, _ in players], [name for _, name in players]]
    # What the heroes of a hand won is added up by hand, and an opponent's own part taken off again.
    return database.rows(
        f"""WITH matching AS (
            SELECT hid, seat, {exact("net / big_bet")} AS big_bets
            FROM hand_players WHERE {where}
                AND hid IN (SELECT hid FROM hand_players WHERE {others})
        ), choices AS (
            SELECT hid, seat, count_if(kind IN {sql_kinds(WAGERS)}) AS wagers,
                count_if(kind = 'call') AS calls
            FROM actions WHERE kind IN {sql_kinds(VOLUNTARY)}
                AND hid IN (SELECT hid FROM matching)
            GROUP BY hid, seat
        ), heroes AS (
            SELECT hid, seat, big_bets, calls IS NOT NULL AS chose
            FROM matching LEFT JOIN choices USING (hid, seat)
        ), hands AS (
            SELECT hid, count(*) AS heroes, count_if(chose) AS choosing,
                sum(big_bets) FILTER (chose) AS total
            FROM heroes GROUP BY hid
        ), met AS (
            SELECT other.*, CASE
                WHEN NOT coalesce(chose, false) THEN total
                WHEN choosing > 1 THEN total - own.big_bets END AS hero_net
            FROM (SELECT * FROM hand_players WHERE {others}) AS other JOIN hands USING (hid)
            LEFT JOIN heroes AS own ON own.hid = other.hid AND own.seat = other.seat
            WHERE heroes > 1 OR own.hid IS NULL
        )
        SELECT site, name, count(*), {BIG_BET_SUMS}, coalesce(sum(wagers), 0)::BIGINT,
            coalesce(sum(calls), 0)::BIGINT, count(hero_net) FILTER (calls IS NOT NULL),
            {exact_sum("hero_net", "calls IS NOT NULL")},
            {", ".join(made_and_chances(stat) for stat in _STATS)}
        FROM met LEFT JOIN choices USING (hid, seat)
        GROUP BY site, name ORDER BY count(*) DESC, name, site""",
        [*parameters, *of_others, *of_others],
    )


def _row(found: Sequence[Any], pool: "_Pool") -> dict[str, Any]:
    site, name, hands, total, squares, wagers, calls, contested, hero_net, *counts = found
    by_stat = dict(zip((stat.id for stat in _STATS), zip(counts[::2], counts[1::2], strict=True),
                       strict=True))  # fmt: skip
    size = pool.sizes[site, name]
    row = {
        "name": name,
        "site": site,
        "hands": hands,
        "shrunken_vpip": _shrunken(*by_stat["vpip"], pool.groups[size].mean_vpip),
        "aggression": wagers / calls if calls else None,
        "net_big_bets": total,
        **big_bet_cells(hands, total, squares),
        "contested": contested,
        "hero_net_big_bets": hero_net,
        "table_size": size,
        "pool_players": pool.groups[size].players,
    }
    for id, (made, chances) in by_stat.items():
        row |= rate_cells(id, made, chances)
    for stat in _PLACED:
        row[f"{stat.id}_place"] = pool.place(stat.id, (site, name))
    return row


def _shrunken(made: int, chances: int, mean: float | None) -> float | None:
    """Return the mean of Beta(weight * mean + made, weight * (1 - mean) + chances - made)."""
    if mean is None:
        return None
    return (made + PRIOR_HANDS * mean) / (chances + PRIOR_HANDS)


# ---- the pool


class _Counts(NamedTuple):
    """What one player did at tables of one size."""

    hands: int
    made: dict[str, int]
    chances: dict[str, int]

    def rate(self, id: str) -> float | None:
        return self.made[id] / self.chances[id] if self.chances[id] else None


@dataclass
class _Group:
    """All players at tables of one size."""

    players: int = 0
    """Those with enough hands."""
    rates: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Their rates, in order."""
    vpip: int = 0
    vpip_chances: int = 0
    """Those of everybody: who played little is as much of the average as he played."""

    def add(self, counts: _Counts) -> None:
        """Add a player."""
        self.vpip += counts.made["vpip"]
        self.vpip_chances += counts.chances["vpip"]
        if counts.hands < POOL_HANDS:
            return
        self.players += 1
        for id in counts.made:
            if (rate := counts.rate(id)) is not None:
                self.rates[id].append(rate)

    @property
    def mean_vpip(self) -> float | None:
        """The rate of all their hands together."""
        return self.vpip / self.vpip_chances if self.vpip_chances else None


class _Pool(NamedTuple):
    """What opponents are compared with."""

    groups: dict[str, _Group]
    sizes: dict[Player, str]
    """The table size at which each player has most hands, the smaller of equals."""
    counts: dict[Player, _Counts]
    """What each player did at tables of that size."""

    def place(self, id: str, player: Player) -> float | None:
        """Return the part of the group below a player's rate, equals counted by half."""
        rate = self.counts[player].rate(id)
        rates = self.groups[self.sizes[player]].rates[id]
        return None if rate is None else place_among(rates, rate)


def _pool(database: Database, filters: Filters) -> _Pool:
    """Return what all players did in the hands that let any player through."""
    where, parameters = everybody(filters).where()
    found = database.rows(
        f"""SELECT site, name, {TABLE_SIZE} AS table_size, count(*),
            {", ".join(made_and_chances(stat) for stat in _PLACED)}
        FROM hand_players WHERE {where}
        GROUP BY site, name, table_size ORDER BY count(*) DESC, table_size""",
        parameters,
    )
    pool = _Pool(defaultdict(_Group), {}, {})
    ids = [stat.id for stat in _PLACED]
    for site, name, size, hands, *numbers in found:
        made = dict(zip(ids, numbers[::2], strict=True))
        counts = _Counts(hands, made, dict(zip(ids, numbers[1::2], strict=True)))
        pool.groups[size].add(counts)
        if (site, name) not in pool.sizes:
            pool.sizes[site, name], pool.counts[site, name] = size, counts
    for group in pool.groups.values():
        for rates in group.rates.values():
            rates.sort()
    return pool
