"""The parts of the report in a terminal on mistakes, single hands and change."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd
from rich.console import Console
from rich.text import Text

from razzstats.diagnostics.visible import visible
from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.leak_listings import (
    DECISION_HEADINGS,
    LEAK_HEADINGS,
    SESSION_LEAK_HEADINGS,
    ComparedPeriods,
    compared_words,
    decision_words,
    leak_words,
    session_leak_words,
)
from razzstats.reports.listings import POT_HEADINGS, hand_name, pot_numbers, pot_words
from razzstats.reports.terminal_tables import print_rows, print_title
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import Kind
from razzstats.stats.leaks.finding import TOLD

# The rest of a hand fits in 100 columns, and `razzstats show HAND` tells all of it.
_LEFT_OUT = ("Played (UTC)", "Pot", "Player")


def print_comparison(data: ReportData, console: Console) -> None:
    """Print how these hands differ from those of another period, if one was asked for."""
    if data.comparison is None:
        return
    print_title("Comparison", console)
    for name, words in (("First", data.comparison.first), ("Second", data.comparison.second)):
        console.print(Text(visible(f"{name}: {words}")))
    names = ("Statistic", "First", "95 %", "Second", "95 %", "Difference", "95 %", "By chance")
    headings = [Heading(name, "", is_text=not place) for place, name in enumerate(names)]
    rows: Iterable[ComparedPeriods] = map(compared_words, formats.records(data.comparison.frame))
    _print(headings, rows, console)


def print_leaks(data: ReportData, console: Console) -> None:
    """Print what was done wrong: in the session, if the report is about one, and over all time."""
    found = data.leaks
    if found.in_session is not None:
        print_title("Leaks of the session", console)
        _print_frame(found.in_session, SESSION_LEAK_HEADINGS, session_leak_words, console)
    print_title("Leaks", console)
    told = found.all_time[found.all_time["verdict"].isin(TOLD)]
    _print_frame(told, LEAK_HEADINGS, leak_words, console)


def print_hands(data: ReportData, console: Console) -> None:
    """Print the hands that stand out; `razzstats show` opens them."""
    print_title("Dearest mistakes", console)
    _print_frame(data.worst_decisions, DECISION_HEADINGS, decision_words, console)
    for title, frame in (
        ("Luckiest", data.luckiest),
        ("Unluckiest", data.unluckiest),
        ("Biggest pots", data.biggest_pots),
    ):
        print_title(title, console)
        if "luck" in frame:
            headings = (*POT_HEADINGS, Heading("Luck", "big bets that luck brought"))
            _print_frame(frame, headings, _lucky_words, console)
        else:
            _print_frame(frame, POT_HEADINGS, _pot_words, console)


def _pot_words(row: dict[str, Any]) -> tuple[str, ...]:
    return (hand_name(row), *pot_words(row), *pot_numbers(row))


def _lucky_words(row: dict[str, Any]) -> tuple[str, ...]:
    return (*_pot_words(row), formats.value(row["luck"], Kind.RESULT))


def _print_frame(
    frame: pd.DataFrame,
    headings: Sequence[Heading],
    words: Callable[[dict[str, Any]], Sequence[str]],
    console: Console,
) -> None:
    if frame.empty:
        console.print("None.")
    else:
        _print(headings, map(words, formats.records(frame)), console)


def _print(headings: Sequence[Heading], rows: Iterable[Sequence[str]], console: Console) -> None:
    places = [place for place, each in enumerate(headings) if each.text not in _LEFT_OUT]
    shown = [[Text(visible(row[place])) for place in places] for row in rows]
    print_rows([headings[place] for place in places], shown, console)
