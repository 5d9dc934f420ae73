"""What statistics, columns and tables are, as data: in words, and in SQL where they count."""

from enum import StrEnum
from typing import NamedTuple


class Stat(NamedTuple):
    """A rate over ``hand_players``: the rows that meet ``made`` among those of ``chances``."""

    id: str
    title: str
    definition: str
    made: str
    """The numerator's SQL condition; it holds only where that of the chances does."""
    chances: str
    """The denominator's SQL condition."""


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


RATE_BOUNDS = "bounds of the 95 % Wilson interval"
"""What the bounds of a rate are, in words."""
