"""Lines as hands, cut at their first lines."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from razzstats.locations import HandText
from razzstats.sources.lines import Block

_LEAD_LIMIT = 20  # lines before a hand's first line that belong to it
_LONGEST_LEAD = 4_096  # characters; a line of more is none of those
_HAND_LIMIT = 5_000  # lines; a hand that has no end is cut here, and its rest is stray text
_LONG_LINE = 1_024  # characters; those of more are counted
_LONG_LINES_LIMIT = 2 << 20  # characters; a hand with more in long lines is cut, too


class Cutting(NamedTuple):
    """Where hands begin."""

    is_first_line: Callable[[str], bool]
    """Whether a line begins a hand."""
    is_lead_line: Callable[[str], bool] = lambda line: False
    """Whether a line belongs to the hand that begins behind it, and tells something of it.

    A hand without such lines of its own has those of the hand before as its context.
    """
    begins_with: str | None = None
    """The characters that all such lines begin with, beside white space, where that is known."""

    def begins_in(self, text: HandText) -> bool:
        """Return whether a hand begins with the text, or behind lines that belong to one."""
        return any(map(self.is_first_line, text.lines[: _LEAD_LIMIT + 1]))


class Beginning(NamedTuple):
    """Where in a file the cutting begins, and what stood before."""

    first_line: int = 1
    context: tuple[str, ...] = ()
    """The lines before the last hand that tell something of this one, too."""


def cut(
    file: str,
    blocks: Iterable[Block],
    cutting: Cutting,
    beginning: Beginning = Beginning(),  # noqa: B008 - it is a constant
    *,
    to_end: bool = True,
) -> Iterator[HandText]:
    """Yield the hands of lines that follow one another; ``to_end``: the file ends with them."""
    pieces = _Pieces(file, cutting, beginning)
    possible = None if cutting.begins_with is None else _WHITE_SPACE.union(cutting.begins_with)
    for block in blocks:
        if pieces.skip_blank(block):
            continue
        plain = block.complete and block.decodable
        for line in block.lines:
            # Nineteen lines of twenty are inside a hand, and say so by their first character.
            inside = possible is not None and line[:1] not in possible
            if inside and plain and pieces.are_inside and len(line) < _LONG_LINE:
                pieces.last.lines.append(line)
            else:
                yield from pieces.add(line, block)
    yield from pieces.end(last_in_file=to_end)


_WHITE_SPACE = frozenset(filter(str.isspace, map(chr, range(0x3001))))


class _Pieces:
    """The hands of a file, cut one after the other."""

    def __init__(self, file: str, cutting: Cutting, beginning: Beginning) -> None:
        self.file = file
        self.cutting = cutting
        self.last = _Piece(beginning.first_line)
        self.leads: list[tuple[str, Block]] = []
        """Lines that belong to the next hand, if one begins behind them."""
        self.context = beginning.context

    @property
    def are_inside(self) -> bool:
        """Whether a line that can begin nothing goes on with the last piece."""
        return not self.leads and 0 < len(self.last.lines) < _HAND_LIMIT

    def skip_blank(self, block: Block) -> bool:
        """Pass over a block of nothing but blank lines before a text; return whether it is one."""
        # A file of them alone costs a minute for each fifty million otherwise.
        if self.leads or self.last.lines or any(map(str.strip, block.lines)):
            return False
        self.last.first_line += len(block.lines)
        return True

    def add(self, line: str, block: Block) -> Iterator[HandText]:
        """Take in a line of the block; yield the hand that ends before it."""
        leads = self.leads
        leading = self.cutting.is_lead_line(line) or (leads and not line.strip())
        if leading and len(leads) < _LEAD_LIMIT and len(line) <= _LONGEST_LEAD:
            leads.append((line, block))
            return
        if self.cutting.is_first_line(line) or self.last.is_full:
            number = self.last.next_line
            yield from self.last.cut(self.file)
            self.context = tuple(lead for lead, _ in leads if lead.strip()) or self.context
            self.last = _Piece(number, () if leads else self.context)
        self._add_leads()
        self.last.add(line, block)

    def end(self, *, last_in_file: bool) -> Iterator[HandText]:
        """Yield the hand that ends with the lines."""
        self._add_leads()
        yield from self.last.cut(self.file, last_in_file=last_in_file)

    def _add_leads(self) -> None:
        for lead, block in self.leads:
            self.last.add(lead, block)
        self.leads.clear()


class _Piece:
    """The lines since the last cut."""

    def __init__(self, first_line: int, context: tuple[str, ...] = ()) -> None:
        self.first_line = first_line
        self.context = context
        self.lines: list[str] = []
        self.complete = True
        self.undecodable: int | None = None
        self.in_long_lines = 0
        """Characters."""

    @property
    def is_full(self) -> bool:
        """Whether no hand is so long."""
        return len(self.lines) >= _HAND_LIMIT or self.in_long_lines > _LONG_LINES_LIMIT

    @property
    def next_line(self) -> int:
        """The number of the line behind the last one."""
        return self.first_line + len(self.lines)

    def add(self, line: str, block: Block) -> None:
        if not self.lines and not line.strip():
            self.first_line += 1  # blank lines before the text
            return
        if not block.decodable and self.undecodable is None:
            self.undecodable = len(self.lines)
        self.complete = block.complete
        if len(line) >= _LONG_LINE:
            self.in_long_lines += len(line)
        self.lines.append(line)

    def cut(self, file: str, *, last_in_file: bool = False) -> Iterator[HandText]:
        while self.lines and not self.lines[-1].strip():
            self.lines.pop()
        if self.lines:
            yield HandText(
                file,
                self.first_line,
                tuple(self.lines),
                self.complete,
                last_in_file,
                context=self.context,
                undecodable_line=self.undecodable,
            )
