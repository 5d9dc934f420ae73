"""The tables of statistics, as pandas frames with the columns that the catalogue describes."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from razzstats.cards import RANK_SYMBOLS
from razzstats.chips import Money
from razzstats.stats.catalogue import STAT_BY_ID, STATS
from razzstats.stats.door_pairs import door_pairs
from razzstats.stats.filters import Filters
from razzstats.stats.frames import (
    BIG_BET_SUMS,
    exact_sum,
    exact_sums,
    made_and_chances,
    no_hands,
    rate_cells,
    results_by,
    table_frame,
    times_100,
)
from razzstats.stats.groups import Group
from razzstats.stats.intervals import mean_interval, wilson
from razzstats.stats.luck import luck_table
from razzstats.stats.money import money_table
from razzstats.stats.opponents import opponent_table
from razzstats.stats.pool import pool_table
from razzstats.stats.positions import position_table
from razzstats.stats.rates import hand_rates, result_table, street_rates, third_street
from razzstats.stats.sessions import session_table, stakes_table
from razzstats.stats.starting_hands import starting_class_table, starting_hand_table
from razzstats.storage import Database

_DOOR_STATS = [
    STAT_BY_ID[id]
    for id in (
        "win_rate", "vpip", "complete", "saw_fourth", "went_to_showdown", "won_at_showdown",
    )
]  # fmt: skip


def count_hands(database: Database, filters: Filters) -> int:
    """Return how many player-hands match."""
    where, parameters = filters.where()
    sql = f"SELECT count(*) FROM hand_players WHERE {where}"
    return int(database.rows(sql, parameters)[0][0])


def overview(database: Database, filters: Filters) -> pd.DataFrame:
    """Return hands, sessions, net by currency, BB/100 and every rate, one row each."""
    matching, parameters = filters.hands()
    rates = ", ".join(f"{made_and_chances(stat)}" for stat in STATS)
    (found,) = database.rows(
        f"""SELECT count(*), {BIG_BET_SUMS}, {rates} FROM {matching}
        JOIN (SELECT hid, pot, rake FROM hands) USING (hid)""",
        parameters,
    )
    hands, total, squares, *counts = found
    rows = [
        _row("hands", "Hands", hands, unit="hands"),
        _row("sessions", "Sessions", _count_sessions(database, filters), unit="sessions"),
        *_nets(database, filters),
        _big_bets_row("big_bets_per_100", "Big bets per 100 hands", hands, total, squares),
        _adjusted_row(database, filters),
    ]
    for stat, made, chances in zip(STATS, counts[::2], counts[1::2], strict=True):
        low, high = wilson(made, chances)
        rate = made / chances if chances else None
        rows.append(_row(stat.id, stat.title, rate, low, high, made, chances, "rate"))
    return table_frame("overview", rows)


def door_cards(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results and rates by own door card, thirteen rows from ace to king."""
    hands, parameters = filters.hands()
    by_rank = results_by(database, _DOOR_STATS, "door_rank", hands, parameters)
    rows = [
        {"door": symbol, **by_rank.get(rank, no_hands(_DOOR_STATS)).columns()}
        for rank, symbol in enumerate(RANK_SYMBOLS, 1)
    ]
    return table_frame("door-cards", rows)


# How likely chance is to deal the other players lower door cards only; equal ranks go by suit, and
# cards are numbered suit by suit from the lowest.
_BY_CHANCE = """list_product(list_transform(range(players - 1), lambda seat:
    greatest(4 * (c3 % 13) + c3 // 13 - seat, 0) / (51 - seat)))"""


