"""How long questions take as the archive grows, and how large its database becomes.

``pytest -m bench -s tests/bench/test_growth.py`` prints the table; no time decides a test. The
numbers of hands are RAZZSTATS_GROWTH, ten thousand to a million if it is not set. What is timed is
a question's second run in a process, over a database that was opened for reading.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from archive import FLOOR, make_archives

from razzstats.reports.data import gather
from razzstats.reports.page import render_page
from razzstats.stats.filters import Filters
from razzstats.stats.leaks.finder import find_leaks
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database

pytestmark = pytest.mark.bench

SIZES = tuple(map(int, os.environ.get("RAZZSTATS_GROWTH", "10000,100000,1000000").split(",")))

TABLES = (
    "door-cards", "door-streets", "overview", "sessions", "third-street", "positions", "money",
    "starting-hands", "opponents",
)  # fmt: skip


def table_rows(name: str, database: Database) -> int:
    return len(TABLE_FUNCTIONS[name](database, Filters()))


QUESTIONS: Mapping[str, Callable[[Database], int]] = {
    "plain scan": lambda database: len(database.rows(FLOOR)),
    **{name: partial(table_rows, name) for name in TABLES},
    "leaks": lambda database: len(find_leaks(database, Filters())),
    "report": lambda database: len(render_page(gather(database, Filters()))),
}
"""What is asked; each returns the number of its rows, or of the page's characters."""


class Measured(NamedTuple):
    """What was measured in a database."""

    hands: int
    size: int
    """Bytes of the file."""
    seconds: dict[str, float]
    """By question."""


def measure(hands: int, path: Path, questions: Sequence[str] = tuple(QUESTIONS)) -> Measured:
    """Ask each question of a database twice, and time the second run."""
    seconds = {}
    with Database.open(path, read_only=True) as database:
        for name in questions:
            assert QUESTIONS[name](database), name
            begin = time.perf_counter()
            QUESTIONS[name](database)
            seconds[name] = time.perf_counter() - begin
    return Measured(hands, path.stat().st_size, seconds)


def lines_of_table(measured: Sequence[Measured]) -> list[str]:
    """Return a line a question: its seconds at each size, and each beside the one before."""
    titles = [f"{each.hands:,}" for each in measured]
    steps = [f"to {title}" for title in titles[1:]]
    lines = [line("", [f"{title:>11}" for title in titles + steps])]
    for name in measured[0].seconds:
        seconds = [each.seconds[name] for each in measured]
        cells = [f"{second:11.3f}" for second in seconds]
        cells += [f"{f'× {larger / smaller:.1f}':>11}" for smaller, larger in pairwise(seconds)]
        lines.append(line(name, cells))
    lines.append(line("size in MB", [f"{each.size / 1e6:11,.1f}" for each in measured]))
    lines.append(line("bytes a hand", [f"{each.size / each.hands:11,.0f}" for each in measured]))
    return lines


def line(name: str, cells: Sequence[str]) -> str:
    return " ".join([f"{name:14}", *cells])


def test_questions_as_the_archive_grows(tmp_path: Path) -> None:
    measured = []
    for hands, path in make_archives(tmp_path, SIZES):
        measured.append(measure(hands, path))
        path.unlink()  # as large as all that was measured before
    print("", *lines_of_table(measured), sep="\n")
