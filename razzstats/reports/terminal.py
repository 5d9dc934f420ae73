"""The report and the tables of statistics in a terminal of 80 columns or more."""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from razzstats.chips import Money
from razzstats.diagnostics.visible import visible
from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.listings import (
    POT_HEADINGS,
    hand_name,
    luck_words,
    pot_numbers,
    pot_words,
    quality_rows,
)
from razzstats.reports.views import Cell, Heading, View, view
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.intervals import FEW

MOST_REJECTED = 10
"""So many rejected hands are listed; all are counted."""

_GAP = 2
_FEW_STYLE = "dim"
# Neither red nor green, which many men cannot tell apart; the sign says the same.
_GAIN_STYLE, _LOSS_STYLE = "cyan", "yellow"

Rows = Sequence[Sequence[Text]]


def print_report(data: ReportData, console: Console) -> None:
    """Print the whole report."""
    _print_header(data, console)
    if data.hands:
        for name, frame in (
            ("overview", data.overview),
            ("door-cards", data.door_cards),
            ("streets", data.streets),
        ):
            _print_title(TABLE_BY_NAME[name].title, console)
            print_table(name, frame, console, data.money)
        _print_door_streets(data, console)
        _print_starting_classes(data, console)
        _print_luck(data, console)
        _print_pots(data, console)
    _print_rejected(data, console)
    _print_quality(data, console)


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
    _print_rows(shown.headings, rows, console, _key_columns(shown))


# ---- parts of the report


def _print_header(data: ReportData, console: Console) -> None:
    console.print(Text(visible(data.title), style="bold"))
    about = f"Hands of {data.filters}"
    if data.period:
        first, last = (formats.day(moment) for moment in data.period)
        about += f"; {first}" if first == last else f"; {first} to {last}"
    console.print(Text(visible(about)))
    if data.hands:
        return
    if data.quality.stored:
        console.print(f"None of the {formats.count(data.quality.stored)} stored hands matches.")
    else:
        console.print(Text("No hand is stored yet. `razzstats import FOLDER` reads histories."))


def _print_title(title: str, console: Console) -> None:
    console.print()
    console.print(Text(title, style="bold"))


def _print_door_streets(data: ReportData, console: Console) -> None:
    """Print big bets a hand by door card and street, with the number of hands."""
    _print_title("Door cards by street", console)
    console.print(Text("Big bets a hand from the ante on, and hands that reached the street"))
    cells = {(row["door"], row["street"]): row for row in formats.records(data.door_streets)}
    doors = dict.fromkeys(data.door_streets["door"])
    streets = dict.fromkeys(data.door_streets["street"])
    headings = [Heading("Door", "", is_text=True)]
    headings += [Heading(formats.street(street), "") for street in streets]
    rows = []
    for door in doors:
        reached = [int(cells[door, street]["reached"]) for street in streets]
        nets = [cells[door, street]["net_big_bets"] for street in streets]
        heat = (_heat(net, hands) for net, hands in zip(nets, reached, strict=True))
        rows.append([Text(door), *heat])
    _print_rows(headings, rows, console, keys=1)


def _heat(net: float, hands: int) -> Text:
    if not hands:
        return Text(formats.DASH, style=_FEW_STYLE)
    value = net / hands
    style = _GAIN_STYLE if value > 0 else _LOSS_STYLE if value < 0 else ""
    shown = Text(formats.signed(value, 2), style=_FEW_STYLE if hands < FEW else style)
    return shown.append(f" {formats.count(hands):>5}", style=_FEW_STYLE)


def _print_starting_classes(data: ReportData, console: Console) -> None:
    _print_title(TABLE_BY_NAME["starting-classes"].title, console)
    print_table("starting-classes", data.starting_classes, console, data.money)


def _print_luck(data: ReportData, console: Console) -> None:
    _print_title(TABLE_BY_NAME["luck"].title, console)
    console.print(Text(luck_words(formats.records(data.luck)[-1])))
    print_table("luck", data.luck, console)


def _print_pots(data: ReportData, console: Console) -> None:
    _print_title("Biggest pots", console)
    places = [
        place for place, heading in enumerate(POT_HEADINGS) if heading.text not in _LEFT_OUT_OF_POTS
    ]
    rows = []
    for row in formats.records(data.biggest_pots):
        words = (hand_name(row), *pot_words(row), *pot_numbers(row))
        rows.append([Text(visible(words[place])) for place in places])
    _print_rows([POT_HEADINGS[place] for place in places], rows, console, keys=1)


# The rest of a pot fits in 100 columns, and `razzstats show HAND` tells all of it.
_LEFT_OUT_OF_POTS = ("Played (UTC)", "Pot")


def _print_rejected(data: ReportData, console: Console) -> None:
    """Print the first rejected hands in a line each: where, which code, what was found."""
    _print_title("Rejected hands", console)
    rows = formats.records(data.rejected)
    if not rows:
        console.print("Every hand passed the checks.")
        return
    for row in rows[:MOST_REJECTED]:
        place = f"{row['file']}:{row['line']}"
        line = Text(visible(f"{place}  {hand_name(row)}  "))
        line.append(visible(str(row["code"])), style="bold")
        line.append(visible(f"  {row['message']}"))
        console.print(line, soft_wrap=True)
    left_out = len(rows) - MOST_REJECTED
    if left_out > 0:
        console.print(
            Text(f"and {formats.count(left_out)} more; `razzstats report --html FILE` lists more")
        )


def _print_quality(data: ReportData, console: Console) -> None:
    _print_title("Data quality", console)
    headings = (Heading("", "", is_text=True), Heading("", ""), Heading("", "", is_text=True))
    rows = [
        [Text(title), Text(formats.count(count)), Text(words, style=_FEW_STYLE)]
        for title, count, words in quality_rows(data.quality)
    ]
    _print_rows(headings, rows, console, keys=1)


# ---- tables


def _text(cell: Cell, chances_width: int) -> Text:
    text = Text(visible(cell.text), style=_FEW_STYLE if cell.few else "")
    if chances_width:
        text.append(f" {cell.chances:>{chances_width}}", style=_FEW_STYLE)
    return text


def _key_columns(shown: View) -> int:
    """Return how many columns from the left name the row."""
    words = (heading.is_text for heading in shown.headings)
    return max(1, next(place for place, is_text in enumerate(words) if not is_text))


def _print_rows(headings: Sequence[Heading], rows: Rows, console: Console, keys: int) -> None:
    """Print a table, in several bands if it is wider than the console."""
    widths = [_width(heading, column) for heading, column in _columns(headings, rows)]
    for number, band in enumerate(_bands(widths, keys, console.width)):
        if number:
            console.print()
        table = Table(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0),
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


def _bands(widths: Sequence[int], keys: int, most: int) -> Iterator[list[int]]:
    """Yield the columns that fit beside each other, each time with the key columns before them."""
    key_columns = list(range(keys))
    used = sum(widths[place] + _GAP for place in key_columns)
    band: list[int] = []
    room = most - used
    for place in range(keys, len(widths)):
        if band and widths[place] > room:
            yield key_columns + band
            band, room = [], most - used
        band.append(place)
        room -= widths[place] + _GAP
    yield key_columns + band
