"""Which terminal a line is, and whose: the grammar's own patterns, and the names of the seat list.

A pattern that names a player is cut in two at the name: what stands before it and the phrase behind
it. Between them the player is looked up among the seated ones, longest name first, so that no name
(``x: folds``, ``Seat 1``, ``*** RIVER ***``) can be taken for something else.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

PLAYER_PATTERN = "(?P<player>[^\n]+)"
SHORT_PLAYER_PATTERN = "(?P<player>[^\n]+?)"
UNKNOWN_LINE = "UNKNOWN_LINE"
UNKNOWN_PLAYER = "UNKNOWN_PLAYER"

Fields = Mapping[str, str | None]
Phrase: TypeAlias = tuple[str, Fields]
"""A terminal, and the named parts of what was said."""


class LineToken:
    """One line of a hand, recognised: its terminal, the player it is about and its named parts."""

    __slots__ = ("column", "fields", "index", "player", "type")

    # What Lark asks of a token when it reports an error or meets the end of the input.
    end_column = start_pos = end_pos = 0

    def __init__(
        self, type: str, index: int, fields: Fields, player: str | None = None, column: int = 0
    ) -> None:
        self.type = type
        self.index = index
        self.fields = fields
        self.player = player
        self.column = column

    @property
    def line(self) -> int:
        """The index of the line, as Lark asks for it."""
        return self.index

    end_line = line

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


class Lines:
    """The recognised lines of a hand, in order and by their kinds."""

    def __init__(self, tokens: Sequence[LineToken]) -> None:
        """Sort the lines, the first of which is the header."""
        self.tokens = tokens
        self.header = tokens[0]
        self._by_type: defaultdict[str, list[LineToken]] = defaultdict(list)
        for token in tokens:
            self._by_type[token.type].append(token)

    def all(self, terminal: str) -> Sequence[LineToken]:
        """Return the lines of this kind."""
        return self._by_type.get(terminal, ())

    def first(self, terminal: str, default: LineToken) -> LineToken:
        """Return the first line of this kind, or the other one if there is none."""
        found = self._by_type.get(terminal)
        return found[0] if found else default


class SeatNames:
    """The names of the seat list, found at a place in a line, the longest first."""

    def __init__(self, names: Iterable[str]) -> None:
        self.by_first: dict[str, list[str]] = {}
        """The names by their first characters, the longest first."""
        for name in sorted(set(names), key=len, reverse=True):
            self.by_first.setdefault(name[:1], []).append(name)

    def at(self, line: str, start: int) -> Sequence[str]:
        """Return the seated names that begin at ``start`` in the line, longest first."""
        names = self.by_first.get(line[start : start + 1], ())
        return [name for name in names if line.startswith(name, start)]


_KNOWN_BY_PLACE = frozenset(("HEADER", "OTHER_HEADER", "SEAT"))
"""Terminals that are told by where they stand, so that no other line is taken for one."""


_NOT_ASKED: Phrase = ("", {})


class Phrases:
    """What may be said at one place of a line, as one terminal each.

    What was said before is looked up: most lines say what others said before them, and a table
    is asked a dozen times sooner than ten patterns. The text decides, so nothing else can come of
    it. Long texts, and those of cards after cards, do not come again and are not kept; the table
    begins anew when it is full.
    """

    _LONGEST = 40

    def __init__(self, most: int = 20_000) -> None:
        """Know no phrase yet; at most so many are remembered."""
        self._most = most
        self._patterns: list[tuple[str, re.Pattern[str]]] = []
        self._remembered: dict[str, Phrase | None] = {}

    def __len__(self) -> int:
        """Return how many texts are remembered."""
        return len(self._remembered)

    def add(self, terminal: str, pattern: str) -> None:
        """Add a terminal and the regular expression of its phrase."""
        self._patterns.append((terminal, re.compile(pattern)))

    def find(self, said: str) -> Phrase | None:
        """Return the first terminal whose phrase this is, with its parts, or None."""
        found = self._remembered.get(said, _NOT_ASKED)
        if found is not _NOT_ASKED:
            return found
        found = self.match(said)
        if len(said) <= self._LONGEST and said.count("[") < 2:
            if len(self._remembered) >= self._most:
                self._remembered.clear()
            self._remembered[said] = found
        return found

    def match(self, said: str) -> Phrase | None:
        """Return what `find` returns, from the patterns alone."""
        for terminal, pattern in self._patterns:
            if match := pattern.fullmatch(said):
                return terminal, match.groupdict()
        return None


class _NameInside(NamedTuple):
    """Lines in which a name stands behind the same words."""

    beginning: str
    """What those words begin with, whatever else they are."""
    before: re.Pattern[str] | None
    """Those words, None if the beginning is all of them."""
    phrases: Phrases

    @classmethod
    def behind(cls, before: str) -> "_NameInside":
        """Return the lines in which a name stands behind what this pattern matches."""
        beginning = _beginning(before)
        whole = before == re.escape(beginning)
        return cls(beginning, None if whole else re.compile(before), Phrases())


def _beginning(pattern: str) -> str:
    """Return what all texts that a pattern matches begin with, as far as it says so plainly."""
    depth = 0
    for character in _NO_SYNTAX.sub("", pattern):
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            return ""
    literal = _LITERAL.match(pattern)
    return literal[0].replace("\\", "") if literal else ""


# Characters that stand for themselves, but for the last if it may be left out or repeated.
_LITERAL = re.compile(r"(?:(?:[^\\.^$*+?{}\[\]|()]|\\[^A-Za-z0-9])(?![*+?{]))*")
_NO_SYNTAX = re.compile(r"\\.|\[(?:\\.|[^\]])*\]")  # escaped characters and classes


class LinePatterns:
    """The line terminals of one grammar, ready to recognise lines."""

    def __init__(self, terminals: Iterable[tuple[str, str]]) -> None:
        """Take the terminals as pairs of a name and a regular expression of the whole line."""
        self._whole: dict[str, re.Pattern[str]] = {}
        self._name_first = Phrases()
        self._name_inside: dict[str, _NameInside] = {}
        self._nameless = Phrases()
        self._strangers: list[str] = []
        self._last_heading: tuple[str, Phrase | None] = ("", None)
        for name, pattern in terminals:
            self._whole[name] = re.compile(pattern)
            before, player, phrase = pattern.partition(PLAYER_PATTERN)
            if player:
                # Who is not seated is taken to have a short name, without cards or verbs in it.
                self._strangers.append(before + SHORT_PLAYER_PATTERN + phrase)
            if name in _KNOWN_BY_PLACE:
                continue
            if not player:
                self._nameless.add(name, pattern)
            elif not before:
                self._name_first.add(name, phrase)
            else:
                inside = self._name_inside.setdefault(before, _NameInside.behind(before))
                inside.phrases.add(name, phrase)
        ends = [self._whole[name] for name in ("THIRD", "SUMMARY") if name in self._whole]
        self._ends = [end.fullmatch for end in ends]
        self._ends_begin = tuple(_beginning(end.pattern) for end in ends)

    def heading(self, line: str) -> Phrase | None:
        """Return which heading a line is, HEADER or OTHER_HEADER, and its parts; None if none."""
        if line != self._last_heading[0]:  # whoever asks first and the parser ask of one hand
            found = None
            for terminal in ("HEADER", "OTHER_HEADER"):
                if match := self._whole[terminal].fullmatch(line):
                    found = terminal, match.groupdict()
                    break
            self._last_heading = line, found
        return self._last_heading[1]

    def tokens(self, lines: Sequence[str]) -> list[LineToken]:
        """Return a token for each line that is not blank; the first is the header."""
        seats = self._seat_lines(lines)
        names = SeatNames(fields["player"] or "" for fields in seats.values())
        tokens: list[LineToken] = []
        for index, line in enumerate(lines):
            line = line.rstrip()
            if not line:
                continue
            if index in seats:
                tokens.append(LineToken("SEAT", index, seats[index]))
            elif index == 0:
                tokens.append(self._heading(line))
            else:
                tokens.append(self._token(line, index, names))
        return tokens

    def _seat_lines(self, lines: Sequence[str]) -> dict[int, Fields]:
        seat = self._whole["SEAT"].fullmatch
        seats: dict[int, Fields] = {}
        for index, line in enumerate(lines):
            line = line.rstrip()
            if match := seat(line):
                seats[index] = match.groupdict()
            elif line.startswith(self._ends_begin) and any(end(line) for end in self._ends):
                break
        return seats

    def _heading(self, line: str) -> LineToken:
        found = self.heading(line)
        if found is None or found[0] != "HEADER":
            return LineToken(UNKNOWN_LINE, 0, {})
        return LineToken("HEADER", 0, found[1])

    def _token(self, line: str, index: int, names: SeatNames) -> LineToken:
        # The names are looked up here and not by `SeatNames.at`, which takes a tenth of all.
        by_first = names.by_first
        for player in by_first.get(line[0], ()):
            if line.startswith(player):
                column = len(player)
                if found := self._name_first.find(line[column:]):
                    return LineToken(found[0], index, found[1], player, column)
        for beginning, before, phrases in self._name_inside.values():
            if line.startswith(beginning):
                head = before.match(line) if before else None
                if before and not head:
                    continue
                start = head.end() if head else len(beginning)
                for player in by_first.get(line[start : start + 1], ()):
                    if line.startswith(player, start):
                        column = start + len(player)
                        if found := phrases.find(line[column:]):
                            fields = {**head.groupdict(), **found[1]} if head else found[1]
                            return LineToken(found[0], index, fields, player, column)
        if found := self._nameless.find(line):
            terminal, parts = found
            return LineToken(terminal, index, parts)
        return self._stranger(line, index)

    def _stranger(self, line: str, index: int) -> LineToken:
        for pattern in self._strangers:
            if match := re.fullmatch(pattern, line):
                column = match.start("player")
                return LineToken(UNKNOWN_PLAYER, index, {}, match["player"], column)
        return LineToken(UNKNOWN_LINE, index, {})
