"""Checks of decisions that hang together: dead cards, sunk pots, checking and calling."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from razzstats.cards import Rank
from razzstats.equity.starting_hands import ratings, starting_hands
from razzstats.rules.actions import ActionKind
from razzstats.stats.catalogue.decisions import UNCOMMITTED
from razzstats.stats.decisions import Decision, decisions_at, equity_range
from razzstats.stats.filters import Filters
from razzstats.stats.leaks.costs import (
    OF_MANY,
    REALISED,
    FoldRates,
    Place,
    Priced,
    price,
)
from razzstats.stats.leaks.finding import Charge, Counted
from razzstats.stats.leaks.judging import chance_inside, chance_of_gap, chance_of_none
from razzstats.stats.leaks.rule import ENTERS, HEADS_UP, OverallRule, Reference, Source
from razzstats.stats.resampling import Floats
from razzstats.storage import Database

_PRICED = 150  # decisions that are looked at one by one


_LATEST = "played_at DESC NULLS LAST, hid DESC"


# ---- dead cards

WORSE, BETTER = -0.03, 0.01
"""Changes of a starting hand's rating by dead door cards that are told apart."""

_DROP = 0.15

_EIGHTS = f"""SELECT hid, seq, starting_hand, rating, {ENTERS} AS entered
    FROM {{hands}} JOIN decisions USING (hid, seat) JOIN spots USING (hid, seq, seat)
    JOIN (SELECT hid, seat, starting_hand, rating FROM starting_hands) USING (hid, seat)
    WHERE street = 3 AND wagers = 1 AND {UNCOMMITTED} AND NOT bring_in
        AND start_pairs = 0 AND start_top = 8
    ORDER BY {_LATEST}, seq"""


class _Eights(NamedTuple):
    """What was done with three to an eight against a completion, by what dead cards do to it.

    The latest hands come first.
    """

    worse: list[tuple[Place, bool]]
    better: list[tuple[Place, bool]]


def _eights(database: Database, filters: Filters) -> _Eights:
    hands, parameters = filters.hands()
    alive = {
        str(hand): float(ratings(hand, [[0] * len(Rank)])[0])
        for hand in starting_hands()
        if max(hand.ranks) == Rank.EIGHT
    }
    found = _Eights([], [])
    for hid, seq, name, rating, entered in database.rows(_EIGHTS.format(hands=hands), parameters):
        change = rating - alive[name]
        if change <= WORSE:
            found.worse.append(((hid, seq), entered))
        elif change >= BETTER:
            found.better.append(((hid, seq), entered))
    return found


