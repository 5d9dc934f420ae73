"""Money: what was won and lost, what it is made of, how sure it is, and how deep it fell."""

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from razzstats.stats.catalogue.money import MONEY_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.frames import exact_sums, table_frame, times_100
from razzstats.stats.intervals import Z_95, mean_interval
from razzstats.stats.resampling import HAIR, Blocks, Floats, below_peak, block_interval
from razzstats.storage import Database

_SUMMED = tuple(stat for stat in MONEY_STATS if stat.sql)


def money_table(database: Database, filters: Filters) -> pd.DataFrame:
    """Return what was won and lost, what it is made of and how sure it is, one row each."""
    hands, sums = _sums(database, filters)
    found = {id: _per_100(each) for id, each in sums.items()}
    played = played_hands(database, filters)
    found |= _spread(played.results)
    found |= _by_session(played.blocks)
    found |= {
        "hours": _Number(played.hours),
        "big_bets_per_hour": _Number(played.timed / played.hours if played.hours else None),
    }
    found |= _drawdowns(played.results)
    rows = [
        {
            "id": stat.id,
            "title": stat.title,
            **found[stat.id]._asdict(),
            "hands": hands,
            "unit": stat.unit,
        }
        for stat in MONEY_STATS
    ]
    return table_frame("money", rows)


class PlayedHands(NamedTuple):
    """What hands brought, in big bets of their own tables."""

    results: Floats
    """In the order of play."""
    blocks: Blocks
    """The same by session."""
    hours: float | None
    """Between the first and the last hand of each session; None if no hand has a time."""
    timed: float
    """Big bets that the hands with a time brought."""


def played_hands(database: Database, filters: Filters) -> PlayedHands:
    """Return the results of the hands that match.

    Sessions are those of the filters; a player's hands without a time are one of their own.
    """
    numbered, parameters = filters.numbered()
    frame = database.frame(
        f"""SELECT net / big_bet AS big_bets, session, epoch(played_at) AS seconds
        FROM ({numbered}) ORDER BY played_at NULLS FIRST, hid, seat""",
        parameters,
    )
    results = frame["big_bets"].to_numpy(np.float64)
    blocks = Blocks.of(results, frame["session"].to_numpy(np.int64))
    timed = frame[frame["seconds"].notna()]
    seconds = timed.groupby("session")["seconds"].agg(["min", "max"])
    hours = float((seconds["max"] - seconds["min"]).sum()) / 3600 if len(timed) else None
    return PlayedHands(results, blocks, hours, float(timed["big_bets"].sum()))


class _Sum(NamedTuple):
    """What hands count in big bets: how many, their sum and the sum of their squares."""

    hands: int
    total: float
    squares: float


def _sums(database: Database, filters: Filters) -> tuple[int, dict[str, _Sum]]:
    """Return the number of hands, and by id what they count."""
    where, parameters = filters.where()
    counted = ", ".join(f"({stat.sql}) / big_bet AS {stat.id}" for stat in _SUMMED)
    sums = ", ".join(exact_sums(stat.id) for stat in _SUMMED)
    (found,) = database.rows(
        f"""SELECT count(*), {sums} FROM (
            SELECT {counted}
            FROM (SELECT *, coalesce(posted, 0) AS forced
                FROM (SELECT * FROM hand_players WHERE {where})
                JOIN (SELECT hid, pot, rake FROM hands) USING (hid)
                LEFT JOIN (SELECT hid, seat, luck FROM player_luck) USING (hid, seat)
                LEFT JOIN (SELECT hid, seat, sum(amount) AS posted FROM actions
                    WHERE kind = 'bring-in' GROUP BY hid, seat) USING (hid, seat)))""",
        parameters,
    )
    hands, *numbers = found
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return int(hands), {
        stat.id: _Sum(hands, total or 0.0, squares or 0.0)
        for stat, (total, squares) in zip(_SUMMED, pairs, strict=True)
    }


class _Number(NamedTuple):
    value: float | None = None
    low: float | None = None
    high: float | None = None


def _per_100(found: _Sum) -> _Number:
    if not found.hands:
        return _Number()
    low, high = mean_interval(*found)
    return _Number(100 * found.total / found.hands, times_100(low), times_100(high))


def _spread(results: Floats) -> dict[str, _Number]:
    """Return what the swings of single hands say of the result."""
    hands = len(results)
    deviation = float(results.std(ddof=1)) if hands > 1 else None
    sure = None
    if deviation is not None and deviation > HAIR:
        error = deviation / math.sqrt(hands)
        sure = NormalDist().cdf(float(results.mean()) / error)
    return {
        # A hundred independent hands swing ten times as much as one.
        "deviation_per_100": _Number(None if deviation is None else 10 * deviation),
        "hands_to_5": _Number(_hands_to(5, deviation)),
        "hands_to_2": _Number(_hands_to(2, deviation)),
        "winner_probability": _Number(sure),
    }


def _hands_to(error: float, deviation: float | None) -> float | None:
    """Return after how many hands the 95 % interval of BB/100 is that far to either side."""
    return None if deviation is None else math.ceil(100 * (Z_95 * 10 * deviation / error) ** 2)


def _by_session(blocks: Blocks) -> dict[str, _Number]:
    hands = len(blocks.results)
    low, high = block_interval(blocks)
    value = 100 * float(blocks.results.sum()) / hands if hands else None
    return {
        "big_bets_per_100_by_session": _Number(value, times_100(low), times_100(high)),
        "blocks": _Number(len(blocks.starts)),
    }


def _drawdowns(results: Floats) -> dict[str, _Number]:
    ids = ("largest_drawdown", "largest_drawdown_hands", "present_drawdown", "below_peak")
    return dict(zip(ids, map(_Number, _fallen(results)), strict=True))


def _fallen(results: Floats) -> Iterator[float | None]:
    """Yield the largest drawdown, its hands, the present one and the part of hands below a peak."""
    if not len(results):
        yield from (None, None, None, None)
        return
    fallen = below_peak(np.cumsum(results))
    is_below = fallen > HAIR
    fallen[~is_below] = 0.0
    deepest = int(fallen.argmax())
    yield float(fallen[deepest])
    at_peak = np.flatnonzero(~is_below)
    place = int(np.searchsorted(at_peak, deepest))
    begin = int(at_peak[place - 1]) if place else -1
    end = int(at_peak[place]) if place < len(at_peak) else len(results)
    yield end - begin - 1 if is_below[deepest] else 0
    yield float(fallen[-1])
    yield float(is_below.mean())
