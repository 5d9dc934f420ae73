"""Findings as frames: one row a rule, for the command, the page and notebooks."""

from collections.abc import Sequence

import pandas as pd

from razzstats.stats.intervals import wilson
from razzstats.stats.leaks.finder import Compared
from razzstats.stats.leaks.finding import Finding

_TYPES = {
    **dict.fromkeys(("leak", "street", "spots", "mistakes", "priced"), "Int64"),
    **dict.fromkeys(
        (
            "rate", "rate_low", "rate_high", "reference", "reference_low", "chance_of_none",
            "cost", "cost_error", "cost_per_100", "cost_per_100_low", "cost_per_100_high",
        ),
        "Float64",
    ),
}  # fmt: skip
_COLUMNS = (
    "leak", "title", "street", "verdict", "spots", "mistakes", "rate", "rate_low", "rate_high",
    "reference", "reference_low", "source", "reference_text", "chance_of_none", "cost",
    "cost_error", "priced", "cost_per_100", "cost_per_100_low", "cost_per_100_high", "advice",
)  # fmt: skip


def leak_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """Return one row a rule, in the order of the findings; those of `razzstats.find_leaks`.

    Columns: leak (the rule's number), title, street (3 to 7, NA over the whole game), verdict
    ("leak", "unusual", "no leak: it pays", "no leak" or "not enough hands"), spots, mistakes,
    rate, rate_low, rate_high, reference, reference_low, source, reference_text, chance_of_none,
    cost, cost_error, priced, cost_per_100, cost_per_100_low, cost_per_100_high, advice.

    ``rate`` is mistakes of spots with its 95 % Wilson interval, ``reference`` and
    ``reference_low`` what is usual at most and at least; ``chance_of_none`` is how likely there is
    no leak. ``cost`` is big bets a mistake on average over the ``priced`` ones, with its standard
    error; ``cost_per_100`` big bets in a hundred hands, with its 95 % interval. What there is none
    of is NA.

    >>> leaks = razzstats.leak_frame(razzstats.find_leaks(database))
    >>> leaks.set_index("leak").loc[301, ["mistakes", "spots"]].tolist()
    [0, 23]
    """
    frame = pd.DataFrame([_row(finding) for finding in findings], columns=list(_COLUMNS))
    return frame.astype(_TYPES)


def _row(finding: Finding) -> dict[str, object]:
    rule, counted = finding.rule, finding.counted
    priced = finding.charge.priced if finding.charge else None
    reference = counted.reference
    return {
        "leak": rule.id,
        "title": rule.title,
        "street": rule.street,
        "verdict": str(finding.verdict),
        "spots": finding.spots,
        "mistakes": finding.mistakes,
        "rate": finding.rate,
        "rate_low": finding.interval.low,
        "rate_high": finding.interval.high,
        "reference": reference.most,
        "reference_low": reference.least,
        "source": str(reference.source),
        "reference_text": reference.text,
        "chance_of_none": counted.chance_of_none,
        "cost": priced.mean if priced else None,
        "cost_error": priced.error if priced else None,
        "priced": priced.number if priced else 0,
        "cost_per_100": finding.cost_per_100,
        "cost_per_100_low": finding.cost_interval.low,
        "cost_per_100_high": finding.cost_interval.high,
        "advice": finding.advice,
    }


def compared_frame(compared: Sequence[Compared]) -> pd.DataFrame:
    """Return one row a rule: its rate in a session and in the player's other hands.

    Columns: leak (the rule's number), title, street (3 to 7), spots, mistakes, rate and its bounds
    rate_low and rate_high in the session; usual_spots, usual_mistakes and usual_rate in all other
    hands; excess, chance_of_none, advice. Rates are fractions of 1.

    ``excess`` is how many mistakes more than usual were made; ``chance_of_none`` how likely the
    session's rate is not above the usual one. Both are NA without other hands.

    >>> last = razzstats.Filters(session=razzstats.LastSession.LAST)
    >>> mistakes = razzstats.compared_frame(razzstats.compare_with_usual(database, last))
    >>> int(mistakes["usual_spots"].sum())  # this database has no other session
    0
    """
    rows = [
        {
            "leak": each.rule.id,
            "title": each.rule.title,
            "street": each.rule.street,
            "spots": each.spots,
            "mistakes": each.mistakes,
            "rate": each.mistakes / each.spots,
            "rate_low": wilson(each.mistakes, each.spots).low,
            "rate_high": wilson(each.mistakes, each.spots).high,
            "usual_spots": each.usual_spots,
            "usual_mistakes": each.usual_mistakes,
            "usual_rate": each.usual_mistakes / each.usual_spots if each.usual_spots else None,
            "excess": each.excess,
            "chance_of_none": each.chance_of_none,
            "advice": each.rule.advice,
        }
        for each in compared
    ]
    columns = (
        "leak", "title", "street", "spots", "mistakes", "rate", "rate_low", "rate_high",
        "usual_spots", "usual_mistakes", "usual_rate", "excess", "chance_of_none", "advice",
    )  # fmt: skip
    whole = ("leak", "street", "spots", "mistakes", "usual_spots", "usual_mistakes")
    types = {
        **dict.fromkeys(whole, "Int64"),
        **dict.fromkeys(
            ("rate", "rate_low", "rate_high", "usual_rate", "excess", "chance_of_none"), "Float64"
        ),
    }
    return pd.DataFrame(rows, columns=list(columns)).astype(types)
