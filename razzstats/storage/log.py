"""DuckDB's write-ahead log: whether it ends where a commit ends.

DuckDB reads a log that was cut off without a word, and has less. Its layout, as DuckDB 2.0 writes
it (little-endian): a header, then entries of 8 bytes size, 8 bytes checksum and so many bytes; an
entry is an object of numbered fields, the first of which tells its kind. A commit ends with an
entry that is the kind and nothing else. Checksums are left to DuckDB, which refuses wrong ones.
"""

import struct
from pathlib import Path

_COMMIT = bytes.fromhex("640064ffff")
_VERSION = bytes.fromhex("640062650002")  # the header's kind, and version 2 of the layout
_ID, _CHECKPOINT, _END = b"\x66\x00", b"\x67\x00", b"\xff\xff"
_SIZES = struct.Struct("<QQ")


def breaks_off(path: Path) -> bool:
    """Return whether a log ends elsewhere than behind a commit: it was cut off, or is torn.

    A program that is killed as it writes leaves such a log as well, with all its commits. One that
    was cut off just behind a commit cannot be told from a whole one. Without a log, and in a layout
    of another version of DuckDB, it is False.
    """
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if not data.startswith(_VERSION):
        return bool(data) and _VERSION.startswith(data)
    place = _behind_header(data)
    if place is None:
        return True
    last = _COMMIT  # a header alone is whole
    while place < len(data):
        if place + _SIZES.size > len(data):
            return True
        size, _ = _SIZES.unpack_from(data, place)
        place += _SIZES.size
        last = data[place : place + size]
        place += size
    return place > len(data) or last != _COMMIT


def _behind_header(data: bytes) -> int | None:
    """Return where the entries begin, or None if the header breaks off."""
    place = len(_VERSION)
    if data[place : place + 2] != _ID or len(data) <= place + 2:
        return None
    count = data[place + 2]  # numbers of the database's id
    place = _behind_numbers(data, place + 3, count)
    if data[place : place + 2] != _CHECKPOINT:
        return None
    place = _behind_numbers(data, place + 2, 1)
    return place + 2 if data[place : place + 2] == _END else None


def _behind_numbers(data: bytes, place: int, count: int) -> int:
    """Return the place behind numbers of some bytes each, of which the last is below 128."""
    for _ in range(count):
        while place < len(data) and data[place] & 0x80:
            place += 1
        place += 1
    return place
