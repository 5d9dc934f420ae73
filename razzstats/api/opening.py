"""Where hands come from: the user's database, files read into memory, or files hand by hand."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from razzstats.api.choices import chosen
from razzstats.diagnostics.render import render_concise
from razzstats.errors import RazzstatsError
from razzstats.importing import FileReport, import_paths
from razzstats.measuring import measure_hands, open_measured
from razzstats.pipeline import Outcome, read_paths
from razzstats.places import WAIT_SECONDS
from razzstats.rules.ruleset import RULE_SETS
from razzstats.settings import load_settings
from razzstats.storage import Database

PathLike: TypeAlias = str | os.PathLike[str]

_MOST_TOLD = 5  # failed files that an error names; a wrong folder may hold thousands


def open(db: str | Path | None = None, *, wait: float = WAIT_SECONDS) -> Database:
    """Open the user's database for reading, as the commands find it.

    ``db`` is its file, or a lake: a folder, or an address such as ``s3://bucket/lake``. Without it
    the environment variable RAZZSTATS_DB names it, else the setting ``db`` does, else it is the
    file in the user's data folder. While another process writes it,
    this waits ``wait`` seconds. Hands that an interrupted import left unmeasured are measured
    first; where that cannot be done now, a UserWarning says how many hands lack luck and decisions.
    Close the database, or use it as a context manager: while it is open nobody else can import.

    Raises DatabaseError, with a sentence that says why, if there is no such database or it is
    locked, damaged or from a newer version.

    >>> with razzstats.open("hands.duckdb") as mine:
    ...     len(razzstats.results(mine))
    75
    >>> razzstats.open("no-such-file.duckdb")
    Traceback (most recent call last):
    ...
    razzstats.errors.NoDatabase: there is no database at no-such-file.duckdb; ...
    """

    def tell(sentence: str) -> None:
        warnings.warn(sentence, stacklevel=4)  # at the line that calls `open`

    path = Path(db or load_settings()["db"].value).expanduser()
    return open_measured(path, tell, wait=wait)


class FailedFiles(RazzstatsError):
    """Files could not be read, or hold no hand at all; ``reports`` are those of all files."""

    def __init__(self, reports: list[FileReport]) -> None:
        """Make the error of an import of which these reports tell."""
        self.reports = reports
        told = [render_concise(report.failure, {}) for report in reports if report.failure]
        more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
        advice = "; `load_with_reports` goes on without such files"
        super().__init__("\n".join([*told[:_MOST_TOLD], *more]) + advice)


def load(*paths: PathLike, variant: str = "razz") -> Database:
    """Read files into a database that lives in memory, with everything measured.

    Paths name files, folders (with all below them), globs, or .zip and .gz archives; ``variant``
    says by which rules the hands were dealt: "razz", "home-game" or "ace-to-six". No file is
    dropped unseen: if one cannot be read or holds no hand, FailedFiles is raised and names it.
    Hands that do not add up are no failure of their file; `rejected_hands` lists them.

    >>> with razzstats.load("sample_histories/pokerstars") as hands:
    ...     len(razzstats.door_cards(hands))
    13
    >>> razzstats.load("sample_histories/no-such-file.txt")
    Traceback (most recent call last):
    ...
    razzstats.api.opening.FailedFiles: sample_histories/no-such-file.txt... goes on without such...
    """
    database, reports = load_with_reports(*paths, variant=variant)
    if any(report.failed for report in reports):
        database.close()
        raise FailedFiles(reports)
    return database


def load_with_reports(*paths: PathLike, variant: str = "razz") -> tuple[Database, list[FileReport]]:
    """Read what can be read, as `load` does; return the database and a report for each file.

    A report has ``file``, ``failed``, ``failure`` (a diagnostic or None) and the counts of hands
    ``hands_seen``, ``stored``, ``duplicates``, ``conflicts``, ``rejected``, ``incomplete`` and
    ``other_games``.

    >>> hands, reports = razzstats.load_with_reports("sample_histories/README.md")
    >>> [(report.stored, report.failed) for report in reports]
    [(0, True)]
    >>> reports[0].failure.message
    'no hand of a known room begins in this file'
    """
    rules = chosen(variant, RULE_SETS, "variant")
    database = Database.in_memory()
    reports = import_paths(database, _texts(paths), rules)
    measure_hands(database)
    return database, reports


def parse_hands(*paths: PathLike, variant: str = "razz") -> Iterator[Outcome]:
    """Read files hand by hand, without a database; yield what became of each piece, in file order.

    Paths and ``variant`` are those of `load`. An outcome has ``file``, ``status`` ("ok",
    "warning", "rejected", "incomplete", "other-game", "stray-text" or "failed-file"),
    ``diagnostics``, ``hand_id``, ``parsed`` (what stands in the text) and ``hand``, the hand as
    the rules replayed it, in smallest units of its currency. Nothing is raised for a hand or file
    that is wrong: that is an outcome, too, and ``reason`` says why.

    >>> session = "sample_histories/pokerstars/cash-1-2-six-handed.txt"
    >>> outcomes = list(razzstats.parse_hands(session))
    >>> len(outcomes), {str(outcome.status) for outcome in outcomes}
    (75, {'ok'})
    >>> outcomes[0].hand_id.number
    '261690122075'
    """
    rules = chosen(variant, RULE_SETS, "variant")
    return read_paths(_texts(paths), rules)


def _texts(paths: tuple[PathLike, ...]) -> list[str]:
    if not paths:
        raise RazzstatsError("no path is given; name files or folders")
    return [os.path.expanduser(os.fspath(path)) for path in paths]
