"""One hand's XML as elements that know their line; whatever is no such XML is told with its place.

The hand is read inside a root element of our own, where XML allows no document type. So there are
no entities but the five that XML itself has, and nothing in a file can be expanded.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from razzstats.diagnostics import codes
from razzstats.locations import HandText
from razzstats.parsing.lines import LineToken
from razzstats.parsing.parts import BadLine

FIRST_LINE = re.compile(r"\s*<game\s(?:[^>]*\s)?id=\"(?P<number>[^\"]+)\"")
LEAD_LINE = re.compile(r"\s*<(?:description\s|\?xml\s|(?:session|history|hands|games)(?:\s|>))")

_ROOT = "hand"
_INSIDE = {
    _ROOT: ("description", "game"),
    "game": ("players", "round"),
    "players": ("player",),
    "round": ("event", "cards", "winner"),
}
"""Which elements may stand in an element."""

_CLOSING_TAG = re.compile(r"\s*</[A-Za-z][\w.-]*\s*>\s*")


@dataclass(frozen=True, slots=True)
class Element:
    """A tag: its name, its attributes and where it stands."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int

    def get(self, name: str) -> str | None:
        """Return an attribute, or None if the tag leaves it out."""
        return self.attributes.get(name)

    def __getitem__(self, name: str) -> str:
        """Return an attribute; raises BadLine if the tag leaves it out."""
        if (text := self.attributes.get(name)) is not None:
            return text
        message = f"<{self.name}> has no {name}"
        raise BadLine(codes.UNEXPECTED_LINE, message, self.line)

    def token(self, **fields: str) -> LineToken:
        """Return parts of the tag as those of a line, which `Parts` can read."""
        return LineToken(self.name, self.line, fields, column=self.column)


@dataclass(frozen=True, slots=True)
class Round:
    """A round and its elements, in the order of the text."""

    tag: Element
    elements: list[Element] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Which round it is: "BLINDS", "FOURTH_STREET"."""
        return self.tag["id"]

    def events(self) -> list[Element]:
        """Return what happens in the round."""
        return [element for element in self.elements if element.name == "event"]

    def cards(self, *types: str) -> list[Element]:
        """Return the card lists of these types."""
        found = (element for element in self.elements if element.name == "cards")
        return [element for element in found if element["type"] in types]

    def winners(self) -> list[Element]:
        """Return who takes what."""
        return [element for element in self.elements if element.name == "winner"]


@dataclass(slots=True)
class Document:
    """The XML of one hand."""

    description: Element | None = None
    game: Element | None = None
    seats: list[Element] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    end: int | None = None
    """The index of the line in which the game ends, if it does."""

    @property
    def first_stamp(self) -> str | None:
        """When the first event happened, in milliseconds of UTC, where the room says it."""
        events = (event for each in self.rounds for event in each.events())
        first = next(events, None)
        return first.get("timestamp") if first is not None else None


def first_line_of(hand: HandText) -> int | None:
    """Return the index of the line that begins the game, behind its lead lines, or None."""
    for index, line in enumerate(hand.lines):
        if FIRST_LINE.match(line):
            return index
        if line.strip() and not LEAD_LINE.match(line):
            return None
    return None


def read_heading(hand: HandText, first: int) -> Document:
    """Return the description and the game's own tag; raises BadLine if that tag is broken."""
    return _read(hand, first, first + 1)


def read_document(hand: HandText, first: int) -> Document:
    """Return the whole hand; raises BadLine at the first place that is no hand's XML."""
    document = _read(hand, first, len(hand.lines))
    if document.end is None:
        message = "the hand breaks off; expected </game>"
        raise BadLine(codes.TRUNCATED_HAND, message, len(hand.lines) - 1)
    return document


def _read(hand: HandText, first: int, end: int) -> Document:
    lines = list(hand.lines[:end])
    while len(lines) > first + 1 and (not lines[-1].strip() or LEAD_LINE.match(lines[-1])):
        lines.pop()  # the beginning of a next hand that has not been written yet
    for index in range(first):
        if not _is_description(lines[index]):
            lines[index] = ""
    document = _parse(lines)
    if document.description is None:
        document.description = _described_before(hand.context)
    return document


def _is_description(line: str) -> bool:
    return line.lstrip().startswith("<description")


def _described_before(context: Sequence[str]) -> Element | None:
    """Return the description that an earlier hand of the file has, if it can be read."""
    for line in reversed(context):
        if _is_description(line):
            try:
                return _parse([line]).description
            except BadLine:
                return None
    return None


def _parse(lines: Sequence[str]) -> Document:
    parser = expat.ParserCreate()
    handler = _Handler(parser, lines)
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.stop
    parser.CharacterDataHandler = handler.text
    try:
        parser.Parse(f"<{_ROOT}>", False)
        # A return inside a line is a blank, or else it would count as a line of its own.
        parser.Parse("\n".join(line.replace("\r", " ") for line in lines), False)
    except expat.ExpatError as error:
        handler.broken(error)
    return handler.document


class _Handler:
    """Takes the parser's events and makes the document of them."""

    def __init__(self, parser: expat.XMLParserType, lines: Sequence[str]) -> None:
        self.parser = parser
        self.lines = lines
        self.document = Document()
        self.open: list[str] = []

    @property
    def line(self) -> int:
        return int(self.parser.CurrentLineNumber) - 1

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.open:
            self.open.append(name)  # the root
            return
        allowed = _INSIDE.get(self.open[-1], ())
        if name not in allowed or self.document.end is not None:
            raise self._unexpected(f"<{name}>", allowed)
        line = self.lines[self.line]
        indent = len(line) - len(line.lstrip())
        self._add(Element(name, attributes, self.line, indent), allowed)
        self.open.append(name)

    def _add(self, element: Element, allowed: Sequence[str]) -> None:
        document = self.document
        if element.name == "description":
            document.description = element
        elif element.name == "game":
            if document.game is not None:
                raise self._unexpected("a second <game>", allowed)
            document.game = element
        elif element.name == "player":
            document.seats.append(element)
        elif element.name == "round":
            document.rounds.append(Round(element))
        elif element.name != "players":
            document.rounds[-1].elements.append(element)

    def stop(self, name: str) -> None:
        self.open.pop()
        if name == "game":
            self.document.end = self.line

    def text(self, text: str) -> None:
        if text.strip():
            raise self._unexpected(f"'{text.strip()[:60]}'", _INSIDE.get(self.open[-1], ()))

    def broken(self, error: expat.ExpatError) -> None:
        """Raise what is wrong, unless it is only the end of what files are wrapped in."""
        index, end = min(error.lineno - 1, len(self.lines) - 1), self.document.end
        rest = self.lines[index:]
        wrapping = all(_CLOSING_TAG.fullmatch(line) or not line.strip() for line in rest)
        if end is not None and end < index and wrapping:
            return
        message = f"the XML is broken here: {expat.errors.messages[error.code]}"
        raise BadLine(codes.UNEXPECTED_LINE, message, index, rest[0].strip())

    def _unexpected(self, found: str, allowed: Sequence[str]) -> BadLine:
        if self.document.end is not None:
            allowed = ()
        expected = " or ".join(f"<{name}>" for name in allowed) or "nothing more"
        message = f"found {found}; expected {expected}"
        return BadLine(codes.UNEXPECTED_LINE, message, self.line, self.lines[self.line].strip())
