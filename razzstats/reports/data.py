"""Everything that a report shows, asked from the database in one go."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import pandas as pd

from razzstats.chips import Money
from razzstats.reports.told import ToldHand, tell_stored
from razzstats.stats import hands, notable, tables
from razzstats.stats.asking import AskedOnce
from razzstats.stats.comparison import compare_periods
from razzstats.stats.door_pairs import door_pairs
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import DECIDED_RULES, RULE_BY_ID, RULES
from razzstats.stats.leaks.costs import FoldRates, fold_rates
from razzstats.stats.leaks.finder import (
    compare_with_usual,
    find_leaks,
    has_hands,
    latest_mistakes,
)
from razzstats.stats.leaks.finding import Finding, Verdict
from razzstats.stats.leaks.frames import compared_frame, leak_frame
from razzstats.stats.leaks.marks import Mark, marks_of_hands
from razzstats.stats.luck import luck_table
from razzstats.stats.money import money_table
from razzstats.stats.opponents import first_opponents
from razzstats.stats.positions import position_table
from razzstats.stats.rates import street_rates, third_street
from razzstats.stats.sessions import session_table, stakes_table
from razzstats.stats.starting_hands import starting_class_table, starting_hand_table
from razzstats.storage import Database

MOST_TOLD = 12
"""So many hands are told step by step."""

MOST_OPPONENTS = 50
"""So many opponents are shown, those met most often; all are counted."""

_NOTABLE = 5  # hands of a kind
_WORST = 10  # decisions
_SESSION_MISTAKES = 200  # what a session's mistakes are priced from
_HANDS_OF_A_LEAK = 3
# Mistakes of a leak that are priced for its average: a report must not take long.
_PRICED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two periods side by side."""

    frame: pd.DataFrame
    """What `razzstats.stats.comparison.compare_periods` returns; these hands are the second."""
    first: str
    second: str
    """The periods in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaks:
    """What is done wrong."""

    all_time: pd.DataFrame
    """One row a rule over all hands that match, of whatever session (`leak_frame`); beside a
    session only rules about single decisions, as those over many hands take too long there."""
    in_session: pd.DataFrame | None
    """One row a rule with a mistake in the session (`compared_frame`), and what those mistakes
    ``cost``, in big bets; None if the report is not about a session."""
    hands: pd.DataFrame
    """Hands that show a leak, the latest or the dearest first: leak, site, hand_no."""


class OfAll(NamedTuple):
    """What a report asks of all hands of the database, whatever else the filters say."""

    rates: FoldRates
    quality: hands.DataQuality
    heroes: list[str]
    """Whose report it is; of all players nobody's."""


