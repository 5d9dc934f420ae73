"""The rows of many hands, column by column: as the tables take them, and as processes send them.

Row by row a hand takes four times as long to store, and to send to another process ten times.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import compress
from typing import Any, NamedTuple, Self, TypeAlias, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from razzstats.storage.rows import ActionRow, HandRow, HandRows, PlayerRow

Columns: TypeAlias = dict[str, NDArray[Any]]
"""The columns of some rows of a table by name; a masked array where a value may be missing."""

_TYPES = {
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    bool: np.dtype(np.bool_),
    datetime: np.dtype("datetime64[us]"),
    str: np.dtype(object),
}


class HandColumns(NamedTuple):
    """The rows of hands, all tables in the same order of hands."""

    hands: Columns
    players: Columns
    actions: Columns
    texts: Columns
    files: list[str]
    """Where each hand was read; a member of an archive is named with it."""
    players_of: NDArray[np.int64]
    """How many rows in ``players`` each hand has."""
    actions_of: NDArray[np.int64]

    @classmethod
    def of(cls, hands: Sequence[HandRows]) -> Self:
        """Return the rows of hands as columns."""
        return cls(
            columns_of(HandRow, [rows.hand for rows in hands]),
            columns_of(PlayerRow, [row for rows in hands for row in rows.players]),
            columns_of(ActionRow, [row for rows in hands for row in rows.actions]),
            columns_of(_TextRow, [_TextRow(rows.hand.hid, rows.text) for rows in hands]),
            [rows.file for rows in hands],
            np.array([len(rows.players) for rows in hands], dtype=np.int64),
            np.array([len(rows.actions) for rows in hands], dtype=np.int64),
        )

    def __len__(self) -> int:
        """Return the number of hands."""
        return len(self.players_of)

    def chosen(self, keep: NDArray[np.bool_]) -> "HandColumns":
        """Return the rows of some of the hands; ``keep`` says of each whether it is one."""
        if keep.all():
            return self
        players, actions = np.repeat(keep, self.players_of), np.repeat(keep, self.actions_of)
        return HandColumns(
            _picked(self.hands, keep),
            _picked(self.players, players),
            _picked(self.actions, actions),
            _picked(self.texts, keep),
            list(compress(self.files, keep)),
            self.players_of[keep],
            self.actions_of[keep],
        )


class _TextRow(NamedTuple):
    hid: int
    text: str


def columns_of(kind: type[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]]) -> Columns:
    """Return rows of one kind, a NamedTuple whose annotations tell the types, as columns."""
    values: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * 99
    return {
        name: _column(column, dtype)
        for (name, dtype), column in zip(_types(kind).items(), values, strict=bool(rows))
    }


def _column(values: Sequence[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind in "OM":  # these have a missing value of their own
        return np.array(values, dtype=dtype)
    if None not in values:
        return np.array(values, dtype=dtype)
    missing = [value is None for value in values]
    known = [0 if value is None else value for value in values]
    return np.ma.array(np.array(known, dtype=dtype), mask=missing)


@cache
def _types(kind: type[Any]) -> Mapping[str, np.dtype[Any]]:
    def dtype(hint: Any) -> np.dtype[Any]:
        (known,) = {*(get_args(hint) or (hint,))} - {type(None)}
        return _TYPES[known]

    return {name: dtype(hint) for name, hint in get_type_hints(kind).items()}


def _picked(columns: Columns, keep: NDArray[np.bool_]) -> Columns:
    return {name: column[keep] for name, column in columns.items()}
