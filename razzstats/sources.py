"""Files become hand texts: encodings, archives, and hands cut at their first lines, as a stream."""

import codecs
import gzip
import io
import lzma
import os
import stat
import struct
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
_LONGEST_LEAD = 4_096  # characters; a line of more is none of those
_HAND_LIMIT = 5_000  # lines; a hand that has no end is cut here, and its rest is stray text
_LONG_LINE = 1_024  # characters; those of more are counted
_LONG_LINES_LIMIT = 2 << 20  # characters; a hand with more in long lines is cut, too
_MEMBER_LIMIT = 4 << 30  # bytes of one file inside an archive
# Hand histories are packed to a twentieth, one hand over and over to a 190th.
_UNPACKED_FREELY = 64 << 20  # bytes; no archive that unpacks to less is refused for it
_PACKED_AT_MOST = 300  # times
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


class Block(NamedTuple):
    """Lines of a file that follow one another and are alike, without their ends."""

    lines: list[str]
    complete: bool = True
    """Whether the lines end in the file."""
    decodable: bool = True


def find_files(paths: Iterable[str]) -> Iterator[str | Diagnostic]:
    """Yield the files that the paths name (files, folders with all below them, globs, ``-``).

    A path that names nothing, or no file, gives the diagnostic ``unreadable-file``, and so does
    what cannot be looked at below a folder. Folders and globs are read in sorted order; in folders
    only HISTORY_SUFFIXES count, links to folders are not followed, and no file comes a second time
    by a link.
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
        yield from _cut(name, _blocks(stream), cutting)
    except _BROKEN as error:  # one damaged part of an archive costs no other
        yield _broken(name, error)


def _named_by(text: str) -> Iterator[str | Diagnostic]:
    path = Path(text)
    if text == STANDARD_INPUT or path.is_file():
        yield text
    elif text and path.is_dir():
        yield from _histories_below(path)
    elif reason := _why_no_file(text):
        yield _unreadable(text, reason)
    elif any(character in text for character in "*?["):
        yield from _glob(text)


_NO_FILES = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def _why_no_file(name: str) -> str | None:
    """Return why what has this name is no file; None if it is one, a folder, or nothing.

    Whoever opens a pipe waits for somebody to write to it, so that this is asked before.
    """
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return "it is a link that leads to no file" if os.path.islink(name) else None
    for is_such, words in _NO_FILES:
        if is_such(mode):
            return f"it is {words}, not a file; `-` reads standard input"
    return None


def _histories_below(folder: Path) -> list[str | Diagnostic]:
    failed: list[OSError] = []
    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=failed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(place, name) for name in files if _is_history(name)]
    told: list[tuple[Path, Diagnostic | None]] = [
        (Path(error.filename), _broken(str(error.filename), error)) for error in failed
    ]
    for path in _without_second_names(found):
        reason = _why_no_file(str(path))
        told.append((path, _unreadable(str(path), reason) if reason else None))
    return [found or str(path) for path, found in sorted(told, key=lambda each: each[0])]


def _is_history(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in HISTORY_SUFFIXES


def _without_second_names(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths without the links to files that come by another of them."""
    links = []
    seen: set[str] = set()
    for path in paths:
        if path.is_symlink():
            links.append(path)
        else:
            seen.add(os.path.realpath(path))
            yield path
    for path in sorted(links):
        if (target := os.path.realpath(path)) not in seen:
            seen.add(target)
            yield path


def _glob(pattern: str) -> list[str]:
    path = Path(pattern)
    anchor = Path(path.anchor) if path.anchor else Path()
    relative = path.relative_to(path.anchor) if path.anchor else path
    try:
        return sorted(str(found) for found in anchor.glob(str(relative)) if found.is_file())
    except (ValueError, NotImplementedError):
        return []


_BROKEN = (
    OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile,
    NotImplementedError, RuntimeError, ValueError, MemoryError, struct.error,
)  # fmt: skip
"""What reading a damaged file raises; RuntimeError is zipfile's for a password, MemoryError that of
an archive that asks for more than there is."""


def _broken(file: str, error: Exception) -> Diagnostic:
    if isinstance(error, ValueError | struct.error):  # in words that tell nobody anything
        return _unreadable(file, "the archive is damaged")
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
    elif reason := _why_no_file(file):
        yield _unreadable(file, reason)
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
                yield io.BufferedReader(_Limited(unpacked, os.fstat(raw.fileno()).st_size))
        else:
            yield raw


class _Limited(io.RawIOBase):
    """An unpacked stream that ends in an error where no hand history would go on."""

    def __init__(self, stream: gzip.GzipFile, packed: int) -> None:
        self._stream = stream
        self._packed = packed
        self._unpacked = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self._stream.read(len(buffer))
        self._unpacked += len(piece)
        if reason := _why_too_much(self._unpacked, self._packed):
            raise OSError(reason)
        buffer[: len(piece)] = piece
        return len(piece)


def _why_too_much(unpacked: int, packed: int) -> str | None:
    """Return why nobody unpacks ``packed`` bytes to so many, or None if that can be meant."""
    if unpacked > _MEMBER_LIMIT:
        return "the file is larger than 4 GiB when unpacked"
    return _why_too_dense(unpacked, packed)


def _why_too_dense(unpacked: int, packed: int) -> str | None:
    if unpacked > max(_UNPACKED_FREELY, _PACKED_AT_MOST * packed):
        return (
            f"it unpacks to more than {_UNPACKED_FREELY >> 20} MiB and {_PACKED_AT_MOST} times its "
            "size, as no hand history does; if it is meant so, unpack it first"
        )
    return None


