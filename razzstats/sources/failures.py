"""What is wrong with a file that cannot be read."""

import lzma
import os
import stat
import struct
import zipfile
import zlib

from razzstats.diagnostics import Diagnostic, codes
from razzstats.locations import Span

BROKEN = (
    OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile,
    NotImplementedError, RuntimeError, ValueError, MemoryError, struct.error,
)  # fmt: skip
"""What reading a damaged file raises; RuntimeError is zipfile's for a password, MemoryError that of
an archive that asks for more than there is."""


_NO_FILES = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def why_no_file(name: str) -> str | None:
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


def broken(file: str, error: Exception) -> Diagnostic:
    """Return what is said of a file whose reading ended in one of BROKEN."""
    if isinstance(error, ValueError | struct.error):  # in words that tell nobody anything
        return unreadable(file, "the archive is damaged")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return unreadable(file, reason or type(error).__name__)


def unreadable(file: str, reason: str) -> Diagnostic:
    """Return what is said of a file that cannot be read."""
    return Diagnostic(
        code=codes.UNREADABLE_FILE,
        message=f"the file cannot be read: {reason}",
        span=Span(file, 1, 1, 1, 1),
    )
