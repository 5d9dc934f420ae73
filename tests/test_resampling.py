"""Hands drawn again in blocks: intervals, simulated courses, and what they may rest on."""

import random
from itertools import accumulate, pairwise
from math import sqrt
from statistics import NormalDist, fmean, stdev

import numpy as np
import pytest

from razzstats.stats import resampling
from razzstats.stats.intervals import Z_95, mean_interval
from razzstats.stats.resampling import Blocks, Courses, below_peak, block_interval, simulate

Z = NormalDist().inv_cdf
PHI = NormalDist().cdf


def blocks_of(*sessions: list[float]) -> Blocks:
    numbers = [number for number, session in enumerate(sessions) for _ in session]
    return Blocks.of([result for session in sessions for result in session], numbers)


def some_sessions(number: int, seed: int = 7, shared: float = 0.0) -> list[list[float]]:
    """Return sessions of 1 to 40 hands; ``shared`` is how much a session moves all its hands."""
    chance = random.Random(seed)
    sessions = []
    for _ in range(number):
        mood = chance.gauss(0, shared)
        sessions.append([chance.choice((-0.05, -0.3, -0.3, -2.0, 4.0)) + mood
                         for _ in range(chance.randint(1, 40))])  # fmt: skip
    return sessions


# ---- blocks


def test_hands_of_a_block_are_brought_together_in_their_order() -> None:
    blocks = Blocks.of([1, 2, 3, 4, 5, 6], [7, 3, 7, 3, 3, 9])
    assert blocks.results.tolist() == [2, 4, 5, 1, 3, 6]
    assert blocks.starts.tolist() == [0, 3, 5]
    assert blocks.lengths.tolist() == [3, 2, 1]


def test_no_hands_make_no_blocks() -> None:
    blocks = Blocks.of([], [])
    assert (len(blocks.results), len(blocks.starts)) == (0, 0)
    assert block_interval(blocks) == (None, None)


def test_blocks_are_cut_at_their_own_ends_too() -> None:
    cut = blocks_of([1, 2, 3, 4, 5], [6], [7, 8]).cut(2)
    assert cut.results.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert cut.starts.tolist() == [0, 2, 4, 5, 6]
    assert cut.lengths.tolist() == [2, 2, 1, 1, 2]


@pytest.mark.parametrize(
    ("results", "numbers"),
    [([1.0], []), ([[1.0]], [[1]]), ([float("nan")], [1]), ([float("inf")], [1])],
)
def test_what_makes_no_blocks_is_refused(results: list[float], numbers: list[int]) -> None:
    with pytest.raises(ValueError, match=r"number"):
        Blocks.of(results, numbers)


def test_wrong_arguments_are_refused() -> None:
    blocks = blocks_of([1.0], [2.0])
    with pytest.raises(ValueError, match="at least one hand"):
        blocks.cut(0)
    with pytest.raises(ValueError, match="at least one resample"):
        block_interval(blocks, resamples=0)
    for hands, courses in ((0, 1), (1, 0), (-5, 1)):
        with pytest.raises(ValueError, match="at least one course of one hand"):
            simulate(blocks, hands=hands, courses=courses)
    with pytest.raises(ValueError, match="no hands to draw from"):
        simulate(Blocks.of([], []), hands=1, courses=1)
    with pytest.raises(ValueError, match="non-negative"):
        simulate(blocks, hands=1, courses=1, seed=-1)


# ---- intervals


def test_one_block_has_no_interval_and_equal_blocks_one_without_width() -> None:
    assert block_interval(blocks_of([1.0, -3.0, 2.5])) == (None, None)
    assert block_interval(blocks_of([1.0, 2.0], [2.0, 1.0], [1.5])) == (1.5, 1.5)


def test_two_blocks_can_only_be_drawn_in_three_ways() -> None:
    # Both are the first one in a quarter of the drawings, and both the second one in another.
    assert block_interval(blocks_of([1.0] * 4, [0.0] * 4)) == (0.0, 1.0)


