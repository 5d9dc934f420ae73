"""What luck did: measured showdowns, how many could be measured, and how much they swung."""

import math
from typing import Any

import pandas as pd

from razzstats.luck import LuckKind
from razzstats.stats.filters import Filters
from razzstats.stats.frames import exact_sum, exact_sums, table_frame
from razzstats.storage import Database

ALL_KINDS = "all"


def luck_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return what luck did at showdowns, by what was measured, and all of it together.

    Counts and parts are of his showdowns; luck is also that of hands that others showed down after
    he had folded on seventh street.
    """
    where, parameters = filters.where()
    pots = "pot / p.big_bet"
    found = database.rows(
        f"""SELECT coalesce(kind, '{ALL_KINDS}'), count(*) FILTER (showdown),
            count(luck) FILTER (showdown), count(luck) FILTER (showdown AND collected > 0),
            count(*) FILTER (showdown AND collected > 0),
            coalesce({exact_sum(pots, "showdown")}, 0),
            coalesce({exact_sum(pots, "showdown AND luck IS NOT NULL")}, 0),
            {exact_sums("luck / p.big_bet")}
        FROM (SELECT * FROM hand_players WHERE {where}) AS p
        JOIN (SELECT hid, pot FROM hands) USING (hid)
        JOIN (SELECT hid, kind FROM hand_luck WHERE kind IS NOT NULL) USING (hid)
        LEFT JOIN player_luck USING (hid, seat)
        WHERE showdown OR luck IS NOT NULL
        GROUP BY GROUPING SETS ((kind), ())""",
        parameters,
    )
    by_kind = {row[0]: row[1:] for row in found}
    nothing = (0, 0, 0, 0, 0.0, 0.0, None, None)
    kinds = (*map(str, LuckKind), ALL_KINDS)
    return table_frame("luck", [_row(kind, by_kind.get(kind, nothing)) for kind in kinds])


def _row(kind: str, found: tuple[Any, ...]) -> dict[str, Any]:
    hands, measured, won_measured, won, pots, pots_measured, luck, squares = found
    lost, lost_measured = hands - won, measured - won_measured
    return {
        "kind": kind,
        "hands": hands,
        "measured": measured,
        "pots_measured": pots_measured / pots if pots else None,
        "won_measured": won_measured / won if won else None,
        "lost_measured": lost_measured / lost if lost else None,
        "luck_big_bets": luck,
        "swing_big_bets": None if squares is None else math.sqrt(squares),
    }
