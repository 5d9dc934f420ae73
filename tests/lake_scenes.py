"""Hand histories for lakes, and ways for an import into one to end before its end."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from cli import half_a_hand, hand, other_game, write, wrong_hand
from lakes import Inline, tables_of

from razzstats.importing import FileReport, import_paths
from razzstats.lake.importing import import_to_lake
from razzstats.measuring import measure_hands
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.storage import Database
from razzstats.storage.checkup import disagreements
from razzstats.storage.lake.files import files_at

T = TypeVar("T")
Tables = dict[str, list[tuple[Any, ...]]]


def messy_files(folder: Path) -> None:
    """Write files that share hands, contradict each other, break off and break rules."""
    long = "".join(render_hands(simulate_hands(30, 3, 1, setup=Setup(first_number=10_000_000))))
    table = Setup(table="Encke", first_number=30_000_000)
    other = list(render_hands(simulate_hands(12, 5, 2, setup=table)))
    write(
        folder,
        a=long,
        b="".join(other[:8]),
        c="".join(other[5:]) + hand(1) + other_game() + wrong_hand(2),
        d=hand(1, name="Zoe") + hand(3) + half_a_hand(4),  # a conflict, and a hand that breaks off
        e=hand(4) + wrong_hand(5) + hand(2),  # hands that were kept apart come whole
        f=hand(6).partition("Seat 3: Ben folded")[0].rstrip(),
        g="no hand at all\n",
        h=long,
        i="",
    )
    (folder / "j.txt").write_text(hand(6) + hand(7), encoding="utf-8", newline="\n")


def in_a_database(*paths: Path) -> Tables:
    """Return the tables of a database of the files, which are imported in one go."""
    with Database.in_memory() as database:
        import_paths(database, [*map(str, paths)])
        measure_hands(database)
        return tables_of(database)


def in_the_lake(lake: Path) -> Tables:
    """Return the tables of a lake, which must be whole."""
    with Database.open(lake, read_only=True) as database:
        assert disagreements(database) == []
        return tables_of(database)


class Forgetful(Inline):
    """A worker whose results get lost now and then: another one does the work once more."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        while self._random.random() < 0.4:
            super().submit(work, *args, **kwargs)
        return super().submit(work, *args, **kwargs)


def import_here(
    lake: Path, *paths: Path, workers: Executor | None = None, unit_bytes: int = 3_000
) -> list[FileReport]:
    """Import files into a lake, in small units."""
    return import_to_lake(
        [*map(str, paths)],
        files_at(lake),
        workers or Inline(),
        ahead=2,
        unit_bytes=unit_bytes,
    )


class Killed(BaseException):
    """The process is no more."""


@contextmanager
def killed_at(step: int, *, after: bool) -> Any:
    """Let nothing be written any more from a step on; ``after``: the step itself is done.

    A step is a file that is moved into its place in a lake, or a new one that is made there.
    """
    done = 0

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            nonlocal done
            done += 1
            if done > step or (done == step and not after):
                raise Killed
            result = real(*args)
            if done == step:
                raise Killed
            return result

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "link"):
            patch.setattr(f"razzstats.storage.lake.files.os.{name}", dying(getattr(os, name)))
        yield lambda: done