def plain_bca(sessions: list[list[float]], resamples: int) -> tuple[float, float]:
    """Return Efron's interval, step by step as he has it, from other random numbers."""
    chance = random.Random(99)

    def mean_of(drawn: list[list[float]]) -> float:
        return sum(map(sum, drawn)) / sum(map(len, drawn))

    mean = mean_of(sessions)
    means = sorted(mean_of(chance.choices(sessions, k=len(sessions))) for _ in range(resamples))
    bias = Z(sum(each < mean for each in means) / resamples)
    left_out = [mean_of(sessions[:i] + sessions[i + 1 :]) for i in range(len(sessions))]
    centre = fmean(left_out)
    cubes = sum((centre - each) ** 3 for each in left_out)
    squares = sum((centre - each) ** 2 for each in left_out)
    skewness = cubes / (6 * squares**1.5)
    places = (PHI(bias + (bias + z) / (1 - skewness * (bias + z))) for z in (-Z_95, Z_95))
    low, high = (means[round(place * (resamples - 1))] for place in places)
    return low, high


@pytest.mark.parametrize("sign", [1, -1])
def test_the_interval_is_efrons(sign: int) -> None:
    chance = random.Random(3)
    lengths = [chance.randint(1, 20) for _ in range(15)]
    sessions = [[sign * chance.lognormvariate(0, 1.2)] * length for length in lengths]
    blocks = blocks_of(*sessions)
    found = block_interval(blocks, resamples=20_000)
    assert found == pytest.approx(plain_bca(sessions, 20_000), abs=0.1)
    # That is not what the percentiles alone would say: it lies further towards the long tail.
    means = sorted(
        sum(map(sum, drawn)) / sum(map(len, drawn))
        for drawn in (chance.choices(sessions, k=15) for _ in range(20_000))
    )
    for bound, percentile in zip(found, (means[500], means[-500]), strict=True):
        assert bound is not None
        assert sign * (bound - percentile) > 0.15


def test_blocks_of_one_hand_give_about_the_normal_interval() -> None:
    results = [result for session in some_sessions(60) for result in session]
    normal = mean_interval(len(results), sum(results), sum(x * x for x in results))
    found = block_interval(Blocks.of(results, range(len(results))))
    assert found == pytest.approx(normal, abs=0.03)


def test_sessions_that_move_all_their_hands_make_it_wider() -> None:
    own = some_sessions(40, shared=1.0)
    results = [result for session in own for result in session]
    low, high = mean_interval(len(results), sum(results), sum(x * x for x in results))
    by_session = block_interval(blocks_of(*own))
    assert by_session.high - by_session.low > 1.5 * (high - low)  # type: ignore[operator]


def test_it_holds_the_true_mean_about_95_times_of_100() -> None:
    truth = fmean((-0.05, -0.3, -0.3, -2.0, 4.0))
    held = 0
    for seed in range(200):
        blocks = blocks_of(*some_sessions(40, seed=seed, shared=0.5))
        low, high = block_interval(blocks, resamples=400, seed=seed)
        held += low <= truth <= high  # type: ignore[operator]
    assert 180 <= held <= 199


def test_the_same_seed_draws_the_same_and_another_one_about_the_same() -> None:
    blocks = blocks_of(*some_sessions(50))
    first = block_interval(blocks, seed=3)
    assert block_interval(blocks, seed=3) == first
    other = block_interval(blocks, seed=4)
    assert other != first
    assert other == pytest.approx(first, abs=0.05)


def test_very_many_blocks_are_put_together_and_drawn_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The worst sessions first: those next to each other must not come together.
    blocks = blocks_of(*sorted(some_sessions(2_000), key=fmean))
    whole = block_interval(blocks)
    monkeypatch.setattr(resampling, "_MOST_BLOCKS", 200)
    monkeypatch.setattr(resampling, "_CELLS_AT_ONCE", 999)
    together = block_interval(blocks)
    assert together != whole
    width = whole.high - whole.low  # type: ignore[operator]
    assert together == pytest.approx(whole, abs=width / 8)


# ---- courses


def test_how_far_totals_lie_below_their_peak_is_counted_from_nothing_won() -> None:
    assert below_peak(np.array([-1.0, 2.0, 1.5, 3.0, -1.0])).tolist() == [1, 0, 0.5, 0, 4]


