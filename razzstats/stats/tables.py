"""The tables of statistics, as pandas frames with the columns that the catalogue describes."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from razzstats.cards import RANK_SYMBOLS
from razzstats.chips import Money
from razzstats.stats.catalogue import STATS, TABLE_BY_NAME, Kind, Stat
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import mean_interval, wilson
from razzstats.storage import Database

_SESSION_GAP_MINUTES = 30
_DOOR_STATS = ("win_rate", "vpip", "complete", "saw_fourth", "went_to_showdown", "won_at_showdown")


def count_hands(database: Database, filters: Filters) -> int:
    """Return how many player-hands match."""
    where, parameters = filters.where()
    sql = f"SELECT count(*) FROM hand_players WHERE {where}"
    return int(database.rows(sql, parameters)[0][0])


def overview(database: Database, filters: Filters) -> pd.DataFrame:
    """Return hands, sessions, net by currency, BB/100 and every rate, one row each."""
    where, parameters = filters.where()
    rates = ", ".join(f"{_counts(stat)}" for stat in STATS)
    (found,) = database.rows(
        f"SELECT count(*), {_BIG_BET_SUMS}, {rates} FROM hand_players WHERE {where}", parameters
    )
    hands, total, squares, *counts = found
    rows = [
        _row("hands", "Hands", hands, unit="hands"),
        _row("sessions", "Sessions", _count_sessions(database, filters), unit="sessions"),
        *_nets(database, filters),
        _big_bets_row(hands, total or 0.0, squares or 0.0),
    ]
    for stat, made, chances in zip(STATS, counts[::2], counts[1::2], strict=True):
        low, high = wilson(made, chances)
        rate = made / chances if chances else None
        rows.append(_row(stat.id, stat.title, rate, low, high, made, chances, "rate"))
    return _frame("overview", rows)


def door_cards(database: Database, filters: Filters) -> pd.DataFrame:
    """Return results and rates by own door card, thirteen rows from ace to king."""
    where, parameters = filters.where()
    stats = [stat for stat in STATS if stat.id in _DOOR_STATS]
    found = database.rows(
        f"""SELECT door_rank, count(*), sum(net)::BIGINT, count(DISTINCT currency),
            {_BIG_BET_SUMS}, {", ".join(_counts(stat) for stat in stats)}
        FROM hand_players WHERE {where} AND door_rank IS NOT NULL GROUP BY door_rank""",
        parameters,
    )
    by_rank = {row[0]: row[1:] for row in found}
    empty = (0, 0, 0, 0.0, 0.0) + (0,) * (2 * len(stats))
    rows = []
    for rank, symbol in enumerate(RANK_SYMBOLS, 1):
        hands, net, currencies, total, squares, *counts = by_rank.get(rank, empty)
        made = {stat.id: counts[2 * place] for place, stat in enumerate(stats)}
        chances = {stat.id: counts[2 * place + 1] for place, stat in enumerate(stats)}
        rates = {id: made[id] / chances[id] if chances[id] else None for id in made}
        win_low, win_high = wilson(made["win_rate"], hands)
        low, high = mean_interval(hands, total, squares)
        rows.append(
            {
                "door": symbol,
                "hands": hands,
                "won": made["win_rate"],
                "win_rate_low": win_low,
                "win_rate_high": win_high,
                "net": net if currencies == 1 else None,
                "big_bets_per_100": 100 * total / hands if hands else None,
                "big_bets_per_100_low": _times_100(low),
                "big_bets_per_100_high": _times_100(high),
                **rates,
                **{f"{id}_chances": count for id, count in chances.items()},
            }
        )
    return _frame("door-cards", rows)


def door_streets(database: Database, filters: Filters) -> pd.DataFrame:
    """Return how each door card fares from each street on, 65 rows by door and street."""
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT door_rank, street, count(*), count(*) FILTER (folded AND last_street = street),
            count(*) FILTER (collected > 0), sum(net / big_bet)
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
    return _frame("door-streets", rows)


def streets(database: Database, filters: Filters) -> pd.DataFrame:
    """Return what was done on each street, five rows from third to seventh."""
    where, parameters = filters.where()
    hands = database.rows(
        f"""SELECT street, count(*), count(*) FILTER (folded AND last_street = street),
            count(*) FILTER (last_street = street),
            count(*) FILTER (last_street = street AND collected > 0),
            coalesce(sum(net / big_bet) FILTER (last_street = street), 0)
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
    return _frame("streets", rows)


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
    "door-streets": door_streets,
    "streets": streets,
}
"""The function that makes each table of the catalogue."""


_BIG_BET_SUMS = "sum(net / big_bet), sum((net / big_bet) * (net / big_bet))"


def _counts(stat: Stat) -> str:
    return f"count(*) FILTER (({stat.chances}) AND ({stat.made})), count(*) FILTER ({stat.chances})"


def _frame(table: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = TABLE_BY_NAME[table].columns
    frame = pd.DataFrame(rows, columns=[column.key for column in columns])
    return frame.astype({column.key: _DTYPES[column.kind] for column in columns})


# What lacks a value stays without one: Int64 and Float64 know NA, int and float do not.
_DTYPES = {
    Kind.TEXT: "str",
    Kind.COUNT: "Int64",
    Kind.AMOUNT: "Int64",
    Kind.RATE: "Float64",
    Kind.NUMBER: "Float64",
    Kind.RESULT: "Float64",
}


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


def _big_bets_row(hands: int, total: float, squares: float) -> dict[str, Any]:
    low, high = mean_interval(hands, total, squares)
    return _row(
        "big_bets_per_100",
        "Big bets per 100 hands",
        100 * total / hands if hands else None,
        _times_100(low),
        _times_100(high),
        chances=hands,
        unit="BB/100",
    )


def _times_100(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _count_sessions(database: Database, filters: Filters) -> int:
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT count(*) FROM (
            SELECT played_at - lag(played_at) OVER (PARTITION BY site, name ORDER BY played_at)
                AS pause
            FROM hand_players WHERE {where} AND played_at IS NOT NULL)
        WHERE pause IS NULL OR pause > to_minutes({_SESSION_GAP_MINUTES})""",
        parameters,
    )
    return int(found[0][0])
