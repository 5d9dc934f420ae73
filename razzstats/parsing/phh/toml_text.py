"""A hand that is written as TOML: its values, and where in the text each of them stands."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import accumulate
from typing import Any, NamedTuple

from razzstats.diagnostics import Code, codes
from razzstats.locations import HandText


class Place(NamedTuple):
    """A stretch of one line of a hand; without an end it reaches to the end of the line."""

    line: int
    start: int = 0
    end: int | None = None


class Misread(Exception):
    """A value that cannot be meant so, and its place; never leaves the parsing."""

    def __init__(self, code: Code, message: str, place: Place, help: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.place, self.help = code, message, place, help


_PIECES = re.compile(
    r"""(?P<string>'{3}.*?'{3}|"{3}(?:\\.|[^\\])*?"{3}|'[^'\n]*'|"(?:\\.|[^"\\\n])*")"""
    r"""|\#[^\n]*|^[ \t]*(?P<key>[A-Za-z0-9_-]+)[ \t]*=""",
    re.MULTILINE | re.DOTALL,
)
"""What tells where values stand: keys at the start of a line, and strings; comments are skipped."""

_AT_LINE = re.compile(r"at line ([0-9]+), column ([0-9]+)")


class TomlText:
    """The values of a document without sections, by key."""

    def __init__(self, hand: HandText, lines: range) -> None:
        """Read these lines of a hand; raises Misread if they are no TOML."""
        self.lines = lines
        text = "\n".join(hand.lines[lines.start : lines.stop])
        self.values = _loads(text, hand, lines)
        self._keys: dict[str, Place] = {}
        self._strings: dict[str, list[Place]] = {}
        self._find_places(text)

    def _find_places(self, text: str) -> None:
        starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        found: list[Place] = []
        for piece in _PIECES.finditer(text):
            line = bisect_right(starts, piece.start()) - 1
            column = piece.start() - starts[line]
            if (key := piece["key"]) is not None:
                found = []
                self._keys.setdefault(key, Place(self.lines.start + line, column))
                self._strings.setdefault(key, found)
            elif (quoted := piece["string"]) is not None:
                quotes = 3 if quoted[:3] in ("'''", '"""') else 1
                end = column + len(quoted) - quotes
                found.append(Place(self.lines.start + line, column + quotes, end))

    def place(self, key: str) -> Place:
        """Return where the key stands; the first line if it does not stand at any line's start."""
        return self._keys.get(key, Place(self.lines.start))

    def strings(self, key: str) -> Iterator[tuple[str, Place]]:
        """Yield the strings of a list and where each stands; raises Misread for another value."""
        values = self.values.get(key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            message = f"`{key}` is not a list of strings"
            raise Misread(codes.UNEXPECTED_LINE, message, self.place(key))
        places = self._strings.get(key, [])
        if len(places) != len(values):  # a key in quotes, of which no place is known
            places = [self.place(key)] * len(values)
        yield from zip(values, places, strict=True)


_CHAIN = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){32}""")
"""A key of so many parts; tomllib takes minutes and gigabytes for one of thousands."""

_MOST_BITS = 64  # of a whole number; Python refuses to write those of many thousands


def toml_values(text: str) -> Mapping[str, Any]:
    """Return the values of a document; raises ValueError if it is none."""
    if _CHAIN.search(text):
        raise ValueError("a key has too many parts")
    try:
        values = tomllib.loads(text, parse_float=Decimal)
    except (ArithmeticError, RecursionError):
        raise ValueError("a value is beyond all limits") from None
    if _has_huge_number(values):
        raise ValueError("a number is beyond all limits")
    return values


def _has_huge_number(values: Mapping[str, Any]) -> bool:
    waiting: list[Any] = [values]
    while waiting:
        held = waiting.pop()
        if isinstance(held, dict):
            waiting.extend(held.values())
        elif isinstance(held, list):
            waiting.extend(held)
        elif isinstance(held, int) and held.bit_length() > _MOST_BITS:
            return True
    return False


def _loads(text: str, hand: HandText, lines: range) -> Mapping[str, Any]:
    try:
        return toml_values(text)
    except ValueError as error:
        reason = str(error)
        found = _AT_LINE.search(reason)
        line = min(lines.start + int(found[1]) - 1 if found else lines.stop, lines.stop - 1)
        if hand.last_in_file and line == lines.stop - 1:
            message = f"the hand breaks off: {reason[:80]}"
            raise Misread(codes.TRUNCATED_HAND, message, Place(line)) from None
        column = int(found[2]) - 1 if found else 0
        message = f"this is not TOML: {reason[:80]}"
        raise Misread(codes.UNEXPECTED_LINE, message, Place(line, column)) from None
