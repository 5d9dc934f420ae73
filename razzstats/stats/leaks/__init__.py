"""Leaks: what a player does too often, and what it costs him."""

from razzstats.stats.leaks.fifth import FIFTH
from razzstats.stats.leaks.fourth import FOURTH
from razzstats.stats.leaks.rule import Cost, LeakRule, Reference, Source
from razzstats.stats.leaks.seventh import SEVENTH
from razzstats.stats.leaks.sixth import SIXTH
from razzstats.stats.leaks.third import THIRD

RULES: tuple[LeakRule, ...] = (*THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH)
"""Every leak that is looked for, by street."""

RULE_BY_ID = {rule.id: rule for rule in RULES}

__all__ = ["RULES", "RULE_BY_ID", "Cost", "LeakRule", "Reference", "Source"]
