"""Two periods compared: published intervals, chances by brute force, and every row recounted."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import NormalDist, fmean, variance
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from razzstats.reports.definitions import row_definition
from razzstats.stats import comparison
from razzstats.stats.catalogue import STATS, TABLES
from razzstats.stats.comparison import (
    COMPARISON,
    Difference,
    Mean,
    compare_periods,
    mean_difference,
    rate_difference,
)
from razzstats.stats.filters import Filters
from razzstats.stats.hands import results
from razzstats.stats.intervals import Z_95
from razzstats.stats.rates import hand_rates
from razzstats.stats.tables import overview
from razzstats.storage import Database

SAMPLES = Path(__file__).parent.parent / "sample_histories" / "pokerstars"

# ---- rates


@pytest.mark.parametrize(
    ("second", "first", "low", "high"),
    [
        # R. G. Newcombe, "Interval estimation for the difference between independent proportions",
        # Statistics in Medicine 17 (1998), table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_is_the_published_one(
    second: tuple[int, int], first: tuple[int, int], low: float, high: float
) -> None:
    found = rate_difference(first, second)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.value == pytest.approx(second[0] / second[1] - first[0] / first[1])


def exact_chance(first: tuple[int, int], second: tuple[int, int]) -> Fraction:
    """Return how likely the made ones are dealt as unevenly as that, by counting all deals."""
    total = first[0] + second[0]
    ways = {
        part: math.comb(first[1], part) * math.comb(second[1], total - part)
        for part in range(total + 1)
    }
    rare = sum(number for number in ways.values() if number <= ways[first[0]])
    return Fraction(rare, sum(ways.values()))


@pytest.mark.parametrize(
    ("first", "second"),
    [((1, 30), (0, 5)), ((0, 3), (1, 400)), ((2, 6), (1, 900)), ((29, 30), (4, 4)),
     ((1, 1), (0, 1)), ((0, 1), (2, 60_000))],
)  # fmt: skip
def test_where_hardly_any_is_made_the_chance_is_exact(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    found = rate_difference(first, second).chance_of_none
    assert found == pytest.approx(float(exact_chance(first, second)), rel=1e-6)


@pytest.mark.parametrize(
    ("first", "second"), [((30, 100), (45, 100)), ((10, 1000), (4, 90)), ((7, 20), (2, 20))]
)
def test_elsewhere_it_is_that_of_the_chi_squared_test_with_one_less(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """By the four cells of the table; with one degree of freedom chi is a normal number."""
    number, total = first[1] + second[1], first[0] + second[0]
    chi_squared = 0.0
    for made, chances in (first, second):
        for seen, of_all in ((made, total), (chances - made, number - total)):
            expected = chances * of_all / number
            chi_squared += (seen - expected) ** 2 / expected
    chi = math.sqrt(chi_squared * (number - 1) / number)
    found = rate_difference(first, second).chance_of_none
    assert found == pytest.approx(2 * (1 - NormalDist().cdf(chi)), abs=1e-12)


def test_chances_of_five_in_a_hundred_come_that_often_where_nothing_differs() -> None:
    chance = random.Random(11)
    for rate, chances_1, chances_2 in ((0.3, 40, 300), (0.05, 60, 2_000), (0.6, 25, 25)):
        rare = 0
        for _ in range(2_000):
            made = [sum(chance.random() < rate for _ in range(n)) for n in (chances_1, 200)]
            # The long period by a normal number, which it is to a hair.
            spread = math.sqrt(rate * (1 - rate) * chances_2)
            many = round(chance.gauss(rate * chances_2, spread))
            second = min(max(many, 0), chances_2)
            found = rate_difference((made[0], chances_1), (second, chances_2)).chance_of_none
            assert found is not None
            rare += found <= 0.05
        assert 0.02 < rare / 2_000 < 0.07


counts = st.integers(1, 2_000).flatmap(
    lambda chances: st.tuples(st.integers(0, chances), st.just(chances))
)


@given(counts, counts)
def test_differences_of_rates_hold_together(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    found, back = rate_difference(first, second), rate_difference(second, first)
    value, low, high, chance = numbers(found)
    assert -1 <= low <= value <= high <= 1
    assert 0 <= chance <= 1
    back_value, back_low, back_high, back_chance = numbers(back)
    assert (back_value, back_low, back_high) == pytest.approx((-value, -high, -low))
    assert back_chance == pytest.approx(chance)
    # What did not happen differs as much the other way.
    others = rate_difference((first[1] - first[0], first[1]), (second[1] - second[0], second[1]))
    assert numbers(others) == pytest.approx((-value, -high, -low, chance), abs=1e-9)


def numbers(found: Difference) -> tuple[float, float, float, float]:
    value, low, high, chance = found
    assert value is not None
    assert low is not None
    assert high is not None
    assert chance is not None
    return value, low, high, chance


def test_more_hands_at_the_same_rates_are_surer() -> None:
    found = [
        numbers(rate_difference((3 * n, 10 * n), (4 * n, 10 * n))) for n in (1, 10, 100, 10**6)
    ]
    assert [each[3] for each in found] == sorted((each[3] for each in found), reverse=True)
    widths = [high - low for _, low, high, _ in found]
    assert widths == sorted(widths, reverse=True)
    assert found[-1][3] == 0


def test_without_chances_nothing_is_said() -> None:
    nothing = Difference(None, None, None, None)
    assert rate_difference((0, 0), (3, 9)) == rate_difference((3, 9), (0, 0)) == nothing


# ---- means


def mean(values: Sequence[float]) -> Mean:
    return Mean(len(values), sum(values), sum(value * value for value in values))


def test_the_difference_of_means_by_hand() -> None:
    # Means 2 and 5; variances 1 and 13 of 3 hands each: the error is sqrt(1/3 + 13/3) = 2.160247.
    value, low, high, chance = numbers(mean_difference(mean([1, 2, 3]), mean([2, 4, 9])))
    error = math.sqrt(14 / 3)
    assert (value, low, high) == pytest.approx((3, 3 - Z_95 * error, 3 + Z_95 * error))
    assert chance == pytest.approx(2 * NormalDist().cdf(-3 / error))
    assert chance == pytest.approx(0.1649, abs=5e-5)


@given(
    st.lists(st.floats(-20, 20), min_size=2, max_size=30),
    st.lists(st.floats(-20, 20), min_size=2, max_size=30),
)
def test_the_difference_of_means_agrees_with_the_standard_library(
    first: list[float], second: list[float]
) -> None:
    found = mean_difference(mean(first), mean(second))
    error = math.sqrt(variance(first) / len(first) + variance(second) / len(second))
    assert found.value == pytest.approx(fmean(second) - fmean(first), abs=1e-9)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * Z_95 * error, abs=1e-4)
    if error > 1e-3:
        assert found.chance_of_none == pytest.approx(
            math.erfc(abs(fmean(second) - fmean(first)) / error / math.sqrt(2)), abs=1e-4
        )


def test_means_that_say_too_little() -> None:
    none, one, same = mean([]), mean([1.0]), mean([2.0, 2.0])
    assert mean_difference(none, same) == Difference()
    assert mean_difference(one, same) == Difference(1.0)
    assert mean_difference(same, same) == Difference(0.0, 0.0, 0.0, None)


# ---- over the samples


EVERYBODY = Filters(all_players=True)
MIDDLE = datetime(2026, 2, 1)
PERIODS = {
    "everybody": (replace(EVERYBODY, until=MIDDLE), replace(EVERYBODY, since=MIDDLE)),
    "the hero": (Filters(until=MIDDLE), Filters(since=MIDDLE)),
    "a session": (Filters(until=MIDDLE), Filters(session=date(2026, 3, 8))),
    "low doors": (Filters(doors=frozenset(range(9, 14))), Filters(doors=frozenset(range(1, 9)))),
    "nobody": (Filters(), Filters(hero="nobody at all")),
}


def records(samples: Database, first: Filters, second: Filters) -> list[dict[str, Any]]:
    frame = compare_periods(samples, first, second)
    found = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return found  # type: ignore[return-value]


def test_the_samples_have_both_periods(samples: Database) -> None:
    for first, second in list(PERIODS.values())[:-1]:
        assert min(len(results(samples, each)) for each in (first, second)) > 10


@pytest.mark.parametrize("name", PERIODS)
def test_both_sides_are_those_of_the_overview(samples: Database, name: str) -> None:
    rows = {row["id"]: row for row in records(samples, *PERIODS[name])}
    for side, filters in zip(("first", "second"), PERIODS[name], strict=True):
        found = overview(samples, filters)
        for seen in found.astype(object).where(found.notna(), None).to_dict("records"):
            if seen["id"] == "sessions" or seen["id"].startswith("net_"):
                continue
            row = rows[str(seen["id"])]
            assert row["title"] == seen["title"]
            assert row["unit"] == seen["unit"]
            assert row[side] == pytest.approx(seen["value"])
            assert row[f"{side}_low"] == pytest.approx(seen["low"])
            assert row[f"{side}_high"] == pytest.approx(seen["high"])
            assert row[f"{side}_chances"] == seen["chances"]


@pytest.mark.parametrize("name", PERIODS)
def test_hours_are_those_from_the_first_hand_of_each_session_to_its_last(
    samples: Database, name: str
) -> None:
    rows = {row["id"]: row for row in records(samples, *PERIODS[name])}
    for side, filters in zip(("first", "second"), PERIODS[name], strict=True):
        numbered, parameters = filters.numbered()
        times: dict[int, list[datetime]] = {}
        for session, at in samples.rows(f"SELECT session, played_at FROM ({numbered})", parameters):
            times.setdefault(session, []).append(at)
        hours = sum((max(each) - min(each)).total_seconds() for each in times.values()) / 3600
        assert rows["hours"][side] == (pytest.approx(hours) if times else None)


@pytest.mark.parametrize("name", ["everybody", "the hero", "low doors"])
def test_results_differ_as_single_hands_say(samples: Database, name: str) -> None:
    first, second = (results(samples, filters) for filters in PERIODS[name])
    rows = {row["id"]: row for row in records(samples, *PERIODS[name])}
    adjusted = [each["big_bets"] - each["luck"].fillna(0) for each in (first, second)]
    for id, values in (
        ("big_bets_per_100", [each["big_bets"].tolist() for each in (first, second)]),
        ("luck_adjusted_per_100", [each.tolist() for each in adjusted]),
    ):
        before, after = values
        error = math.sqrt(variance(before) / len(before) + variance(after) / len(after))
        difference = fmean(after) - fmean(before)
        found = [rows[id][f"difference{end}"] for end in ("", "_low", "_high")]
        margin = Z_95 * error
        expected = [100 * (difference + way * margin) for way in (0, -1, 1)]
        assert found == pytest.approx(expected, rel=1e-6)
        assert rows[id]["chance_of_none"] == pytest.approx(
            2 * NormalDist().cdf(-abs(difference) / error), abs=1e-9
        )


@pytest.mark.parametrize("name", PERIODS)
def test_each_row_is_the_second_value_less_the_first(samples: Database, name: str) -> None:
    rows = records(samples, *PERIODS[name])
    assert [row["id"] for row in rows] == [
        "hands", "hours", "big_bets_per_100", "luck_adjusted_per_100",
        *(stat.id for stat in STATS),
    ]  # fmt: skip
    for row in rows:
        if row["first"] is None or row["second"] is None:
            assert row["difference"] is row["difference_low"] is row["chance_of_none"] is None
            continue
        assert row["difference"] == pytest.approx(row["second"] - row["first"])
        if row["unit"] == "rate":
            assert row["difference_low"] <= row["difference"] <= row["difference_high"]
            assert 0 <= row["chance_of_none"] <= 1
        elif row["unit"] in ("hands", "hours"):
            assert row["difference_low"] is row["chance_of_none"] is None


def test_a_period_does_not_differ_from_itself(samples: Database) -> None:
    for row in records(samples, EVERYBODY, EVERYBODY):
        assert row["difference"] == 0
        assert row["chance_of_none"] in (None, 1.0)


def test_turned_round_every_difference_turns_its_sign(samples: Database) -> None:
    first, second = PERIODS["the hero"]
    for row, back in zip(
        records(samples, first, second), records(samples, second, first), strict=True
    ):
        for key, other in product(("", "_low", "_high"), repeat=2):
            if {key, other} in ({""}, {"_low", "_high"}):
                turned = back[f"difference{other}"]
                expected = None if turned is None else pytest.approx(-turned)
                assert row[f"difference{key}"] == expected
        assert row["chance_of_none"] == pytest.approx(back["chance_of_none"])


def test_millions_of_hands_do_not_overflow(
    samples: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def many(samples: Database, filters: Filters) -> pd.DataFrame:
        millions = 3_000_000 if filters.all_players else 2_000_000
        found = hand_rates(samples, filters)
        return found.assign(
            made=found["made"] * 0 + 900_000, chances=found["chances"] * 0 + millions
        )

    monkeypatch.setattr(comparison, "hand_rates", many)
    for row in records(samples, EVERYBODY, Filters()):
        if row["unit"] == "rate":
            assert row["difference"] == pytest.approx(0.15)
            assert row["chance_of_none"] == 0


def test_everything_is_defined(samples: Database) -> None:
    frame = compare_periods(samples, Filters(), EVERYBODY)
    assert list(frame.columns) == [column.key for column in COMPARISON.columns]
    assert all(column.definition for column in COMPARISON.columns)
    assert COMPARISON.name not in {table.name for table in TABLES}
    assert all(row_definition(COMPARISON.name, id) for id in frame["id"])
