"""Checks of how a player changes with time within his sessions: tilt, tiredness, chasing."""

from collections.abc import Iterator
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from razzstats.stats.filters import Filters
from razzstats.stats.leaks.costs import FoldRates, Priced, price
from razzstats.stats.leaks.finding import Charge, Counted
from razzstats.stats.leaks.judging import chance_of_no_rise, chance_of_none
from razzstats.stats.leaks.rule import ENTERS, OverallRule, Reference, Source
from razzstats.stats.resampling import Floats
from razzstats.storage import Database

LOST_POT = 5.0
"""A pot of so many big bets that is lost from fifth street on can set a player on tilt."""
AFTER_HANDS, AFTER_SECONDS = 20, 15 * 60
"""How long it may last."""
LATE_SECONDS = 2 * 60 * 60
"""When a session is late."""

_RISE = 0.05  # of VPIP, that counts
_WORSE = 0.01  # big bets a hand, that count
_PRICED = 100  # entries on either side that are priced
_NORMAL = NormalDist()


def played_in_order(database: Database, filters: Filters) -> pd.DataFrame:
    """Return the hands that match and have a time, session by session in the order of play.

    ``seconds`` are those of the clock; `LOST_POT` and `LATE_SECONDS` say what ``after_loss`` and
    ``is_late`` mean.
    """
    numbered, parameters = filters.numbered()
    frame = database.frame(
        f"""SELECT hid, seat, session, epoch(played_at) AS seconds, net / big_bet AS big_bets,
            vpip, vpip_chance,
            net < 0 AND last_street >= 5 AND pot / big_bet >= {LOST_POT} AS lost,
            currency, big_bet / power(10, decimals) AS stakes
        FROM ({numbered}) JOIN (SELECT hid, pot FROM hands) USING (hid)
        WHERE played_at IS NOT NULL ORDER BY session, played_at, hid, seat""",
        parameters,
    )
    place = np.arange(len(frame))
    at = frame["seconds"].to_numpy(np.float64)
    first = _first_of_session(frame)
    marks = np.maximum.accumulate(np.where(frame["lost"].to_numpy(bool), place, -1))
    before = np.concatenate(([-1], marks[:-1])) if len(frame) else marks
    soon = (place - before <= AFTER_HANDS) | (at - at[before] <= AFTER_SECONDS)
    return frame.assign(after_loss=(before >= first) & soon, is_late=at - at[first] >= LATE_SECONDS)


