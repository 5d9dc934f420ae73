"""The sections of the page on play: money, choices, positions, stakes, sessions, opponents."""

from typing import Any

import pandas as pd

from razzstats.known_sites import SITE_TITLES
from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.definitions import row_definition
from razzstats.reports.markup import Html, join, text
from razzstats.reports.sections import paragraph, section
from razzstats.reports.tables import (
    data_cell,
    defined,
    details,
    note,
    row_heading,
    table,
    view_table,
)
from razzstats.reports.views import Heading, view
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.intervals import FEW

MOST_SESSIONS = 50
"""So many sessions are shown, the latest; all are counted."""

_SAME_IN_ALL = ("group", "id")
"""Columns of rates that say nothing on the page, where all hands are one group."""


# ---- money


def money(data: ReportData) -> Html:
    """Return what was won and lost, what it is made of, and how sure it is."""
    shown = view("money", data.money_table)
    return section("money", shown.table.title, view_table(shown, data.money_table))


# ---- what was chosen


def third_street(data: ReportData) -> Html:
    """Return what was chosen on third street."""
    shown = view("third-street", data.third_street, leave_out=_SAME_IN_ALL)
    return section("third-street", shown.table.title, view_table(shown, data.third_street))


def street_rates(data: ReportData) -> Html:
    """Return what was chosen on each street: in short, and with intervals on demand."""
    full = view("street-rates", data.street_rates, leave_out=_SAME_IN_ALL)
    return section(
        "street-rates",
        full.table.title,
        _street_grid(data.street_rates),
        details("All figures, street by street", view_table(full, data.street_rates)),
    )


def _street_grid(frame: pd.DataFrame) -> Html:
    """Return the rates with one row a statistic and one column a street."""
    by_cell = {(row["id"], row["street"]): row for row in formats.records(frame)}
    titles = dict(zip(frame["id"], frame["title"], strict=True))
    streets = dict.fromkeys(frame["street"])
    headings = [Heading("Statistic", "the statistic's name", is_text=True)]
    headings += [Heading(formats.street(street), "") for street in streets]
    rows = [
        [
            row_heading(defined(title, row_definition("street-rates", id))),
            *(_street_cell(by_cell[id, street]) for street in streets),
        ]
        for id, title in titles.items()
    ]
    caption = text("How often it was chosen on each street, of how many chances.")
    return table(caption, headings, rows, f"{TABLE_BY_NAME['street-rates'].title}, in short")


def _street_cell(row: dict[str, Any]) -> Html:
    chances = int(row["chances"])
    if not chances:
        return data_cell(text(formats.DASH))
    of = note(f"of {formats.count(chances)}")
    return data_cell(join((text(formats.rate(row["rate"])), of)), few=chances < FEW)


# ---- from where, for what and when


def positions(data: ReportData) -> Html:
    """Return how hands fared by the players left to act."""
    shown = view("positions", data.positions, data.money)
    return section("positions", shown.table.title, view_table(shown, data.positions))


def stakes(data: ReportData) -> Html:
    """Return results by room and stakes."""
    shown = view("stakes", _for_reading(data.stakes), data.money)
    title, rows = shown.table.title, view_table(shown, data.stakes)
    return section("stakes", title, rows, _mixed_units(data))


def sessions(data: ReportData) -> Html:
    """Return the latest sessions, those without a time below all others."""
    latest = data.sessions.sort_values(
        "begin", ascending=False, na_position="last", kind="stable"
    ).head(MOST_SESSIONS)
    words = _listed("session", len(latest), len(data.sessions), "the latest first")
    shown = view("sessions", _for_reading(latest), data.money)
    title, rows = shown.table.title, view_table(shown, latest)
    return section("sessions", title, paragraph(words), rows, _mixed_units(data))


def _mixed_units(data: ReportData) -> Html:
    """Return a remark below amounts of which each has the currency of its row."""
    if data.money is not None:
        return Html("")
    return note(
        "The hands are in several currencies: Net is in the smallest unit of each, such as cents."
    )


# ---- against whom


def opponents(data: ReportData) -> Html:
    """Return the opponents met most often."""
    title = TABLE_BY_NAME["opponents"].title
    if data.opponents.empty:
        return section("opponents", title, paragraph("No other player is in these hands."))
    words = _listed(
        "opponent", len(data.opponents), data.opponents_met, "those met most often first"
    )
    shown = view("opponents", _for_reading(data.opponents), data.money)
    return section("opponents", title, paragraph(words), view_table(shown, data.opponents))


def _listed(name: str, listed: int, count: int, order: str) -> str:
    """Return how many rows there are, in which order, and where the others are."""
    if count == 1:
        return f"One {name}."
    words = f"{formats.count(count)} {name}s, {order}."
    if listed < count:
        words += (
            f" Only the first {formats.count(listed)} are listed here; "
            f"`razzstats stats {name}s` lists all."
        )
    return words


def _for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with rooms by their titles and with times to the minute."""
    titles = {"site": frame["site"].map(lambda name: SITE_TITLES.get(name, name))}
    times = {
        key: [formats.moment(pd.Timestamp(time)) for time in frame[key]]
        for key in ("begin", "end")
        if key in frame
    }
    return frame.assign(**titles, **times)
