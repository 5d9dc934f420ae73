"""Files become hand texts: encodings, archives, and hands cut at their first lines, as a stream."""

import codecs
import gzip
import io
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, AnyStr, NamedTuple, TypeAlias, cast

from razzstats.diagnostics import Diagnostic, codes
from razzstats.locations import HandText, Span

HISTORY_SUFFIXES = frozenset((".txt", ".log", ".xml", ".phh", ".phhs", ".zip", ".gz"))
"""What is looked at in a folder; a file that is named itself may be called anything."""

STANDARD_INPUT = "-"

_LINE_LIMIT = 1 << 16  # bytes; no room writes a longer line, and none may fill the memory
_LEAD_LIMIT = 20  # lines before a hand's first line that belong to it
_HAND_LIMIT = 5_000  # lines; a hand that has no end is cut here, and its rest is stray text
_MEMBER_LIMIT = 4 << 30  # bytes of one file inside an archive
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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


class Line(NamedTuple):
    """One line of a file, without its end."""

    text: str
    complete: bool
    """Whether the line ends in the file."""
    decodable: bool


def find_files(paths: Iterable[str]) -> Iterator[str | Diagnostic]:
    """Yield the files that the paths name (files, folders with all below them, globs, ``-``).

    A path that names nothing gives the diagnostic ``unreadable-file``. Folders and globs are
    read in sorted order; in folders only HISTORY_SUFFIXES count.
    """
    for text in paths:
        try:
            found = list(_named_by(text))
        except OSError as error:  # a name longer than the system allows, a folder without access
            yield _unreadable(text, error.strerror or type(error).__name__)
            continue
        if found:
            yield from found
        elif not (text and Path(text).is_dir()):
            yield _unreadable(text, "there is no such file or folder")


def read_hands(file: str, cutting: Cutting) -> Iterator[HandText | Diagnostic]:
    """Yield the hands of a file in order, cut where ``cutting`` says that one begins.

    Text before the first hand comes as a HandText of its own, whose first line begins no hand. A
    file, or a part of an archive, that cannot be read gives the diagnostic ``unreadable-file``.
    The file is read as a stream and never held whole.
    """
    try:
        for opened in _open(file):
            if isinstance(opened, Diagnostic):
                yield opened
            else:
                yield from _hands_of(*opened, cutting)
    except _BROKEN as error:
        yield _broken(file, error)


def _hands_of(
    name: str, stream: io.BufferedReader, cutting: Cutting
) -> Iterator[HandText | Diagnostic]:
    try:
        yield from _cut(name, _lines(stream), cutting)
    except _BROKEN as error:  # one damaged part of an archive costs no other
        yield _broken(name, error)


def _named_by(text: str) -> Iterator[str]:
    path = Path(text)
    if text == STANDARD_INPUT or path.is_file():
        yield text
    elif text and path.is_dir():
        yield from map(str, sorted(_histories_below(path)))
    elif any(character in text for character in "*?["):
        yield from _glob(text)


