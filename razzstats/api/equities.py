"""Equity of hands that are written as text."""

from razzstats.api.choices import chosen
from razzstats.equity import Equity, Holding, Spot, calculate, parse_dead_cards
from razzstats.rules.ruleset import RULE_SETS


def equity_of(
    *hands: str,
    dead: str = "",
    variant: str = "razz",
    samples: int | None = None,
    seed: int = 1,
) -> Equity:
    """Return how two to eight hands share a pot on average, over all deals of the unknown cards.

    Hands are written as for ``razzstats equity``: ``Ac2d3h``, or ``A23`` where suits do not
    matter; ``xx`` is an unknown card, ``[8-]`` an eight or lower that pairs none of the first
    three, ``[9+]`` a nine or higher, and cards that are not named are unknown. ``dead`` are cards
    that were seen elsewhere. ``share(0)`` of the result is the first hand's part of the pot, an
    exact fraction of 1; ``win(0)`` and ``tie(0)`` are deals of ``deals``. Every deal is counted
    (``exact``) unless ``samples`` are asked for or counting would take many seconds;
    ``standard_error(0)`` says how far off sampled parts may be. Raises SpotError, a
    RazzstatsError, for hands that cannot be dealt.

    >>> found = razzstats.equity_of("Ac2d3h", "7s8cKd")
    >>> round(float(found.share(0)), 4), found.exact, found.deals
    (0.7698, True, 18265297050)
    >>> float(razzstats.equity_of("A23", "78K", dead="4s5h").share(0)) < float(found.share(0))
    True
    >>> razzstats.equity_of("Ac2d3h", "AcKdKh")
    Traceback (most recent call last):
    ...
    razzstats.equity.spots.SpotError: Ac is there twice
    """
    rules = chosen(variant, RULE_SETS, "variant")
    spot = Spot(tuple(Holding.parse(hand) for hand in hands), parse_dead_cards(dead))
    return calculate(spot, rules.best_hand, samples=samples, seed=seed)
