"""`razzstats backup` and `razzstats restore`: copies of the database."""

from pathlib import Path
from typing import Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    existing_database,
    remark,
    wait_seconds,
    writable_database,
)

_OF_LAKE = "copy it with what copies folders: a file that is in it is never changed"


def back_up(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write.")],
    db: DatabaseOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file of that name.")] = False,
) -> None:
    """Copy the database to a file, and read the copy whole.

    Nobody can import meanwhile. A damaged database makes no backup.
    """
    from razzstats.storage import backup

    path = existing_database(writable_database(db, _OF_LAKE))
    backup.back_up(path, target, replace=force, wait=wait_seconds())
    remark(f"the database is copied to {target}")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="FILE", help="What `razzstats backup` wrote.")],
    db: DatabaseOption = None,
) -> None:
    """Put a copy of a backup in the place of the database.

    The backup is read whole first. The earlier database is kept beside the new one.
    """
    from razzstats.storage.backup import restore

    path = writable_database(db, "name the file that is to be the database with --db")
    kept = restore(backup, path, wait=wait_seconds())
    remark(f"the database is restored from {backup}")
    if kept is not None:
        remark(f"the earlier one is kept: {kept}")
