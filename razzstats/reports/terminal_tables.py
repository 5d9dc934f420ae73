"""Tables in a terminal: in several bands where they are too wide for it."""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from razzstats.chips import Money
from razzstats.diagnostics.visible import visible
from razzstats.reports.views import Cell, Heading, View, view

GAP = 2
"""Columns of the screen between two columns of a table."""

FEW_STYLE = "dim"
"""How numbers look that have little behind them."""

Rows = Sequence[Sequence[Text]]


def print_table(
    name: str, frame: pd.DataFrame, console: Console, money: Money | None = None
) -> None:
    """Print the frame of a table of the catalogue; ``money`` is its amounts' currency.

    What is too wide for the console goes below, under the same row names.
    """
    shown = view(name, frame, money)
    columns = list(zip(*shown.rows, strict=True))
    counts = [max(len(cell.chances) for cell in column) for column in columns]
    rows = [
        [_text(cell, width) for cell, width in zip(row, counts, strict=True)] for row in shown.rows
    ]
    print_rows(shown.headings, rows, console, _key_columns(shown))


def _text(cell: Cell, chances_width: int) -> Text:
    text = Text(visible(cell.text), style=FEW_STYLE if cell.few else "")
    if chances_width:
        text.append(f" {cell.chances:>{chances_width}}", style=FEW_STYLE)
    return text


def _key_columns(shown: View) -> int:
    """Return how many columns from the left name the row."""
    words = (heading.is_text for heading in shown.headings)
    return max(1, next(place for place, is_text in enumerate(words) if not is_text))


def print_title(title: str, console: Console) -> None:
    """Print the title of a part, with an empty line above."""
    console.print()
    console.print(Text(title, style="bold"))


def print_rows(headings: Sequence[Heading], rows: Rows, console: Console, keys: int = 1) -> None:
    """Print a table, in several bands if it is wider than the console.

    Each band begins with the first columns, as many as ``keys`` says.
    """
    widths = [_width(heading, column) for heading, column in _columns(headings, rows)]
    _narrow(headings, widths, keys, console.width)
    for number, band in enumerate(_bands(widths, keys, console.width)):
        if number:
            console.print()
        table = Table(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0),
            show_header=any(heading.text for heading in headings), header_style="bold",
        )  # fmt: skip
        for place in band:
            table.add_column(
                Text(headings[place].text),
                justify="left" if headings[place].is_text else "right",
                width=min(widths[place], console.width),
                overflow="fold",
                vertical="bottom",
            )
        for row in rows:
            table.add_row(*(row[place] for place in band))
        console.print(table)


def _columns(headings: Sequence[Heading], rows: Rows) -> Iterator[tuple[Heading, list[Text]]]:
    for place, heading in enumerate(headings):
        yield heading, [row[place] for row in rows]


def _width(heading: Heading, cells: Iterable[Text]) -> int:
    words = heading.text.split() or [""]
    return max(max(map(len, words)), max((cell_len(cell.plain) for cell in cells), default=0))


def _narrow(headings: Sequence[Heading], widths: list[int], keys: int, most: int) -> None:
    """Let names of rows go on below each other where they leave too little room for numbers."""
    if sum(widths) + GAP * len(widths) <= most:
        return
    for place in range(keys):
        if headings[place].is_text:
            widths[place] = min(widths[place], most // (2 * keys))


def _bands(widths: Sequence[int], keys: int, most: int) -> Iterator[list[int]]:
    """Yield the columns that fit beside each other, each time with the key columns before them."""
    key_columns = list(range(keys))
    used = sum(widths[place] + GAP for place in key_columns)
    band: list[int] = []
    room = most - used
    for place in range(keys, len(widths)):
        if band and widths[place] > room:
            yield key_columns + band
            band, room = [], most - used
        band.append(place)
        room -= widths[place] + GAP
    yield key_columns + band