def count_dead_cards(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return whether eights are entered as often when dead cards make them worse."""
    worse, better = _eights(database, filters)
    entered, entered_better = (sum(entered for _, entered in each) for each in (worse, better))
    if min(len(worse), len(better)) < rule.least:
        return Counted(len(worse), entered, rule.reference, None)
    most = max(0.0, entered_better / len(better) - _DROP)
    reference = Reference(most, Source.OWN, "15 points under that with live cards")
    chance = chance_of_gap((entered_better, len(better)), (entered, len(worse)), _DROP)
    return Counted(len(worse), entered, reference, chance)


def dead_card_places(database: Database, filters: Filters, limit: int) -> list[Place]:
    """Return the latest entries with eights that dead cards made worse."""
    worse = _eights(database, filters).worse
    return [place for place, entered in worse if entered][:limit]


# ---- checking and calling with the best board

_LED = """SELECT hid, seat, count(*) AS led, count(*) FILTER (called) AS gave_up,
        max(seq) FILTER (called) AS seq, any_value(played_at) AS played_at
    FROM (SELECT d.hid, d.seat, d.seq, played_at, d.kind = 'check' AND EXISTS (
            SELECT 1 FROM decisions AS later WHERE later.hid = d.hid AND later.seat = d.seat
            AND later.street = d.street AND later.seq > d.seq AND later.kind = 'call') AS called
        FROM decisions AS d JOIN {hands} USING (hid, seat)
        WHERE d.street >= 4 AND d.turn = 1 AND d.acts_first AND d.could_wager)
    GROUP BY hid, seat HAVING led >= 2"""


def count_check_calls(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return in how many hands the best board checked and called on two streets."""
    hands, parameters = filters.hands()
    ((led, gave_up),) = database.rows(
        f"SELECT count(*), count(*) FILTER (gave_up >= 2) FROM ({_LED.format(hands=hands)})",
        parameters,
    )
    chance = None
    if led >= rule.least:
        chance = chance_inside(gave_up, led, rule.reference.least, rule.reference.most)
    return Counted(led, gave_up, rule.reference, chance)


def check_call_places(database: Database, filters: Filters, limit: int) -> list[Place]:
    """Return the last of these checks in the latest hands."""
    hands, parameters = filters.hands()
    return database.rows(
        f"""SELECT hid, seq FROM ({_LED.format(hands=hands)}) WHERE gave_up >= 2
        ORDER BY {_LATEST} LIMIT ?""",
        [*parameters, limit],
    )


# ---- pots that are lost already


class _Sunk(NamedTuple):
    """Decisions that the pot does not pay for."""

    decisions: list[Decision]
    equities: Floats
    looked_at: int
    """How many decisions were looked at to find them."""


MAY_BE_SUNK = f"street >= 5 AND wagers >= 1 AND to_call > 0 AND {HEADS_UP}"
"""SQL over ``decisions`` joined with ``spots``: a pot may be lost already; the price tells."""


class _Faced(NamedTuple):
    """Decisions whose pot may be lost already."""

    latest: list[Place]
    number: int
    """How many there are in all."""


def _faced(database: Database, filters: Filters) -> _Faced:
    hands, parameters = filters.hands()
    found = database.rows(
        f"""SELECT hid, seq, count(*) OVER () FROM (SELECT hid, seat, played_at FROM {hands})
        JOIN decisions USING (hid, seat) JOIN spots USING (hid, seq, seat)
        WHERE {MAY_BE_SUNK}
        ORDER BY {_LATEST}, seq LIMIT {2 * _PRICED}""",
        parameters,
    )
    return _Faced([(hid, seq) for hid, seq, _ in found], found[0][2] if found else 0)


def _sunk(database: Database, places: Sequence[Place]) -> _Sunk:
    """Return the decisions of these that the pot does not pay for."""
    found, equities = [], []
    looked_at = 0
    for decision in decisions_at(database, places):
        seen = [decision.seen_as(player) for player in decision.opponents]
        estimate = equity_range(decision, seen, OF_MANY.samples, OF_MANY.most_steps)
        if estimate is None:
            continue
        looked_at += 1
        act = decision.act
        worth = REALISED[act.street] * estimate.equity
        if worth * (act.pot + act.to_call) < act.to_call:
            found.append(decision)
            equities.append(estimate.equity)
    return _Sunk(found, np.array(equities, np.float64), looked_at)


def _called(decision: Decision) -> bool:
    return decision.act.kind != ActionKind.FOLD


def count_sunk(database: Database, filters: Filters, rule: OverallRule) -> Counted:
    """Return how often pots are paid for that do not pay, if more so for chips put in before.

    That is so if the coefficient of the own chips is above 0, in a logistic regression on them,
    the price, the equity and the street; the latest decisions are looked at.
    """
    sunk = _sunk(database, _faced(database, filters).latest)
    calls = [_called(decision) for decision in sunk.decisions]
    if len(calls) < rule.least:
        return Counted(len(calls), sum(calls), rule.reference, None)
    columns = [
        (_invested(decision), act.to_call / (act.pot + act.to_call), equity,
         float(act.street == 6), float(act.street == 7))
        for decision, equity in zip(sunk.decisions, sunk.equities, strict=True)
        for act in [decision.act]
    ]  # fmt: skip
    chance = 1.0
    if _slope(np.array(columns), np.array(calls, np.float64)) > 0:
        chance = chance_of_none(sum(calls), len(calls), rule.reference.most)
    return Counted(len(calls), sum(calls), rule.reference, chance)


def _invested(decision: Decision) -> float:
    """Return what the player has put in by now, in big bets."""
    earlier = decision.hand.acts[: decision.place]
    own = sum(act.amount for act in earlier if act.seat == decision.act.seat)
    return own / decision.hand.big_bet


def _slope(columns: Floats, made: Floats) -> float:
    """Return the coefficient of the first column in a logistic regression.

    It is that of a column in standard deviations from its mean, fitted by Newton's method with a
    weak normal prior, so that it exists whatever was made.
    """
    deviations = columns.std(axis=0)
    scaled = (columns - columns.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0)
    columns = np.column_stack([scaled, np.ones(len(made))])
    prior = 0.05 * np.eye(columns.shape[1])
    coefficients = np.zeros(columns.shape[1])
    for _ in range(50):
        expected = 1 / (1 + np.exp(-np.clip(columns @ coefficients, -30, 30)))
        weights = expected * (1 - expected)
        information = columns.T @ (columns * weights[:, None]) + prior
        step = np.linalg.solve(information, columns.T @ (made - expected) - prior @ coefficients)
        coefficients = coefficients + step
        if np.abs(step).max() < 1e-9:
            break
    return float(coefficients[0])


def charge_sunk(
    database: Database, filters: Filters, rule: OverallRule, rates: FoldRates
) -> Charge | None:
    """Return what these calls cost."""
    faced = _faced(database, filters)
    sunk = _sunk(database, faced.latest)
    called = [(each.act.hid, each.act.seq) for each in sunk.decisions if _called(each)]
    priced = price(database, rule, called[:_PRICED], rates)
    if priced is None:
        return None
    calls = faced.number * len(called) / sunk.looked_at
    return per_100(database, filters, priced, calls)


def sunk_places(database: Database, filters: Filters, limit: int) -> list[Place]:
    """Return the latest calls that the pot did not pay for."""
    places = _faced(database, filters).latest
    sunk = _sunk(database, places)
    calls = {(each.act.hid, each.act.seq) for each in sunk.decisions if _called(each)}
    return [place for place in places if place in calls][:limit]


def per_100(database: Database, filters: Filters, priced: Priced, mistakes: float) -> Charge:
    """Return what so many mistakes cost in a hundred hands."""
    hands, parameters = filters.hands()
    ((number,),) = database.rows(f"SELECT count(*) FROM {hands}", parameters)
    often = 100 * mistakes / number if number else 0.0
    return Charge(priced, priced.mean * often, priced.error * often)
