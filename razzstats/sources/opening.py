"""Files as bytes: plain, packed, or in an archive."""

import gzip
import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, cast

from razzstats.diagnostics import Diagnostic
from razzstats.sources.failures import BROKEN, broken, unreadable, why_no_file
from razzstats.sources.finding import HISTORY_SUFFIXES, STANDARD_INPUT

_MEMBER_LIMIT = 4 << 30  # bytes of one file inside an archive
# Hand histories are packed to a twentieth, one hand over and over to a 190th.
_UNPACKED_FREELY = 64 << 20  # bytes; no archive that unpacks to less is refused for it
_PACKED_AT_MOST = 300  # times
_ZIP_MARK, _GZIP_MARK = b"PK\x03\x04", b"\x1f\x8b"


Opened: TypeAlias = tuple[str, io.BufferedReader] | Diagnostic
"""A file or a part of an archive with its name, or why it cannot be read."""


def open_file(file: str) -> Iterator[Opened]:
    """Yield a file, or all that is wanted of an archive, open for reading until the next one."""
    if file == STANDARD_INPUT:
        yield "<stdin>", cast(io.BufferedReader, sys.stdin.buffer)
    elif reason := why_no_file(file):
        yield unreadable(file, reason)
    elif zipfile.is_zipfile(file):
        yield from _zip_members(file)
    else:
        with _plain_or_gzip(file) as stream:
            yield file, stream


def is_packed(file: str) -> bool:
    """Return whether what is in the file has to be unpacked; raises OSError."""
    if zipfile.is_zipfile(file):
        return True
    with open(file, "rb") as raw:
        return raw.read(4).startswith((_ZIP_MARK, _GZIP_MARK))


@contextmanager
def _plain_or_gzip(file: str) -> Iterator[io.BufferedReader]:
    with open(file, "rb") as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic == _ZIP_MARK:
            raise zipfile.BadZipFile("the archive is damaged")
        if magic.startswith(_GZIP_MARK):
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
            yield unreadable(file, reason)
            return
        for member, why in zip(members, refused, strict=True):
            name = f"{file}:{member.filename}"
            if why:
                yield unreadable(name, why)
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
    except BROKEN as error:
        yield broken(name, error)
        return
    with stream:
        yield name, io.BufferedReader(cast(io.RawIOBase, stream))
