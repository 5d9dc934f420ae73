"""Results by session and by stakes."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from razzstats.stats.catalogue import STAT_BY_ID
from razzstats.stats.filters import Filters
from razzstats.stats.frames import (
    BIG_BET_SUMS,
    ONE_NET,
    big_bet_cells,
    exact_sum,
    made_and_chances,
    rate_cells,
    table_frame,
)
from razzstats.stats.groups import GROUP_BY_NAME
from razzstats.storage import Database

_ISO = "%Y-%m-%dT%H:%M:%SZ"
_STAKES, _GAME = GROUP_BY_NAME["stakes"].sql, GROUP_BY_NAME["game"].sql
# Stakes are named once for each kind of table, not for each hand.
_WITH_STAKES = f"""JOIN (SELECT *, {_STAKES} AS stakes
    FROM (SELECT DISTINCT small_bet, big_bet, currency, decimals FROM hand_players))
    USING (small_bet, big_bet, currency, decimals)"""
_PLAYED_FOR = "vpip OR last_street > 3"


def session_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by session, one row each in order of time."""
    numbered, parameters = filters.numbered()
    pot = "pot / big_bet"
    found = database.rows(
        f"""SELECT found.* REPLACE (hand_no AS biggest_pot_hand) FROM (
            SELECT session, any_value(name), any_value(site), strftime(min(played_at), '{_ISO}'),
            strftime(min(played_at) - to_hours({filters.day_start}), '%Y-%m-%d'),
            strftime(max(played_at), '{_ISO}'), epoch(max(played_at) - min(played_at)) / 60,
            count(*), if(min(stakes) = max(stakes), min(stakes), 'several'),
            {ONE_NET}, {BIG_BET_SUMS}, max({pot}) FILTER ({_PLAYED_FOR}),
            first(hid ORDER BY {pot} DESC, played_at, hid, seat) FILTER ({_PLAYED_FOR})
                AS biggest_pot_hand,
            {exact_sum("luck / big_bet")}, {made_and_chances(STAT_BY_ID["vpip"])},
            count(*) FILTER (showdown)
            FROM ({numbered}) JOIN (SELECT hid, pot FROM hands) USING (hid)
            {_WITH_STAKES} LEFT JOIN player_luck USING (hid, seat) GROUP BY session
        ) AS found LEFT JOIN (SELECT hid, hand_no FROM hands) ON hid = biggest_pot_hand
        ORDER BY session""",
        parameters,
    )
    return table_frame("sessions", [_session_row(row) for row in found])


def _session_row(found: Sequence[Any]) -> dict[str, Any]:
    number, name, site, begin, day, end, minutes, hands, stakes, net, total, squares, *more = found
    pot, hand, luck, made, chances, showdowns = more
    return {
        "number": number,
        "name": name,
        "site": site,
        "day": day,
        "begin": begin,
        "end": end,
        "minutes": minutes,
        "hands": hands,
        "stakes": stakes,
        "net": net,
        "net_big_bets": total,
        **big_bet_cells(hands, total, squares),
        "big_bets_per_hour": 60 * total / minutes if minutes else None,
        "biggest_pot": pot,
        "biggest_pot_hand": hand,
        "luck_big_bets": luck,
        **rate_cells("vpip", made, chances),
        "showdowns": showdowns,
    }


def stakes_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by room, stakes, and cash game or tournament, the lower stakes first."""
    numbered, parameters = filters.numbered()
    rates = ", ".join(made_and_chances(STAT_BY_ID[id]) for id in ("win_rate", "vpip"))
    found = database.rows(
        f"""SELECT site, stakes, currency, {_GAME}, count(*),
            count(DISTINCT session), {ONE_NET}, {BIG_BET_SUMS},
            {exact_sum("(net - coalesce(luck, 0)) / big_bet")}, {rates}
        FROM ({numbered}) {_WITH_STAKES} LEFT JOIN player_luck USING (hid, seat)
        GROUP BY site, stakes, currency, is_tournament
        ORDER BY site, is_tournament, currency, min(big_bet / power(10, decimals)), stakes""",
        parameters,
    )
    return table_frame("stakes", [_stakes_row(row) for row in found])


def _stakes_row(found: Sequence[Any]) -> dict[str, Any]:
    site, stakes, currency, game, hands, sessions, net, total, squares, adjusted, *counts = found
    won, _, made, chances = counts
    return {
        "site": site,
        "stakes": stakes,
        "currency": currency,
        "game": game,
        "hands": hands,
        "sessions": sessions,
        "net": net,
        **big_bet_cells(hands, total, squares),
        "luck_adjusted_per_100": 100 * adjusted / hands,
        "won": won,
        **rate_cells("win_rate", won, hands),
        **rate_cells("vpip", made, chances),
    }
