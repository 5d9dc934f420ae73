"""How sure a number is: intervals for rates and for money."""

import math
from typing import NamedTuple

Z_95 = 1.959963984540054
"""The standard normal's 97.5 % point: two-sided intervals of 95 %."""

FEW = 30
"""With fewer chances than this a number is shown grey: it says little yet."""


class Interval(NamedTuple):
    """A 95 % interval; None where there is nothing to estimate from."""

    low: float | None
    high: float | None


def wilson(made: int, chances: int) -> Interval:
    """Return Wilson's score interval for a rate, as fractions of 1.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927).
    """
    if not chances:
        return Interval(None, None)
    rate, z2 = made / chances, Z_95 * Z_95
    centre = (rate + z2 / (2 * chances)) / (1 + z2 / chances)
    spread = math.sqrt(rate * (1 - rate) / chances + z2 / (4 * chances * chances))
    margin = Z_95 * spread / (1 + z2 / chances)
    # At the ends the bound is the end itself, which rounding would miss by a hair.
    low = 0.0 if made == 0 else centre - margin
    high = 1.0 if made == chances else centre + margin
    return Interval(low, high)


def mean_interval(count: int, total: float, total_of_squares: float) -> Interval:
    """Return the normal interval of a mean from a count, a sum and a sum of squares.

    Hands are taken as independent; with fewer than two there is no interval.
    """
    if count < 2:
        return Interval(None, None)
    mean = total / count
    variance = max(0.0, (total_of_squares - count * mean * mean) / (count - 1))
    margin = Z_95 * math.sqrt(variance / count)
    return Interval(mean - margin, mean + margin)
