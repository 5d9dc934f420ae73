"""The sections of the page on mistakes and change: leaks, and two periods side by side."""

from typing import Any

import pandas as pd

from razzstats.reports import formats
from razzstats.reports.data import Leaks, ReportData
from razzstats.reports.leak_listings import (
    LEAK_HEADINGS,
    SESSION_LEAK_HEADINGS,
    compared_words,
    leak_name,
    leak_words,
    session_leak_words,
)
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.sections import paragraph, section
from razzstats.reports.sections_hands import HandLinks
from razzstats.reports.tables import (
    csv_link,
    data_cell,
    defined,
    details,
    note,
    row_heading,
    table,
)
from razzstats.reports.views import Heading
from razzstats.stats.leaks.finding import TOLD

_HANDS = Heading("Hands", "some that show it", is_text=True)
_MOST_LINKS = 3


def leaks(data: ReportData, links: HandLinks) -> Html:
    """Return what is done wrong: in the session, if the report is about one, and over all time."""
    found = data.leaks
    content = []
    if found.in_session is not None:
        content += [tag("h3", text("In this session")), _in_session(found, links)]
        content.append(tag("h3", text("Over all time")))
    content += _all_time(found, links)
    return section("leaks", "Leaks", *content)


def _in_session(found: Leaks, links: HandLinks) -> Html:
    frame = found.in_session
    if frame is None or frame.empty:
        return paragraph("No mistake was made that a rule knows.")
    rows = [
        [*_cells(row, session_leak_words(row), SESSION_LEAK_HEADINGS), _hands(found, row, links)]
        for row in formats.records(frame)
    ]
    words = "Mistakes of these hands, those first that were made more often than usual."
    caption = _caption(words, "leaks-of-session", frame)
    return table(caption, (*SESSION_LEAK_HEADINGS, _HANDS), rows, "Leaks of the session")


def _all_time(found: Leaks, links: HandLinks) -> list[Html]:
    words = (
        "Only decisions count in which the player's own cards are known. A rate is called a leak "
        "if it is very likely above what a sound player does and the mistakes cost."
    )
    every = formats.records(found.all_time)
    told = [row for row in every if row["verdict"] in TOLD]
    return [
        paragraph(words),
        _told(found, told, links) if told else paragraph("No leak was found."),
        details("Every rule", table(
            text("Every rule that was looked at."),
            LEAK_HEADINGS,
            [_cells(row, leak_words(row), LEAK_HEADINGS) for row in every],
            "Every rule",
        )),
    ]  # fmt: skip


def _told(found: Leaks, told: list[dict[str, Any]], links: HandLinks) -> Html:
    words = "Mistakes that are made too often, the dearest first, and rates that are unusual."
    rows = [
        [*_cells(row, leak_words(row), LEAK_HEADINGS), _hands(found, row, links)] for row in told
    ]
    caption = _caption(words, "leaks", found.all_time)
    return table(caption, (*LEAK_HEADINGS, _HANDS), rows, "Leaks")


def _cells(
    row: dict[str, Any], words: tuple[str, ...], headings: tuple[Heading, ...]
) -> list[Html]:
    name = row_heading(defined(leak_name(row), row["advice"].rstrip(".")))
    others = zip(words[1:], headings[1:], strict=True)
    return [name, *(data_cell(text(each), words=heading.is_text) for each, heading in others)]


def _hands(found: Leaks, row: dict[str, Any], links: HandLinks) -> Html:
    shown = found.hands[found.hands["leak"] == row["leak"]].head(_MOST_LINKS)
    named = zip(shown["site"], shown["hand_no"], strict=True)
    return tag("td", join((links.link(*each) for each in named), text(" ")), class_="words wrap")


def _caption(words: str, name: str, frame: pd.DataFrame) -> Html:
    return join((text(f"{words} "), csv_link(name, frame)))


# ---- two periods

_COMPARISON_HEADINGS = (
    Heading("Statistic", "the statistic's name", is_text=True),
    Heading("First", "its value in the first period, and its 95 % interval"),
    Heading("Second", "its value in the second period, and its 95 % interval"),
    Heading("Difference", "the second less the first, for rates in points of per cent"),
    Heading("By chance", "how likely such a difference or more is by chance alone"),
)


def comparison(data: ReportData) -> Html:
    """Return how these hands differ from those of another period."""
    assert data.comparison is not None
    words = (
        f"First: {data.comparison.first}. Second: {data.comparison.second}. One rate in twenty "
        "differs at a chance of 5 % or less where nothing has changed."
    )
    rows = []
    for row in formats.records(data.comparison.frame):
        told = compared_words(row)
        rows.append([
            row_heading(text(told.title)),
            _value(told.first, told.first_interval),
            _value(told.second, told.second_interval),
            _value(told.difference, told.difference_interval),
            data_cell(text(told.chance)),
        ])  # fmt: skip
    caption = _caption("Two periods side by side.", "comparison", data.comparison.frame)
    shown = table(caption, _COMPARISON_HEADINGS, rows, "Two periods")
    return section("comparison", "Comparison", paragraph(words), shown)


def _value(words: str, interval: str) -> Html:
    return data_cell(join((text(words), note(interval))) if interval else text(words))
