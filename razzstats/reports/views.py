"""A table of statistics laid out for reading: columns joined, values as text, few hands marked."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import pandas as pd

from razzstats.chips import Money
from razzstats.reports import formats
from razzstats.reports.definitions import row_definition
from razzstats.stats.catalogue import TABLE_BY_NAME, Column, Kind, Table
from razzstats.stats.intervals import FEW


class Heading(NamedTuple):
    """What stands over a column of a view."""

    text: str
    definition: str
    is_text: bool = False


class Cell(NamedTuple):
    """One value as text."""

    text: str
    few: bool = False
    """Whether so little is behind it that it says little yet."""
    chances: str = ""
    """How many chances a rate is of, where the row's hands do not say it: "of 319"."""
    definition: str = ""
    """What the row is, in its first cell, where the row is a statistic."""


class View(NamedTuple):
    """A table ready to be shown; the first column names the row."""

    table: Table
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]


def view(
    name: str,
    frame: pd.DataFrame,
    money: Money | None = None,
    *,
    leave_out: Collection[str] = (),
) -> View:
    """Lay out the frame of a table of the catalogue.

    ``money`` is its amounts' currency; columns to ``leave_out`` are given by their keys.
    """
    table = TABLE_BY_NAME[name]
    if "unit" in frame.columns:
        return _of_all_kinds(table, frame)
    plans = tuple(plan for plan in _plans(table) if plan.column.key not in leave_out)
    rows = []
    for row in formats.records(frame):
        first, *others = (_cell(plan, row, money) for plan in plans)
        rows.append((_defined(first, table, row), *others))
    return View(table, tuple(plan.heading for plan in plans), tuple(rows))


def _defined(first: Cell, table: Table, row: dict[str, Any]) -> Cell:
    return first._replace(definition=row_definition(table.name, str(row.get("id", ""))))


class _Plan(NamedTuple):
    """A column of a view and what it is made from."""

    heading: Heading
    column: Column
    high: str | None = None
    """The key of the upper bound if this is an interval, whose lower bound is the column."""


def _plans(table: Table) -> Iterator[_Plan]:
    """Yield what is shown: two bounds become one interval, a rate's counts stand beside it."""
    rates = {column.key for column in table.columns if column.kind is Kind.RATE}
    for column in table.columns:
        key, _, part = column.key.rpartition("_")
        if part == "high" or (part in ("made", "chances") and key in rates):
            continue
        if part == "low":
            definition = column.definition.replace("lower bound", "bounds")
            yield _Plan(Heading("95 %", definition), column, f"{key}_high")
        else:
            is_text = column.kind is Kind.TEXT or column.key == "street"
            yield _Plan(Heading(column.heading, column.definition, is_text), column)


def _cell(plan: _Plan, row: dict[str, Any], money: Money | None) -> Cell:
    column = plan.column
    held = row[column.key]
    if column.kind in (Kind.TEXT, Kind.COUNT):
        return Cell(formats.value(held, column.kind, column.key))
    own = row.get(f"{column.key.removesuffix('_low')}_chances")
    few = not column.is_exact and int(_hands(row) if own is None else own) < FEW
    if plan.high:
        return Cell(formats.interval(held, row[plan.high], column.kind), few)
    text = formats.value(held, column.kind, column.key, money)
    return Cell(text, few, f"of {formats.count(own)}" if own else "")


def _hands(row: dict[str, Any]) -> Any:
    """Return how many hands or decisions are behind a row."""
    return next(row[key] for key in ("hands", "reached", "chances") if key in row)


# ---- tables whose rows are of different kinds, each with its unit


def _of_all_kinds(table: Table, frame: pd.DataFrame) -> View:
    columns = {column.key: column for column in table.columns}
    counts = [key for key in _COUNTS if key in columns]
    headings = (
        Heading(columns["title"].heading, columns["title"].definition, is_text=True),
        Heading(columns["value"].heading, columns["value"].definition),
        Heading("95 %", "95 % interval of the value"),
        *(Heading(columns[key].heading, columns[key].definition) for key in counts),
        Heading(columns["unit"].heading, columns["unit"].definition, is_text=True),
    )
    rows = [_row_of_any_kind(table, row, counts) for row in formats.records(frame)]
    if all(unit == _RATE for unit in frame["unit"]):  # a rate is written in per cent, which says it
        headings, rows = headings[:-1], [row[:-1] for row in rows]
    return View(table, headings, tuple(rows))


def _row_of_any_kind(table: Table, row: dict[str, Any], count_keys: list[str]) -> tuple[Cell, ...]:
    kind = formats.kind_of_unit(row["unit"])
    few = kind is not Kind.COUNT and int(_hands(row)) < FEW
    bounds = kind in (Kind.RATE, Kind.RESULT)
    interval = formats.interval(row["low"], row["high"], kind) if bounds else ""
    counts = ("" if formats.is_missing(row[key]) else formats.count(row[key]) for key in count_keys)
    return (
        _defined(Cell(row["title"]), table, row),
        Cell(overview_value(row), few),
        Cell(interval, few),
        *(Cell(text) for text in counts),
        Cell("" if row["unit"] == _RATE else row["unit"]),
    )


_RATE = "rate"
_COUNTS = ("made", "chances", "hands")


def overview_value(row: dict[str, Any]) -> str:
    """Return the value of a row of the overview as text."""
    kind = formats.kind_of_unit(row["unit"])
    if formats.is_missing(row["value"]):
        return formats.DASH
    if kind is Kind.AMOUNT:
        return formats.whole_amount(row["value"], row["unit"])
    return formats.value(row["value"], kind)