def test_a_course_goes_on_within_a_block_and_from_its_end_to_any_start() -> None:
    sessions = some_sessions(12)
    blocks = blocks_of(*sessions)
    last = {int(start + length) - 1 for start, length in zip(blocks.starts, blocks.lengths,
                                                             strict=True)}  # fmt: skip
    starts = set(blocks.starts.tolist())
    assert min(blocks.lengths) < 5
    chance = np.random.default_rng(5)
    for hands in (1, 2, 37, 400):
        for _ in range(50):
            course = resampling._course(blocks, hands, chance).tolist()
            assert len(course) == hands
            for place, following in pairwise(course):
                assert following in starts if place in last else following == place + 1


def test_every_hand_is_as_likely_at_every_place_of_a_course() -> None:
    blocks = blocks_of([0.0], [0.0] * 3, [0.0] * 8)
    chance = np.random.default_rng(5)
    courses = np.array([resampling._course(blocks, 15, chance) for _ in range(6_000)])
    for place in (0, 1, 7, 14):
        counts = np.bincount(courses[:, place], minlength=12)
        # Six standard deviations of a count that is 500 on average.
        assert abs(counts - 500).max() < 6 * sqrt(6_000 / 12 * 11 / 12)


def test_courses_are_what_plain_python_makes_of_the_same_places() -> None:
    blocks = blocks_of(*some_sessions(9))
    found = simulate(blocks, hands=200, courses=20, seed=11)
    chance = np.random.default_rng(11)
    for end, drawdown in zip(*found, strict=True):
        results = [blocks.results[place] for place in resampling._course(blocks, 200, chance)]
        totals = list(accumulate(results, initial=0.0))
        assert end == pytest.approx(totals[-1])
        peaks = accumulate(totals, max)
        assert drawdown == pytest.approx(max(p - t for p, t in zip(peaks, totals, strict=True)))


def test_hands_that_all_lose_the_same_leave_nothing_to_chance() -> None:
    found = simulate(blocks_of([-0.5] * 3, [-0.5]), hands=7, courses=10)
    assert found.ends.tolist() == [-3.5] * 10
    assert found.drawdowns.tolist() == [3.5] * 10
    assert found.losses == 10


def test_independent_hands_spread_as_the_square_root_of_their_number() -> None:
    results = [result for session in some_sessions(60) for result in session]
    found = simulate(Blocks.of(results, range(len(results))), hands=900, courses=4_000)
    mean, deviation = fmean(results), stdev(results)
    assert found.ends.mean() == pytest.approx(900 * mean, abs=4 * deviation * 30 / sqrt(4_000))
    assert found.ends.std() == pytest.approx(30 * deviation, rel=0.05)
    chance_of_loss = PHI(-30 * mean / deviation)
    assert found.losses / 4_000 == pytest.approx(chance_of_loss, abs=0.03)


def test_a_course_shorter_than_the_sessions_brings_what_they_brought() -> None:
    # Sessions that begin badly and end well: taking only their beginnings would lose.
    blocks = blocks_of([-1.0] * 50 + [1.0] * 50, [-1.0] * 10 + [1.0] * 10)
    found = simulate(blocks, hands=10, courses=4_000)
    assert found.ends.mean() == pytest.approx(0, abs=0.6)


def test_the_seed_decides_the_courses() -> None:
    blocks = blocks_of(*some_sessions(30))
    first, same, other = (simulate(blocks, hands=50, courses=20, seed=s) for s in (1, 1, 2))
    assert first.ends.tolist() == same.ends.tolist()
    assert first.drawdowns.tolist() == same.drawdowns.tolist()
    assert first.ends.tolist() != other.ends.tolist()


def test_what_comes_to_nothing_but_for_rounding_is_no_loss() -> None:
    ends = np.array([0.1 + 0.2 - 0.3, -(0.1 + 0.2 - 0.3), 0.0, -0.005, 1.0])
    assert ends[1] < 0
    assert Courses(ends, np.zeros(5)).losses == 1
