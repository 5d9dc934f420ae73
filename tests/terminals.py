"""A terminal for the tests: a command runs in it and is answered."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cli import COMMAND, environment

_SECONDS = 60


class Watched(NamedTuple):
    """What was seen."""

    code: int
    screen: str
    """All that the terminal was sent."""
    out: str
    """What went to standard output, where that was no part of the terminal."""


def in_terminal(
    folder: Path,
    *arguments: str | Path,
    answers: Sequence[str] = (),
    size: tuple[int, int] = (40, 100),
    **variables: str,
) -> Watched:
    """Run the command with its standard input and error on a terminal; type the answers.

    Each answer is typed when a question has been asked.
    """
    above, below = pty.openpty()
    set_size(below, size)
    process = subprocess.Popen(
        [COMMAND, *map(str, arguments)], cwd=folder, stdin=below, stderr=below,
        stdout=subprocess.PIPE, env=environment(**{"TERM": "xterm-256color"} | variables),
        start_new_session=True,
    )  # fmt: skip
    os.close(below)
    screen = _watch(process, above, [*answers])
    os.close(above)
    out = process.stdout.read() if process.stdout else b""
    code = process.wait(_SECONDS)
    if process.stdout:
        process.stdout.close()
    return Watched(code, screen.decode("utf-8", "replace"), out.decode("utf-8"))


def set_size(terminal: int, size: tuple[int, int]) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))


def _watch(process: "subprocess.Popen[bytes]", above: int, answers: list[str]) -> bytes:
    screen, asked = b"", 0
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        ready, _, _ = select.select([above], [], [], 0.2)
        if not ready:
            if process.poll() is not None:
                break
            continue
        try:
            piece = os.read(above, 65536)
        except OSError:  # the last one who wrote to it has ended
            break
        screen += piece
        if not piece:
            break
        while answers and screen.count(b"]: ") > asked:
            os.write(above, (answers.pop(0) + "\n").encode())
            asked += 1
    return screen
