"""Diagnostics as text: one line each, in full with the quoted source, or as JSON."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Self, TypeAlias

from razzstats.diagnostics import Diagnostic, Severity
from razzstats.diagnostics.visible import display_width, visible
from razzstats.locations import HandId, HandText, Span

Titles: TypeAlias = Mapping[str, str]
"""What people call a room, by its name: "PokerStars" for "pokerstars"."""

SourceLines: TypeAlias = Callable[[str, int], str | None]
"""Gives the text of a file's line, by file and number from 1, or None if it is not at hand."""

_LONGEST_QUOTE = 200
_KEPT_BEFORE_MARK = 60

_OUTCOMES = {
    Severity.ERROR: "the hand is left out of the statistics",
    Severity.WARNING: "the hand is counted in the statistics and flagged",
}

_SEVERITY_INKS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_FRAME_INK, _BOLD_INK = "1;34", "1"


def source_lines(hand: HandText) -> SourceLines:
    """Return what gives the lines of this hand."""

    def line_at(file: str, number: int) -> str | None:
        index = number - hand.first_line
        known = file == hand.file and 0 <= index < len(hand.lines)
        return hand.lines[index] if known else None

    return line_at


def render_concise(diagnostic: Diagnostic, titles: Titles) -> str:
    """Return the diagnostic in one line, as editors and ``grep`` like it."""
    place = f"{_place(diagnostic.span)}: " if diagnostic.span else ""
    hand = f"  ({_hand(diagnostic.hand_id, titles)})" if diagnostic.hand_id else ""
    return visible(f"{place}{_kind(diagnostic)} {diagnostic.message}{hand}")


def render_json(diagnostic: Diagnostic) -> str:
    """Return the diagnostic as a JSON object in one line; what is unknown is null."""
    span, hand_id = diagnostic.span, diagnostic.hand_id
    fields = {
        "code": diagnostic.code.id,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "hand": hand_id.number if hand_id else None,
        "help": diagnostic.help,
    }
    # JSON's own escapes keep the text as it is; DEL is the one control character they leave out.
    return json.dumps(fields).replace("\x7f", r"\u007f")


def render_full(
    diagnostic: Diagnostic, lines: SourceLines, titles: Titles, color: bool = False
) -> str:
    """Return the diagnostic in full: the quoted lines with the places marked, help and notes."""
    return "\n".join(_FullText(diagnostic, lines, titles, color).rows())


class _Mark(NamedTuple):
    """A place to underline in a quoted line, and what to say about it."""

    span: Span
    sign: str
    ink: str
    text: str = ""


class _Excerpt(NamedTuple):
    """The part of a source line that is quoted."""

    text: str
    start: int
    """How many characters of the line were cut off before it."""
    before: str
    after: str
    """What is shown where the line was cut, if it was."""

    @classmethod
    def around(cls, line: str, column: int) -> Self:
        """Return the whole line, or the part of a very long one that has the column in it."""
        last_start = max(0, len(line) - _LONGEST_QUOTE)
        start = max(0, min(column - 1 - _KEPT_BEFORE_MARK, last_start))
        part = line[start : start + _LONGEST_QUOTE]
        return cls(part, start, "..." if start else "", "..." if start < last_start else "")

    def quoted(self) -> str:
        return f"{self.before}{_quoted(self.text)}{self.after}"

    def place(self, span: Span) -> tuple[int, int]:
        """Return the columns to the left of the span and those that it takes, at least one."""
        first = max(0, span.column - 1 - self.start)
        # A span over several lines is marked on its first one, to that line's end.
        end = len(self.text) if span.end_line > span.line else span.end_column - 1 - self.start
        indent = display_width(self.before + _quoted(self.text[:first]))
        return indent, max(1, display_width(_quoted(self.text[first : max(first, end)])))


