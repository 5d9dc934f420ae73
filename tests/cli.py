"""Running the command as a user does, in this process or in a shell, and hands to run it on."""

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from razzstats.cli.app import main

# What a machine of continuous integration or a user's shell may say about colours and places.
_UNWANTED = (
    "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS", "CI",
    "TERM", "PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LC_CTYPE", "LANG",
)  # fmt: skip
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_BOX = re.compile("[╭╮╰╯│─]|\x1b\\[[0-9;]*m")


class Run(NamedTuple):
    """What a command left behind."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8")

    @property
    def sentence(self) -> str:
        """What was said on standard error, without frames and line breaks."""
        return " ".join(_BOX.sub(" ", self.err).split())

    @property
    def is_plain(self) -> bool:
        """Whether nothing in it can steer a terminal."""
        return not _CONTROL.search(self.out + self.err)


def environment(**changes: str) -> dict[str, str]:
    """Return an environment in which nothing but ``changes`` steers the command."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _UNWANTED
        # The tests have a file of settings of their own.
        and (name == "RAZZSTATS_CONFIG" or not name.startswith("RAZZSTATS_"))
    }
    return kept | {"LC_ALL": "C.UTF-8", "COLUMNS": "200"} | changes


def razzstats(
    *arguments: str | Path, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> Run:
    """Run `razzstats ARGUMENTS` in this process, with pipes for its streams."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)
    with (
        patch.object(sys, "argv", ["razzstats", *map(str, arguments)]),
        patch.object(sys, "stdin", text_stream(stdin)),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
        patch.object(sys, "excepthook", sys.excepthook),
        patch.dict(os.environ, environment(**(variables or {})), clear=True),
    ):
        code = _exit_code()
    return Run(code, _bytes(out), _bytes(err).decode("utf-8"))


def text_stream(content: bytes) -> io.TextIOWrapper:
    """Return what standard input is, with this content."""
    buffer = io.BufferedReader(io.BytesIO(content))
    return io.TextIOWrapper(buffer, "utf-8")


def _exit_code() -> int:
    with pytest.raises(SystemExit) as left:
        main()
    assert isinstance(left.value.code, int)
    return left.value.code


def _bytes(stream: io.TextIOWrapper) -> bytes:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


COMMAND = Path(sys.executable).parent / "razzstats"


def shell(script: str, folder: Path, **variables: str) -> Run:
    """Run a script of bash in a folder, in which `razzstats` is the installed command."""
    path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment(PATH=path, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )
    return Run(done.returncode, done.stdout, done.stderr.decode("utf-8"))


def python(code: str, folder: Path) -> Run:
    """Run Python code in a process of its own."""
    return shell(f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}", folder)


# ---- small hands to run it on


def hand(number: int = 101, minute: int = 0, name: str = "Anna") -> str:
    """Return a short hand of Razz: Ben brings in with a king, the hero completes and wins $0.03."""
    return (
        f"PokerStars Hand #{number}:  Razz Limit ($0.04/$0.08 USD)"
        f" - 2026/01/09 14:{minute:02}:00 ET\n"
        # Each hand has a table of its own, so that no hand must begin as the last one ended.
        f"Table 'Halley {number}' 6-max\n"
        f"Seat 1: {name} ($2 in chips)\n"
        "Seat 3: Ben ($2 in chips)\n"
        f"{name}: posts the ante $0.01\n"
        "Ben: posts the ante $0.01\n"
        "*** 3rd STREET ***\n"
        f"Dealt to {name} [2c 3d 4h]\n"
        "Dealt to Ben [Kd]\n"
        "Ben: brings in for $0.02\n"
        f"{name}: raises $0.02 to $0.04\n"
        "Ben: folds\n"
        f"Uncalled bet ($0.02) returned to {name}\n"
        f"{name} collected $0.06 from pot\n"
        "*** SUMMARY ***\n"
        "Total pot $0.06 | Rake $0\n"
        f"Seat 1: {name} collected ($0.06)\n"
        "Seat 3: Ben folded on the 3rd Street\n\n\n"
    )


def wrong_hand(number: int = 666) -> str:
    """Return a hand that breaks a rule in its tenth line: the deuce brings in, not the king."""
    return hand(number).replace("Ben: brings in", "Anna: brings in")


def warned_hand(number: int = 408) -> str:
    """Return a hand with a warning in its eleventh line: the raise is by two cents, not three."""
    return hand(number).replace("raises $0.02 to", "raises $0.03 to")


def other_game(number: int = 900) -> str:
    """Return as much of a hand of Hold'em as is looked at."""
    return (
        f"PokerStars Hand #{number}:  Hold'em No Limit ($0.01/$0.02 USD) - 2026/01/09 15:00:00 ET\n"
        "Table 'Halley' 6-max Seat #1 is the button\n"
        "Seat 1: Anna ($2 in chips)\n\n\n"
    )


def half_a_hand(number: int = 102) -> str:
    """Return a hand of which the client has written only a part."""
    return hand(number).partition("Ben: folds")[0]


HOSTILE_NAMES = (
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202egnp.exe",
    "[bold]x[/bold]",
    "[/red]",
    "<script>alert(1)</script>",
    "=1+1",
    "\x9b2J",
    "del\x7f",
)
"""Names that try to steer a terminal, a markup language or a spreadsheet."""


def write(folder: Path, **texts: str) -> None:
    """Write files named NAME.txt."""
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")
