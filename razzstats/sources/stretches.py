"""Long files in stretches that are read apart, each beginning and ending with a hand.

What is read of the stretches, one behind the other, is what is read of the whole file.
"""

import hashlib
import io
import os
from collections import deque
from collections.abc import Iterator
from typing import IO, Any, NamedTuple, cast

from razzstats.diagnostics import Diagnostic
from razzstats.locations import HandText
from razzstats.sources.cutting import Beginning, Cutting, cut
from razzstats.sources.failures import BROKEN, broken, unreadable, why_no_file
from razzstats.sources.lines import Block, byte_blocks, skip_rest_of_line, utf16_encoding
from razzstats.sources.opening import is_packed
from razzstats.sources.reading import read_hands

_BUFFER = 1 << 16  # bytes


class Stretch(NamedTuple):
    """A part of a file, from the first byte of a hand to that of another or to the end."""

    start: int
    end: int | None
    """None for the end of the file."""
    beginning: Beginning


WHOLE_FILE = Stretch(0, None, Beginning())
"""What is read as it stands: short files, and those that cannot be entered in the middle."""


class Survey(NamedTuple):
    """What is known of a file before it is read."""

    sha256: str
    size: int
    """Bytes."""
    stretches: list[Stretch]


def survey(file: str, cutting: Cutting, length: int) -> Survey | Diagnostic:
    """Part a file into stretches of ``length`` bytes or a little more; the last may be shorter.

    Archives and texts with two bytes a character are not parted. The file is read once, as a
    stream. A file that cannot be read gives the diagnostic ``unreadable-file``.
    """
    if reason := why_no_file(file):
        return unreadable(file, reason)
    try:
        packed = is_packed(file)
        with open(file, "rb", buffering=0) as raw:
            hashed = _Hashed(raw)
            stream = _buffered(hashed)
            short = os.fstat(raw.fileno()).st_size <= length
            whole = short or packed or utf16_encoding(stream.peek(8)[:8]) is not None
            stretches = [WHOLE_FILE] if whole else _parted(file, stream, cutting, length)
            while stream.read(_BUFFER):
                pass
            return Survey(hashed.sha256(), stream.tell(), stretches)
    except BROKEN as error:
        return broken(file, error)


def read_stretch(file: str, stretch: Stretch, cutting: Cutting) -> Iterator[HandText | Diagnostic]:
    """Yield the hands of a part of a file, as `read_hands` does those of all of it."""
    if stretch == WHOLE_FILE:
        yield from read_hands(file, cutting)
        return
    try:
        with open(file, "rb", buffering=0) as raw:
            stream = _buffered(_Part(raw, stretch.start, stretch.end))
            to_end = stretch.end is None
            yield from cut(file, byte_blocks(stream), cutting, stretch.beginning, to_end=to_end)
    except BROKEN as error:
        yield broken(file, error)


# ---- parting


def _parted(file: str, stream: io.BufferedReader, cutting: Cutting, length: int) -> list[Stretch]:
    marks = _Marks(stream)
    start, beginning, begun = 0, Beginning(), False
    found: list[Stretch] = []
    with open(file, "rb") as again:
        for text in cut(file, marks.blocks(), cutting):
            near = marks.before(text.first_line)
            if begun and near.offset - start >= length and cutting.begins_in(text):
                here = _offset(again, near, text.first_line)
                found.append(Stretch(start, here, beginning))
                start, beginning = here, Beginning(text.first_line, text.context)
            begun = begun or cutting.begins_in(text)
    return [*found, Stretch(start, None, beginning)]


class _Mark(NamedTuple):
    """A place where a line begins."""

    line: int
    offset: int


class _Marks:
    """The places in a stream where blocks of lines begin."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._marks = deque([_Mark(1, 0)])

    def blocks(self) -> Iterator[Block]:
        """Yield the lines of the stream, and mark where they begin."""
        line, offset = 1, 0
        for block in byte_blocks(self._stream):
            # Several blocks may come of the same bytes; only the first one begins where they do.
            if (now := self._stream.tell()) != offset:
                self._marks.append(_Mark(line, offset))
                offset = now
            line += len(block.lines)
            yield block

    def before(self, line: int) -> _Mark:
        """Return the last mark at or before a line, and forget those before it."""
        while len(self._marks) > 1 and self._marks[1].line <= line:
            self._marks.popleft()
        return self._marks[0]


def _offset(file: IO[bytes], mark: _Mark, line: int) -> int:
    """Return the byte at which a line begins, counted from a mark before it."""
    file.seek(mark.offset)
    for _ in range(line - mark.line):
        skip_rest_of_line(file, b"\n")
    return file.tell()


# ---- streams


def _buffered(raw: io.RawIOBase) -> io.BufferedReader:
    return io.BufferedReader(cast(io.FileIO, raw), _BUFFER)


class _Hashed(io.RawIOBase):
    """A stream, and the hash of what has been read of it."""

    def __init__(self, raw: io.FileIO) -> None:
        self._raw = raw
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._raw.tell()

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count = self._raw.readinto(buffer) or 0
        self._digest.update(memoryview(buffer)[:count])
        return count

    def sha256(self) -> str:
        """Return the hash of all that was read."""
        return self._digest.hexdigest()


class _Part(io.RawIOBase):
    """Some bytes of a file as a stream."""

    def __init__(self, raw: io.FileIO, start: int, end: int | None) -> None:
        self._raw = raw
        self._left = (os.fstat(raw.fileno()).st_size if end is None else end) - start
        raw.seek(start)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self._raw.read(min(len(buffer), self._left)) or b""
        self._left -= len(piece)
        buffer[: len(piece)] = piece
        return len(piece)
