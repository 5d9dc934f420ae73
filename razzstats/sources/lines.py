"""Bytes as lines of text, whatever their encoding."""

import codecs
import io
from collections.abc import Iterator
from typing import IO, AnyStr, NamedTuple

_LINE_LIMIT = 1 << 16  # bytes; no room writes a longer line, and none may fill the memory
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Block(NamedTuple):
    """Lines of a file that follow one another and are alike, without their ends."""

    lines: list[str]
    complete: bool = True
    """Whether the lines end in the file."""
    decodable: bool = True


def line_blocks(stream: io.BufferedReader) -> Iterator[Block]:
    """Yield the lines of a file from its first byte on."""
    head = stream.peek(8)[:8]
    encoding = utf16_encoding(head)
    if encoding:
        yield from _utf16_lines(stream, encoding)
    else:
        yield from byte_blocks(stream)


def utf16_encoding(head: bytes) -> str | None:
    """Return the encoding of a file that begins so, if it is one with two bytes a character."""
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
            complete = skip_rest_of_line(text, "\n")
        body = line.rstrip("\n").removeprefix("\ufeff")
        if not complete:  # a stray last byte, as some clients write, decodes to this sign
            body = body.removesuffix("\ufffd")
        if body or complete:
            yield Block([body], complete, "\ufffd" not in body)
    text.detach()


def byte_blocks(stream: io.BufferedReader) -> Iterator[Block]:
    """Yield the lines of a file whose lines end in a byte of their own."""
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
            ended = skip_rest_of_line(stream, b"\n") if cut_off else line.endswith(b"\n")
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


def skip_rest_of_line(stream: IO[AnyStr], end: AnyStr) -> bool:
    """Pass over the rest of a line, however long; return whether it ends in ``end``."""
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
