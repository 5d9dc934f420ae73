"""The leak finder: counts each rule's spots and mistakes, judges the rates, prices the mistakes."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from razzstats.stats.filters import Filters
from razzstats.stats.intervals import Z_95, Interval, wilson
from razzstats.stats.leaks import RULES, LeakRule
from razzstats.stats.leaks.costs import Priced, fold_rates, price
from razzstats.stats.tables import count_hands
from razzstats.storage import Database

FALSE_DISCOVERIES = 0.10
"""What part of the leaks that are called so may be none, on average."""

_PRICED = 150  # mistakes a rule that are priced; more are taken to cost the same on average


class Verdict(StrEnum):
    """What is said of a rule."""

    LEAK = "leak"
    """The mistake is made too often, and costs."""
    PAYS = "no leak: it pays"
    """It is made more often than usual, but did not cost by its price."""
    NO_LEAK = "no leak"
    TOO_FEW = "not enough hands"


class Finding(NamedTuple):
    """What was found of one rule."""

    rule: LeakRule
    spots: int
    mistakes: int
    interval: Interval
    """95 % Wilson interval of the rate of mistakes."""
    chance_of_none: float | None
    """How likely the true rate is not above the reference, by these spots alone."""
    verdict: Verdict
    priced: Priced | None
    cost_per_100: float | None
    """Big bets that the mistakes cost in 100 hands."""
    cost_low: float | None
    cost_high: float | None
    """95 % interval of that."""

    @property
    def rate(self) -> float | None:
        """The rate of mistakes."""
        return self.mistakes / self.spots if self.spots else None


def find_leaks(
    database: Database,
    filters: Filters,
    rules: Sequence[LeakRule] = RULES,
    false_discoveries: float = FALSE_DISCOVERIES,
    *,
    price_all: bool = False,
) -> list[Finding]:
    """Return what was found of each rule: leaks first, the dearest first, then the others.

    A rate is called too high if it is unlikely to be at or under the reference; how unlikely is
    set for all rules together so that no more than ``false_discoveries`` of the calls are wrong on
    average (Benjamini and Hochberg, "Controlling the false discovery rate", 1995). Mistakes are
    priced for those rules, or for every one with ``price_all``, which takes longer.
    """
    hands = count_hands(database, filters)
    counts = _counts(database, filters, rules)
    chances = [
        chance_of_none(mistakes, spots, rule.reference.most) if spots >= rule.least else None
        for rule, (spots, mistakes) in zip(rules, counts, strict=True)
    ]
    called = _called([chance for chance in chances if chance is not None], false_discoveries)
    rates = fold_rates(database)
    findings = []
    for rule, (spots, mistakes), chance in zip(rules, counts, chances, strict=True):
        too_often = chance is not None and chance <= called
        priced = None
        if mistakes and (too_often or price_all):
            priced = price(database, rule, _mistakes(database, filters, rule, _PRICED), rates)
        findings.append(_finding(rule, spots, mistakes, chance, too_often, priced, hands))
    return sorted(findings, key=_importance)


def mistakes_of(
    database: Database, filters: Filters, rule: LeakRule, limit: int
) -> list[tuple[str, str, int]]:
    """Return room, hand number and sequence number of mistakes, the latest hands first."""
    where, parameters = filters.where()
    return [
        (str(site), str(hand_no), int(seq))
        for site, hand_no, seq in database.rows(
            f"""SELECT site, hand_no, seq FROM ({_source(where)}) JOIN
            (SELECT hid, site, hand_no, played_at FROM hands) USING (hid)
            WHERE ({rule.spot}) AND ({rule.mistake})
            ORDER BY played_at DESC NULLS LAST, hid DESC, seq LIMIT ?""",
            [*parameters, limit],
        )
    ]


def chance_of_none(mistakes: int, spots: int, most: float) -> float:
    """Return how likely a rate is at most ``most``, all rates having been as likely before.

    The posterior is a Beta distribution; at whole numbers it is a tail of a binomial one: at least
    mistakes + 1 of spots + 1 with the probability ``most``.
    """
    number = spots + 1
    log_in, log_out = math.log(most), math.log1p(-most)
    terms = (
        math.lgamma(number + 1) - math.lgamma(k + 1) - math.lgamma(number - k + 1)
        + k * log_in + (number - k) * log_out
        for k in range(mistakes + 1, number + 1)
    )  # fmt: skip
    return min(1.0, math.fsum(math.exp(term) for term in terms))


def _called(chances: Sequence[float], false_discoveries: float) -> float:
    """Return up to which chance a rate is called too high; negative if none is."""
    bound = -1.0
    for place, chance in enumerate(sorted(chances), 1):
        if chance <= false_discoveries * place / len(chances):
            bound = chance
    return bound


def _finding(
    rule: LeakRule,
    spots: int,
    mistakes: int,
    chance: float | None,
    too_often: bool,
    priced: Priced | None,
    hands: int,
) -> Finding:
    if chance is None:
        verdict = Verdict.TOO_FEW
    elif not too_often:
        verdict = Verdict.NO_LEAK
    else:
        verdict = Verdict.PAYS if priced is not None and priced.mean <= 0 else Verdict.LEAK
    often = 100 * mistakes / hands if hands else 0.0
    margin = Z_95 * priced.error * often if priced else 0.0
    cost = priced.mean * often if priced else None
    return Finding(
        rule,
        spots,
        mistakes,
        wilson(mistakes, spots),
        chance,
        verdict,
        priced,
        cost,
        None if cost is None else cost - margin,
        None if cost is None else cost + margin,
    )


_ORDER = (Verdict.LEAK, Verdict.PAYS, Verdict.NO_LEAK, Verdict.TOO_FEW)


def _importance(finding: Finding) -> tuple[int, float, int]:
    return _ORDER.index(finding.verdict), -(finding.cost_per_100 or 0.0), finding.rule.id


def _source(where: str) -> str:
    return f"""SELECT * FROM (SELECT hid, seat FROM hand_players WHERE {where})
        JOIN decisions USING (hid, seat) JOIN spots USING (hid, seq, seat)"""


def _counts(
    database: Database, filters: Filters, rules: Sequence[LeakRule]
) -> list[tuple[int, int]]:
    where, parameters = filters.where()
    columns = ", ".join(
        f"count(*) FILTER ({rule.spot}), count(*) FILTER (({rule.spot}) AND ({rule.mistake}))"
        for rule in rules
    )
    (found,) = database.rows(f"SELECT {columns} FROM ({_source(where)})", parameters)
    return list(zip(found[::2], found[1::2], strict=True))


def _mistakes(
    database: Database, filters: Filters, rule: LeakRule, most: int
) -> list[tuple[int, int]]:
    """Return mistakes, at most so many, picked by a hash: the same ones each time."""
    where, parameters = filters.where()
    found = database.rows(
        f"""SELECT hid, seq FROM ({_source(where)}) WHERE ({rule.spot}) AND ({rule.mistake})
        ORDER BY hash(hid, seq) LIMIT ?""",
        [*parameters, most],
    )
    return [(int(hid), int(seq)) for hid, seq in found]
