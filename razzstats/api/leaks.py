"""The leak finder, with filters to be left out."""

import pandas as pd

from razzstats.api.choices import chosen
from razzstats.api.tables import HERO
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import RULE_BY_ID, finder
from razzstats.stats.leaks.finder import Compared
from razzstats.stats.leaks.finding import Finding
from razzstats.storage import Database


def find_leaks(
    database: Database, filters: Filters = HERO, *, price_all: bool = False
) -> list[Finding]:
    """Return what was found of each rule: leaks first, the dearest first, then the others.

    `leak_frame` makes a frame of it. A rate is called a leak if it is very likely above what a
    sound player does, with an allowance for the number of rules, and if the mistakes cost. Prices
    are big bets, from pot odds and equity; only what was called too high has one, or every rule
    with ``price_all``, which takes several seconds more.

    >>> findings = razzstats.find_leaks(database)
    >>> sorted({str(finding.verdict) for finding in findings})
    ['not enough hands']
    """
    return finder.find_leaks(database, filters, price_all=price_all)


def compare_with_usual(database: Database, filters: Filters = HERO) -> list[Compared]:
    """Return the mistakes of the session that the filters name beside those of all other hands.

    `compared_frame` makes a frame of it. Only rules with a mistake in the session, those first
    that were made more often than usual.

    >>> last = razzstats.Filters(session=razzstats.LastSession.LAST)
    >>> all(each.mistakes > 0 for each in razzstats.compare_with_usual(database, last))
    True
    """
    return finder.compare_with_usual(database, filters)


def leak_hands(
    database: Database, leak: int, filters: Filters = HERO, limit: int = 100
) -> pd.DataFrame:
    """Return where the mistakes of one leak were made, the latest hands first.

    Columns: site, hand_no (``razzstats show`` opens it) and seq, the decision's place in the hand,
    NA where the whole hand counts. No rows for a leak that is about a rate alone. Raises
    RazzstatsError, with all numbers, where there is no such leak.

    >>> len(razzstats.leak_hands(database, 301))
    0
    >>> razzstats.leak_hands(database, 312)["hand_no"].tolist()
    ['261690531407']
    """
    rule = chosen(str(leak), {str(number): rule for number, rule in RULE_BY_ID.items()}, "leak")
    found = finder.mistakes_of(database, filters, rule, limit)
    return pd.DataFrame(found, columns=["site", "hand_no", "seq"]).astype({"seq": "Int64"})
