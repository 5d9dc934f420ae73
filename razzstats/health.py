"""How a database is: what is in it, whether it is whole, and what should be done about it.

Nothing here names a player, a table, a file or a hand: it can be shown to strangers.
"""

import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

from razzstats.errors import DamagedDatabase, DatabaseError
from razzstats.measuring import count_unmeasured
from razzstats.places import WAIT_SECONDS
from razzstats.rebuilding import count_changed_texts, count_outdated
from razzstats.storage import PARSER_VERSION, Database
from razzstats.storage.checkup import (
    Fault,
    damaged_files,
    disagreements,
    misplaced,
    unreadable_tables,
)
from razzstats.storage.lake.files import is_lake, url_of
from razzstats.storage.lake.manifest import Piece
from razzstats.storage.lake.views import Lake, open_lake
from razzstats.storage.log import breaks_off
from razzstats.storage.migrations import MIGRATIONS
from razzstats.storage.opening import log_of

NEWEST_SCHEMA = MIGRATIONS[-1].version
"""The version of the schema that this program writes."""


class Contents(NamedTuple):
    """What is in a database, in numbers."""

    size_bytes: int
    log_bytes: int
    """Of what DuckDB wrote ahead and the file has not yet; 0 after a clean end."""
    schema: int
    parser: int
    """The version of this program's parser."""
    files: int
    failed_files: int
    hands: int
    players: int
    rejected: int
    incomplete: int
    conflicts: int
    unmeasured: int
    """Stored hands without luck and decisions."""
    outdated: int
    """Stored hands that an earlier parser read."""


class Health(NamedTuple):
    """How a database is."""

    contents: Contents | None
    """None if it cannot be opened, or there is none."""
    faults: list[Fault]
    """What no whole database has."""
    advice: list[str]
    """What to do, in sentences."""


def versions() -> dict[str, str]:
    """Return the versions of this program, of Python, and of the packages that it needs."""
    needed = [each for each in requires("razzstats") or [] if "extra ==" not in each]
    names = [re.split("[^A-Za-z0-9_.-]", requirement)[0] for requirement in needed]
    return {
        "razzstats": version("razzstats"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    } | {name: _version(name) for name in sorted(names)}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def check_database(path: Path, *, wait: float = WAIT_SECONDS) -> Health:
    """Read every column of a database and compare its tables with each other.

    The texts of hands are compared with their hashes. Nothing is written, and nothing raised: what
    is wrong with the database is a fault.
    """
    if is_lake(path):
        return _check_lake(path)
    try:
        return _check_file(path, wait)
    except DatabaseError as error:
        fault = Fault("database", str(error).replace(str(path), "the database"))
        return Health(None, [fault], [])


def _check_file(path: Path, wait: float) -> Health:
    faults = unreadable_tables(path, wait=wait)
    if faults:
        return Health(None, faults, [_MEND])
    with Database.open(path, read_only=True, wait=wait) as database:
        log = log_of(path)
        log_bytes = log.stat().st_size if log.exists() else 0
        contents = _contents(database, path.stat().st_size, log_bytes)
        faults = [*disagreements(database), *_changed_texts(count_changed_texts(database))]
    torn = [_TORN] if breaks_off(log) else []
    return Health(contents, faults, [*([_MEND] if faults else []), *torn, *_advice(contents)])


def _check_lake(path: Path) -> Health:
    try:
        return _check_files(path)
    except DatabaseError as error:
        place = url_of(path) or str(path.absolute())
        told = str(error).replace(f"the lake {place}", "the lake").replace(place, "the database")
        advice = [_MEND_LAKE] if isinstance(error, DamagedDatabase) else []
        return Health(None, [Fault("database", told)], advice)


def _check_files(path: Path) -> Health:
    faults = damaged_files(path)
    if faults:
        return Health(None, faults, [_MEND_LAKE])
    with open_lake(path) as lake:
        contents = _contents(lake, lake.size(), 0)
        faults = [*disagreements(lake), *misplaced(lake)]
        changed = 0
        for pieces in _portions(lake):
            lake.show(pieces)
            changed += count_changed_texts(lake)
    faults += _changed_texts(changed)
    return Health(contents, faults, [*([_MEND_LAKE] if faults else []), *_advice_of_lake(contents)])


def _portions(lake: Lake) -> Iterator[list[Piece]]:
    """Yield the pieces of a lake, so many at a time that each question reads few files."""
    portion: list[Piece] = []
    for piece in lake.pieces_of("hands"):
        portion.append(piece)
        if sum(each.rows["hands"] for each in portion) >= _PORTION:
            yield portion
            portion = []
    if portion:
        yield portion


_PORTION = 10_000  # hands


def _changed_texts(changed: int) -> list[Fault]:
    # A changed byte escapes DuckDB's checksums where another one makes up for it.
    return [Fault("hand_texts", f"{changed} texts that were not stored so")] if changed else []


_MEND = (
    "make the database anew from its sources and its texts with `razzstats rebuild --anew`, or "
    "take a backup with `razzstats restore FILE`"
)


_MEND_LAKE = (
    "put what is missing or damaged back from a copy of the lake, or import its sources into a new "
    "one with `razzstats lake import FOLDER --lake PLACE`"
)


_TORN = (
    "the write-ahead log breaks off: a program was killed as it wrote, or the log was cut off; "
    "import your files again, which adds what is missing"
)


def _advice(contents: Contents) -> list[str]:
    found = []
    if contents.unmeasured:
        found.append(
            f"{contents.unmeasured} hands have no luck and decisions yet; the next import or "
            "report measures them"
        )
    if contents.outdated:
        found.append(
            f"{contents.outdated} hands were read by an earlier parser; `razzstats rebuild` reads "
            "them again"
        )
    if contents.rejected or contents.incomplete or contents.conflicts:
        found.append(
            "hands are kept apart; `razzstats rejected list` says why, and `razzstats rejected "
            "retry` tries them again"
        )
    return found


def _advice_of_lake(contents: Contents) -> list[str]:
    found = []
    if contents.outdated:
        found.append(
            f"{contents.outdated} hands were read by an earlier parser; import the sources into a "
            "new lake to have them read again"
        )
    if contents.rejected or contents.incomplete or contents.conflicts:
        found.append("hands are kept apart; `razzstats rejected list` says why")
    return found


def _contents(database: Database, size_bytes: int, log_bytes: int) -> Contents:
    ((schema, files, failed, hands, players, rejected, incomplete, conflicts),) = database.rows(
        """SELECT (SELECT max(version) FROM schema_migrations), (SELECT count(*) FROM files),
            (SELECT count(*) FROM files WHERE status = 'failed'), (SELECT count(*) FROM hands),
            (SELECT count(DISTINCT (site, name)) FROM hand_players),
            count(*) FILTER (reason = 'rejected'), count(*) FILTER (reason = 'incomplete'),
            count(*) FILTER (reason = 'conflict')
        FROM rejected"""
    )
    return Contents(
        size_bytes=size_bytes,
        log_bytes=log_bytes,
        schema=schema,
        parser=PARSER_VERSION,
        files=files,
        failed_files=failed,
        hands=hands,
        players=players,
        rejected=rejected,
        incomplete=incomplete,
        conflicts=conflicts,
        unmeasured=count_unmeasured(database),
        outdated=count_outdated(database),
    )
