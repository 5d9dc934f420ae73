"""What chance does to results: a player's own hands drawn again, whole sessions at a time."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from razzstats.stats.intervals import Z_95, Interval

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

RESAMPLES = 2_000
"""So many times an interval draws all blocks again."""

PERCENTILES = (2.5, 25.0, 50.0, 75.0, 97.5)
"""What is told of simulated courses."""

HAIR = 1e-9
"""Big bets that are less than any chip: sums of fractions miss 0 by less than this."""

_MOST_BLOCKS = 10_000
_CELLS_AT_ONCE = 1 << 22  # numbers drawn at a time: what bounds the memory
_NORMAL = NormalDist()


@dataclass(frozen=True, eq=False, slots=True)
class Blocks:
    """Results of hands, in blocks that stay together when they are drawn."""

    results: Floats
    """Block after block, those of a block in the order of play."""
    starts: Whole
    """The place of each block's first hand."""
    lengths: Whole

    @classmethod
    def of(cls, results: ArrayLike, numbers: ArrayLike) -> Self:
        """Make blocks of results in the order of play and of the number of each one's block.

        Raises ValueError if there are not as many of both, or a result is no number.
        """
        own, of_block = np.asarray(results, np.float64), np.asarray(numbers, np.int64)
        if own.ndim != 1 or own.shape != of_block.shape:
            raise ValueError("each result needs the number of its block")
        if not np.isfinite(own).all():
            raise ValueError("a result is not a finite number")
        lengths = np.unique(of_block, return_counts=True)[1].astype(np.int64)
        ordered = own[np.argsort(of_block, kind="stable")]
        return cls(ordered, np.cumsum(lengths) - lengths, lengths)

    def cut(self, longest: int) -> "Blocks":
        """Return the same hands in blocks of at most so many; raises ValueError below 1."""
        if longest < 1:
            raise ValueError("a block has at least one hand")
        place = np.arange(len(self.results)) - np.repeat(self.starts, self.lengths)
        starts = np.flatnonzero(place % longest == 0)
        return Blocks(self.results, starts, np.diff(starts, append=len(self.results)))


def block_interval(blocks: Blocks, *, resamples: int = RESAMPLES, seed: int = 1) -> Interval:
    """Return the 95 % interval of the mean result of a hand from drawing whole blocks again.

    Hands of one block may depend on each other as they will; blocks are taken as independent, so
    with fewer than two there is no interval. The bounds are those of the BCa bootstrap, which
    allows for bias and skewness. Raises ValueError if nothing is to be drawn.

    Source: B. Efron, "Better bootstrap confidence intervals", Journal of the American Statistical
    Association 82 (1987).
    """
    if resamples < 1:
        raise ValueError("an interval needs at least one resample")
    if len(blocks.starts) < 2:
        return Interval(None, None)
    random = np.random.default_rng(seed)
    sums, lengths = _put_together(blocks, random)
    means = np.sort(_drawn_means(sums, lengths, resamples, random))
    mean = sums.sum() / lengths.sum()
    # Where half of the means lie below the real one there is no bias; ties count half.
    below = (np.searchsorted(means, mean) + np.searchsorted(means, mean, "right")) / 2
    bias = _NORMAL.inv_cdf(float(np.clip(below, 0.5, resamples - 0.5)) / resamples)
    acceleration = _acceleration(sums, lengths)
    low, high = (
        float(np.quantile(means, _NORMAL.cdf(bias + shift / (1 - acceleration * shift))))
        for shift in (bias - Z_95, bias + Z_95)
    )
    return Interval(low, high)


def _put_together(blocks: Blocks, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the blocks' sums and numbers of hands.

    Very many blocks are put together at random first, which leaves the spread of their mean as it
    is and bounds the work.
    """
    sums = np.add.reduceat(blocks.results, blocks.starts)
    lengths = blocks.lengths.astype(np.float64)
    if len(sums) <= _MOST_BLOCKS:
        return sums, lengths
    groups = random.permutation(len(sums)) % _MOST_BLOCKS
    together = np.bincount(groups, sums), np.bincount(groups, lengths)
    return together[0].astype(np.float64), together[1].astype(np.float64)


def _drawn_means(
    sums: Floats, lengths: Floats, resamples: int, random: np.random.Generator
) -> Floats:
    """Return the mean result of a hand in each drawing of as many blocks as there are."""
    count = len(sums)
    at_once = max(1, _CELLS_AT_ONCE // count)
    means = []
    for done in range(0, resamples, at_once):
        size = (min(at_once, resamples - done), count)
        drawn = random.integers(count, size=size, dtype=np.int32)
        means.append(sums[drawn].sum(axis=1) / lengths[drawn].sum(axis=1))
    return np.concatenate(means)


def _acceleration(sums: Floats, lengths: Floats) -> float:
    """Return how skewed the mean is, from leaving each block out in turn; between -1/6 and 1/6."""
    left_out = (sums.sum() - sums) / (lengths.sum() - lengths)
    apart = left_out.mean() - left_out
    scale = float((apart**2).sum() ** 1.5)
    return float((apart**3).sum()) / (6 * scale) if scale else 0.0


# ---- the course of results


def below_peak(totals: Floats) -> Floats:
    """Return how far each running total lies below the highest one before it, or below 0."""
    peaks: Floats = np.maximum(np.maximum.accumulate(totals), 0.0)
    return peaks - totals


class Courses(NamedTuple):
    """How simulated courses of hands ended, and their largest drawdowns, in big bets."""

    ends: Floats
    drawdowns: Floats

    @property
    def losses(self) -> int:
        """How many courses ended with a loss."""
        return int((self.ends < -HAIR).sum())


def simulate(blocks: Blocks, *, hands: int, courses: int, seed: int = 1) -> Courses:
    """Play courses of so many hands, drawn from a player's own.

    A course begins at any of the hands, goes on to the end of its block, and then takes whole
    blocks at random. So each hand is as likely as each other one at every place, and a course
    brings on average what the player's hands brought. Raises ValueError without hands to draw
    from, and if no hand or no course is asked for.
    """
    if hands < 1 or courses < 1:
        raise ValueError("a simulation needs at least one course of one hand")
    if not len(blocks.results):
        raise ValueError("there are no hands to draw from")
    random = np.random.default_rng(seed)
    ends, drawdowns = np.empty(courses), np.empty(courses)
    for number in range(courses):
        totals = np.cumsum(blocks.results[_course(blocks, hands, random)])
        ends[number] = totals[-1]
        drawdowns[number] = below_peak(totals).max()
    return Courses(ends, drawdowns)


def _course(blocks: Blocks, hands: int, random: np.random.Generator) -> Whole:
    """Return the places of the hands of one course."""
    first = int(random.integers(len(blocks.results)))
    block = int(np.searchsorted(blocks.starts, first, "right")) - 1
    starts = [np.array([first])]
    lengths = [blocks.starts[block : block + 1] + blocks.lengths[block] - first]
    missing = hands - int(lengths[0][0])
    while missing > 0:
        likely = missing * len(blocks.starts) // len(blocks.results) + 1
        chosen = random.integers(len(blocks.starts), size=likely)
        starts.append(blocks.starts[chosen])
        lengths.append(blocks.lengths[chosen])
        missing -= int(lengths[-1].sum())
    taken = np.minimum(np.concatenate(lengths), hands)
    begun = np.cumsum(taken) - taken
    places: Whole = np.repeat(np.concatenate(starts) - begun, taken)[:hands] + np.arange(hands)
    return places
