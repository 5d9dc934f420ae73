"""Results and what is done first in, by the players left to act on third street."""

import pandas as pd

from razzstats.stats.catalogue import STAT_BY_ID
from razzstats.stats.catalogue.players import FIRST_IN_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import no_hands, rate_cells, results_by, table_frame
from razzstats.stats.groups import GROUP_BY_NAME
from razzstats.storage import Database

BRING_IN = "bring-in"
POSITIONS = (BRING_IN, *(str(behind) for behind in range(7)))
"""The bring-in player, and the others by how many are left to act when they first decide."""

# He is told by his seat, for where everybody folds to him he never decides anything.
_POSITION = f"""CASE WHEN hand_players.seat =
    (SELECT bring_in_seat FROM hands WHERE hands.hid = hand_players.hid) THEN '{BRING_IN}'
    ELSE {GROUP_BY_NAME["behind"].sql} END"""
_STATS = (STAT_BY_ID["win_rate"], STAT_BY_ID["vpip"])


def position_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by position, eight rows: the bring-in player, then 0 to 6 left to act.

    Players whose ante put them all-in never decide and are in no row, unless they bring in.
    """
    hands = results_by(database, filters, _STATS, _POSITION, "hand_players")
    decisions = results_by(
        database,
        filters,
        FIRST_IN_STATS,
        _POSITION,
        "hand_players JOIN decisions USING (hid, seat)",
    )
    rows = []
    for position in POSITIONS:
        result = hands.get(position, no_hands(_STATS))
        first_in = decisions.get(position, no_hands(FIRST_IN_STATS))
        row = {
            "position": position,
            **result.columns(),
            **rate_cells("vpip", result.made["vpip"], result.chances["vpip"]),
        }
        for stat in FIRST_IN_STATS:
            row |= rate_cells(stat.id, first_in.made[stat.id], first_in.chances[stat.id])
        rows.append(row)
    return table_frame("positions", rows)