def bring_ins(database: Database, filters: Filters) -> pd.DataFrame:
    """Return how often each door card brings in, thirteen rows from ace to king.

    Hands of games without a bring-in do not count.
    """
    hands, parameters = filters.hands()
    found = database.rows(
        f"""SELECT door_rank, count(*), count(*) FILTER (bring_in_seat = seat),
            {exact_sum(_BY_CHANCE)}, coalesce({exact_sum("posted / big_bet")}, 0)
        FROM {hands} JOIN (SELECT hid, bring_in_seat FROM hands WHERE bring_in_seat IS NOT NULL)
            USING (hid)
        LEFT JOIN (SELECT hid, seat, sum(amount) AS posted FROM actions
            WHERE kind = 'bring-in' GROUP BY hid, seat) USING (hid, seat)
        WHERE door_rank IS NOT NULL GROUP BY door_rank""",
        parameters,
    )
    by_rank = {row[0]: row[1:] for row in found}
    rows = []
    for rank, symbol in enumerate(RANK_SYMBOLS, 1):
        dealt, made, expected, posted = by_rank.get(rank, (0, 0, 0.0, 0.0))
        cells = rate_cells("brought_in", made, dealt)
        rows.append({
            "door": symbol,
            "hands": dealt,
            **cells,
            "brought_in_made": made,
            "expected": expected / dealt if dealt else None,
            "bring_in_big_bets": 100 * posted / dealt if dealt else None,
        })  # fmt: skip
    return table_frame("bring-ins", rows)


