"""Which terminal a line is, and whose: the grammar's own patterns, and the names of the seat list.

A pattern that names a player is cut in two at the name: what stands before it and the phrase behind
it. Between them the player is looked up among the seated ones, longest name first, so that no name
(``x: folds``, ``Seat 1``, ``*** RIVER ***``) can be taken for something else.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

PLAYER_PATTERN = "(?P<player>[^\n]+)"
SHORT_PLAYER_PATTERN = "(?P<player>[^\n]+?)"
UNKNOWN_LINE = "UNKNOWN_LINE"
UNKNOWN_PLAYER = "UNKNOWN_PLAYER"

Fields = Mapping[str, str | None]


class LineToken:
    """One line of a hand, recognised: its terminal, the player it is about and its named parts."""

    __slots__ = (
        "column", "end_column", "end_line", "end_pos", "fields", "index", "line", "player",
        "start_pos", "type",
    )  # fmt: skip

    def __init__(
        self, type: str, index: int, fields: Fields, player: str | None = None, column: int = 0
    ) -> None:
        self.type = type
        self.index = index
        self.fields = fields
        self.player = player
        self.column = column
        # What Lark asks of a token when it reports an error or meets the end of the input.
        self.line = self.end_line = index
        self.end_column = self.start_pos = self.end_pos = 0

    def __getitem__(self, field: str) -> str:
        """Return a part of the line that the grammar guarantees to be there."""
        text = self.fields[field]
        assert text is not None, f"{self.type} without {field}"
        return text

    def get(self, field: str) -> str | None:
        """Return a part of the line, or None if the line leaves it out."""
        return self.fields.get(field)


Rewrite: TypeAlias = Callable[[Iterator[LineToken]], Iterator[LineToken]]
"""Changes the stream of recognised lines before the grammar sees it."""


def as_written(tokens: Iterator[LineToken]) -> Iterator[LineToken]:
    """Leave the lines as they are."""
    return tokens


def first_of(tokens: Sequence[LineToken], terminal: str, default: LineToken) -> LineToken:
    """Return the first line of this kind, or the other one if there is none."""
    return next((token for token in tokens if token.type == terminal), default)


class SeatNames:
    """The names of the seat list, found at a place in a line, the longest first."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_first: dict[str, list[str]] = defaultdict(list)
        for name in sorted(set(names), key=len, reverse=True):
            self._by_first[name[:1]].append(name)

    def at(self, line: str, start: int) -> Iterator[str]:
        """Yield the seated names that begin at ``start`` in the line, longest first."""
        for name in self._by_first.get(line[start : start + 1], ()):
            if line.startswith(name, start):
                yield name


_KNOWN_BY_PLACE = frozenset(("HEADER", "OTHER_HEADER", "SEAT"))
"""Terminals that are told by where they stand, so that no other line is taken for one."""


class LinePatterns:
    """The line terminals of one grammar, ready to recognise lines."""

    def __init__(self, terminals: Iterable[tuple[str, str]]) -> None:
        """Take the terminals as pairs of a name and a regular expression of the whole line."""
        self._whole: dict[str, re.Pattern[str]] = {}
        self._name_first: list[tuple[str, re.Pattern[str]]] = []
        self._name_inside: list[tuple[str, re.Pattern[str], re.Pattern[str]]] = []
        self._nameless: list[str] = []
        self._strangers: list[str] = []
        for name, pattern in terminals:
            self._whole[name] = re.compile(pattern)
            before, player, phrase = pattern.partition(PLAYER_PATTERN)
            if player:
                # Who is not seated is taken to have a short name, without cards or verbs in it.
                self._strangers.append(before + SHORT_PLAYER_PATTERN + phrase)
            if name in _KNOWN_BY_PLACE:
                continue
            if not player:
                self._nameless.append(name)
            elif not before:
                self._name_first.append((name, re.compile(phrase)))
            else:
                self._name_inside.append((name, re.compile(before), re.compile(phrase)))

    def whole(self, terminal: str) -> re.Pattern[str]:
        """Return the pattern of a terminal's whole line."""
        return self._whole[terminal]

    def tokens(self, lines: Sequence[str]) -> Iterator[LineToken]:
        """Yield a token for each line that is not blank; the first is the header."""
        seats = self._seat_lines(lines)
        names = SeatNames(fields["player"] or "" for fields in seats.values())
        for index, line in enumerate(lines):
            line = line.rstrip()
            if not line:
                continue
            if index in seats:
                yield LineToken("SEAT", index, seats[index])
            elif index == 0:
                yield self._heading(line)
            else:
                yield self._token(line, index, names)

    def _seat_lines(self, lines: Sequence[str]) -> dict[int, Fields]:
        seat = self._whole["SEAT"].fullmatch
        ends = [self._whole[name].fullmatch for name in ("THIRD", "SUMMARY") if name in self._whole]
        seats: dict[int, Fields] = {}
        for index, line in enumerate(lines):
            line = line.rstrip()
            if match := seat(line):
                seats[index] = match.groupdict()
            elif any(end(line) for end in ends):
                break
        return seats

    def _heading(self, line: str) -> LineToken:
        match = self._whole["HEADER"].fullmatch(line)
        if match is None:
            return LineToken(UNKNOWN_LINE, 0, {})
        return LineToken("HEADER", 0, match.groupdict())

    def _token(self, line: str, index: int, names: SeatNames) -> LineToken:
        for player in names.at(line, 0):
            for terminal, phrase in self._name_first:
                if match := phrase.fullmatch(line, len(player)):
                    return LineToken(terminal, index, match.groupdict(), player, len(player))
        for terminal, before, phrase in self._name_inside:
            if head := before.match(line):
                for player in names.at(line, head.end()):
                    column = head.end() + len(player)
                    if match := phrase.fullmatch(line, column):
                        fields = head.groupdict() | match.groupdict()
                        return LineToken(terminal, index, fields, player, column)
        for terminal in self._nameless:
            if match := self._whole[terminal].fullmatch(line):
                return LineToken(terminal, index, match.groupdict())
        return self._stranger(line, index)

    def _stranger(self, line: str, index: int) -> LineToken:
        for pattern in self._strangers:
            if match := re.fullmatch(pattern, line):
                column = match.start("player")
                return LineToken(UNKNOWN_PLAYER, index, {}, match["player"], column)
        return LineToken(UNKNOWN_LINE, index, {})