def _histories_below(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in HISTORY_SUFFIXES and not hidden and path.is_file():
            yield path


def _glob(pattern: str) -> list[str]:
    path = Path(pattern)
    anchor = Path(path.anchor) if path.anchor else Path()
    relative = path.relative_to(path.anchor) if path.anchor else path
    try:
        return sorted(str(found) for found in anchor.glob(str(relative)) if found.is_file())
    except (ValueError, NotImplementedError):
        return []


_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""What reading a damaged file raises; RuntimeError is zipfile's for a password."""


def _broken(file: str, error: Exception) -> Diagnostic:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return _unreadable(file, reason or type(error).__name__)


def _unreadable(file: str, reason: str) -> Diagnostic:
    return Diagnostic(
        code=codes.UNREADABLE_FILE,
        message=f"the file cannot be read: {reason}",
        span=Span(file, 1, 1, 1, 1),
    )


# ---- bytes


Opened: TypeAlias = tuple[str, io.BufferedReader] | Diagnostic
"""A file or a part of an archive with its name, or why it cannot be read."""


def _open(file: str) -> Iterator[Opened]:
    if file == STANDARD_INPUT:
        yield "<stdin>", cast(io.BufferedReader, sys.stdin.buffer)
    elif zipfile.is_zipfile(file):
        yield from _zip_members(file)
    else:
        with _plain_or_gzip(file) as stream:
            yield file, stream


@contextmanager
def _plain_or_gzip(file: str) -> Iterator[io.BufferedReader]:
    with open(file, "rb") as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic == b"PK\x03\x04":
            raise zipfile.BadZipFile("the archive is damaged")
        if magic.startswith(b"\x1f\x8b"):
            with gzip.open(raw) as unpacked:
                yield io.BufferedReader(_Limited(unpacked))
        else:
            yield raw


class _Limited(io.RawIOBase):
    """An unpacked stream that ends in an error where no hand history would go on."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream = stream
        self._left = _MEMBER_LIMIT

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self._stream.read(len(buffer))
        self._left -= len(piece)
        if self._left < 0:
            raise OSError("the file is larger than 4 GiB when unpacked")
        buffer[: len(piece)] = piece
        return len(piece)


def _zip_members(file: str) -> Iterator[Opened]:
    with zipfile.ZipFile(file) as archive:
        for member in sorted(archive.infolist(), key=lambda info: info.filename):
            name, path = f"{file}:{member.filename}", Path(member.filename)
            hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
            if member.is_dir() or hidden or path.suffix.lower() not in HISTORY_SUFFIXES:
                continue
            yield from _zip_member(archive, member, name)


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Iterator[Opened]:
    if member.filename.lower().endswith((".zip", ".gz")):
        yield _unreadable(name, "it is an archive inside an archive; unpack it first")
        return
    if member.file_size > _MEMBER_LIMIT:
        yield _unreadable(name, "the file is larger than 4 GiB when unpacked")
        return
    try:
        stream = archive.open(member)
    except _BROKEN as error:
        yield _broken(name, error)
        return
    with stream:
        yield name, io.BufferedReader(cast(io.RawIOBase, stream))


# ---- lines


def _lines(stream: io.BufferedReader) -> Iterator[Line]:
    head = stream.peek(8)[:8]
    encoding = _utf16_encoding(head)
    if encoding:
        yield from _utf16_lines(stream, encoding)
    else:
        yield from _byte_lines(stream)


def _utf16_encoding(head: bytes) -> str | None:
    if head.startswith(_UTF16_MARKS):
        return "utf-16"
    if len(head) >= 8 and not any(head[1::2]) and all(head[0::2]):
        return "utf-16-le"
    if len(head) >= 8 and not any(head[0::2]) and all(head[1::2]):
        return "utf-16-be"
    return None


def _utf16_lines(stream: io.BufferedReader, encoding: str) -> Iterator[Line]:
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline=None)
    while line := text.readline(_LINE_LIMIT):
        complete = line.endswith("\n")
        if not complete and len(line) == _LINE_LIMIT:
            complete = _skip_rest_of_line(text, "\n")
        body = line.rstrip("\n").removeprefix("\ufeff")
        if not complete:  # a stray last byte, as some clients write, decodes to this sign
            body = body.removesuffix("\ufffd")
        if body or complete:
            yield Line(body, complete, "\ufffd" not in body)
    text.detach()


def _byte_lines(stream: io.BufferedReader) -> Iterator[Line]:
    while line := stream.readline(_LINE_LIMIT):
        complete = line.endswith(b"\n")
        if not complete and len(line) == _LINE_LIMIT:
            complete = _skip_rest_of_line(stream, b"\n")
        body = line.rstrip(b"\r\n")
        if not body.isascii() or b"\0" in body:
            # Where files were put together to one, their marks stand inside it.
            # A crash leaves stretches of NULs in a file that was being written.
            body = body.strip(b"\0").removeprefix(codecs.BOM_UTF8)
        text, decodable = _decode(body)
        yield Line(text, complete, decodable)


def _skip_rest_of_line(stream: IO[AnyStr], end: AnyStr) -> bool:
    while piece := stream.readline(_LINE_LIMIT):
        if piece.endswith(end):
            return True
    return False


def _decode(line: bytes) -> tuple[str, bool]:
    # By line, not by file: old files turned from one encoding to the other when the client did.
    try:
        return line.decode(), True
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("cp1252"), True
    except UnicodeDecodeError:
        return line.decode("latin-1"), False


# ---- hands


def _cut(file: str, lines: Iterable[Line], cutting: Cutting) -> Iterator[HandText]:
    piece = _Piece(file, 1)
    leads: list[Line] = []  # lines that belong to the next hand, if one begins behind them
    context: tuple[str, ...] = ()
    possible = None if cutting.begins_with is None else _WHITE_SPACE.union(cutting.begins_with)
    for number, line in enumerate(lines, 1):
        # Nineteen lines of twenty are inside a hand, and say so by their first character.
        inside = possible is not None and line.text[:1] not in possible
        if inside and not leads and len(piece.lines) < _HAND_LIMIT:
            piece.add(line)
            continue
        leading = cutting.is_lead_line(line.text) or (leads and not line.text.strip())
        if leading and len(leads) < _LEAD_LIMIT:
            leads.append(line)
            continue
        if cutting.is_first_line(line.text) or len(piece.lines) >= _HAND_LIMIT:
            yield from piece.cut()
            context = tuple(lead.text for lead in leads if lead.text.strip()) or context
            piece = _Piece(file, number - len(leads), () if leads else context)
        for lead in leads:
            piece.add(lead)
        leads.clear()
        piece.add(line)
    for lead in leads:
        piece.add(lead)
    yield from piece.cut(last_in_file=True)


_WHITE_SPACE = frozenset(filter(str.isspace, map(chr, range(0x3001))))


class _Piece:
    """The lines since the last cut."""

    def __init__(self, file: str, first_line: int, context: tuple[str, ...] = ()) -> None:
        self.file = file
        self.first_line = first_line
        self.context = context
        self.lines: list[str] = []
        self.complete = True
        self.undecodable: int | None = None

    def add(self, line: Line) -> None:
        text, complete, decodable = line
        if not self.lines and not text.strip():
            self.first_line += 1  # blank lines before the text
            return
        if not decodable and self.undecodable is None:
            self.undecodable = len(self.lines)
        self.complete = complete
        self.lines.append(text)

    def cut(self, last_in_file: bool = False) -> Iterator[HandText]:
        while self.lines and not self.lines[-1].strip():
            self.lines.pop()
        if self.lines:
            yield HandText(
                self.file,
                self.first_line,
                tuple(self.lines),
                self.complete,
                last_in_file,
                context=self.context,
                undecodable_line=self.undecodable,
            )
