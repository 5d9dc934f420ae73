"""How far an import is, on standard error, while it runs on a terminal."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from razzstats.cli.common import files_in_words

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from razzstats.importing import FileReport

_UPDATES = 4  # a second; drawing is done between two hands, so more would cost hands


def is_wanted() -> bool:
    """Whether somebody watches: standard error is a terminal, and nothing asks for plain text."""
    plain = ("CI", "NO_COLOR")
    dumb = os.environ.get("TERM") == "dumb"
    return sys.stderr.isatty() and not dumb and not any(map(os.environ.get, plain))


class ImportProgress:
    """How much of so many files has been read."""

    def __init__(self, progress: "Progress", paths: Iterable[str]) -> None:
        """Find the files that the paths name, and how large they are."""
        from razzstats.sources import find_files

        # A path that names nothing stays as it is: the import tells of it.
        self.files = [
            found if isinstance(found, str) else path
            for path in paths
            for found in find_files([path])
        ]
        self._progress = progress
        self._files_done = 0
        self._hands = 0
        self._hands_of_file = 0
        self._bytes = 0
        self._bytes_of_file = 0
        total = sum(map(_size, self.files)) or None
        self._task: TaskID = progress.add_task("reading", total=total, counts="")
        self._show()

    def after_batch(self, hands: int, characters: int) -> None:
        """Count hands of the present file that were stored."""
        self._hands_of_file += hands
        self._bytes_of_file += characters
        self._show()

    def after_file(self, report: "FileReport") -> None:
        """Count a file that is done, whatever was stored of it."""
        self._files_done += 1
        self._hands += report.hands_seen
        self._bytes += _size(report.file)
        self._hands_of_file = self._bytes_of_file = 0
        self._show()

    def _show(self) -> None:
        task = self._progress.tasks[self._task]
        # A batch is counted in characters, and an archive holds more of them than its bytes.
        done = min(self._bytes + self._bytes_of_file, int(task.total or 0))
        hands = self._hands + self._hands_of_file
        parts = [
            f"{self._files_done:,} of {files_in_words(len(self.files))}, {hands:,} hands",
            *_speed_and_time(task.elapsed or 0.0, hands, done / task.total if task.total else 0.0),
        ]
        self._progress.update(self._task, completed=done, counts=", ".join(parts))


@contextmanager
def import_progress(paths: list[str]) -> Iterator[ImportProgress | None]:
    """Show how an import of these paths goes on, if somebody watches."""
    if not is_wanted():
        yield None
        return
    with _progress() as progress:
        yield ImportProgress(progress, paths)


@contextmanager
def measuring_progress(hands: int) -> Iterator[Callable[[int], None] | None]:
    """Show how measuring so many hands goes on; yields what is to be told how many are left."""
    if not hands or not is_wanted():
        yield None
        return
    with _progress() as progress:
        task = progress.add_task("measuring luck", total=hands, counts=f"{hands:,} hands left")

        def tell(left: int) -> None:
            done = hands - left
            seconds = progress.tasks[task].elapsed or 0.0
            parts = [f"{left:,} hands left", *_speed_and_time(seconds, done, done / hands)]
            progress.update(task, completed=done, counts=", ".join(parts))

        yield tell


def _progress() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[counts]}", markup=False),
        console=Console(stderr=True, highlight=False),
        refresh_per_second=_UPDATES,
        transient=True,
    )


def _speed_and_time(seconds: float, hands: int, part: float) -> list[str]:
    """Return how fast it goes, and how long it takes on if ``part`` of the whole is done."""
    if not hands or seconds <= 0:
        return []
    speed = f"{hands / seconds:,.0f} hands/s"
    if not part:  # of standard input nobody knows the end
        return [speed]
    minutes, left = divmod(round(seconds * (1 - part) / part), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
    return [speed, f"{clock} to go"]


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:  # standard input, or nothing of that name
        return 0