def _first_of_session(frame: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the place of the first hand of each hand's session."""
    sessions = frame["session"].to_numpy(np.int64)
    begins = np.flatnonzero(np.diff(sessions, prepend=-1))
    return np.repeat(begins, np.diff(begins, append=len(sessions)))


# ---- tilt


def count_tilt(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return how often hands are played soon after a loss, against the rest of the sessions."""
    frame = played_in_order(database, filters)
    chosen = frame[frame["vpip_chance"].astype(bool)]
    after = chosen["after_loss"].to_numpy(bool)
    strata = list(_strata(chosen))
    spots, mistakes = int(after.sum()), int(chosen["vpip"].to_numpy(bool)[after].sum())
    rest = sum(chances for _, _, _, chances in strata)
    if spots < rule.least or rest < rule.least:
        return Counted(spots, mistakes, rule.reference, None)
    # What he would have played had he played as in the rest of the same sessions.
    usual = sum(n * k_else / n_else for _, n, k_else, n_else in strata if n_else)
    with_rest = sum(n for _, n, _, n_else in strata if n_else)
    most = usual / with_rest + _RISE if with_rest else 1.0
    reference = Reference(
        min(1.0, most), Source.OWN, "5 points above the rest of the same sessions"
    )
    chance = chance_of_no_rise(strata) if mistakes / spots > most else 1.0
    return Counted(spots, mistakes, reference, chance)


def _strata(chosen: pd.DataFrame) -> Iterator[tuple[int, int, int, int]]:
    """Yield by session: made and chances soon after losses, made and chances of the rest."""
    flags = pd.DataFrame({
        "made": chosen["vpip"] & chosen["after_loss"],
        "chances": chosen["after_loss"],
        "made_else": chosen["vpip"] & ~chosen["after_loss"],
        "chances_else": ~chosen["after_loss"],
    }).astype(np.int64)  # fmt: skip
    for row in flags.groupby(chosen["session"].to_numpy()).sum().itertuples(index=False):
        yield int(row[0]), int(row[1]), int(row[2]), int(row[3])


def charge_tilt(
    database: Database, filters: Filters, rule: OverallRule, rates: FoldRates
) -> Charge | None:
    """Return what entries soon after losses cost, over what they cost in the rest of the hands."""
    frame = played_in_order(database, filters)
    after = frame["after_loss"].to_numpy(bool)
    if after.all() or not after.any():
        return None
    entries = _entries(database, filters).merge(frame[["hid", "seat", "after_loss"]])
    marked = _priced(database, entries[entries["after_loss"]], rule, rates)
    rest = _priced(database, entries[~entries["after_loss"]], rule, rates)
    if marked is None or rest is None:
        return None
    share = 100 * float(after.mean())
    often, often_else = marked.entries / after.sum(), rest.entries / (~after).sum()
    extra = often * marked.priced.mean - often_else * rest.priced.mean
    error = np.hypot(often * marked.priced.error, often_else * rest.priced.error)
    return Charge(marked.priced, share * float(extra), share * float(error))


class _Entries(NamedTuple):
    entries: int
    priced: Priced


def _entries(database: Database, filters: Filters) -> pd.DataFrame:
    """Return hid, seat and seq of the entries against a wager, in the order of a hash."""
    hands, parameters = filters.hands()
    return database.frame(
        f"""SELECT hid, seat, seq FROM (SELECT hid, seat FROM {hands})
        JOIN (SELECT hid, seat, seq FROM decisions
            WHERE street = 3 AND wagers >= 1 AND {ENTERS}) USING (hid, seat)
        JOIN (SELECT hid, seat, seq FROM spots) USING (hid, seq, seat)
        ORDER BY hash(hid, seq)""",
        parameters,
    )


def _priced(
    database: Database, entries: pd.DataFrame, rule: OverallRule, rates: FoldRates
) -> _Entries | None:
    """Return how many entries there are, and the price of the first of them."""
    first = entries[["hid", "seq"]].head(_PRICED).itertuples(index=False)
    priced = price(database, rule, [(int(hid), int(seq)) for hid, seq in first], rates)
    return None if priced is None else _Entries(len(entries), priced)


def tilted_hands(database: Database, filters: Filters, limit: int) -> list[tuple[int, int]]:
    """Return hid and seat of the latest hands that were played soon after a loss."""
    frame = played_in_order(database, filters)
    return _latest(frame[frame["after_loss"] & frame["vpip"]], limit)


def _latest(frame: pd.DataFrame, limit: int) -> list[tuple[int, int]]:
    latest = frame.sort_values("seconds", ascending=False, kind="stable").head(limit)
    return [(int(hid), int(seat)) for hid, seat in latest[["hid", "seat"]].itertuples(index=False)]


# ---- long sessions


def count_late(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return how many hands are late, and how likely they bring no less than the early ones."""
    frame = played_in_order(database, filters)
    late = int(frame["is_late"].sum())
    gap = _gap(frame) if late >= rule.least else None
    if gap is None:
        return Counted(late, None, rule.reference, None)
    chance = _NORMAL.cdf(gap.mean / gap.error) if gap.mean <= -_WORSE else 1.0
    return Counted(late, None, rule.reference, chance)


def charge_late(
    database: Database, filters: Filters, rule: OverallRule, rates: FoldRates
) -> Charge | None:
    """Return what the late hands cost against the early ones of the same sessions."""
    frame = played_in_order(database, filters)
    gap = _gap(frame)
    if gap is None:
        return None
    share = 100 * float(frame["is_late"].mean())
    return Charge(None, -share * gap.mean, share * gap.error)


def late_hands(database: Database, filters: Filters, limit: int) -> list[tuple[int, int]]:
    """Return hid and seat of the latest hands from the third hour on."""
    frame = played_in_order(database, filters)
    return _latest(frame[frame["is_late"]], limit)


class _Gap(NamedTuple):
    """Late less early, in big bets a hand, within sessions."""

    mean: float
    error: float


def _gap(frame: pd.DataFrame) -> _Gap | None:
    results = frame["big_bets"].to_numpy(np.float64)
    if len(results) < 2:
        return None
    late = frame["is_late"].to_numpy(np.int64)
    number = frame["session"].to_numpy(np.int64)
    counts = [_by_session(number, flag) for flag in (late, 1 - late)]
    sums = [_by_session(number, results * flag) for flag in (late, 1 - late)]
    both = (counts[0] > 0) & (counts[1] > 0)
    after, before = counts[0][both], counts[1][both]
    weights = after * before / (after + before)
    if not weights.sum():
        return None
    gaps = sums[0][both] / after - sums[1][both] / before
    # Each gap has the variance s^2 / weight, so that of their weighted mean is s^2 / all weights.
    error = float(results.std(ddof=1)) / float(np.sqrt(weights.sum()))
    return _Gap(float((weights * gaps).sum() / weights.sum()), error) if error else None


def _by_session(
    number: np.ndarray[tuple[int], np.dtype[np.int64]],
    values: np.ndarray[tuple[int], np.dtype[np.generic]],
) -> Floats:
    return np.bincount(number, values.astype(np.float64)).astype(np.float64)


# ---- chasing


def count_chases(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return how many moves up to the highest stakes of a session came while it was losing."""
    moves = list(_moves_up(played_in_order(database, filters)))
    behind = sum(was_behind for _, was_behind in moves)
    chance = None
    if len(moves) >= rule.least:
        chance = chance_of_none(behind, len(moves), rule.reference.most)
    return Counted(len(moves), behind, rule.reference, chance)


def chasing_hands(database: Database, filters: Filters, limit: int) -> list[tuple[int, int]]:
    """Return hid and seat of the first hands at stakes to which losses were chased."""
    frame = played_in_order(database, filters)
    places = [place for place, was_behind in _moves_up(frame) if was_behind]
    return _latest(frame.iloc[places], limit)


def _moves_up(frame: pd.DataFrame) -> Iterator[tuple[int, bool]]:
    """Yield the place of each first hand at higher stakes of a session, and whether it was behind.

    Tables that are played at once are no move: the stakes must be above all before in the session.
    """
    if frame.empty:
        return
    keys = [frame["session"].to_numpy(), frame["currency"].to_numpy()]
    stakes = frame["stakes"]
    highest = stakes.groupby(keys).cummax()
    higher = stakes > highest.groupby(keys).shift()
    money = frame["big_bets"] * stakes
    before = money.groupby(keys).cumsum() - money
    for place in np.flatnonzero(higher.to_numpy(bool)):
        yield int(place), bool(before.iloc[place] < 0)
