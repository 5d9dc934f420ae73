"""Results by the player's own door card against the door card of the bring-in player."""

import pandas as pd

from razzstats.cards import RANK_SYMBOLS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import BIG_BET_SUMS, big_bet_cells, table_frame
from razzstats.storage import Database

_NO_HANDS = (0, 0, 0, 0, 0.0, 0.0)


def door_pairs(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by own door card and by that of the bring-in player, 169 rows.

    Own doors run from ace to king, and for each of them those of the bring-in player; pairs that
    were not met have zeros, so that the rows fill a square. Hands without a bring-in do not count,
    nor do those in which the player brings in himself. The bring-in player is he who has to bring
    in, whether he posts the bring-in or completes in its place.

    Columns: door and bring_in_door (ranks); hands, and of these entered (he called, completed or
    raised on third street), completed (the bring-in, first to do so) and won (he collected chips);
    net_big_bets, in big bets of each hand's own table, and big_bets_per_100 with its 95 % interval
    (normal, hands taken as independent).
    """
    hands, parameters = filters.hands()
    found = database.rows(
        f"""SELECT door_rank, bring_in_door, count(*), count_if(vpip), count_if(completed),
            count_if(collected > 0), {BIG_BET_SUMS}
        FROM {hands} JOIN (SELECT hid, bring_in_seat, bring_in_door FROM hands
            WHERE bring_in_door IS NOT NULL) USING (hid)
        WHERE seat <> bring_in_seat AND door_rank IS NOT NULL
        GROUP BY door_rank, bring_in_door""",
        parameters,
    )
    by_pair = {(own, other): counts for own, other, *counts in found}
    rows = []
    for own, door in enumerate(RANK_SYMBOLS, 1):
        for other, bring_in_door in enumerate(RANK_SYMBOLS, 1):
            counts = by_pair.get((own, other), _NO_HANDS)
            number, entered, completed, won, total, squares = counts
            rows.append({
                "door": door,
                "bring_in_door": bring_in_door,
                "hands": number,
                "entered": entered,
                "completed": completed,
                "won": won,
                "net_big_bets": total,
                **big_bet_cells(number, total, squares),
            })  # fmt: skip
    return table_frame("door-pairs", rows)
