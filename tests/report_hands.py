"""Small databases of hands and the reports on them, and texts that try to get out of a report."""

import dataclasses
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from hands import SAMPLES, clean

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.pipeline import Outcome, read_paths
from razzstats.replay import ReplayedHand
from razzstats.reports.data import ReportData, gather
from razzstats.reports.told import ToldHand
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.stats.filters import Filters
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database, storable

# ---- hands

_START = """\
PokerStars Hand #{number}: Razz Limit ($1/$2 USD) - 2026/01/09 19:{minute:02}:00 ET
Table 'Halley' 6-max
Seat 1: {hero} ($40 in chips)
Seat 2: {villain} ($40 in chips)
Seat 3: Ben ($40 in chips)
{hero}: posts the ante $0.20
{villain}: posts the ante $0.20
Ben: posts the ante $0.20
*** 3rd STREET ***
Dealt to {hero} [{cards}]
Dealt to {villain} [Ks]
Dealt to Ben [9d]
{villain} said, "{chat}"
{villain}: brings in for $0.50
"""

_STEAL = (
    _START
    + """\
Ben: folds
{hero}: raises $0.50 to $1
{villain}: folds
Uncalled bet ($0.50) returned to {hero}
{hero} collected $1.60 from pot
{hero}: doesn't show hand
*** SUMMARY ***
Total pot $1.60 | Rake $0
Seat 1: {hero} collected ($1.60)
Seat 2: {villain} folded on the 3rd Street
Seat 3: Ben folded on the 3rd Street (didn't bet)
"""
)

_FOLD = (
    _START
    + """\
Ben: raises $0.50 to $1
{hero}: folds
{villain}: folds
Uncalled bet ($0.50) returned to Ben
Ben collected $1.60 from pot
Ben: doesn't show hand
*** SUMMARY ***
Total pot $1.60 | Rake $0
Seat 1: {hero} folded on the 3rd Street (didn't bet)
Seat 2: {villain} folded on the 3rd Street
Seat 3: Ben collected ($1.60)
"""
)

_SHOWDOWN = (
    _START
    + """\
Ben: folds
{hero}: raises $0.50 to $1
{villain}: calls $0.50
*** 4th STREET ***
Dealt to {hero} [{cards}] [8c]
Dealt to {villain} [Ks] [5s]
{hero}: checks
{villain}: checks
*** 5th STREET ***
Dealt to {hero} [{cards} 8c] [Kd]
Dealt to {villain} [Ks 5s] [6h]
{villain}: checks
{hero}: checks
*** 6th STREET ***
Dealt to {hero} [{cards} 8c Kd] [Qd]
Dealt to {villain} [Ks 5s 6h] [9h]
{villain}: bets $2
{hero}: calls $2
*** RIVER ***
Dealt to {hero} [{cards} 8c Kd Qd] [Jd]
{villain}: bets $2
{hero}: calls $2
*** SHOW DOWN ***
{villain}: shows [Ac 2d Ks 5s 6h 9h Th] (Lo: 9,6,5,2,A)
{hero}: mucks hand
{villain} collected $10.10 from pot
*** SUMMARY ***
Total pot $10.60 | Rake $0.50
Seat 1: {hero} mucked [2c 3d 4h 8c Kd Qd Jd]
Seat 2: {villain} showed [Ac 2d Ks 5s 6h 9h Th] and won ($10.10) with Lo: 9,6,5,2,A
Seat 3: Ben folded on the 3rd Street (didn't bet)
"""
)

# What each brings the hero, in cents.
NETS = {_STEAL: 90, _FOLD: -20, _SHOWDOWN: -520}
# What luck did to the hero in the showdown, in big bets. After rake the pot of sixth street was
# $6.60 less $0.50 of $10.60. With 2348QK against A2569K he wins with three aces, fives and sixes
# unless she gets one of ten threes, fours and sevens; with four sevens unless she gets one of
# twelve, for then three eights help her, too, and three sevens are left. 39 cards are left for him,
# and 38 for her.
_EQUITY = ((3 + 3 + 3) * (38 - 10) + 4 * (38 - 12)) / (39 * 38)
LUCK = -_EQUITY * 6.60 * (1 - 0.50 / 10.60) / 2
CARDS = {_STEAL: "2c 3d 4h", _FOLD: "Qc Kd Jh", _SHOWDOWN: "2c 3d 4h"}
STORY = (_STEAL, _FOLD, _SHOWDOWN, _STEAL, _FOLD, _STEAL)