def _zip_members(file: str) -> Iterator[Opened]:
    with zipfile.ZipFile(file) as archive:
        members = sorted(filter(_is_wanted, archive.infolist()), key=lambda info: info.filename)
        refused = [_why_not_read(member) for member in members]
        sizes = (member.file_size for member, why in zip(members, refused, strict=True) if not why)
        # No member gives more than it says, but several may stand for the same packed bytes.
        if reason := _why_too_dense(sum(sizes), os.path.getsize(file)):
            yield _unreadable(file, reason)
            return
        for member, why in zip(members, refused, strict=True):
            name = f"{file}:{member.filename}"
            if why:
                yield _unreadable(name, why)
            else:
                yield from _zip_member(archive, member, name)


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    # Nothing is ever written where a member's name says, so that it may lead wherever it likes.
    path = Path(member.filename)
    hidden = any(part.startswith((".", "__MACOSX")) and part != ".." for part in path.parts)
    return not hidden and path.suffix.lower() in HISTORY_SUFFIXES


def _why_not_read(member: zipfile.ZipInfo) -> str | None:
    if member.filename.lower().endswith((".zip", ".gz")):
        return "it is an archive inside an archive; unpack it first"
    return _why_too_much(member.file_size, member.compress_size)


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Iterator[Opened]:
    try:
        stream = archive.open(member)
    except _BROKEN as error:
        yield _broken(name, error)
        return
    with stream:
        yield name, io.BufferedReader(cast(io.RawIOBase, stream))


# ---- lines


def _blocks(stream: io.BufferedReader) -> Iterator[Block]:
    head = stream.peek(8)[:8]
    encoding = _utf16_encoding(head)
    if encoding:
        yield from _utf16_lines(stream, encoding)
    else:
        yield from _byte_blocks(stream)


def _utf16_encoding(head: bytes) -> str | None:
    if head.startswith(_UTF16_MARKS):
        return "utf-16"
    if len(head) >= 8 and not any(head[1::2]) and all(head[0::2]):
        return "utf-16-le"
    if len(head) >= 8 and not any(head[0::2]) and all(head[1::2]):
        return "utf-16-be"
    return None


def _utf16_lines(stream: io.BufferedReader, encoding: str) -> Iterator[Block]:
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline=None)
    while line := text.readline(_LINE_LIMIT):
        complete = line.endswith("\n")
        if not complete and len(line) == _LINE_LIMIT:
            complete = _skip_rest_of_line(text, "\n")
        body = line.rstrip("\n").removeprefix("\ufeff")
        if not complete:  # a stray last byte, as some clients write, decodes to this sign
            body = body.removesuffix("\ufffd")
        if body or complete:
            yield Block([body], complete, "\ufffd" not in body)
    text.detach()


def _byte_blocks(stream: io.BufferedReader) -> Iterator[Block]:
    # Whole lines are taken from the buffer at once where all of them are plain text, which is five
    # times as fast; the line that stands half in the buffer, and what is odd, go one by one.
    while ahead := stream.peek(1):
        end = ahead.rfind(b"\n") + 1
        if 0 < end <= _LINE_LIMIT:
            lines = stream.read(end)
            yield from _plain_block(lines) or [
                _byte_line(line, complete=True) for line in lines[:-1].split(b"\n")
            ]
        else:
            line = stream.readline(_LINE_LIMIT)
            cut_off = not line.endswith(b"\n") and len(line) == _LINE_LIMIT
            ended = _skip_rest_of_line(stream, b"\n") if cut_off else line.endswith(b"\n")
            yield _byte_line(line, complete=ended)


def _plain_block(lines: bytes) -> list[Block]:
    """Return whole lines as one block, or nothing if one of them has to be looked at by itself."""
    if b"\0" in lines or codecs.BOM_UTF8 in lines:
        return []
    try:
        text = lines.decode()
    except UnicodeDecodeError:
        return []
    found = text.split("\n")
    found.pop()  # what stands behind the last line's end
    if "\r" in text:
        found = [line.rstrip("\r") for line in found]
    return [Block(found)]


def _byte_line(line: bytes, *, complete: bool) -> Block:
    # Where files were put together to one, their marks stand inside it.
    # A crash leaves stretches of NULs in a file that was being written.
    body = line.rstrip(b"\r\n").strip(b"\0").removeprefix(codecs.BOM_UTF8)
    text, decodable = _decode(body)
    return Block([text], complete, decodable)


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


def _cut(file: str, blocks: Iterable[Block], cutting: Cutting) -> Iterator[HandText]:
    pieces = _Pieces(file, cutting)
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
    yield from pieces.end()


_WHITE_SPACE = frozenset(filter(str.isspace, map(chr, range(0x3001))))


class _Pieces:
    """The hands of a file, cut one after the other."""

    def __init__(self, file: str, cutting: Cutting) -> None:
        self.file = file
        self.cutting = cutting
        self.last = _Piece(1)
        self.leads: list[tuple[str, Block]] = []
        """Lines that belong to the next hand, if one begins behind them."""
        self.context: tuple[str, ...] = ()

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

    def end(self) -> Iterator[HandText]:
        """Yield the hand that ends with the file."""
        self._add_leads()
        yield from self.last.cut(self.file, last_in_file=True)

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
