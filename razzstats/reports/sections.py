"""The sections of the page that show results: summary, curve, door cards, streets."""

from typing import Any

import numpy as np
import pandas as pd

from razzstats.reports import formats
from razzstats.reports.charts import CURVES
from razzstats.reports.data import ReportData
from razzstats.reports.definitions import row_definition
from razzstats.reports.listings import luck_words
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.tables import (
    data_cell,
    defined,
    details,
    note,
    row_heading,
    table,
    view_table,
)
from razzstats.reports.views import Heading, overview_value, view
from razzstats.stats.catalogue import TABLE_BY_NAME, Kind
from razzstats.stats.intervals import FEW

RESULTS_CHART = "chart-results"
WIN_RATE_CHART = "chart-door-win-rate"
DOOR_RESULT_CHART = "chart-door-result"
DOOR_STREET_CHART = "chart-door-streets"
DOOR_PAIR_CHART = "chart-door-pairs"

_MILESTONES = 20
_BY_TIME = ("hours", "big_bets_per_hour")
"""Rows of the table of money that stand in the summary."""


def section(id: str, title: str, *content: Html) -> Html:
    """Return a section that can be linked to."""
    heading = tag("h2", tag("a", text(title), href=f"#{id}"), id=f"{id}-title")
    return tag("section", heading, *content, id=id, aria_labelledby=f"{id}-title")


def paragraph(words: str) -> Html:
    """Return a paragraph of plain text."""
    return tag("p", text(words))


def figure_list(figures: list[tuple[Html, Html, Html]]) -> Html:
    """Return a few numbers to be seen first: what it is, the number, a remark."""
    return tag(
        "dl",
        *(
            tag("div", tag("dt", name), tag("dd", value, class_="value"), tag("dd", remark))
            for name, value, remark in figures
        ),
        class_="figures",
    )


# ---- summary


def summary(data: ReportData) -> Html:
    """Return the numbers that matter most, and every rate with its interval and counts."""
    if not data.hands:
        return section("summary", "No hands", paragraph(_no_hands(data)))
    rows = formats.records(data.overview)
    by_time = data.money_table[data.money_table["id"].isin(_BY_TIME)]
    times = formats.records(by_time.rename(columns={"hands": "chances"}))
    figures = [_main_figure(row) for row in rows + times if row["unit"] != "rate"]
    rates = data.overview[data.overview["unit"] == "rate"]
    shown = formats.records(rates)
    table = view_table(
        view("overview", rates),
        data.overview,
        (Heading("0 to 100 %", "the rate and its 95 % interval"), lambda n: _strip(shown[n])),
    )
    return section("summary", "Summary", figure_list(figures), table, _legend())


def _no_hands(data: ReportData) -> str:
    if data.quality.stored:
        stored = formats.count(data.quality.stored)
        return f"None of the {stored} stored hands matches: {data.filters}."
    return "No hand is stored yet. `razzstats import FOLDER` reads hand histories."


def _main_figure(row: dict[str, Any]) -> tuple[Html, Html, Html]:
    kind = formats.kind_of_unit(row["unit"])
    name = defined(row["title"], row_definition("overview", row["id"]))
    value, few = overview_value(row), False
    if kind is Kind.RESULT:
        few = int(row["chances"]) < FEW
        hands = f"{row['unit']} in {formats.count(row['chances'])} hands"
        interval = formats.interval(row["low"], row["high"], kind)
        bounds = "" if interval == formats.DASH else f"95 %: {interval}; "
        remark = note(f"{bounds}{hands}")
    elif kind is Kind.AMOUNT:
        remark = note(f"in {formats.count(row['chances'])} hands")
    else:
        return name, text(value), Html("")
    return name, tag("span", text(value), class_=_ink(row["value"], few)), remark


def _ink(value: Any, few: bool) -> str | None:
    if few:
        return "few"
    if formats.is_missing(value) or not value:
        return None
    return "gain" if value > 0 else "loss"


def _strip(row: dict[str, Any]) -> Html:
    """Return a rate and its interval on a line from 0 to 100 %, for the eye alone."""
    classes = "strip few" if row["chances"] < FEW else "strip"
    if formats.is_missing(row["value"]):
        return tag("td", class_=classes)
    low, high, value = (100 * float(row[key]) for key in ("low", "high", "value"))
    band = tag("span", class_="band", style=f"left:{low:.1f}%;width:{high - low:.1f}%")
    dot = tag("span", class_="dot", style=f"left:{value:.1f}%")
    return tag("td", tag("span", band, dot, class_="track", aria_hidden="true"), class_=classes)


def _legend() -> Html:
    return tag(
        "p",
        text(
            f"Grey: fewer than {FEW} chances, which say little yet. {formats.DASH} means that "
            "there was no opportunity. Intervals are 95 %. BB are big bets."
        ),
        class_="note",
    )


# ---- the curve


def cumulative(data: ReportData) -> Html:
    """Return the running result and its milestones."""
    label = f"Line chart of the cumulative result: {_course(data.results)}"
    return section(
        "results",
        "Cumulative result",
        paragraph(_course(data.results)),
        _chart(RESULTS_CHART, label),
        details("The curve in numbers", _milestones(data.results)),
    )


def _course(results: pd.DataFrame) -> str:
    """Return the curve in words."""
    total = results["total"]
    places = [int(total.argmax()), int(total.argmin()), len(results) - 1]
    top, bottom, last = formats.records(results.iloc[places])
    hands = formats.count(len(results))
    return (
        f"{formats.signed(last['total'])} big bets after {hands} hands: "
        f"{formats.signed(last['at_showdown'])} at showdown and "
        f"{formats.signed(last['without_showdown'])} without; luck-adjusted "
        f"{formats.signed(last['luck_adjusted'])}. The highest point was "
        f"{formats.signed(top['total'])} (hand {formats.count(top['number'])}), the lowest "
        f"{formats.signed(bottom['total'])} (hand {formats.count(bottom['number'])})."
    )


