"""Leaks: what a player does too often, and what it costs him."""

from razzstats.stats.leaks.fifth import FIFTH
from razzstats.stats.leaks.fourth import FOURTH
from razzstats.stats.leaks.overall import OVERALL
from razzstats.stats.leaks.rule import Cost, LeakRule, OverallRule, Reference, Rule, Source
from razzstats.stats.leaks.seventh import SEVENTH
from razzstats.stats.leaks.sixth import SIXTH
from razzstats.stats.leaks.third import THIRD

RULES: tuple[Rule, ...] = (*THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH, *OVERALL)
"""Every leak that is looked for: by street, then over all streets."""

DECIDED_RULES = tuple(rule for rule in RULES if isinstance(rule, LeakRule))
"""Those about single decisions."""

RULE_BY_ID = {rule.id: rule for rule in RULES}

__all__ = [
    "DECIDED_RULES",
    "OVERALL",
    "RULES",
    "RULE_BY_ID",
    "Cost",
    "LeakRule",
    "OverallRule",
    "Reference",
    "Rule",
    "Source",
]
