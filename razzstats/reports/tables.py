"""Tables of the page: captions, headings with their definitions, and the same figures as CSV."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import quote

import pandas as pd

from razzstats.diagnostics.visible import no_formula, visible
from razzstats.reports.markup import Html, join, tag, text
from razzstats.reports.views import Cell, Heading, View

Row = Sequence[Html]
"""Finished cells, ``th`` or ``td``."""


def table(
    caption: Html,
    headings: Iterable[Heading],
    rows: Iterable[Row],
    label: str,
    *,
    stacked: bool = False,
) -> Html:
    """Return a table that scrolls by itself where it is too wide, never the page.

    A ``stacked`` one puts the cells of a row below each other where the page is narrow.
    """
    head = tag("tr", *(_heading(heading) for heading in headings))
    body = (tag("tr", *cells) for cells in rows)
    return tag(
        "div",
        tag(
            "table",
            tag("caption", tag("span", caption)),
            tag("thead", head),
            tag("tbody", *body),
            class_="stacked" if stacked else None,
        ),
        class_="scroll",
        role="region",
        aria_label=f"Table: {label}",  # the section around it has that name already
        tabindex="0",
    )


def view_table(
    view: View,
    frame: pd.DataFrame,
    strip: tuple[Heading, Callable[[int], Html]] | None = None,
) -> Html:
    """Return a table of statistics; ``strip`` adds a last column from the row's place.

    ``frame`` is what can be saved as CSV.
    """
    headings = view.headings if strip is None else (*view.headings, strip[0])
    rows = []
    for place, cells in enumerate(view.rows):
        row = [row_heading(defined(cells[0].text, cells[0].definition))]
        row.extend(
            cell(each, heading) for each, heading in zip(cells[1:], view.headings[1:], strict=True)
        )
        if strip:
            row.append(strip[1](place))
        rows.append(row)
    caption = join(
        (text(_sentence(view.table.definition)), csv_link(view.table.name, frame)), text(" ")
    )
    return table(caption, headings, rows, view.table.title)


def defined(words: str, definition: str) -> Html:
    """Return a name whose definition shows under the mouse, and opens by key and by finger.

    The mouse alone reaches a ``title``; what opens on demand takes the keyboard's focus by itself,
    and is read out.
    """
    if not definition:
        return text(words)
    return tag(
        "details",
        tag("summary", text(words)),
        tag("p", text(_sentence(definition))),
        class_="defined",
        title=definition,
    )


def row_heading(content: Html, id: str | None = None) -> Html:
    """Return the first cell of a row, which names it."""
    return tag("th", content, scope="row", class_="words", id=id)


def cell(held: Cell, heading: Heading) -> Html:
    """Return a cell of a view."""
    content = text(held.text)
    if held.chances:
        content = join((content, note(held.chances)))
    return data_cell(content, words=heading.is_text, few=held.few)


def data_cell(content: Html, *, words: bool = False, few: bool = False) -> Html:
    """Return a cell; numbers stand to the right, few hands are grey."""
    classes = " ".join(name for name, on in (("words", words), ("few", few)) if on)
    return tag("td", content, class_=classes or None)


def note(words: str) -> Html:
    """Return a remark in small print."""
    return tag("small", text(words))


def csv_link(name: str, frame: pd.DataFrame) -> Html:
    """Return a link that saves the frame; a name that looks like a formula gets a ``'`` before."""
    safe = frame.copy()
    for column in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            safe[column] = frame[column].map(_safe)
    data = "data:text/csv;charset=utf-8," + quote(safe.to_csv(index=False, lineterminator="\r\n"))
    return tag("a", text("CSV"), class_="csv", href=data, download=f"{name}.csv")


def _safe(held: Any) -> Any:
    if not isinstance(held, str):
        return held
    return no_formula(visible(held))


def details(summary: str, *content: Html) -> Html:
    """Return what opens on demand."""
    return tag("details", tag("summary", text(summary)), *content)


def _heading(heading: Heading) -> Html:
    return tag(
        "th",
        text(heading.text),
        scope="col",
        class_="words" if heading.is_text else None,
        title=heading.definition or None,
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