class _FullText:
    """One diagnostic on its way to its full text."""

    def __init__(
        self, diagnostic: Diagnostic, lines: SourceLines, titles: Titles, color: bool
    ) -> None:
        self._diagnostic = diagnostic
        self._titles = titles
        self._color = color
        self._source: dict[int, str] = {}
        self._marks: defaultdict[int, list[_Mark]] = defaultdict(list)
        self._elsewhere: list[_Mark] = []
        self._collect_marks(lines)
        numbers = [*self._source, diagnostic.span.line if diagnostic.span else 0]
        self._margin = " " * max(len(str(number)) for number in numbers)

    def rows(self) -> Iterator[str]:
        yield self._title()
        if where := self._where():
            yield f"{self._frame(self._margin + '-->')} {where}"
        yield from self._quotes()
        for mark in self._elsewhere:
            place = visible(f"{_place(mark.span)}   {mark.text}")
            yield f"{self._frame(self._margin + ':::')} {place}"
        if self._diagnostic.help is not None:
            yield f"{self._paint('help', _BOLD_INK)}: {visible(self._diagnostic.help)}"
        yield f"{self._paint('note', _BOLD_INK)}: {_note(self._diagnostic)}"

    def _collect_marks(self, lines: SourceLines) -> None:
        """Put the marks on the lines of the diagnostic's own file; others are told by place."""
        own = self._diagnostic.span
        for mark in _marks(self._diagnostic):
            file, line = mark.span.file, mark.span.line
            text = lines(file, line) if own and own.file == file else None
            if text is not None:
                self._source[line] = text
                self._marks[line].append(mark)
            elif mark.text:
                self._elsewhere.append(mark)

    def _title(self) -> str:
        kind = self._paint(_kind(self._diagnostic), _SEVERITY_INKS[self._diagnostic.severity])
        return f"{kind}{self._paint(f': {visible(self._diagnostic.message)}', _BOLD_INK)}"

    def _where(self) -> str:
        span, hand_id = self._diagnostic.span, self._diagnostic.hand_id
        parts = [_place(span)] if span else []
        if hand_id:
            parts.append(_hand(hand_id, self._titles))
        return visible("   ".join(parts))

    def _quotes(self) -> Iterator[str]:
        if self._source:
            yield self._frame(f"{self._margin} |")
        previous = None
        for number in sorted(self._source):
            if previous is not None and number > previous + 1:
                yield "..."
            yield from self._quote(number)
            previous = number

    def _quote(self, number: int) -> Iterator[str]:
        marks = self._marks[number]
        excerpt = _Excerpt.around(self._source[number], marks[0].span.column)
        yield f"{self._frame(f'{number:>{len(self._margin)}} |')} {excerpt.quoted()}"
        for mark in marks:
            indent, length = excerpt.place(mark.span)
            told = f"{mark.sign * length} {visible(mark.text)}".rstrip()
            yield f"{self._frame(f'{self._margin} |')} {' ' * indent}{self._paint(told, mark.ink)}"

    def _frame(self, text: str) -> str:
        return self._paint(text, _FRAME_INK)

    def _paint(self, text: str, ink: str) -> str:
        return f"\x1b[{ink}m{text}\x1b[0m" if self._color else text


def _marks(diagnostic: Diagnostic) -> Iterator[_Mark]:
    if diagnostic.span:
        yield _Mark(diagnostic.span, "^", _SEVERITY_INKS[diagnostic.severity])
    for span, text in diagnostic.labels:
        yield _Mark(span, "-", _FRAME_INK, text)


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}:{span.column}"


def _hand(hand_id: HandId, titles: Titles) -> str:
    return f"{titles.get(hand_id.site, hand_id.site)} #{hand_id.number}"


def _kind(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.severity}[{diagnostic.code.id}]"


def _note(diagnostic: Diagnostic) -> str:
    more = f"`razzstats explain {diagnostic.code.id}` says more"
    outcome = _OUTCOMES.get(diagnostic.severity) if diagnostic.hand_id else None
    return f"{outcome}; {more}" if outcome else more


def _quoted(text: str) -> str:
    # A tab has no width of its own, so that nothing could be aligned below it.
    return visible(text.replace("\t", "    "))
