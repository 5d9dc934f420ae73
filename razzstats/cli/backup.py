"""`razzstats backup` and `razzstats restore`: copies of the database."""

from pathlib import Path
from typing import Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    database_path,
    existing_database,
    remark,
    wait_seconds,
)


def back_up(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write.")],
    db: DatabaseOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file of that name.")] = False,
) -> None:
    """Copy the database to a file, and read the copy whole.

    Nobody can import meanwhile. A damaged database makes no backup.
    """
    from razzstats.storage import backup

    backup.back_up(existing_database(db), target, replace=force, wait=wait_seconds())
    remark(f"the database is copied to {target}")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="FILE", help="What `razzstats backup` wrote.")],
    db: DatabaseOption = None,
) -> None:
    """Put a copy of a backup in the place of the database.

    The backup is read whole first. The earlier database is kept beside the new one.
    """
    from razzstats.storage.backup import restore

    path = database_path(db)
    kept = restore(backup, path, wait=wait_seconds())
    remark(f"the database is restored from {backup}")
    if kept is not None:
        remark(f"the earlier one is kept: {kept}")
