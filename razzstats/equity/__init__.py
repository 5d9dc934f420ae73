"""Exact equity of known and unknown cards, and the rating of starting hands.

Of hands and dead cards alone; hand histories are other modules' matter::

    from razzstats.equity import Holding, Spot, calculate

    spot = Spot((Holding.parse("Ac2d3h"), Holding.parse("7s8cKd")))
    calculate(spot).share(0)
"""

from razzstats.equity.calculation import calculate
from razzstats.equity.results import Equity
from razzstats.equity.spots import Holding, Span, Spot, SpotError, parse_dead_cards

__all__ = ["Equity", "Holding", "Span", "Spot", "SpotError", "calculate", "parse_dead_cards"]
