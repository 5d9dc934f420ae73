"""What statistics, columns and tables are, as data: in words, and in SQL where they count."""

from enum import StrEnum
from typing import NamedTuple


class Stat(NamedTuple):
    """A rate: the rows that meet ``made`` among those that meet ``chances``.

    Rows are those of ``hand_players`` with the hand's ``pot`` and ``rake``, or for statistics of
    decisions those of ``decisions`` (`catalogue.decisions`).
    """

    id: str
    title: str
    definition: str
    made: str
    """The numerator's SQL condition; it holds only where that of the chances does."""
    chances: str
    """The denominator's SQL condition."""
    source: str
    """Who counts it so; ours are marked as such."""


class Kind(StrEnum):
    """What a column holds, which says how it is written."""

    TEXT = "text"
    COUNT = "count"
    RATE = "rate"
    """A fraction of 1."""
    AMOUNT = "amount"
    """Whole smallest units of a currency."""
    NUMBER = "number"
    RESULT = "result"
    """A number that is won or lost, and so has a sign."""


class Column(NamedTuple):
    """A column of a table: its key, its heading, what it holds and what it counts."""

    key: str
    heading: str
    kind: Kind
    definition: str
    is_exact: bool = False
    """Whether it does not depend on how many hands there are."""


class Table(NamedTuple):
    """A table of statistics that can be asked for by name."""

    name: str
    title: str
    definition: str
    columns: tuple[Column, ...]


OURS = "razzstats"
"""The source of definitions that nobody else has, or has so."""


def rate_columns(key: str, heading: str, definition: str) -> tuple[Column, Column, Column]:
    """Return the columns of a rate and of its interval's bounds."""
    bounds = "bounds of the 95 % Wilson interval"
    return (
        Column(key, heading, Kind.RATE, definition),
        Column(f"{key}_low", "low", Kind.RATE, bounds),
        Column(f"{key}_high", "high", Kind.RATE, bounds),
    )
