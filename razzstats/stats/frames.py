"""What the tables share: results of groups of hands, and rows as frames of the catalogue."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from razzstats.stats.catalogue import TABLE_BY_NAME, Kind, Stat
from razzstats.stats.intervals import mean_interval, wilson
from razzstats.storage import Database


def exact_sum(value: str, condition: str = "TRUE") -> str:
    """Return the SQL of a sum of fractions, of the rows that meet a condition.

    It is the same whatever the order of the rows, which several threads add up as they come: sums
    of floating point would differ in their last digits. Fractions are rounded to fifteen digits and
    added up as whole numbers; what has more than 23 digits before the point is left out.
    """
    where = "" if condition == "TRUE" else f" FILTER ({condition})"
    return f"sum({exact(value)}){where}::DOUBLE"


def exact(value: str) -> str:
    """Return the SQL of a fraction as `exact_sum` adds it up."""
    return f"TRY_CAST({value} AS DECIMAL(38, 15))"


def exact_sums(value: str) -> str:
    """Return the SQL of the sums of a fraction and of its square.

    A count and these two make a mean and its interval.
    """
    return f"{exact_sum(value)}, {exact_sum(f'({value}) * ({value})')}"


BIG_BET_SUMS = exact_sums("net / big_bet")
"""The sums of results in big bets and of their squares."""

ONE_NET = """CASE WHEN min(currency) = max(currency) AND min(decimals) = max(decimals)
    THEN sum(net)::BIGINT END"""
"""The net in smallest units; NULL where hands are in several currencies or units of one, which
cannot be added up."""

# What lacks a value stays without one: Int64 and Float64 know NA, int and float do not.
_DTYPES = {
    Kind.TEXT: "str",
    Kind.COUNT: "Int64",
    Kind.AMOUNT: "Int64",
    Kind.RATE: "Float64",
    Kind.NUMBER: "Float64",
    Kind.RESULT: "Float64",
}


def table_frame(table: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as the frame of a table of the catalogue."""
    columns = TABLE_BY_NAME[table].columns
    frame = pd.DataFrame(rows, columns=[column.key for column in columns])
    return frame.astype({column.key: _DTYPES[column.kind] for column in columns})


def made_and_chances(stat: Stat) -> str:
    """Return the SQL of a rate's numerator and denominator."""
    return counts_of(stat.made, stat.chances)


def counts_of(made: str, chances: str) -> str:
    """Return the SQL of how often both conditions hold, and how often the second one does."""
    # Much faster than count(*) FILTER, but NULL instead of 0 where every condition is NULL.
    both = f"({chances}) AND ({made})"
    return f"coalesce(count_if({both}), 0), coalesce(count_if({chances}), 0)"


def times_100(value: float | None) -> float | None:
    """Return a result a hand as one a hundred hands."""
    return None if value is None else 100 * value


def rate_cells(id: str, made: int, chances: int) -> dict[str, Any]:
    """Return a rate, its Wilson bounds and its chances by the keys of their columns."""
    low, high = wilson(made, chances)
    return {
        id: made / chances if chances else None,
        f"{id}_low": low,
        f"{id}_high": high,
        f"{id}_chances": chances,
    }


def big_bet_cells(hands: int, total: float, squares: float) -> dict[str, Any]:
    """Return BB/100 and its bounds from the sums of the results and of their squares."""
    low, high = mean_interval(hands, total, squares)
    return {
        "big_bets_per_100": 100 * total / hands if hands else None,
        "big_bets_per_100_low": times_100(low),
        "big_bets_per_100_high": times_100(high),
    }


class GroupResult(NamedTuple):
    """How a group of a player's hands fared."""

    hands: int
    net: int | None
    """In smallest units; None if the hands are in several currencies or units of one."""
    big_bets: float
    big_bets_squared: float
    made: dict[str, int]
    chances: dict[str, int]
    """Numerators and denominators of rates by their ids."""

    def columns(self) -> dict[str, Any]:
        """Return the values of the columns that such tables have in common."""
        won = self.made["win_rate"]
        win_low, win_high = wilson(won, self.hands)
        rates = {id: made / of if (of := self.chances[id]) else None
                 for id, made in self.made.items()}  # fmt: skip
        return {
            "hands": self.hands,
            "won": won,
            "win_rate_low": win_low,
            "win_rate_high": win_high,
            "net": self.net,
            **big_bet_cells(self.hands, self.big_bets, self.big_bets_squared),
            **rates,
            **{f"{id}_chances": count for id, count in self.chances.items()},
        }


def no_hands(stats: Sequence[Stat]) -> GroupResult:
    """Return the result of a group without hands."""
    nothing = {stat.id: 0 for stat in stats}
    return GroupResult(0, None, 0.0, 0.0, nothing, nothing)


def results_by(
    database: Database,
    stats: Sequence[Stat],
    key: str,
    source: str,
    parameters: Sequence[Any],
    order: str = "key",
) -> dict[Any, GroupResult]:
    """Return how hands fared, by an SQL expression that groups them, in an order of its ``key``.

    ``source`` is what they are taken from: rows of ``hand_players``, joined with others or not.
    """
    found = database.rows(
        f"""SELECT {key} AS key, count(*), {ONE_NET}, {BIG_BET_SUMS},
            {", ".join(made_and_chances(stat) for stat in stats)}
        FROM {source} WHERE {key} IS NOT NULL GROUP BY {key} ORDER BY {order}""",
        parameters,
    )
    return {
        group: GroupResult(
            hands,
            net,
            total,
            squares,
            {stat.id: counts[2 * place] for place, stat in enumerate(stats)},
            {stat.id: counts[2 * place + 1] for place, stat in enumerate(stats)},
        )
        for group, hands, net, total, squares, *counts in found
    }