def _milestones(results: pd.DataFrame) -> Html:
    count = min(_MILESTONES, len(results))
    places = sorted({round(place) for place in np.linspace(0, len(results) - 1, count)})
    headings = (
        Heading("Hand", "hands are counted in order of time", is_text=True),
        Heading("Played (UTC)", "", is_text=True),
        Heading("Net BB", "big bets won so far"),
        Heading("Luck-adjusted", "the same less what luck did at showdowns that were measured"),
        Heading("At showdown", "big bets won so far in hands that were shown down"),
        Heading("Without showdown", "big bets won so far in all other hands"),
    )
    rows = [
        [
            row_heading(text(formats.count(row["number"]))),
            data_cell(text(formats.moment(row["played_at"])), words=True),
            *(data_cell(text(formats.signed(row[key]))) for key in CURVES),
        ]
        for row in formats.records(results.iloc[places])
    ]
    return table(text("Evenly spaced hands on the curve."), headings, rows, "Cumulative result")


# ---- luck


def luck(data: ReportData) -> Html:
    """Return what luck did at showdowns, and how much of it could be measured."""
    return section(
        "luck",
        "Luck",
        paragraph(luck_words(formats.records(data.luck)[-1])),
        view_table(view("luck", data.luck), data.luck),
    )


# ---- starting hands


def starting_hands(data: ReportData) -> Html:
    """Return how classes of starting hands and single ones fare."""
    if data.starting_hands.empty:
        words = "No starting hand is known: the files show nobody's down cards."
        return section("starting-hands", "Starting hands", paragraph(words))
    classes = view_table(
        view("starting-classes", data.starting_classes, data.money), data.starting_classes
    )
    single = view_table(
        view("starting-hands", data.starting_hands, data.money), data.starting_hands
    )
    return section(
        "starting-hands", "Starting hands", classes, details("Every starting hand", single)
    )


# ---- door cards and streets


def door_cards(data: ReportData) -> Html:
    """Return how hands with each door card fare."""
    win_rates = _chart(WIN_RATE_CHART, "Dot chart: hands won by door card, with 95 % intervals")
    big_bets = _chart(DOOR_RESULT_CHART, "Dot chart: BB/100 by door card, with 95 % intervals")
    charts = tag(
        "div",
        tag("div", tag("h3", text("Hands won")), win_rates),
        tag("div", tag("h3", text("Big bets per 100 hands")), big_bets),
        class_="pair",
    )
    content = [charts, view_table(view("door-cards", data.door_cards, data.money), data.door_cards)]
    if data.money is None:
        content.append(note("The hands are in several currencies: compare them in big bets."))
    return section("door-cards", "Door cards", *content)


def door_streets(data: ReportData) -> Html:
    """Return how each door card fares from each street on."""
    return section(
        "door-streets",
        "Door cards by street",
        paragraph(
            "What a hand with this door card brought on average, in big bets from the ante on, if "
            "it reached this street. Blue won, orange lost, grey is too few hands to tell."
        ),
        _chart(DOOR_STREET_CHART, "Heat map: big bets per hand by door card and street", "high"),
        _door_street_grid(data.door_streets),
        details(
            "All figures, door by door",
            view_table(view("door-streets", data.door_streets), data.door_streets),
        ),
    )


def _door_street_grid(frame: pd.DataFrame) -> Html:
    """Return the heat map as a table."""
    by_cell = {(row["door"], row["street"]): row for row in formats.records(frame)}
    doors, streets = dict.fromkeys(frame["door"]), dict.fromkeys(frame["street"])
    headings = [Heading("Door", "the rank of the player's first up card", is_text=True)]
    headings += [Heading(formats.street(street), "") for street in streets]
    rows = [
        [row_heading(text(door)), *(_grid_cell(by_cell[door, street]) for street in streets)]
        for door in doors
    ]
    caption = text("Big bets a hand, and hands won of those that reached the street.")
    label = f"{TABLE_BY_NAME['door-streets'].title}, in short"
    return table(caption, headings, rows, label)


def _grid_cell(row: dict[str, Any]) -> Html:
    reached = int(row["reached"])
    if not reached:
        return data_cell(text(formats.DASH))
    value = formats.signed(row["net_big_bets"] / reached, 2)
    counts = note(f"{formats.count(row['won'])} of {formats.count(reached)}")
    return data_cell(join((text(value), counts)), few=reached < FEW)


def door_pairs(data: ReportData) -> Html:
    """Return how each door card fares against each door card of the bring-in player."""
    met = data.door_pairs[data.door_pairs["hands"] > 0]
    shown = view("door-pairs", met)
    return section(
        "door-pairs",
        shown.table.title,
        paragraph(
            "What a hand with this door card brought on average against this door card of the "
            "player who had to bring in, in big bets from the ante on. Blue won, orange lost, grey "
            "is too few hands to tell."
        ),
        _chart(DOOR_PAIR_CHART, "Heat map: big bets per hand by both door cards", "high"),
        details("All figures, pair by pair", view_table(shown, met)),
    )


def streets(data: ReportData) -> Html:
    """Return what was done on each street."""
    return section("streets", "Streets", view_table(view("streets", data.streets), data.streets))


def _chart(id: str, label: str, size: str = "") -> Html:
    missing = tag("noscript", paragraph("The chart needs JavaScript; the table says the same."))
    return tag("div", missing, id=id, class_=f"chart {size}".strip(), role="img", aria_label=label)
