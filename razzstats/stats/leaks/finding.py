"""What was found of a rule: counts, how sure it is, the verdict and the price."""

from enum import StrEnum
from typing import NamedTuple

from razzstats.stats.intervals import Z_95, Interval, wilson
from razzstats.stats.leaks.costs import Priced
from razzstats.stats.leaks.rule import OverallRule, Reference, Rule


class Verdict(StrEnum):
    """What is said of a rule."""

    LEAK = "leak"
    """The mistake is made too often, and costs."""
    UNUSUAL = "unusual"
    """A rate is far from the usual, which has no price by itself."""
    PAYS = "no leak: it pays"
    """It is made more often than usual, but did not cost by its price."""
    NO_LEAK = "no leak"
    TOO_FEW = "not enough hands"


TOLD = (Verdict.LEAK, Verdict.UNUSUAL)
"""What a player should look at."""


class Counted(NamedTuple):
    """How often a mistake was made, and what is usual."""

    spots: int
    mistakes: int | None
    """None where no rate is looked at."""
    reference: Reference
    chance_of_none: float | None
    """How likely there is no leak, by these spots alone; None if they are too few."""
    is_low: bool = False
    """Whether the rate is too low, if it is anything."""


class Charge(NamedTuple):
    """What mistakes cost in 100 hands."""

    priced: Priced | None
    """The mistakes that were priced one by one."""
    per_100: float
    """Big bets in 100 hands."""
    error: float
    """Its standard error."""


class Finding(NamedTuple):
    """What was found of one rule."""

    rule: Rule
    counted: Counted
    verdict: Verdict
    charge: Charge | None

    @property
    def spots(self) -> int:
        """In how many spots the mistake could be made."""
        return self.counted.spots

    @property
    def mistakes(self) -> int | None:
        """In how many it was; None where no rate is looked at."""
        return self.counted.mistakes

    @property
    def rate(self) -> float | None:
        """The rate of mistakes."""
        return self.mistakes / self.spots if self.spots and self.mistakes is not None else None

    @property
    def interval(self) -> Interval:
        """The 95 % Wilson interval of the rate."""
        if self.mistakes is None:
            return Interval(None, None)
        return wilson(self.mistakes, self.spots)

    @property
    def cost_per_100(self) -> float | None:
        """Big bets that the mistakes cost in 100 hands."""
        return None if self.charge is None else self.charge.per_100

    @property
    def cost_interval(self) -> Interval:
        """The 95 % interval of that."""
        if self.charge is None:
            return Interval(None, None)
        margin = Z_95 * self.charge.error
        return Interval(self.charge.per_100 - margin, self.charge.per_100 + margin)

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        if isinstance(self.rule, OverallRule) and self.counted.is_low:
            return self.rule.advice_if_low or self.rule.advice
        return self.rule.advice
