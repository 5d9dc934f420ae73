"""What mistakes cost, in big bets: from pot odds and equity against what can be seen."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from razzstats.stats.decisions import Decision, decisions_at, equity_range
from razzstats.stats.leaks.rule import Cost, Rule
from razzstats.storage import Database
from razzstats.story import Effort

REALISED = {3: 0.7, 4: 0.8, 5: 0.9, 6: 0.95, 7: 1.0}
"""By street, what part of its equity a hand is worth with betting to come: a judgement."""

Place = tuple[int, int]
"""hid and seq of a decision."""

OF_ONE = Effort(500_000, 2_000)
"""For single decisions: the equity of one opponent is counted from fourth street on (on third that
would take ten times as long), a sampled one has a standard error of 1 % or little more."""

OF_MANY = Effort(0, 1_000)
"""For averages of many decisions, in which the errors of samples average out."""


class FoldRates(NamedTuple):
    """How often players fold, of everybody in the database."""

    to_wager: dict[int, float]
    """By street, to a completion, bet or raise."""
    steal_wins: dict[int, float]
    """How often a completion first in wins at once, by viable doors left to act."""


def fold_rates(database: Database) -> FoldRates:
    """Return the pool's rates; where there are few hands they lean to one half."""
    folds = database.rows(
        """SELECT street, count_if(kind = 'fold'), count(*) FROM decisions
        WHERE wagers > 0 AND to_call > 0 GROUP BY street"""
    )
    steals = database.rows(
        """SELECT viable_behind, count_if(last_street = 3 AND collected > 0 AND NOT showdown),
            count(*)
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
    database: Database, rule: Rule, places: Sequence[Place], rates: FoldRates
) -> Priced | None:
    """Return what the mistakes at these places cost on average, or None if none can be priced."""
    if rule.cost is None:
        return None
    found = prices(database, dict.fromkeys(places, (rule,)), rates)
    return average([cost for each in found.values() for cost in each if cost is not None])


def average(costs: Sequence[float]) -> Priced | None:
    """Return the average of prices with its standard error, or None if there are none."""
    if not costs:
        return None
    mean = sum(costs) / len(costs)
    variance = sum((cost - mean) ** 2 for cost in costs) / max(1, len(costs) - 1)
    return Priced(len(costs), mean, (variance / len(costs)) ** 0.5)


def prices(
    database: Database,
    rules: Mapping[Place, Sequence[Rule]],
    rates: FoldRates,
    effort: Effort = OF_ONE,
) -> dict[Place, list[float | None]]:
    """Return what each decision costs by each of its rules, in big bets.

    A price is below 0 where it was no mistake, and None by a rule that has no cost. Decisions of
    which the equity cannot be told are left out: a card of the player is not known, or nothing that
    is assumed of the opponents can be.
    """
    return {
        spot.place: spot.costs(rules[spot.place], equity, rates)
        for spot in _priced_spots(database, list(rules))
        if (equity := spot.equity(effort)) is not None
    }


class Dear(NamedTuple):
    """A decision and its price."""

    decision: Decision
    rule: Rule
    """That of its rules by which it cost most."""
    cost: float
    """Big bets."""


def dearest(
    database: Database,
    rules: Mapping[Place, Sequence[Rule]],
    rates: FoldRates,
    limit: int,
    most_priced: int,
) -> list[Dear]:
    """Return the decisions that cost most by their rules, so many at most, the dearest first.

    Only those that cost anything count. No price is above the one at an equity of all or nothing;
    decisions are priced in the order of that bound, until those that are left cannot be among the
    dearest, or ``most_priced`` of them were.
    """
    spots = _priced_spots(database, list(rules))
    bounds = {spot.place: spot.most(rules[spot.place], rates) for spot in spots}
    spots.sort(key=lambda spot: (-bounds[spot.place], spot.place))
    found: list[Dear] = []
    for spot in spots[:most_priced]:
        if bounds[spot.place] <= (found[limit - 1].cost if len(found) >= limit else 0.0):
            break
        equity = spot.equity()
        if equity is not None:
            found += spot.dearest(rules[spot.place], equity, rates)
            found.sort(key=lambda each: -each.cost)
    return found[:limit]


class _PricedSpot(NamedTuple):
    """A decision with what its price takes beside the equity."""

    decision: Decision
    viable: int | None
    """Viable doors left to act, where he is the first in."""

    @property
    def place(self) -> Place:
        return self.decision.act.hid, self.decision.act.seq

    def equity(self, effort: Effort = OF_ONE) -> float | None:
        """Return his equity against what his opponents may hold, or None if it cannot be told."""
        seen = [self.decision.seen_as(player) for player in self.decision.opponents]
        estimate = equity_range(self.decision, seen, effort.samples, effort.most_steps)
        return None if estimate is None else estimate.equity

    def costs(self, rules: Sequence[Rule], equity: float, rates: FoldRates) -> list[float | None]:
        """Return what the decision costs at an equity by each rule, in big bets."""
        return [
            None
            if rule.cost is None
            else _FORMULAS[rule.cost](_spot(self.decision, rule, equity, rates, self.viable))
            / self.decision.hand.big_bet
            for rule in rules
        ]

    def most(self, rules: Sequence[Rule], rates: FoldRates) -> float:
        """Return what it can cost at most: every formula is a straight line in the equity."""
        ends = [cost for equity in (0.0, 1.0) for cost in self.costs(rules, equity, rates)]
        return max((cost for cost in ends if cost is not None), default=0.0)

    def dearest(self, rules: Sequence[Rule], equity: float, rates: FoldRates) -> list[Dear]:
        """Return it by the rule by which it costs most, if it costs anything."""
        costs = zip(rules, self.costs(rules, equity, rates), strict=True)
        found = [Dear(self.decision, rule, cost) for rule, cost in costs if cost is not None]
        most = max(found, key=lambda each: each.cost, default=None)
        return [most] if most is not None and most.cost > 0 else []


def _priced_spots(database: Database, places: Sequence[Place]) -> list[_PricedSpot]:
    viable = _viable_behind(database, places)
    return [
        _PricedSpot(decision, viable.get((decision.act.hid, decision.act.seq)))
        for decision in decisions_at(database, places)
    ]


def _viable_behind(database: Database, places: Sequence[Place]) -> dict[Place, int | None]:
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
