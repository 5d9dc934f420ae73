"""Opening the database's file: what stands there, and who else has it open."""

import contextlib
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import duckdb

from razzstats.errors import DamagedDatabase, DatabaseError, NoDatabase

Settings: TypeAlias = dict[str, str | bool | int | float | list[str]]

SETTINGS: Settings = {
    # Text from strangers is queried here: nothing in it may reach a file or the network.
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # names of Python's variables would be tables
}

_SQLITE_MARK = b"SQLite format 3\x00"
_PAUSE = 0.05  # seconds between two attempts; a watch holds the database for less than a second


def storable(text: str) -> str:
    """Return a file name as tables hold it: odd bytes arrive as surrogates, which none takes."""
    return text.encode("utf-8", "backslashreplace").decode()


def log_of(path: Path) -> Path:
    """Return where DuckDB writes ahead what is not in the database's file yet."""
    return path.with_name(f"{path.name}.wal")


def look_at(path: Path) -> bool:
    """Return whether there is such a file; refuse what DuckDB would take for something else.

    Raises DatabaseError.
    """
    if storable(str(path)) != str(path):
        raise NoDatabase(f"{path} is not a name in UTF-8, which a database's must be")
    try:
        with open(path, "rb") as file:
            # DuckDB would take a SQLite file for a reason to load an extension.
            if file.read(16).startswith(_SQLITE_MARK):
                raise DatabaseError(f"{path} is a SQLite database, not one of razzstats")
    except FileNotFoundError:
        return False
    except IsADirectoryError:
        raise NoDatabase(f"{path} is a folder; --db takes the name of a file") from None
    except OSError as error:
        raise DatabaseError(f"{path} cannot be read: {error.strerror}") from None
    return True


def connect(
    path: Path, *, read_only: bool, wait: float, settings: Settings = SETTINGS
) -> duckdb.DuckDBPyConnection:
    """Open the file; while another process holds it, try again for ``wait`` seconds.

    Raises DatabaseError that names who holds it, or what else is wrong.
    """
    until = time.monotonic() + wait
    while True:
        try:
            connection = duckdb.connect(str(path), read_only=read_only, config=settings)
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            if "not a valid DuckDB database" in reason:
                raise DatabaseError(f"{path} is not a database of razzstats") from None
            if "set lock on file" not in reason:
                raise failure(f"{path} cannot be opened", reason) from None
            if time.monotonic() >= until:
                raise InUse(_who_holds(path, reason, wait)) from None
        else:
            return quiet(connection)
        time.sleep(_PAUSE)


def connect_memory(
    folders: Sequence[str] = (),
    filesystem: Any = None,
    settings: Settings = SETTINGS,
    files: Sequence[str] = (),
) -> duckdb.DuckDBPyConnection:
    """Open a database in memory that reaches no file but these, and those in some folders.

    ``filesystem`` (of fsspec) opens those that are no files of this machine.
    """
    access = "enable_external_access"
    others = {name: value for name, value in settings.items() if name != access}
    connection = quiet(duckdb.connect(":memory:", config=others))
    if filesystem is not None:
        connection.register_filesystem(filesystem)
    if folders:
        listed = ", ".join(quoted(folder.rstrip("/") + "/") for folder in folders)
        connection.execute(f"SET allowed_directories = [{listed}]")
    if files:
        connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, files))}]")
    connection.execute(f"SET {access} = false")
    return connection


def quoted(text: str, mark: str = "'") -> str:
    """Return a text as SQL has it between marks; with ``"``, a name."""
    return mark + text.replace(mark, mark * 2) + mark


def quiet(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return the connection, which draws no bar into the output when a question takes long."""
    connection.execute("SET enable_progress_bar = false")
    return connection


class InUse(DatabaseError):
    """Another process holds the database."""


def _who_holds(path: Path, reason: str, waited: float) -> str:
    holder = reason.partition("held in ")[2] or "another process"
    after = f" after {waited:g} seconds of waiting" if waited else ""
    return f"{path} is in use by {holder}{after}; wait for it to finish, then try again"


def failure(what: str, reason: str) -> DatabaseError:
    """Return the error for what DuckDB says of a file that cannot be read or written."""
    if any(sign in reason for sign in _NO_ROOM):
        return DatabaseError(f"{what}: {reason}; what was stored before is there, make room first")
    if any(sign in reason for sign in _DAMAGE):
        advice = "`razzstats doctor` looks at all of it; `razzstats rebuild` or a backup mends it"
        return DamagedDatabase(f"{what}: {reason}; {advice}")
    return DatabaseError(f"{what}: {reason}")


def lake_failure(place: str, error: duckdb.Error) -> DatabaseError:
    """Return the error for what DuckDB says of a lake's data files."""
    said = str(error)
    raised = _RAISED.findall(said) if said.startswith("Traceback") else []
    kind, reason = raised[-1] if raised else (None, said.splitlines()[0])
    what = f"{place} cannot be used: {reason}"
    # What Python raised, the object store said: the files themselves may be whole.
    if kind not in (None, "FileNotFoundError") or isinstance(error, duckdb.OutOfMemoryException):
        return DatabaseError(what)
    return DamagedDatabase(f"{what}; `razzstats doctor` names what is missing or damaged")


_RAISED = re.compile(r"^([\w.]+): (.*)", re.MULTILINE)
"""An exception at the end of a traceback, which is all that DuckDB tells of it."""

_NO_ROOM = ("Could not write", "No space left", "File too large", "Could not truncate")
_DAMAGE = (
    "Could not read", "Corrupt", "corrupt", "checksum", "Checksum", "replaying WAL",
    "Serialization Error", "deserialize", "FATAL", "INTERNAL", "invalidated",
)  # fmt: skip
"""What DuckDB's messages have in them, whose classes do not tell one from the other."""


def make_new(path: Path, make: Callable[[Path], None]) -> None:
    """Make a database file that is not there yet, whole or not at all.

    ``make`` makes it at the path that it is given, from where it is moved to its place, unless
    another process was quicker. Raises DatabaseError.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"{path.parent} cannot be made: {error.strerror}") from None
    try:
        make(aside)
        _move_if_missing(aside, path)
    except DatabaseError as error:
        raise DatabaseError(str(error).replace(str(aside), str(path))) from None
    except OSError as error:
        raise DatabaseError(f"{path} cannot be made: {error.strerror}") from None
    finally:
        for left in (aside, log_of(aside)):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)


def _move_if_missing(aside: Path, path: Path) -> None:
    try:
        os.link(aside, path)
    except FileExistsError:
        return
    except OSError:  # not every file system knows links
        if not path.exists():
            os.replace(aside, path)