def history(hero: str = "RazzHero", villain: str = "Ann", chat: str = "hi", broken: int = 1) -> str:
    """Six hands with both names in every line that has any, and hands that break the rules."""
    hands = [*STORY, *(_STEAL for _ in range(broken))]
    texts = [
        hand.format(
            number=101 + place,
            minute=place % 60,
            hero=hero,
            villain=villain,
            chat=chat,
            cards=CARDS[hand],
        )
        for place, hand in enumerate(hands)
    ]
    for place in range(len(STORY), len(hands)):
        texts[place] = texts[place].replace(f"{villain}: brings in", "Ben: brings in")
    return "\n\n\n".join(texts)


# ---- reports; those of no file of a test's own are made once


def report(folder: Path, content: str, filters: Filters | None = None) -> ReportData:
    file = folder / "razz.txt"
    file.write_text(content, encoding="utf-8")
    with Database.in_memory() as database:
        import_paths(database, [str(file)])
        measure_hands(database)
        return gather(database, filters or Filters())


@cache
def small_report() -> ReportData:
    """Return the report on `history`."""
    with TemporaryDirectory() as folder:
        found = report(Path(folder), history())
    # The frames tell where the file was; its folder is another one in every run.
    return dataclasses.replace(found, rejected=found.rejected.assign(file="razz.txt"))


@cache
def small_tables() -> dict[str, pd.DataFrame]:
    """Return every table over the hands of `history`, by name."""
    with TemporaryDirectory() as folder, Database.in_memory() as database:
        file = Path(folder) / "razz.txt"
        file.write_text(history(), encoding="utf-8")
        import_paths(database, [str(file)])
        measure_hands(database)
        return {name: table(database, Filters()) for name, table in TABLE_FUNCTIONS.items()}


@cache
def report_of_samples() -> ReportData:
    with Database.in_memory() as database:
        import_paths(database, [str(SAMPLES)])
        measure_hands(database)
        return gather(database, Filters())


@cache
def report_of_nothing() -> ReportData:
    with Database.in_memory() as database:
        return gather(database, Filters())


# ---- single hands


@cache
def sample_outcomes() -> tuple[Outcome, ...]:
    """Return all pieces of the sample files that are hands of Razz."""
    return tuple(found for found in read_paths([str(SAMPLES)]) if found.hand is not None)


@cache
def sample_hands() -> tuple[ReplayedHand, ...]:
    """Return all hands of the samples."""
    return tuple(found.hand for found in sample_outcomes() if found.hand is not None)


def sample_hand(number: str) -> ReplayedHand:
    """Return one hand of the samples by its number."""
    (found,) = (hand for hand in sample_hands() if hand.parsed.hand_id.number == number)
    return found


def simulated_hands(
    count: int, players: int = 6, seed: int = 0, setup: Setup | None = None
) -> list[ReplayedHand]:
    """Return simulated hands of one table, read from their text."""
    texts = render_hands(simulate_hands(count, players=players, seed=seed, setup=setup))
    return [clean(text) for text in texts]


# ---- texts that try to get out of a report

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script></style></title>",
    "<!--",
    "[red]x[/]",
    "\x1b[31mred",
    "\u202eevil\u2066",
    "=cmd|' /C calc'!A0",
    "&lt;b&gt;",
    "%{customdata} {{x}} $title ${title}",
    "\ud800",
    "<a href='http://x.example'>x</a>",
]


def with_text(data: ReportData, hostile: str) -> ReportData:
    """The report as if every text that comes from files were this one."""

    def columns(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
        # Frames come out of tables, which hold no lone surrogate.
        return frame.assign(**dict.fromkeys(names, storable(hostile)))

    return dataclasses.replace(
        data,
        title=hostile,
        filters=hostile,
        results=columns(data.results, "site", "hand_no"),
        biggest_pots=columns(data.biggest_pots, "site", "hand_no", "name", "low"),
        rejected=columns(data.rejected, "site", "hand_no", "reason", "message", "file", "text"),
        sessions=columns(data.sessions, "name", "site", "biggest_pot_hand"),
        opponents=columns(data.opponents, "name", "site"),
        luckiest=columns(data.luckiest, "site", "hand_no", "name", "low"),
        unluckiest=columns(data.unluckiest, "site", "hand_no", "name", "low"),
        worst_decisions=columns(data.worst_decisions, "site", "hand_no", "name"),
        told=tuple(told_with_text(told, hostile) for told in data.told),
    )


def told_with_text(told: ToldHand, hostile: str) -> ToldHand:
    """Return a hand as if all its names were this text."""
    hand = told.hand
    parsed = dataclasses.replace(
        hand.parsed,
        table=hostile,
        mixed_game=hostile,
        players=tuple(dataclasses.replace(each, name=hostile) for each in hand.parsed.players),
    )
    results = tuple(dataclasses.replace(result, name=hostile) for result in hand.results)
    changed = dataclasses.replace(hand, parsed=parsed, results=results)
    return dataclasses.replace(told, hand=changed)
