"""The damages that can be done to the lines of any room's hand; amounts are each room's own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class LineDamage(NamedTuple):
    """A hand with one line dropped, doubled, swapped with the next or changed."""

    kind: str
    place: int
    """The line that was damaged."""
    new: str
    """What stands there now, if the line was changed."""
    lines: list[str]

    def __str__(self) -> str:
        return f"{self.kind} line {self.place + 1} {self.new}".rstrip()


def moved_lines(lines: Sequence[str]) -> Iterator[LineDamage]:
    """Yield the hand with each line dropped, doubled, and swapped with another one behind it."""
    for index, line in enumerate(lines):
        before, after = lines[:index], lines[index + 1 :]
        yield LineDamage("dropped", index, "", [*before, *after])
        yield LineDamage("doubled", index, "", [*before, line, line, *after])
        if after and after[0] != line:
            yield LineDamage("swapped", index, "", [*before, after[0], line, *after[1:]])


def changed_line(lines: Sequence[str], index: int, others: Iterable[str]) -> Iterator[LineDamage]:
    """Yield the hand with other text in the place of a line."""
    for other in others:
        yield LineDamage("changed", index, other, [*lines[:index], other, *lines[index + 1 :]])
