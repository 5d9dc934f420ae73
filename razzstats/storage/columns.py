"""The rows of many hands, column by column: as the tables take them, and as processes send them.

Row by row a hand takes four times as long to make and to store, and ten times to send to another
process.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, compress
from typing import Any, Self, TypeAlias, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from razzstats.events import Street
from razzstats.rules.actions import VOLUNTARY, ActionKind
from razzstats.storage.rows import PLAYER_FACTS, ActionRow, HandRow, HandRows, PlayerRow

Columns: TypeAlias = dict[str, NDArray[Any]]
"""The columns of some rows of a table by name; a masked array where a value may be missing."""

_Integers: TypeAlias = NDArray[np.int64]
_Flags: TypeAlias = NDArray[np.bool_]

_TYPES = {
    int: np.dtype(np.int64),
    bool: np.dtype(np.bool_),
    datetime: np.dtype("datetime64[us]"),
    str: np.dtype(object),
}


@dataclass(frozen=True, slots=True, eq=False)
class HandColumns:
    """The rows of hands, all tables in the same order of hands."""

    hands: Columns
    players: Columns
    actions: Columns
    texts: Columns
    files: list[str]
    """Where each hand was read; a member of an archive is named with it."""
    players_of: _Integers
    """How many rows in ``players`` each hand has."""
    actions_of: _Integers

    @classmethod
    def of(cls, hands: Sequence[HandRows]) -> Self:
        """Return all rows of hands."""
        players_of = np.array([len(rows.players) for rows in hands], dtype=np.int64)
        actions_of = np.array([len(rows.actions) for rows in hands], dtype=np.int64)
        of_hands = _columns(HandRow, HandRow._fields, [rows.hand for rows in hands])
        actions = _actions(of_hands, actions_of, hands)
        return cls(
            of_hands,
            _players(of_hands, players_of, hands, actions, actions_of),
            actions,
            {"hid": of_hands["hid"], "text": _strings([rows.text for rows in hands])},
            [rows.file for rows in hands],
            players_of,
            actions_of,
        )

    def __len__(self) -> int:
        """Return the number of hands."""
        return len(self.players_of)

    def chosen(self, keep: _Flags) -> "HandColumns":
        """Return the rows of some of the hands; ``keep`` says of each whether it is one."""
        if keep.all():
            return self
        return HandColumns(
            _picked(self.hands, keep),
            _picked(self.players, np.repeat(keep, self.players_of)),
            _picked(self.actions, np.repeat(keep, self.actions_of)),
            _picked(self.texts, keep),
            list(compress(self.files, keep)),
            self.players_of[keep],
            self.actions_of[keep],
        )

    @classmethod
    def joined(cls, parts: "Sequence[HandColumns]") -> "HandColumns":
        """Return the rows of several parts as one."""
        if len(parts) == 1:
            return parts[0]
        return HandColumns(
            _joined([part.hands for part in parts]),
            _joined([part.players for part in parts]),
            _joined([part.actions for part in parts]),
            _joined([part.texts for part in parts]),
            [file for part in parts for file in part.files],
            np.concatenate([part.players_of for part in parts]),
            np.concatenate([part.actions_of for part in parts]),
        )


# ---- the tables


def _actions(hands: Columns, actions_of: _Integers, rows: Sequence[HandRows]) -> Columns:
    told = [name for name in ActionRow._fields if name not in ("hid", "seq")]
    # The fields of an action are these columns, in this order, and the line where it stands.
    columns = _columns(ActionRow, told, chain.from_iterable(each.actions for each in rows))
    starts = np.cumsum(actions_of) - actions_of
    seq = np.arange(actions_of.sum()) - np.repeat(starts, actions_of)
    return {"hid": np.repeat(hands["hid"], actions_of), "seq": seq, **columns}


def _players(
    hands: Columns,
    players_of: _Integers,
    rows: Sequence[HandRows],
    actions: Columns,
    actions_of: _Integers,
) -> Columns:
    def of_hand(name: str) -> NDArray[Any]:
        return np.repeat(hands[name], players_of)

    is_tournament = np.array([number is not None for number in hands["tournament"]], dtype=np.bool_)
    told = _columns(PlayerRow, PLAYER_FACTS, chain.from_iterable(each.players for each in rows))
    columns = {
        **{name: of_hand(name) for name in _SAID_OF_HANDS},
        **told,
        "is_hero": np.ma.filled(told["seat"] == of_hand("hero_seat"), False),
        "is_tournament": np.repeat(is_tournament, players_of),
        **_Doings(hands, players_of, told["seat"], actions, actions_of).columns(),
    }
    return {name: columns[name] for name in PlayerRow._fields}


_SAID_OF_HANDS = (
    "hid", "site", "game", "played_at", "currency", "decimals", "small_bet", "big_bet", "players",
)  # fmt: skip


class _Doings:
    """What players did in their hands, from the actions of all of them."""

    def __init__(
        self,
        hands: Columns,
        players_of: _Integers,
        seats: _Integers,
        actions: Columns,
        actions_of: _Integers,
    ) -> None:
        numbers = np.arange(len(players_of))
        acting, places = actions["seat"], int(seats.max(initial=0)) + 1
        # The row of each player by his hand and seat, and of who does each action.
        rows = np.zeros(len(numbers) * places, dtype=np.int64)
        rows[np.repeat(numbers, players_of) * places + seats] = np.arange(len(seats))
        self.players = len(seats)
        self.actor = rows[np.repeat(numbers, actions_of) * places + acting]
        self.kinds = np.array([_CODES[kind] for kind in actions["kind"]], dtype=np.int64)
        self.amounts, self.streets = actions["amount"], actions["street"]
        bring_in = np.repeat(np.ma.filled(hands["bring_in_seat"], -1), actions_of)
        self.first_in = (actions["wagers"] == 0) & (acting != bring_in)

    def columns(self) -> Columns:
        """Return the columns that follow from actions."""
        third = self.streets == Street.THIRD
        opening = third & self.first_in
        return {
            "ante": self._sum(self._are(ActionKind.ANTE)),
            **{f"put{street}": self._put_in(street) for street in Street},
            "brought_in": self._any(self._are(ActionKind.BRING_IN)),
            "vpip_chance": self._any(third & self._are(*VOLUNTARY, ActionKind.FOLD)),
            "vpip": self._any(third & self._are(*VOLUNTARY)),
            "complete_chance": self._any(opening & self._are(*_OPEN_DECISIONS)),
            "completed": self._any(opening & self._are(ActionKind.COMPLETE)),
        }

    def _are(self, *kinds: ActionKind) -> _Flags:
        return np.isin(self.kinds, [_CODES[kind] for kind in kinds])

    def _any(self, which: _Flags) -> _Flags:
        return np.bincount(self.actor[which], minlength=self.players) > 0

    def _sum(self, which: _Flags) -> _Integers:
        total = np.zeros(self.players, dtype=np.int64)
        np.add.at(total, self.actor[which], self.amounts[which])
        return total

    def _put_in(self, street: Street) -> _Integers:
        here = self.streets == street
        put = self._sum(here & self._are(*VOLUNTARY, ActionKind.BRING_IN))
        return put - self._sum(here & self._are(ActionKind.RETURN))


_CODES = {kind: code for code, kind in enumerate(ActionKind)}
_OPEN_DECISIONS = (ActionKind.FOLD, ActionKind.CALL, ActionKind.COMPLETE)


# ---- rows and columns


def _columns(kind: type[Any], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Columns:
    """Return the first values of rows as columns; the annotations of ``kind`` tell the types."""
    types = _TYPES_OF[kind]
    values = list(zip(*rows, strict=True)) or [()] * len(names)
    return {name: _column(values[place], types[name]) for place, name in enumerate(names)}


def _column(values: Sequence[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind == "O":
        return _strings(values)
    if dtype.kind == "M" or None not in values:  # no time has a value of its own
        return np.array(values, dtype=dtype)
    missing = [value is None for value in values]
    known = [0 if value is None else value for value in values]
    return np.ma.array(np.array(known, dtype=dtype), mask=missing)


def _strings(values: Sequence[Any]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _types(kind: type[Any]) -> Mapping[str, np.dtype[Any]]:
    def dtype(hint: Any) -> np.dtype[Any]:
        (known,) = {*(get_args(hint) or (hint,))} - {type(None)}
        return _TYPES[known]

    return {name: dtype(hint) for name, hint in get_type_hints(kind).items()}


_TYPES_OF = {kind: _types(kind) for kind in (HandRow, PlayerRow, ActionRow)}


def _picked(columns: Columns, keep: _Flags) -> Columns:
    return {name: column[keep] for name, column in columns.items()}


def _joined(parts: Sequence[Columns]) -> Columns:
    return {name: _one_after_the_other([part[name] for part in parts]) for name in parts[0]}


def _one_after_the_other(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    if any(isinstance(column, np.ma.MaskedArray) for column in columns):
        joined: NDArray[Any] = np.ma.concatenate(columns)  # type: ignore[no-untyped-call]
        return joined
    return np.concatenate(columns)
