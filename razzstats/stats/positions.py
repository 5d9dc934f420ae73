"""Results and what is done first in, by the players left to act on third street."""

import pandas as pd

from razzstats.stats.catalogue import STAT_BY_ID
from razzstats.stats.catalogue.players import FIRST_IN_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import no_hands, rate_cells, results_by, table_frame
from razzstats.storage import Database

BRING_IN = "bring-in"
POSITIONS = (BRING_IN, *(str(behind) for behind in range(7)))
"""The bring-in player, and the others by how many are left to act when they first decide."""

_STATS = (STAT_BY_ID["win_rate"], STAT_BY_ID["vpip"], *FIRST_IN_STATS)


def position_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by position, eight rows: the bring-in player, then 0 to 6 left to act.

    Players whose ante put them all-in never decide and are in no row, unless they bring in.
    """
    matching, parameters = filters.hands()
    # The bring-in player is told by his seat: where everybody folds to him he never decides.
    source = f"""(SELECT hand_players.*, first_in, kind, CASE WHEN seat = bring_in_seat
            THEN '{BRING_IN}' ELSE behind::VARCHAR END AS position
        FROM {matching} JOIN (SELECT hid, bring_in_seat FROM hands) USING (hid)
        LEFT JOIN (SELECT hid, seat, behind, first_in, kind FROM decisions
            WHERE street = 3 AND turn = 1) USING (hid, seat))"""
    found = results_by(database, _STATS, "position", source, parameters)
    rows = []
    for position in POSITIONS:
        result = found.get(position, no_hands(_STATS))
        row = {"position": position, **result.columns()}
        for id in ("vpip", *(stat.id for stat in FIRST_IN_STATS)):
            row |= rate_cells(id, result.made[id], result.chances[id])
        rows.append(row)
    return table_frame("positions", rows)