def door_streets(database: Database, filters: Filters) -> pd.DataFrame:
    """Return how each door card fares from each street on, 65 rows by door and street."""
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT door_rank, street, count(*), count(*) FILTER (folded AND last_street = street),
            count(*) FILTER (collected > 0), {exact_sum("net / big_bet")}
        FROM hand_players, (SELECT unnest([3, 4, 5, 6, 7]) AS street)
        WHERE {where} AND door_rank IS NOT NULL AND last_street >= street
        GROUP BY door_rank, street""",
        parameters,
    )
    by_cell = {(row[0], row[1]): row[2:] for row in found}
    rows = []
    for rank, symbol in enumerate(RANK_SYMBOLS, 1):
        for street in range(3, 8):
            reached, folded, won, net = by_cell.get((rank, street), (0, 0, 0, 0.0))
            low, high = wilson(won, reached)
            rows.append(
                {
                    "door": symbol,
                    "street": street,
                    "reached": reached,
                    "folded": folded,
                    "won": won,
                    "win_rate": won / reached if reached else None,
                    "win_rate_low": low,
                    "win_rate_high": high,
                    "net_big_bets": net if reached else None,
                }
            )
    return table_frame("door-streets", rows)


def streets(database: Database, filters: Filters) -> pd.DataFrame:
    """Return what was done on each street, five rows from third to seventh."""
    where, parameters = filters.where()
    hands = database.rows(
        f"""SELECT street, count(*), count(*) FILTER (folded AND last_street = street),
            count(*) FILTER (last_street = street),
            count(*) FILTER (last_street = street AND collected > 0),
            coalesce({exact_sum("net / big_bet", "last_street = street")}, 0)
        FROM hand_players, (SELECT unnest([3, 4, 5, 6, 7]) AS street)
        WHERE {where} AND last_street >= street GROUP BY street""",
        parameters,
    )
    decisions = database.rows(
        f"""SELECT street, count(*) FILTER (kind = 'check'),
            count(*) FILTER (kind IN ('complete', 'bet')),
            count(*) FILTER (kind = 'raise'), count(*) FILTER (kind = 'call'),
            count(*) FILTER (kind = 'fold' AND to_call > 0),
            count(*) FILTER (to_call > 0 AND kind IN ('fold', 'call', 'complete', 'raise'))
        FROM actions JOIN (SELECT hid, seat FROM hand_players WHERE {where}) USING (hid, seat)
        GROUP BY street""",
        parameters,
    )
    by_street = {row[0]: row[1:] for row in hands}
    done = {row[0]: row[1:] for row in decisions}
    nothing = (0, 0, 0, 0, 0.0), (0, 0, 0, 0, 0, 0)
    rows = [
        _street_row(street, by_street.get(street, nothing[0]), done.get(street, nothing[1]))
        for street in range(3, 8)
    ]
    return table_frame("streets", rows)


def _street_row(street: int, hands: tuple[Any, ...], decisions: tuple[Any, ...]) -> dict[str, Any]:
    reached, folded, ended, won, net = hands
    checks, bets, raises, calls, folds, chances = decisions
    low, high = wilson(folds, chances)
    return {
        "street": street,
        "reached": reached,
        "folded": folded,
        "ended": ended,
        "won": won,
        "net_big_bets": net,
        "checks": checks,
        "bets": bets,
        "raises": raises,
        "calls": calls,
        "fold_to_bet": folds / chances if chances else None,
        "fold_to_bet_low": low,
        "fold_to_bet_high": high,
        "fold_to_bet_made": folds,
        "fold_to_bet_chances": chances,
        "aggression": (bets + raises) / calls if calls else None,
    }


TABLE_FUNCTIONS: Mapping[str, Callable[[Database, Filters], pd.DataFrame]] = {
    "overview": overview,
    "door-cards": door_cards,
    "bring-ins": bring_ins,
    "door-streets": door_streets,
    "door-pairs": door_pairs,
    "streets": streets,
    "starting-classes": starting_class_table,
    "starting-hands": starting_hand_table,
    "luck": luck_table,
    "third-street": third_street,
    "street-rates": street_rates,
    "hand-rates": hand_rates,
    "results": result_table,
    "money": money_table,
    "sessions": session_table,
    "stakes": stakes_table,
    "opponents": opponent_table,
    "pool": pool_table,
    "positions": position_table,
}
"""The function that makes each table of the catalogue."""

GROUPED_TABLES: Mapping[str, Callable[[Database, Filters, Group], pd.DataFrame]] = {
    "third-street": third_street,
    "street-rates": street_rates,
    "hand-rates": hand_rates,
    "results": result_table,
}
"""Those that can be split by a group."""


def _row(
    id: str,
    title: str,
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    made: int | None = None,
    chances: int | None = None,
    unit: str = "",
) -> dict[str, Any]:
    return {
        "id": id,
        "title": title,
        "value": value,
        "low": low,
        "high": high,
        "made": made,
        "chances": chances,
        "unit": unit,
    }


def _nets(database: Database, filters: Filters) -> list[dict[str, Any]]:
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT currency, decimals, sum(net)::BIGINT, count(*) FROM hand_players
        WHERE {where} GROUP BY currency, decimals ORDER BY currency, decimals""",
        parameters,
    )
    # A room may count a currency more finely than another: play money in hundredths, say.
    finest = {currency: decimals for currency, decimals, _, _ in found}
    nets: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for currency, decimals, net, number in found:
        nets[currency] += net * 10 ** (finest[currency] - decimals)
        hands[currency] += number
    return [
        _row(
            f"net_{currency.lower()}",
            f"Net in {Money(currency, decimals).title}",
            nets[currency] / 10**decimals,
            chances=hands[currency],
            unit=currency,
        )
        for currency, decimals in finest.items()
    ]


def _big_bets_row(
    id: str, title: str, hands: int, total: float | None, squares: float | None
) -> dict[str, Any]:
    low, high = mean_interval(hands, total or 0.0, squares or 0.0)
    value = 100 * (total or 0.0) / hands if hands else None
    return _row(id, title, value, times_100(low), times_100(high), chances=hands, unit="BB/100")


def _adjusted_row(database: Database, filters: Filters) -> dict[str, Any]:
    """Return what the hands would have brought with the luck that was measured taken out."""
    where, parameters = filters.where()
    (found,) = database.rows(
        f"""SELECT count(*), {exact_sums("adjusted")} FROM (
            SELECT (net - coalesce(luck, 0)) / big_bet AS adjusted
            FROM (SELECT * FROM hand_players WHERE {where})
            LEFT JOIN player_luck USING (hid, seat))""",
        parameters,
    )
    return _big_bets_row("luck_adjusted_per_100", "Luck-adjusted BB/100", *found)


def _count_sessions(database: Database, filters: Filters) -> int:
    parts, parameters = filters.session_parts()
    sql = f"SELECT count(DISTINCT session) FROM ({parts}) WHERE began IS NOT NULL"
    return int(database.rows(sql, parameters)[0][0])
