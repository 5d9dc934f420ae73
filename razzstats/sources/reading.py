"""The hands of a whole file."""

import io
from collections.abc import Iterator

from razzstats.diagnostics import Diagnostic
from razzstats.locations import HandText
from razzstats.sources.cutting import Cutting, cut
from razzstats.sources.failures import BROKEN, broken
from razzstats.sources.lines import line_blocks
from razzstats.sources.opening import open_file


def read_hands(file: str, cutting: Cutting) -> Iterator[HandText | Diagnostic]:
    """Yield the hands of a file in order, cut where ``cutting`` says that one begins.

    Text before the first hand comes as a HandText of its own, whose first line begins no hand. A
    file, or a part of an archive, that cannot be read gives the diagnostic ``unreadable-file``.
    The file is read as a stream and never held whole.
    """
    try:
        for opened in open_file(file):
            if isinstance(opened, Diagnostic):
                yield opened
            else:
                yield from _hands_of(*opened, cutting)
    except BROKEN as error:
        yield broken(file, error)


def _hands_of(
    name: str, stream: io.BufferedReader, cutting: Cutting
) -> Iterator[HandText | Diagnostic]:
    try:
        yield from cut(name, line_blocks(stream), cutting)
    except BROKEN as error:  # one damaged part of an archive costs no other
        yield broken(name, error)
