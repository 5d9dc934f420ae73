"""Results by starting hand and by class of starting hands, for hands whose cards are known."""

from collections import Counter, defaultdict
from typing import Any

import pandas as pd

from razzstats.equity.starting_hands import (
    StartingClass,
    heads_up_results,
    starting_hands,
    whole_deck_ratings,
)
from razzstats.stats.catalogue import STAT_BY_ID
from razzstats.stats.filters import Filters
from razzstats.stats.frames import GroupResult, exact_sum, no_hands, results_by, table_frame
from razzstats.storage import Database

_JOINED = "JOIN starting_hands USING (hid, seat)"
_STATS = [STAT_BY_ID[id] for id in ("win_rate", "vpip", "complete", "saw_fourth")]
_ALL_COMBINATIONS = 22_100


def starting_hand_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by starting hand, the best one against a random hand first.

    Only hands that were dealt have a row.
    """
    found = _results(database, filters)
    live = _mean_ratings(database, filters)
    currencies = _number_of_currencies(database, filters)
    rows = []
    for place, (hand, heads_up) in enumerate(heads_up_results().items(), 1):
        name = str(hand)
        if name in found:
            rows.append({
                "starting_hand": name,
                "class": str(hand.starting_class),
                "rank": place,
                "equity": float(heads_up.equity),
                "rating": whole_deck_ratings()[hand],
                "live_rating": live[name],
                **_added_up([found[name]], currencies).columns(),
            })  # fmt: skip
    return table_frame("starting-hands", rows)


def starting_class_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results by class of starting hands, one row a class, the better ones first."""
    by_hand = _results(database, filters)
    members: dict[StartingClass, list[GroupResult]] = defaultdict(list)
    combinations: Counter[StartingClass] = Counter()
    for hand in starting_hands():
        combinations[hand.starting_class] += hand.combinations
        if str(hand) in by_hand:
            members[hand.starting_class].append(by_hand[str(hand)])
    dealt = sum(result.hands for result in by_hand.values())
    currencies = _number_of_currencies(database, filters)
    rows: list[dict[str, Any]] = []
    for kind in StartingClass:
        result = _added_up(members[kind], currencies)
        rows.append({
            "class": str(kind),
            "dealt": result.hands / dealt if dealt else None,
            "to_be_expected": combinations[kind] / _ALL_COMBINATIONS,
            **result.columns(),
        })  # fmt: skip
    return table_frame("starting-classes", rows)


def _results(database: Database, filters: Filters) -> dict[str, GroupResult]:
    hands, parameters = filters.hands()
    return results_by(database, _STATS, "starting_hand", f"{hands} {_JOINED}", parameters)


def _mean_ratings(database: Database, filters: Filters) -> dict[str, float]:
    hands, parameters = filters.hands()
    sql = f"""SELECT starting_hand, {exact_sum("rating")} / count(*)
        FROM {hands} {_JOINED} GROUP BY starting_hand"""
    return dict(database.rows(sql, parameters))


def _number_of_currencies(database: Database, filters: Filters) -> int:
    hands, parameters = filters.hands()
    (found,) = database.rows(f"SELECT count(DISTINCT currency) FROM {hands} {_JOINED}", parameters)
    return int(found[0])


def _added_up(results: list[GroupResult], currencies: int) -> GroupResult:
    if not results:
        return no_hands(_STATS)
    nets = [result.net for result in results if result.net is not None]
    return GroupResult(
        sum(result.hands for result in results),
        sum(nets) if currencies == 1 else None,
        sum(result.big_bets for result in results),
        sum(result.big_bets_squared for result in results),
        {stat.id: sum(result.made[stat.id] for result in results) for stat in _STATS},
        {stat.id: sum(result.chances[stat.id] for result in results) for stat in _STATS},
    )
