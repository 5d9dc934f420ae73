"""Hands and decisions one by one, and all that a report shows, with filters to be left out."""

import pandas as pd

from razzstats.api.tables import HERO
from razzstats.reports import data, page
from razzstats.reports.data import ReportData
from razzstats.stats import comparison, hands, notable
from razzstats.stats import decisions as decided
from razzstats.stats.filters import Filters
from razzstats.storage import Database


def results(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return one row a hand in order of time: what it brought, and the running totals.

    Columns: number (1, 2, …), site, hand_no, played_at (UTC), currency, decimals, net (smallest
    units of the currency, such as cents), big_bets, showdown (whether the player came to it), luck
    (big bets, NA if not measured), and running totals in big bets: total, at_showdown,
    without_showdown, luck_adjusted (the total less all measured luck).

    >>> last = razzstats.results(database).iloc[-1]
    >>> int(last["number"]), round(float(last["total"]), 2)
    (75, 6.47)
    """
    return hands.results(database, filters)


def biggest_pots(database: Database, filters: Filters = HERO, limit: int = 10) -> pd.DataFrame:
    """Return the hands with the biggest pots that the player played for, in big bets.

    A hand that he folded on third street without putting in chips by choice is not one of them.

    Columns: site, hand_no, hid (the hand's key), played_at (UTC), name, currency, decimals;
    small_bet, big_bet, pot and net (smallest units); pot_big_bets, net_big_bets, door_rank (1, the
    ace, to 13), last_street (3 to 7), showdown, low (such as "8-6-4-2-A", where it is known).

    >>> pots = razzstats.biggest_pots(database, limit=3)
    >>> pots["hand_no"].tolist()
    ['261692430802', '261691113497', '261691334549']
    """
    return hands.biggest_pots(database, filters, limit)


def luckiest_hands(database: Database, filters: Filters = HERO, limit: int = 5) -> pd.DataFrame:
    """Return the showdowns in which luck gave the player most, the luckiest first.

    Luck is what he won less what his cards were to win on average (`luck_table`). Columns are those
    of `biggest_pots`, and luck (big bets) and equity (his part of the pots before the cards that
    were left, a fraction of 1). Only showdowns that could be measured count.

    >>> razzstats.luckiest_hands(database, limit=1)["luck"].gt(0).tolist()
    [True]
    """
    return notable.luckiest_hands(database, filters, limit)


def unluckiest_hands(database: Database, filters: Filters = HERO, limit: int = 5) -> pd.DataFrame:
    """Return the showdowns in which luck took most from the player, the unluckiest first.

    The columns are those of `luckiest_hands`; luck is below 0.

    >>> razzstats.unluckiest_hands(database, limit=1)["luck"].lt(0).tolist()
    [True]
    """
    return notable.unluckiest_hands(database, filters, limit)


def worst_decisions(database: Database, filters: Filters = HERO, limit: int = 10) -> pd.DataFrame:
    """Return the mistakes that cost most by pot odds and equity, the dearest first.

    Columns: site, hand_no, hid (the hand's key), played_at (UTC), name, seq (which action of the
    hand), street (3 to 7), kind (what was done), leak (the rule's number), title, advice, cost,
    pot_big_bets and to_call_big_bets (the pot and the price before it), all three in big bets. Of
    very many mistakes those are priced in which most was at stake.

    >>> worst = razzstats.worst_decisions(database, limit=3)
    >>> worst["cost"].is_monotonic_decreasing
    True
    """
    return notable.worst_decisions(database, filters, limit)


def compare_periods(database: Database, first: Filters, second: Filters) -> pd.DataFrame:
    """Return every rate of hands and the results of two periods side by side, a row a statistic.

    Columns: id, title, unit ("rate" is a fraction of 1); first and second with their 95 %
    intervals in ``_low`` and ``_high`` and how many hands they are of in ``_chances``; difference
    (second less first) with its interval; chance_of_none, how likely such a difference or a greater
    one is by chance alone. Periods may overlap, but are taken for independent.

    >>> from datetime import datetime
    >>> early = razzstats.Filters(until=datetime(2026, 3, 5))
    >>> late = razzstats.Filters(since=datetime(2026, 3, 5))
    >>> razzstats.compare_periods(database, early, late)["id"].head(3).tolist()
    ['hands', 'hours', 'big_bets_per_100']
    """
    return comparison.compare_periods(database, first, second)


def rejected_hands(database: Database) -> pd.DataFrame:
    """Return the hands that are not stored because they do not add up, whatever the filters.

    Columns: site, hand_no, reason ("rejected" or "conflict": the same number with another text),
    code, message, file, line, text. Incomplete hands at the end of growing files are not among
    them.

    >>> len(razzstats.rejected_hands(database))
    0
    """
    return hands.rejected_hands(database)


def decisions(
    database: Database,
    filters: Filters = HERO,
    *,
    equities: bool = True,
    samples: int = decided.SAMPLES,
) -> pd.DataFrame:
    """Return one row a decision of the players that match, in order of time.

    Columns: site, hand_no, hid (the hand's key), played_at (UTC), name, seq (place in the hand),
    street (3 to 7), kind ("fold", "check", "call", "complete", "bet" or "raise"); amount, big_bet,
    pot and to_call in smallest units, the last two before he acts; required_equity, the price's
    part of the pot that a call would make, NA with nothing to call; wagers (how many this street
    had before), could_wager, opponents (how many are live), ranges (what is assumed of them).

    ``equity_range`` is his part of the pot against these ranges, ``equity_shown`` that against the
    cards that his opponents really held, where all of them are known, which he could not see; both
    are fractions of 1 with standard errors in ``equity_range_error`` and ``equity_shown_error``, 0
    if every deal was counted. Dead is what he could see then. They are NA where his own cards are
    not known, and without ``equities``, which take about a tenth of a second a decision.

    >>> made = razzstats.decisions(database, equities=False)
    >>> made["kind"].value_counts().to_dict()
    {'fold': 64, 'bet': 18, 'call': 15, 'check': 9, 'complete': 7, 'raise': 4}
    """
    return decided.decisions(database, filters, equities=equities, samples=samples)


def gather(
    database: Database, filters: Filters = HERO, *, compare_with: Filters | None = None
) -> ReportData:
    """Return all that ``razzstats report`` shows, as frames and values with names.

    Each frame has the columns of the function of the same name: overview, door_cards,
    door_streets, streets, starting_classes, starting_hands, luck, third_street, street_rates,
    money_table, positions, stakes, sessions, opponents, results, biggest_pots, rejected. Beside
    them: title (whose report it is), filters (in words), hands, period (UTC), quality (counts of
    what was read and left out) and money (how amounts are counted, None for several currencies).

    >>> report = razzstats.gather(database)
    >>> report.title, report.hands, report.quality.rejected
    ('RazzHero', 75, 0)
    """
    return data.gather(database, filters, compare_with=compare_with)


def render_page(report: ReportData) -> str:
    """Return a report as one HTML page that needs no network; it is what ``--html`` writes.

    >>> page = razzstats.render_page(razzstats.gather(database))
    >>> page.startswith("<!DOCTYPE html>")
    True
    """
    return page.render_page(report)
