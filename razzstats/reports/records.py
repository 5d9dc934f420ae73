"""The sections of the page on the data: rejected hands, what was read, what numbers mean."""

from collections import Counter
from typing import Any

from razzstats.diagnostics.codes import find_code
from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.listings import hand_name, quality_rows
from razzstats.reports.markup import Html, join, preformatted, tag, text
from razzstats.reports.sections import figure_list, paragraph, section
from razzstats.reports.tables import data_cell, details, note, row_heading, table
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import DEFINED, TABLES
from razzstats.stats.intervals import FEW

MOST_REJECTED = 200
"""So many rejected hands are listed with their text; all are counted."""

_LONGEST_TEXT = 20_000


# ---- rejected hands

_REJECTED_HEADINGS = (
    Heading("Hand", "", is_text=True),
    Heading("File and line", "where the hand begins", is_text=True),
    Heading("Code", "what is wrong; `razzstats explain CODE` says more", is_text=True),
    Heading("What was found", "", is_text=True),
)


def rejected(data: ReportData) -> Html:
    """Return the hands that were left out, why, and their text."""
    rows = formats.records(data.rejected)
    if not rows:
        return section("rejected", "Rejected hands", paragraph("Every hand passed the checks."))
    listed = rows[:MOST_REJECTED]
    content = [paragraph(_rejected_words(len(rows), len(listed))), _codes(rows)]
    caption = text("One row a hand, by file and line.")
    cells = [_rejected_row(number, row) for number, row in enumerate(listed, 1)]
    content.append(table(caption, _REJECTED_HEADINGS, cells, "Rejected hands", stacked=True))
    return section("rejected", "Rejected hands", *content)


def _rejected_words(count: int, listed: int) -> str:
    hands = "One hand is" if count == 1 else f"{formats.count(count)} hands are"
    words = f"{hands} left out of all statistics, whatever the filters of this report."
    if listed < count:
        words += (
            f" The first {formats.count(listed)} are listed; `razzstats rejected list` lists all."
        )
    return words


def _codes(rows: list[dict[str, Any]]) -> Html:
    """Return how often each code rejected a hand."""
    parts = []
    for id, count in sorted(Counter(str(row["code"]) for row in rows).items()):
        code = find_code(id)
        meaning = f": {code.summary}" if code else ""
        label = tag("span", text(id), class_="error")
        parts.append(tag("li", label, text(f"{meaning} ({formats.count(count)})")))
    return tag("ul", *parts)


def _rejected_row(number: int, row: dict[str, Any]) -> list[Html]:
    code = find_code(str(row["code"]))
    label = tag("span", text(row["code"]), class_="error", title=code.summary if code else None)
    body = str(row["text"])
    if len(body) > _LONGEST_TEXT:
        body = f"{body[:_LONGEST_TEXT]}\n… {formats.count(len(body) - _LONGEST_TEXT)} more"
    found = join((
        text(row["message"]),
        details("The hand's text", tag("pre", preformatted(body), dir="ltr")),
    ))  # fmt: skip
    place = tag("code", text(f"{row['file']}:{row['line']}"))
    return [
        row_heading(text(hand_name(row)), id=f"rejected-{number}"),
        tag("td", place, class_="words wrap"),
        data_cell(join((label, note(str(row["reason"])))), words=True),
        tag("td", found, class_="words wrap"),
    ]


# ---- data quality


def data_quality(data: ReportData) -> Html:
    """Return what was read and what was left out."""
    figures = [
        (text(title), text(formats.count(count)), note(words))
        for title, count, words in quality_rows(data.quality)
    ]
    return section("quality", "Data quality", figure_list(figures))


# ---- definitions

_TERMS = (
    ("Big bet (BB)", "the fixed bet of fifth to seventh street; it makes stakes comparable"),
    ("95 % interval", "where the true value lies, most likely; it narrows as hands are added"),
    ("Grey", f"fewer than {FEW} hands or chances are behind the number: it says little yet"),
    (formats.DASH, "no opportunity, so that there is no rate; not the same as 0 %"),
)


def definitions() -> Html:
    """Return what every number on the page means."""
    seen: set[tuple[str, str]] = set()
    content = [tag("h3", text("Terms")), _definition_list(_TERMS)]
    for about, stats in DEFINED.items():
        terms = [(stat.title, stat.definition) for stat in stats]
        seen.update(terms)
        content += [tag("h3", text(f"{about[0].upper()}{about[1:]}")), _definition_list(terms)]
    for each in TABLES:
        columns = [
            (column.heading, column.definition)
            for column in each.columns
            if not column.key.endswith(("_low", "_high"))
        ]
        new = [column for column in columns if column not in seen]
        seen.update(new)
        content += [tag("h3", text(f"Columns: {each.title}")), _definition_list(new)]
    return section("definitions", "Definitions", details("What the numbers mean", *content))


def _definition_list(terms: Any) -> Html:
    pairs = (
        join((tag("dt", text(term)), tag("dd", text(definition)))) for term, definition in terms
    )
    return tag("dl", *pairs, class_="definitions")
