"""The report as one HTML page that needs no network: charts, tables, hands, what was left out."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from razzstats.reports import (
    charts,
    formats,
    palette,
    records,
    sections,
    sections_hands,
    sections_leaks,
    sections_play,
    shell,
)
from razzstats.reports.data import ReportData
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.replayer import replay_data
from razzstats.reports.sections_hands import HandLinks


class _Section(NamedTuple):
    """A section of the page."""

    id: str
    link: str
    """What the navigation calls it."""
    make: Callable[[ReportData, HandLinks], Html]
    is_wanted: Callable[[ReportData], bool] = lambda data: bool(data.hands)


def _plain(make: Callable[[ReportData], Html]) -> Callable[[ReportData, HandLinks], Html]:
    return lambda data, _: make(data)


def _always(_: ReportData) -> bool:
    return True


def _has_comparison(data: ReportData) -> bool:
    return bool(data.hands) and data.comparison is not None


_QUESTIONS: Mapping[str, tuple[_Section, ...]] = {
    "How did it go?": (
        _Section("summary", "Summary", _plain(sections.summary), _always),
        _Section("results", "Result", _plain(sections.cumulative)),
        _Section("comparison", "Comparison", _plain(sections_leaks.comparison), _has_comparison),
        _Section("money", "Money", _plain(sections_play.money)),
        _Section("luck", "Luck", _plain(sections.luck)),
    ),
    "Where?": (
        _Section("door-cards", "Door cards", _plain(sections.door_cards)),
        _Section("door-streets", "Doors by street", _plain(sections.door_streets)),
        _Section("door-pairs", "Against the bring-in", _plain(sections.door_pairs)),
        _Section("positions", "Positions", _plain(sections_play.positions)),
        _Section("stakes", "Stakes", _plain(sections_play.stakes)),
    ),
    "What?": (
        _Section("leaks", "Leaks", sections_leaks.leaks),
        _Section("starting-hands", "Starting hands", _plain(sections.starting_hands)),
        _Section("third-street", "Third street", _plain(sections_play.third_street)),
        _Section("streets", "Streets", _plain(sections.streets)),
        _Section("street-rates", "Rates by street", _plain(sections_play.street_rates)),
    ),
    "Which hands?": (_Section("hands", "Hands", sections_hands.hands),),
    "Against whom, and when?": (
        _Section("opponents", "Opponents", _plain(sections_play.opponents)),
        _Section("sessions", "Sessions", _plain(sections_play.sessions)),
    ),
    "How good is the data?": (
        _Section("rejected", "Rejected", _plain(records.rejected), _always),
        _Section("quality", "Data", _plain(records.data_quality), _always),
        _Section("definitions", "Definitions", _plain(lambda _: records.definitions()), _always),
    ),
}
"""The sections in the order in which a player asks."""


def render_page(data: ReportData) -> str:
    """Return the whole page; the same bytes for the same input."""
    blocks: dict[str, object] = {}
    if data.hands:
        drawn = {id: make(data) for id, make in _CHARTS.items()}
        blocks["charts"] = {"charts": drawn, "dark": palette.DARK}
    if data.told:
        blocks["replays"] = replay_data(data.told)
    main = tag("main", join(_main(data), Html("\n")))
    return shell.render(
        title=f"{data.title}: Razz report",
        body=shell.page(_header(data), _navigation(data), main, shell.footer()),
        styles=("page.css", "replayer.css"),
        scripts=("charts.js", "tables.js", "replayer.js") if data.hands else (),
        data=blocks,
        with_plotly=bool(data.hands),
    )


def _header(data: ReportData) -> Html:
    about = [f"Hands of {data.filters}"]
    if data.period:
        first, last = (formats.day(moment) for moment in data.period)
        about.append(first if first == last else f"{first} to {last}")
    if data.masked:
        about.append("names are masked")
    return shell.header("Razz report", data.title, "; ".join(about))


def _wanted(data: ReportData) -> dict[str, list[_Section]]:
    """Return the sections that this report has, by the questions that have any."""
    wanted = {
        question: [each for each in parts if each.is_wanted(data)]
        for question, parts in _QUESTIONS.items()
    }
    return {question: parts for question, parts in wanted.items() if parts}


def _navigation(data: ReportData) -> Html:
    groups = (
        tag("span", *(tag("a", text(each.link), href=f"#{each.id}") for each in parts))
        for parts in _wanted(data).values()
    )
    return tag("nav", *groups, aria_label="Sections")


def _main(data: ReportData) -> list[Html]:
    links = HandLinks(data.told)
    content = []
    for question, parts in _wanted(data).items():
        content.append(tag("p", text(question), class_="question"))
        content += [each.make(data, links) for each in parts]
    return content


# ---- what draws the charts

_CHARTS: Mapping[str, Callable[[ReportData], charts.Chart]] = {
    sections.RESULTS_CHART: lambda data: charts.results_chart(data.results),
    sections.WIN_RATE_CHART: lambda data: charts.door_win_rate_chart(data.door_cards),
    sections.DOOR_RESULT_CHART: lambda data: charts.door_result_chart(data.door_cards),
    sections.DOOR_STREET_CHART: lambda data: charts.door_street_chart(data.door_streets),
    sections.DOOR_PAIR_CHART: lambda data: charts.door_pair_chart(data.door_pairs),
}
