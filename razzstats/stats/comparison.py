"""Two periods of play side by side: what differs, how much, and how likely by chance alone."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from razzstats.stats.catalogue import STATS, Column, Kind, Table
from razzstats.stats.filters import Filters
from razzstats.stats.frames import exact_sum, exact_sums, times_100
from razzstats.stats.intervals import Z_95, mean_interval, wilson
from razzstats.stats.rates import hand_rates
from razzstats.stats.resampling import HAIR
from razzstats.storage import Database

_BOUND = "bound of the 95 % interval"
_OF_RATES = "Newcombe's hybrid score interval for rates, the normal one for means"

COMPARISON = Table(
    "comparison",
    "Comparison",
    "how play and results differ between two periods, and how likely that is by chance alone",
    (
        Column("id", "Id", Kind.TEXT, "the statistic's id"),
        Column("title", "Statistic", Kind.TEXT, "the statistic's name"),
        Column("unit", "Unit", Kind.TEXT, "rate (a fraction of 1), BB/100, hands or hours"),
        Column("first", "First", Kind.NUMBER, "the value in the first period"),
        Column("first_low", "low", Kind.NUMBER, f"lower {_BOUND} of that value"),
        Column("first_high", "high", Kind.NUMBER, f"upper {_BOUND} of that value"),
        Column("first_chances", "of", Kind.COUNT, "how many hands that value is of"),
        Column("second", "Second", Kind.NUMBER, "the value in the second period"),
        Column("second_low", "low", Kind.NUMBER, f"lower {_BOUND} of that value"),
        Column("second_high", "high", Kind.NUMBER, f"upper {_BOUND} of that value"),
        Column("second_chances", "of", Kind.COUNT, "how many hands that value is of"),
        Column("difference", "Difference", Kind.RESULT, "the second value less the first one"),
        Column(
            "difference_low", "low", Kind.RESULT, f"lower {_BOUND} of the difference ({_OF_RATES})"
        ),
        Column("difference_high", "high", Kind.RESULT, f"upper {_BOUND} of the difference"),
        Column(
            "chance_of_none",
            "By chance",
            Kind.RATE,
            "how likely such a difference or a greater one, to either side, is by chance alone if "
            "both periods are the same",
        ),
    ),
)
"""What `compare_periods` returns; no table of the command, as it takes two filters."""

_DTYPES = {Kind.TEXT: "str", Kind.COUNT: "Int64"}


def compare_periods(database: Database, first: Filters, second: Filters) -> pd.DataFrame:
    """Return every rate of hands and the results of two periods, one row a statistic.

    `COMPARISON` says what each column holds. Rows are hands, hours (from the first to the last
    hand of each session), BB/100, luck-adjusted BB/100, and the rates of `hand_rates` in their
    order. Rates are fractions of 1, with Wilson's interval; what there is none of is NA.

    Periods may overlap, but intervals and chances take them for independent: to set a session
    against all other hands, the caller leaves it out of the others. One in twenty statistics
    differs at a chance of 5 % or less where nothing has changed at all.
    """
    rows = [*_amounts(database, first, second), *_results(database, first, second)]
    rows += _rates(database, first, second)
    frame = pd.DataFrame(rows, columns=[column.key for column in COMPARISON.columns])
    return frame.astype(
        {column.key: _DTYPES.get(column.kind, "Float64") for column in COMPARISON.columns}
    )


class Difference(NamedTuple):
    """By how much a second value is above a first one; None where it cannot be told."""

    value: float | None = None
    low: float | None = None
    """Bounds of the 95 % interval."""
    high: float | None = None
    chance_of_none: float | None = None
    """How likely such a difference or a greater one is by chance if both are the same."""


class _Value(NamedTuple):
    """A value of one period, with its interval and the number of hands that it is of."""

    value: float | None
    low: float | None = None
    high: float | None = None
    chances: int | None = None


def _row(id: str, title: str, unit: str, first: _Value, second: _Value, difference: Difference
         ) -> dict[str, Any]:  # fmt: skip
    return {
        "id": id,
        "title": title,
        "unit": unit,
        "first": first.value,
        "first_low": first.low,
        "first_high": first.high,
        "first_chances": first.chances,
        "second": second.value,
        "second_low": second.low,
        "second_high": second.high,
        "second_chances": second.chances,
        "difference": difference.value,
        "difference_low": difference.low,
        "difference_high": difference.high,
        "chance_of_none": difference.chance_of_none,
    }


# ---- rates


def rate_difference(first: tuple[int, int], second: tuple[int, int]) -> Difference:
    """Return how a second rate differs from a first one; each is made and chances.

    The interval is Newcombe's hybrid score interval, from Wilson's interval of each rate (R. G.
    Newcombe, "Interval estimation for the difference between independent proportions: comparison
    of eleven methods", Statistics in Medicine 17 (1998), method 10). The chance is that of the
    chi-squared test with N - 1, or where an expected number is under 1, that of Irwin's exact test
    (I. Campbell, "Chi-squared and Fisher-Irwin tests of two-by-two tables with small sample
    recommendations", Statistics in Medicine 26 (2007)).
    """
    (low_1, high_1), (low_2, high_2) = wilson(*first), wilson(*second)
    if low_1 is None or high_1 is None or low_2 is None or high_2 is None:
        return Difference()
    rate_1, rate_2 = first[0] / first[1], second[0] / second[1]
    difference = rate_2 - rate_1
    below = math.hypot(rate_2 - low_2, high_1 - rate_1)
    above = math.hypot(high_2 - rate_2, rate_1 - low_1)
    return Difference(difference, difference - below, difference + above, _chance(first, second))


def _chance(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Return how likely two rates are as far apart as these or further if they are the same."""
    (made_1, chances_1), (made_2, chances_2) = first, second
    number, total = chances_1 + chances_2, made_1 + made_2
    if total in (0, number):
        return 1.0
    if min(total, number - total) * min(chances_1, chances_2) < number:
        return _exact_chance(first, second)
    apart = made_1 * chances_2 - made_2 * chances_1
    scale = chances_1 * chances_2 * total * (number - total)
    return _beyond(abs(apart) * math.sqrt((number - 1) / scale))


def _exact_chance(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Return how likely two rates are as unlikely as these or more, all that was made dealt anew.

    There are few ways to deal it, as this is for rates of which hardly any is made, or all.
    """
    (made, chances), (made_else, chances_else) = first, second
    total = made + made_else

    def logarithm(part: int) -> float:
        return _log_ways(chances, part) + _log_ways(chances_else, total - part)

    parts = range(max(0, total - chances_else), min(total, chances) + 1)
    logarithms = [logarithm(part) for part in parts]
    # Others that are just as likely must count; logarithms of large numbers miss by a hair.
    most, own = max(logarithms), logarithm(made) + 1e-7
    weights = [math.exp(each - most) for each in logarithms]
    rare = [weight for weight, each in zip(weights, logarithms, strict=True) if each <= own]
    return math.fsum(rare) / math.fsum(weights)


def _log_ways(number: int, part: int) -> float:
    return math.lgamma(number + 1) - math.lgamma(part + 1) - math.lgamma(number - part + 1)


def _beyond(deviations: float) -> float:
    """Return how likely a normal number is so many standard deviations from its mean or more."""
    return math.erfc(deviations / math.sqrt(2))


def _rates(database: Database, first: Filters, second: Filters) -> Iterator[dict[str, Any]]:
    tables = [hand_rates(database, filters) for filters in (first, second)]
    for stat, counts_1, counts_2 in zip(STATS, *map(_counts, tables), strict=True):
        difference = rate_difference(counts_1, counts_2)
        yield _row(stat.id, stat.title, "rate", _rate(*counts_1), _rate(*counts_2), difference)


def _counts(rates: pd.DataFrame) -> list[tuple[int, int]]:
    # Plain whole numbers: products of large counts do not fit into 64 bits.
    return list(zip(rates["made"].tolist(), rates["chances"].tolist(), strict=True))


def _rate(made: int, chances: int) -> _Value:
    return _Value(made / chances if chances else None, *wilson(made, chances), chances)


# ---- means


class Mean(NamedTuple):
    """A mean of hands as their number, the sum of what they bring and the sum of its squares."""

    hands: int
    total: float
    squares: float

    @property
    def value(self) -> float:
        """The mean itself; there must be a hand."""
        return self.total / self.hands

    @property
    def variance(self) -> float:
        """The square of the mean's standard error; there must be two hands."""
        spread = max(0.0, self.squares - self.hands * self.value * self.value)
        return spread / (self.hands - 1) / self.hands


def mean_difference(first: Mean, second: Mean) -> Difference:
    """Return how a second mean differs from a first one, both taken as normal.

    The variance of the difference is the sum of both variances, which need not be alike; below two
    hands there is none, and where no result differs from another, chance says nothing.
    """
    if not first.hands or not second.hands:
        return Difference()
    difference = second.value - first.value
    if min(first.hands, second.hands) < 2:
        return Difference(difference)
    error = math.sqrt(first.variance + second.variance)
    margin = Z_95 * error
    chance = _beyond(abs(difference) / error) if error > HAIR else None
    return Difference(difference, difference - margin, difference + margin, chance)


_MEANS = (
    ("big_bets_per_100", "Big bets per 100 hands"),
    ("luck_adjusted_per_100", "Luck-adjusted BB/100"),
)


def _results(database: Database, first: Filters, second: Filters) -> Iterator[dict[str, Any]]:
    both = zip(_MEANS, _means(database, first), _means(database, second), strict=True)
    for (id, title), mean_1, mean_2 in both:
        found = mean_difference(mean_1, mean_2)
        difference = Difference(
            times_100(found.value), times_100(found.low), times_100(found.high),
            found.chance_of_none,
        )  # fmt: skip
        yield _row(id, title, "BB/100", _per_100(mean_1), _per_100(mean_2), difference)


def _means(database: Database, filters: Filters) -> list[Mean]:
    """Return what hands bring in big bets, and that with the luck that was measured taken out."""
    hands, parameters = filters.hands()
    ((number, *sums),) = database.rows(
        f"""SELECT count(*), {exact_sums("big_bets")}, {exact_sums("adjusted")}
        FROM (SELECT net / big_bet AS big_bets, (net - coalesce(luck, 0)) / big_bet AS adjusted
            FROM {hands} LEFT JOIN player_luck USING (hid, seat))""",
        parameters,
    )
    totals = [0.0 if each is None else each for each in sums]
    return [Mean(number, *totals[:2]), Mean(number, *totals[2:])]


def _per_100(mean: Mean) -> _Value:
    low, high = mean_interval(*mean)
    value = mean.value if mean.hands else None
    return _Value(times_100(value), times_100(low), times_100(high), mean.hands)


# ---- how much was played


def _amounts(database: Database, first: Filters, second: Filters) -> Iterator[dict[str, Any]]:
    played = zip(_played(database, first), _played(database, second), strict=True)
    for unit, (amount_1, amount_2) in zip(("hands", "hours"), played, strict=True):
        difference = Difference()
        if amount_1 is not None and amount_2 is not None:
            difference = Difference(amount_2 - amount_1)
        yield _row(unit, unit.title(), unit, _Value(amount_1), _Value(amount_2), difference)


def _played(database: Database, filters: Filters) -> tuple[int, float | None]:
    """Return the number of hands, and the hours of the sessions that have times."""
    numbered, parameters = filters.numbered()
    ((hands, hours),) = database.rows(
        f"""SELECT coalesce(sum(hands), 0)::BIGINT, {exact_sum("hours")} FROM (
            SELECT count(*) AS hands, epoch(max(played_at) - min(played_at)) / 3600 AS hours
            FROM ({numbered}) GROUP BY session)""",
        parameters,
    )
    return hands, hours