def ask_of_all(database: Database, filters: Filters) -> OfAll:
    """Return what is of all hands; it is asked before a lake is narrowed to some of them."""
    return OfAll(
        rates=fold_rates(database),
        quality=hands.data_quality(database),
        heroes=_heroes(database, filters),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """What a report shows: the frames of `razzstats.stats`, unchanged, and what they are about."""

    title: str
    filters: str
    """Which hands count, in words."""
    overview: pd.DataFrame
    door_cards: pd.DataFrame
    door_streets: pd.DataFrame
    door_pairs: pd.DataFrame
    streets: pd.DataFrame
    starting_classes: pd.DataFrame
    starting_hands: pd.DataFrame
    luck: pd.DataFrame
    third_street: pd.DataFrame
    street_rates: pd.DataFrame
    money_table: pd.DataFrame
    """What was won and lost, and what it is made of; `money` is the currency."""
    positions: pd.DataFrame
    stakes: pd.DataFrame
    sessions: pd.DataFrame
    opponents: pd.DataFrame
    """Those met most often, `MOST_OPPONENTS` at most."""
    opponents_met: int
    """How many there are in all."""
    leaks: Leaks
    comparison: Comparison | None
    results: pd.DataFrame
    """One row a hand, in order of time."""
    biggest_pots: pd.DataFrame
    luckiest: pd.DataFrame
    unluckiest: pd.DataFrame
    worst_decisions: pd.DataFrame
    told: tuple[ToldHand, ...]
    """Hands of the tables before, step by step."""
    rejected: pd.DataFrame
    """The hands that are not stored, whatever the filters."""
    quality: hands.DataQuality
    money: Money | None
    """How amounts are counted, or None if hands in several currencies count, or no hands."""
    heroes: tuple[str, ...]
    """The players whose report it is; none where all players count."""
    masked: bool = False
    """Whether names are replaced."""

    @property
    def hands(self) -> int:
        """How many hands count."""
        return len(self.results)

    @property
    def period(self) -> tuple[pd.Timestamp, pd.Timestamp] | None:
        """When the first and the last hand were played (UTC), or None if no hand has a time."""
        times = self.results["played_at"].dropna()
        return None if times.empty else (times.min(), times.max())


def gather(
    database: Database,
    filters: Filters,
    *,
    compare_with: Filters | None = None,
    tell_hands: bool = True,
    of_all: OfAll | None = None,
) -> ReportData:
    """Ask the database for all that a report shows of the hands that match.

    ``compare_with`` are the hands of another period, to be set beside them. Without ``tell_hands``
    no hand is told step by step, which takes some hundredths of a second each. ``of_all`` is what
    `ask_of_all` says, which is asked for here unless it is given.
    """
    database = AskedOnce(database)
    of_all = of_all or ask_of_all(database, filters)
    filters = filters.look_up(database)
    number = _WORST if filters.session is None else _SESSION_MISTAKES
    mistakes = notable.worst_decisions(database, filters, number, rates=of_all.rates)
    # Half of the time goes into equities and half into questions: they wait for each other little.
    with database.beside() as other, ThreadPoolExecutor(max_workers=1) as worker:
        leaks = worker.submit(_leaks, other, filters, mistakes, of_all.rates)
        found = _Notable(database, filters, mistakes)
        told = worker.submit(found.tell, other) if tell_hands else None
        return _asked(database, filters, of_all, found, compare_with, leaks, told)


class _Notable:
    """Hands that stand out."""

    def __init__(self, database: Database, filters: Filters, mistakes: pd.DataFrame) -> None:
        self.mistakes = mistakes
        self.worst = mistakes.head(_WORST)
        self.biggest = hands.biggest_pots(database, filters)
        self.luckiest = notable.luckiest_hands(database, filters, _NOTABLE)
        self.unluckiest = notable.unluckiest_hands(database, filters, _NOTABLE)

    def tell(self, database: Database) -> list[ToldHand]:
        """Return some of each kind step by step."""
        hids = _in_turn(self.worst, self.luckiest, self.unluckiest, self.biggest)
        return tell_stored(database, hids, _marks(database, hids, self.mistakes))


def _asked(
    database: Database,
    filters: Filters,
    of_all: OfAll,
    found: _Notable,
    compare_with: Filters | None,
    leaks: Future[Leaks],
    told: Future[list[ToldHand]] | None,
) -> ReportData:
    """Ask for all else; what another thread finds is waited for at the end."""
    opponents, opponents_met = first_opponents(database, filters, MOST_OPPONENTS)
    return ReportData(
        title=_title(of_all.heroes, filters),
        filters=filters.words(),
        overview=tables.overview(database, filters),
        door_cards=tables.door_cards(database, filters),
        door_streets=tables.door_streets(database, filters),
        door_pairs=door_pairs(database, filters),
        streets=tables.streets(database, filters),
        starting_classes=starting_class_table(database, filters),
        starting_hands=starting_hand_table(database, filters),
        luck=luck_table(database, filters),
        third_street=third_street(database, filters),
        street_rates=street_rates(database, filters),
        money_table=money_table(database, filters),
        positions=position_table(database, filters),
        stakes=stakes_table(database, filters),
        sessions=session_table(database, filters),
        opponents=opponents,
        opponents_met=opponents_met,
        comparison=_comparison(database, filters, compare_with),
        results=hands.results(database, filters),
        biggest_pots=found.biggest,
        luckiest=found.luckiest,
        unluckiest=found.unluckiest,
        worst_decisions=found.worst,
        rejected=hands.rejected_hands(database),
        quality=of_all.quality,
        money=hands.currency(database, filters),
        heroes=tuple(of_all.heroes),
        leaks=leaks.result(),
        told=() if told is None else tuple(told.result()),
    )


def _heroes(database: Database, filters: Filters) -> list[str]:
    if filters.all_players:
        return []
    return [filters.hero] if filters.hero else [name for name, _ in hands.heroes(database)]


_MOST_NAMES = 3


def _title(names: list[str], filters: Filters) -> str:
    """Return whose report it is: "RazzHero", "Anna, Ben", "All players"."""
    if filters.all_players:
        return "All players"
    if not names:
        return "Razz"
    shown = ", ".join(names[:_MOST_NAMES])
    left_out = len(names) - _MOST_NAMES
    return f"{shown} and {left_out} more" if left_out > 0 else shown


def _in_turn(*frames: pd.DataFrame) -> list[int]:
    """Return the ids of hands in turn from each frame, up to as many as are told."""
    columns = [list(frame["hid"]) for frame in frames]
    longest = max(map(len, columns), default=0)
    in_turn = [column[row] for row in range(longest) for column in columns if row < len(column)]
    return [int(hid) for hid in dict.fromkeys(in_turn)][:MOST_TOLD]


def _marks(
    database: Database, hids: list[int], mistakes: pd.DataFrame
) -> dict[tuple[int, int], tuple[Mark, ...]]:
    """Return what is said of the decisions in these hands.

    Prices are those of the player's own dearest mistakes: to price all takes too long for a page.
    """
    marks = marks_of_hands(database, hids, priced=False)
    for hid, seq, leak, cost in mistakes[["hid", "seq", "leak", "cost"]].itertuples(index=False):
        own = Mark(RULE_BY_ID[int(leak)], float(cost))
        others = (mark for mark in marks.get((hid, seq), ()) if mark.rule is not own.rule)
        marks[int(hid), int(seq)] = (own, *others)
    return marks


def _comparison(database: Database, filters: Filters, other: Filters | None) -> Comparison | None:
    if other is None:
        return None
    return Comparison(
        frame=compare_periods(database, other, filters),
        first=other.words(),
        second=filters.words(),
    )


# ---- leaks


def _leaks(database: Database, filters: Filters, mistakes: pd.DataFrame, rates: FoldRates) -> Leaks:
    """Return the leaks of all sessions, and those of the one that the filters name."""
    database = AskedOnce(database)
    everywhere = replace(filters, session=None)
    beside_session = filters.session is not None
    findings = find_leaks(
        database,
        everywhere,
        DECIDED_RULES if beside_session else RULES,
        priced=_PRICED,
        rates=rates,
    )
    all_time = leak_frame(findings)
    if not beside_session:
        latest = _hands_of_leaks(database, everywhere, findings)
        return Leaks(all_time=all_time, in_session=None, hands=latest)
    compared = compared_frame(compare_with_usual(database, filters))
    costs = mistakes.groupby("leak")["cost"].sum()
    in_session = compared.assign(cost=compared["leak"].map(costs))
    return Leaks(
        all_time=all_time, in_session=in_session, hands=mistakes[["leak", "site", "hand_no"]]
    )


def _hands_of_leaks(database: Database, filters: Filters, findings: list[Finding]) -> pd.DataFrame:
    """Return the latest hands of each rule that is a leak."""
    rules = [
        finding.rule
        for finding in findings
        if finding.verdict is Verdict.LEAK and has_hands(finding.rule)
    ]
    rows = [
        (rule.id, mistake.site, mistake.hand_no)
        for rule, mistakes in latest_mistakes(database, filters, rules, _HANDS_OF_A_LEAK).items()
        for mistake in mistakes
    ]
    return pd.DataFrame(rows, columns=["leak", "site", "hand_no"])
