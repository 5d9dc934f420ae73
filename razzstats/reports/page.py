"""The report as one HTML page that needs no network: charts, tables, and what was left out."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import Any

from razzstats.reports import figures, formats, palette, records, sections, sections_play
from razzstats.reports.data import ReportData
from razzstats.reports.markup import Html, join, tag, text

_LINKS = {
    "summary": "Summary",
    "results": "Result",
    "money": "Money",
    "luck": "Luck",
    "door-cards": "Door cards",
    "door-streets": "Doors by street",
    "starting-hands": "Starting hands",
    "third-street": "Third street",
    "streets": "Streets",
    "street-rates": "Rates by street",
    "positions": "Positions",
    "stakes": "Stakes",
    "sessions": "Sessions",
    "pots": "Biggest pots",
    "opponents": "Opponents",
    "rejected": "Rejected",
    "quality": "Data",
    "definitions": "Definitions",
}
_ABOUT_DATA = ("rejected", "quality", "definitions")
"""The sections that a report without hands still has."""


def render_page(data: ReportData, *, generated_at: datetime | None = None) -> str:
    """Return the whole page; the same bytes for the same input.

    Nothing in it asks for anything outside of it, and its policy forbids it to: scripts run only
    if they are the ones of this page, by their hashes.
    """
    scripts = _scripts() if data.hands else ()
    return Template(_resource("page.html")).substitute(
        policy=text(_policy(scripts)),
        title=text(f"{data.title}: Razz report"),
        style=_resource("page.css"),
        body=_body(data, generated_at),
        scripts=_data_block(data) + "".join(f"<script>{each}</script>\n" for each in scripts),
    )


def _resource(name: str) -> str:
    return files("razzstats.reports").joinpath(name).read_text("utf-8")


# ---- what is seen


def _body(data: ReportData, generated_at: datetime | None) -> Html:
    main = tag("main", join(_main(data), Html("\n")))
    parts = [_header(data), _navigation(data), main, _footer(generated_at)]
    return tag("div", join(parts, Html("\n")), class_="page")


def _header(data: ReportData) -> Html:
    about = [f"Hands of {data.filters}"]
    if data.period:
        first, last = (formats.day(moment) for moment in data.period)
        about.append(first if first == last else f"{first} to {last}")
    return tag(
        "header",
        tag("p", text("Razz report"), class_="kicker"),
        tag("h1", tag("bdi", text(data.title))),
        tag("p", tag("bdi", text("; ".join(about))), class_="about"),
    )


def _navigation(data: ReportData) -> Html:
    shown = _LINKS if data.hands else {id: _LINKS[id] for id in _ABOUT_DATA}
    links = (tag("a", text(title), href=f"#{id}") for id, title in shown.items())
    return tag("nav", *links, aria_label="Sections")


def _main(data: ReportData) -> list[Html]:
    about_hands = [
        sections.summary(data),
        sections.cumulative(data),
        sections_play.money(data),
        sections.luck(data),
        sections.door_cards(data),
        sections.door_streets(data),
        sections.starting_hands(data),
        sections_play.third_street(data),
        sections.streets(data),
        sections_play.street_rates(data),
        sections_play.positions(data),
        sections_play.stakes(data),
        sections_play.sessions(data),
        records.biggest_pots(data),
        sections_play.opponents(data),
    ] if data.hands else [_no_hands(data)]  # fmt: skip
    about_data = [records.rejected(data), records.data_quality(data), records.definitions()]
    return about_hands + about_data


def _no_hands(data: ReportData) -> Html:
    if data.quality.stored:
        stored = formats.count(data.quality.stored)
        words = f"None of the {stored} stored hands matches: {data.filters}."
    else:
        words = "No hand is stored yet. `razzstats import FOLDER` reads hand histories."
    return sections.section("summary", "No hands", sections.paragraph(words))


def _footer(generated_at: datetime | None) -> Html:
    made = f"Made by razzstats {version('razzstats')}"
    if generated_at:
        made += f" on {generated_at:%Y-%m-%d %H:%M} {generated_at:%Z}".rstrip()
    return tag("footer", text(f"{made}. Times are UTC. This page works without a network."))


# ---- what draws the charts

_CHARTS: Mapping[str, Callable[[ReportData], Any]] = {
    sections.RESULTS_CHART: lambda data: figures.results_figure(data.results),
    sections.WIN_RATE_CHART: lambda data: figures.door_win_rate_figure(data.door_cards),
    sections.DOOR_RESULT_CHART: lambda data: figures.door_result_figure(data.door_cards),
    sections.DOOR_STREET_CHART: lambda data: figures.door_street_figure(data.door_streets),
}


@cache
def _scripts() -> tuple[str, ...]:
    from plotly.offline import get_plotlyjs

    return tuple(_script(source) for source in (get_plotlyjs(), _resource("page.js")))


def _script(source: str) -> str:
    # A browser hashes what it reads, where every line end is one line feed.
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    # In JavaScript's strings and patterns the backslash says nothing; for HTML it says a lot.
    return re.sub("<(?=/script|!--)", r"<\\", source, flags=re.IGNORECASE)


def _data_block(data: ReportData) -> str:
    if not data.hands:
        return ""
    charts = {id: make(data).to_plotly_json() for id, make in _CHARTS.items()}
    block = inert_json({"charts": charts, "dark": palette.DARK})
    return f'<script type="application/json" id="charts">{block}</script>\n'


def inert_json(value: object) -> str:
    """Return JSON that ends no script element and starts no comment, whatever text is in it."""
    encoded = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        encoded = encoded.replace(character, f"\\u{ord(character):04x}")
    return encoded


def _policy(scripts: tuple[str, ...]) -> str:
    hashes = " ".join(f"'sha256-{_hash(each)}'" for each in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "connect-src 'none'; form-action 'none'; base-uri 'none'"
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
