"""What mistakes cost, in big bets: from pot odds and equity against what can be seen."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from razzstats.stats.decisions import Decision, decisions_at, equity_range
from razzstats.stats.leaks.rule import Cost, Rule
from razzstats.storage import Database

REALISED = {3: 0.7, 4: 0.8, 5: 0.9, 6: 0.95, 7: 1.0}
"""By street, what part of its equity a hand is worth with betting to come: a judgement."""

_SAMPLES = 4_000  # deals an equity, where it is sampled: a standard error under 1 %


class FoldRates(NamedTuple):
    """How often players fold, of everybody in the database."""

    to_wager: dict[int, float]
    """By street, to a completion, bet or raise."""
    steal_wins: dict[int, float]
    """How often a completion first in wins at once, by viable doors left to act."""


def fold_rates(database: Database) -> FoldRates:
    """Return the pool's rates; where there are few hands they lean to one half."""
    folds = database.rows(
        """SELECT street, count(*) FILTER (kind = 'fold'), count(*) FROM decisions
        WHERE wagers > 0 AND to_call > 0 GROUP BY street"""
    )
    steals = database.rows(
        """SELECT viable_behind, count(*) FILTER (last_street = 3 AND collected > 0
            AND NOT showdown), count(*)
        FROM decisions JOIN hand_players USING (hid, seat)
        WHERE first_in AND kind = 'complete' GROUP BY viable_behind"""
    )
    return FoldRates(
        {street: _leaning(made, chances) for street, made, chances in folds},
        {viable: _leaning(made, chances) for viable, made, chances in steals},
    )


def _leaning(made: int, chances: int) -> float:
    return (made + 5) / (chances + 10)


class Priced(NamedTuple):
    """What mistakes cost on average."""

    number: int
    mean: float
    """Big bets a mistake; negative if it was none."""
    error: float
    """Standard error of the mean."""


def price(
    database: Database, rule: Rule, places: Sequence[tuple[int, int]], rates: FoldRates
) -> Priced | None:
    """Return what the mistakes at these places cost on average, or None if none can be priced."""
    if rule.cost is None:
        return None
    viable = _viable_behind(database, places)
    costs = []
    for decision in decisions_at(database, places):
        seen = [decision.seen_as(player) for player in decision.opponents]
        estimate = equity_range(decision, seen, _SAMPLES)
        if estimate is not None:
            place = (decision.act.hid, decision.act.seq)
            spot = _spot(decision, rule, estimate.equity, rates, viable.get(place))
            costs.append(_FORMULAS[rule.cost](spot) / decision.hand.big_bet)
    if not costs:
        return None
    mean = sum(costs) / len(costs)
    variance = sum((cost - mean) ** 2 for cost in costs) / max(1, len(costs) - 1)
    return Priced(len(costs), mean, (variance / len(costs)) ** 0.5)


def _viable_behind(
    database: Database, places: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], int | None]:
    hids = [hid for hid, _ in places]
    found = database.rows(
        """SELECT hid, seq, viable_behind FROM decisions
        WHERE hid IN (SELECT unnest(?::BIGINT[])) AND first_in""",
        (hids,),
    )
    return {(hid, seq): viable for hid, seq, viable in found}


class _Spot(NamedTuple):
    """What the formulas are about; chips are smallest units."""

    pot: int
    to_call: int
    bet: float
    equity: float
    opponents: int
    realised: float
    all_fold: float
    """How often every opponent folds to a wager."""
    can_check: bool


def _spot(
    decision: Decision, rule: Rule, equity: float, rates: FoldRates, viable: int | None
) -> _Spot:
    act, street = decision.act, decision.act.street
    opponents = len(decision.opponents)
    if viable is not None:
        all_fold = rates.steal_wins.get(viable, 0.5)
    else:
        all_fold = rates.to_wager.get(street, 0.5) ** opponents
    realised = REALISED[street] if rule.realised is None else rule.realised
    return _Spot(
        pot=act.pot,
        to_call=act.to_call,
        bet=decision.hand.big_bet / (2 if street <= 4 else 1),
        equity=equity,
        opponents=opponents,
        realised=realised,
        all_fold=all_fold,
        can_check=not act.to_call,
    )


def _call(spot: _Spot) -> float:
    return spot.to_call - spot.realised * spot.equity * (spot.pot + spot.to_call)


def _bet(spot: _Spot) -> float:
    value = spot.bet * ((spot.opponents + 1) * spot.equity - 1)
    return value + spot.all_fold * (1 - spot.equity) * spot.pot


def _bluff(spot: _Spot) -> float:
    """Return what a bet is worth that is made to win the pot at once, over checking or folding."""
    called = spot.realised * spot.equity * (spot.pot + 2 * spot.bet) - spot.bet
    worth = spot.all_fold * spot.pot + (1 - spot.all_fold) * called
    return worth - (spot.equity * spot.pot if spot.can_check else 0.0)


_FORMULAS: dict[Cost, Callable[[_Spot], float]] = {
    Cost.CALL: _call,
    Cost.FOLD: lambda spot: -_call(spot),
    Cost.BET: _bet,
    Cost.RAISE: lambda spot: -spot.bet * ((spot.opponents + 1) * spot.equity - 1),
    Cost.BLUFF: lambda spot: -_bluff(spot),
    Cost.MISSED_BLUFF: _bluff,
}
