"""How a database is: what is in it, whether it is whole, and what should be done about it.

Nothing here names a player, a table, a file or a hand: it can be shown to strangers.
"""

import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

from razzstats.errors import DatabaseError
from razzstats.measuring import count_unmeasured
from razzstats.places import WAIT_SECONDS
from razzstats.rebuilding import count_changed_texts, count_outdated
from razzstats.storage import PARSER_VERSION, Database
from razzstats.storage.checkup import Fault, disagreements, unreadable_tables
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
    try:
        faults = unreadable_tables(path, wait=wait)
        if faults:
            return Health(None, faults, [_MEND])
        with Database.open(path, read_only=True, wait=wait) as database:
            contents = _contents(path, database)
            faults = [*disagreements(database), *_changed_texts(database)]
    except DatabaseError as error:
        fault = Fault("database", str(error).replace(str(path), "the database"))
        return Health(None, [fault], [])
    torn = [_TORN] if breaks_off(log_of(path)) else []
    return Health(contents, faults, [*([_MEND] if faults else []), *torn, *_advice(contents)])


def _changed_texts(database: Database) -> list[Fault]:
    # A changed byte escapes DuckDB's checksums where another one makes up for it.
    changed = count_changed_texts(database)
    return [Fault("hand_texts", f"{changed} texts that were not stored so")] if changed else []


_MEND = (
    "make the database anew from its sources and its texts with `razzstats rebuild --anew`, or "
    "take a backup with `razzstats restore FILE`"
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


def _contents(path: Path, database: Database) -> Contents:
    ((schema, files, failed, hands, players, rejected, incomplete, conflicts),) = database.rows(
        """SELECT (SELECT max(version) FROM schema_migrations), (SELECT count(*) FROM files),
            (SELECT count(*) FROM files WHERE status <> 'done'), (SELECT count(*) FROM hands),
            (SELECT count(DISTINCT (site, name)) FROM hand_players),
            count(*) FILTER (reason = 'rejected'), count(*) FILTER (reason = 'incomplete'),
            count(*) FILTER (reason = 'conflict')
        FROM rejected"""
    )
    log = log_of(path)
    return Contents(
        size_bytes=path.stat().st_size,
        log_bytes=log.stat().st_size if log.exists() else 0,
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
