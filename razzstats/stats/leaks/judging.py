"""How sure it is that a rate is too high or too low: posteriors of rates that were seen."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

_NORMAL = NormalDist()


def chance_of_none(mistakes: int, spots: int, most: float) -> float:
    """Return how likely a rate is at most ``most``, all rates having been as likely before.

    The posterior is a Beta distribution; at whole numbers it is a tail of a binomial one: at least
    mistakes + 1 of spots + 1 with the probability ``most``.
    """
    if not 0 < most < 1:
        return float(most >= 1)
    number, first = spots + 1, mistakes + 1
    log_first = (
        math.lgamma(number + 1) - math.lgamma(first + 1) - math.lgamma(number - first + 1)
        + first * math.log(most) + (number - first) * math.log1p(-most)
    )  # fmt: skip
    later = np.arange(first + 1, number + 1)
    # Each term by the one before: C(n, k) = C(n, k - 1) (n - k + 1) / k.
    log_ratios = np.log((number - later + 1) / later) + math.log(most) - math.log1p(-most)
    terms = np.exp(log_first + np.concatenate(([0.0], np.cumsum(log_ratios))))
    return min(1.0, math.fsum(terms.tolist()))


def chance_inside(made: int, chances: int, least: float, most: float) -> float:
    """Return how likely a rate is not beyond the side of a band that it is nearer to.

    Where both sides can be left, the chance is doubled, as two were looked at.
    """
    above = chance_of_none(made, chances, most)
    below = chance_of_none(chances - made, chances, 1 - least)
    sides = (least > 0) + (most < 1)
    return min(1.0, sides * min(above, below)) if sides else 1.0


def chance_of_gap(first: tuple[int, int], second: tuple[int, int], gap: float) -> float:
    """Return how likely the first rate is above the second by ``gap`` or more.

    Each is made and chances; the posteriors are Beta distributions, taken as normal.
    """
    (mean_1, variance_1), (mean_2, variance_2) = _moments(*first), _moments(*second)
    return _NORMAL.cdf((mean_1 - mean_2 - gap) / math.sqrt(variance_1 + variance_2))


def _moments(made: int, chances: int) -> tuple[float, float]:
    mean = (made + 1) / (chances + 2)
    return mean, mean * (1 - mean) / (chances + 3)


def chance_of_no_rise(strata: Sequence[tuple[int, int, int, int]]) -> float:
    """Return how likely such a rise of a rate within strata is if it makes no difference.

    Each stratum is made and chances in the marked part, made and chances in the rest. Labels are
    thought of as dealt anew within each stratum, whose mean and variance are exact; their sum is
    taken as normal (N. Mantel and W. Haenszel, "Statistical aspects of the analysis of data from
    retrospective studies of disease", 1959).
    """
    excess = variance = 0.0
    for made, chances, made_else, chances_else in strata:
        number, total = chances + chances_else, made + made_else
        if chances and chances_else:
            excess += made - chances * total / number
            variance += (
                chances * chances_else * total * (number - total) / (number * number * (number - 1))
            )
    return 1.0 if variance <= 0 else 1 - _NORMAL.cdf(excess / math.sqrt(variance))


def called_up_to(chances: Sequence[float], false_discoveries: float) -> float:
    """Return up to which chance a rule is called; negative if none is.

    Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", 1995.
    """
    bound = -1.0
    for place, chance in enumerate(sorted(chances), 1):
        if chance <= false_discoveries * place / len(chances):
            bound = chance
    return bound
