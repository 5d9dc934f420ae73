"""The report and the tables of statistics in a terminal of 80 columns or more."""

from rich.console import Console
from rich.text import Text

from razzstats.diagnostics.visible import visible
from razzstats.reports import formats
from razzstats.reports.data import ReportData
from razzstats.reports.listings import hand_name, luck_words, quality_rows
from razzstats.reports.terminal_play import print_comparison, print_hands, print_leaks
from razzstats.reports.terminal_tables import FEW_STYLE, print_rows, print_table, print_title
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.intervals import FEW

MOST_REJECTED = 10
"""So many rejected hands are listed; all are counted."""

# Neither red nor green, which many men cannot tell apart; the sign says the same.
_GAIN_STYLE, _LOSS_STYLE = "cyan", "yellow"


def print_report(data: ReportData, console: Console) -> None:
    """Print the whole report."""
    _print_header(data, console)
    if data.hands:
        for name, frame in (
            ("overview", data.overview),
            ("door-cards", data.door_cards),
            ("streets", data.streets),
        ):
            print_title(TABLE_BY_NAME[name].title, console)
            print_table(name, frame, console, data.money)
        print_comparison(data, console)
        _print_door_streets(data, console)
        _print_starting_classes(data, console)
        _print_luck(data, console)
        print_leaks(data, console)
        print_hands(data, console)
    _print_rejected(data, console)
    _print_quality(data, console)


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


def _print_door_streets(data: ReportData, console: Console) -> None:
    """Print big bets a hand by door card and street, with the number of hands."""
    print_title("Door cards by street", console)
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
    print_rows(headings, rows, console, keys=1)


def _heat(net: float, hands: int) -> Text:
    if not hands:
        return Text(formats.DASH, style=FEW_STYLE)
    value = net / hands
    style = _GAIN_STYLE if value > 0 else _LOSS_STYLE if value < 0 else ""
    shown = Text(formats.signed(value, 2), style=FEW_STYLE if hands < FEW else style)
    return shown.append(f" {formats.count(hands):>5}", style=FEW_STYLE)


def _print_starting_classes(data: ReportData, console: Console) -> None:
    print_title(TABLE_BY_NAME["starting-classes"].title, console)
    print_table("starting-classes", data.starting_classes, console, data.money)


def _print_luck(data: ReportData, console: Console) -> None:
    print_title(TABLE_BY_NAME["luck"].title, console)
    console.print(Text(luck_words(formats.records(data.luck)[-1])))
    print_table("luck", data.luck, console)


def _print_rejected(data: ReportData, console: Console) -> None:
    """Print the first rejected hands in a line each: where, which code, what was found."""
    print_title("Rejected hands", console)
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
    print_title("Data quality", console)
    headings = (Heading("", "", is_text=True), Heading("", ""), Heading("", "", is_text=True))
    rows = [
        [Text(title), Text(formats.count(count)), Text(words, style=FEW_STYLE)]
        for title, count, words in quality_rows(data.quality)
    ]
    print_rows(headings, rows, console, keys=1)
