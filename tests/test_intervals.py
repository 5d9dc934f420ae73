"""How sure a number is: intervals against published figures and against their own definition."""

import math
import random
import statistics

import pytest

from razzstats.stats.intervals import Z_95, Interval, mean_interval, wilson


def test_z_is_the_quantile_of_the_normal_distribution() -> None:
    assert pytest.approx(statistics.NormalDist().inv_cdf(0.975), abs=1e-12) == Z_95


@pytest.mark.parametrize(
    ("made", "chances", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
        # Medicine 17 (1998), table I, method 3 (the score interval without continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By hand: with p = 1/2 the centre is 1/2 and the margin z / (2 sqrt(n + z^2)).
        (5, 10, 0.2366, 0.7634),
        (50, 100, 0.4038, 0.5962),
        # By hand: with p = 0 the upper bound is z^2 / (n + z^2).
        (0, 1, 0.0, 0.7935),
        (0, 10, 0.0, 0.2775),
    ],
)
def test_wilson_gives_the_published_bounds(
    made: int, chances: int, low: float, high: float
) -> None:
    assert wilson(made, chances) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("chances", [1, 2, 7, 30, 1_000, 5_000_000])
def test_the_bounds_are_the_rates_that_are_just_not_ruled_out(chances: int) -> None:
    """Wilson's bounds solve |made/chances - p| = z sqrt(p (1 - p) / chances) for p."""
    for made in {0, 1, chances // 3, chances // 2, chances - 1, chances}:
        for bound in wilson(made, chances):
            assert bound is not None
            distance = abs(made / chances - bound)
            expected = Z_95 * math.sqrt(bound * (1 - bound) / chances)
            assert distance == pytest.approx(expected, abs=1e-9)


def test_a_rate_lies_inside_its_interval_and_both_inside_zero_and_one() -> None:
    for chances in range(1, 80):
        for made in range(chances + 1):
            low, high = wilson(made, chances)
            assert low is not None
            assert high is not None
            assert 0 <= low <= made / chances <= high <= 1
            assert (low == 0) == (made == 0)
            assert (high == 1) == (made == chances)


def test_what_happened_and_what_did_not_mirror_each_other() -> None:
    for made in range(13):
        low, high = wilson(made, 12)
        mirrored_low, mirrored_high = wilson(12 - made, 12)
        assert low is not None
        assert high is not None
        assert (mirrored_low, mirrored_high) == pytest.approx((1 - high, 1 - low))


def test_more_chances_at_the_same_rate_are_surer() -> None:
    widths = []
    for chances in (10, 100, 1_000, 10_000):
        low, high = wilson(chances // 5, chances)
        assert low is not None
        assert high is not None
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


def test_without_chances_there_is_no_interval() -> None:
    assert wilson(0, 0) == Interval(None, None)


def interval_of(values: list[float]) -> Interval:
    return mean_interval(len(values), sum(values), sum(value * value for value in values))


def test_the_interval_of_a_mean_is_the_textbook_one() -> None:
    # By hand: mean 2, deviations -1, 0, 1, variance 2/2 = 1, margin 1.959964 / sqrt(3) = 1.131586.
    assert interval_of([1, 2, 3]) == pytest.approx((0.868414, 3.131586), abs=1e-6)


def test_the_interval_of_a_mean_agrees_with_the_standard_library() -> None:
    chance = random.Random(7)
    for count in (2, 3, 10, 500):
        values = [chance.gauss(0.1, 2.0) for _ in range(count)]
        mean, margin = statistics.fmean(values), Z_95 * statistics.stdev(values) / count**0.5
        assert interval_of(values) == pytest.approx((mean - margin, mean + margin))


def test_a_mean_of_fewer_than_two_has_no_interval() -> None:
    assert interval_of([]) == Interval(None, None)
    assert interval_of([4.5]) == Interval(None, None)


@pytest.mark.parametrize("value", [0.0, 0.1, -0.3, 1e9 + 0.1])
def test_equal_results_have_an_interval_of_no_width_and_never_a_negative_variance(
    value: float,
) -> None:
    assert interval_of([value] * 1_000) == pytest.approx((value, value))
