"""Copies of a database, and one database in the place of another: never half of it.

What is new is written beside its place under another name and moved there when it is whole.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from razzstats.errors import DatabaseError, NoDatabase, RazzstatsError
from razzstats.places import WAIT_SECONDS
from razzstats.storage.checkup import unreadable_tables
from razzstats.storage.database import Database
from razzstats.storage.opening import InUse, connect, log_of, look_at


def back_up(path: Path, target: Path, *, replace: bool = False, wait: float = WAIT_SECONDS) -> None:
    """Copy a database, of whatever version, while nobody writes it; the copy is read whole.

    Raises RazzstatsError if there is a file at ``target`` already and it may not be replaced, and
    DatabaseError if the database cannot be read or the copy cannot be written.
    """
    if target.exists() and not replace:
        raise RazzstatsError(f"{target} exists already; --force writes over it")
    if not look_at(path):
        raise NoDatabase(f"there is no database at {path}")
    with beside(target) as aside:
        # While it is open for reading, all may read it and nobody can write.
        with connect(path, read_only=True, wait=wait):
            _copy(path, aside)
        _make_whole(aside, f"{path} is damaged", "`razzstats rebuild` makes a sound one of it")
        _move(aside, target)


def restore(backup: Path, path: Path, *, wait: float = WAIT_SECONDS) -> Path | None:
    """Put a copy of a backup in the database's place; return where the earlier one is kept.

    Raises DatabaseError if the backup is not whole, somebody has the database open, or nothing can
    be written there. Whatever it raises, the database is as it was.
    """
    if not look_at(backup):
        raise NoDatabase(f"there is no backup at {backup}")
    with beside(path) as aside:
        with connect(backup, read_only=True, wait=wait):
            _copy(backup, aside)
        _make_whole(aside, f"{backup} is damaged", "restore another backup")
        return put_in_place(aside, path, "before-restore", wait=wait)


def put_in_place(aside: Path, path: Path, kind: str, *, wait: float = WAIT_SECONDS) -> Path | None:
    """Move a closed database to its place; return the new name of the one that stood there.

    That is the old name and ``kind`` behind it, with a number where there is such a file already.
    Raises DatabaseError if somebody has it open.
    """
    if not path.exists():
        _move(aside, path)
        return None
    _wait_until_free(path, wait)
    kept = _free_name(path, kind)
    with _writing(path):
        _keep(path, kept)
        # The log of the earlier database must not be taken for one of the new.
        if log_of(path).exists():
            os.replace(log_of(path), log_of(kept))
    _move(aside, path)
    return kept


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Give a name beside a path for what is to be moved there; what is left of it is removed."""
    aside = path.with_name(f".{path.name}.part")
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(aside)
    try:
        yield aside
    finally:
        _remove(aside)


def _copy(path: Path, aside: Path) -> None:
    with _writing(aside):
        shutil.copyfile(path, aside)
        if log_of(path).exists():
            shutil.copyfile(log_of(path), log_of(aside))


def _make_whole(aside: Path, damaged: str, advice: str) -> None:
    """Fold the log into the copy, bring it up to date, and read all of it."""
    try:
        Database.open(aside).close()
        faults = unreadable_tables(aside, wait=0.0)
    except DatabaseError as error:
        reason = str(error).replace(str(aside), "the copy")
        raise DatabaseError(f"{damaged}: {reason}; {advice}") from None
    if faults:
        tables = ", ".join(fault.table for fault in faults)
        raise DatabaseError(f"{damaged}: {tables} cannot be read; {advice}")


def _wait_until_free(path: Path, wait: float) -> None:
    try:
        connect(path, read_only=False, wait=wait).close()
    except InUse:
        raise
    except DatabaseError:  # damaged: it is about to be replaced
        return


def _keep(path: Path, kept: Path) -> None:
    try:
        os.link(path, kept)
    except OSError:  # not every file system knows links
        shutil.copyfile(path, kept)


def _free_name(path: Path, kind: str) -> Path:
    names = (path.with_name(f"{path.name}.{kind}{end}") for end in _ends())
    return next(name for name in names if not name.exists())


def _ends() -> Iterator[str]:
    yield ""
    number = 2
    while True:
        yield f"-{number}"
        number += 1


def _move(aside: Path, path: Path) -> None:
    with _writing(path):
        with open(aside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(aside, path)


def _remove(aside: Path) -> None:
    aside.unlink(missing_ok=True)
    log_of(aside).unlink(missing_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DatabaseError(f"{path} cannot be written: {error.strerror}") from None
