"""Hands one by one: the curve of results, the biggest pots, and what was not stored."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from razzstats.chips import Money
from razzstats.stats.filters import Filters
from razzstats.storage import Database


def results(database: Database, filters: Filters) -> pd.DataFrame:
    """Return one row a hand in order of time: what it brought, and the running totals.

    Columns: number (1, 2, …), site, hand_no, played_at (UTC), currency, decimals, net (smallest
    unit), big_bets, showdown, luck (big bets, NA if not measured), and cumulative big bets:
    total, at_showdown, without_showdown, luck_adjusted (the total less all measured luck).
    """
    where, parameters = filters.where()
    found = database.frame(
        f"""SELECT site, hand_no, played_at, currency, decimals, net, net / big_bet AS big_bets,
            showdown, luck / big_bet AS luck
        FROM (SELECT * FROM hand_players WHERE {where})
        JOIN (SELECT hid, hand_no FROM hands) USING (hid)
        LEFT JOIN player_luck USING (hid, seat)
        ORDER BY played_at NULLS FIRST, hid, seat""",
        parameters,
    )
    found.insert(0, "number", np.arange(1, len(found) + 1))
    brought, luck = found["big_bets"], found["luck"].fillna(0.0)
    shown = found["showdown"].astype(bool)
    return found.assign(
        total=brought.cumsum(),
        at_showdown=brought.where(shown, 0.0).cumsum(),
        without_showdown=brought.where(~shown, 0.0).cumsum(),
        luck_adjusted=(brought - luck).cumsum(),
    )


def biggest_pots(database: Database, filters: Filters, limit: int = 10) -> pd.DataFrame:
    """Return the hands with the biggest pots that the player played for, in big bets.

    A hand that he folded on third street without putting in chips by choice is not one of them.

    Columns: site, hand_no, hid, played_at (UTC), name, currency, decimals, small_bet, big_bet, pot,
    pot_big_bets, net, net_big_bets, door_rank, last_street, showdown, low.
    """
    return first_hands(
        database, filters, "vpip OR last_street > 3", "pot_big_bets DESC", limit=limit
    )


def first_hands(
    database: Database,
    filters: Filters,
    condition: str,
    order: str,
    *,
    limit: int,
    with_luck: bool = False,
) -> pd.DataFrame:
    """Return the first hands that match by an order, of those that meet a condition.

    The condition is SQL over ``hand_players``, or with luck over its join with ``player_luck``; the
    order is SQL over the columns, which are those of `biggest_pots`. With luck there are two more:
    luck, in big bets, and equity, the part of the pots that the player was to win. Hands that the
    order leaves level come by time.
    """
    where, parameters = filters.where()
    joined = "JOIN player_luck USING (hid, seat)" if with_luck else ""
    columns = ", luck / p.big_bet AS luck, equity" if with_luck else ""
    return database.frame(
        f"""SELECT p.site, hand_no, hid, p.played_at, name, p.currency, p.decimals, p.small_bet,
            p.big_bet, pot, pot / p.big_bet AS pot_big_bets, net, net / p.big_bet AS net_big_bets,
            door_rank, last_street, showdown, low{columns}
        FROM (SELECT * FROM (SELECT * FROM hand_players WHERE {where}) {joined}
            WHERE {condition}) AS p
        JOIN hands USING (hid)
        ORDER BY {order}, p.played_at, hid, seat LIMIT ?""",
        [*parameters, limit],
    )


def rejected_hands(database: Database) -> pd.DataFrame:
    """Return the hands that were not stored.

    Columns: site, hand_no, reason ("rejected" or "conflict"), code, message, file, line, text.
    Incomplete hands at the end of growing files are not among them.
    """
    return database.frame(
        """SELECT site, hand_no, reason, code, message, file, line, text
        FROM rejected WHERE reason <> 'incomplete' ORDER BY file, line, code"""
    )


class DataQuality(NamedTuple):
    """What the database was fed and what it left out."""

    files: int
    failed_files: int
    stored: int
    rejected: int
    conflicts: int
    other_games: int
    incomplete: int
    warnings: int
    stack_gaps: int
    """Hands that do not begin with the stacks that the hand before left."""


def data_quality(database: Database) -> DataQuality:
    """Return what all imports together stored and left out, from the last reading of each file."""
    found = database.rows(
        """SELECT count(*), count(*) FILTER (status = 'failed'), (SELECT count(*) FROM hands),
            (SELECT count(*) FROM rejected WHERE reason = 'rejected'),
            (SELECT count(*) FROM rejected WHERE reason = 'conflict'),
            coalesce(sum(other_games), 0)::BIGINT, coalesce(sum(incomplete), 0)::BIGINT,
            (SELECT count(*) FROM diagnostics WHERE severity = 'warning'),
            (SELECT count(*) FROM diagnostics WHERE name = 'stack-gap')
        FROM files WHERE file_id IN (SELECT max(file_id) FROM files GROUP BY path)"""
    )
    return DataQuality(*map(int, found[0]))


def heroes(database: Database) -> list[tuple[str, int]]:
    """Return the names whose files were imported with their numbers of hands, most hands first."""
    return [
        (str(name), int(hands))
        for name, hands in database.rows(
            "SELECT name, count(*) AS hands FROM hand_players WHERE is_hero GROUP BY name"
            " ORDER BY hands DESC, name"
        )
    ]


def currency(database: Database, filters: Filters) -> Money | None:
    """Return how the amounts of all matching hands are counted, or None if not in one way."""
    where, parameters = filters.where()
    found = database.rows(
        f"SELECT DISTINCT currency, decimals FROM hand_players WHERE {where}", parameters
    )
    return Money(*found[0]) if len(found) == 1 else None


def has_player(database: Database, name: str) -> bool:
    """Whether a player of this name is in any stored hand."""
    return bool(database.rows("SELECT 1 FROM hand_players WHERE name = ? LIMIT 1", (name,)))
