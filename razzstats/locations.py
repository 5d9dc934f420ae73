"""Where a thing stands in the files, and which hand it belongs to."""

from dataclasses import dataclass
from typing import NamedTuple, Self


class Span(NamedTuple):
    """A stretch of text in a file; lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class HandId(NamedTuple):
    """What names a hand: the room and the number the room gave it."""

    site: str
    number: str


@dataclass(frozen=True, slots=True)
class HandText:
    """The lines of one hand as the file has them, and where in the file they stand."""

    file: str
    first_line: int
    """The file's line number of ``lines[0]``, from 1."""
    lines: tuple[str, ...]
    """The lines without their line ends; blank lines are kept, trailing ones are not."""
    complete_line: bool = True
    """False if the file ends inside the last line, as a file does that is still being written."""
    last_in_file: bool = False
    """True if nothing follows in the file, so that the hand may still grow."""
    context: tuple[str, ...] = ()
    """Earlier lines of the file that tell something of this hand, too."""
    undecodable_line: int | None = None
    """The index of the first line that no known encoding could read, if there is one."""

    @classmethod
    def of(cls, file: str, first_line: int, text: str, *, last_in_file: bool = False) -> Self:
        """Return a text that was kept, as `text` gives it, as lines again."""
        return cls(file, first_line, tuple(text.split("\n")), last_in_file=last_in_file)

    @property
    def text(self) -> str:
        """The lines as one text, which can be read without the rest of the file."""
        return "\n".join((*self.context, *self.lines))

    @property
    def size(self) -> int:
        """How many characters the lines have."""
        return sum(map(len, self.lines))

    def span(self, line: int, start: int = 0, end: int | None = None) -> Span:
        """Return the place of characters start to end of the line with index ``line``."""
        if not self.lines:
            return Span(self.file, self.first_line, 1, self.first_line, 1)
        line = min(max(line, 0), len(self.lines) - 1)
        length = len(self.lines[line])
        start = min(start, length)
        end = length if end is None else min(max(end, start), length)
        number = self.first_line + line
        return Span(self.file, number, start + 1, number, end + 1)

    def find(self, line: int, part: str) -> Span:
        """Return the place where ``part`` stands in the line, or the whole line if it does not."""
        start = self.lines[line].find(part) if part and 0 <= line < len(self.lines) else -1
        return self.span(line) if start < 0 else self.span(line, start, start + len(part))
