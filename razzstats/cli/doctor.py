"""`razzstats doctor`: versions, and whether the database is whole."""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import DatabaseOption, database_path, print_texts, wait_seconds

if TYPE_CHECKING:
    from razzstats.health import Health


class DoctorFormat(StrEnum):
    """How it is written to standard output."""

    TABLE = "table"
    JSON = "json"


def run(
    db: DatabaseOption = None,
    format: Annotated[
        DoctorFormat, typer.Option(help="How to write it: for people, or for programs.")
    ] = DoctorFormat.TABLE,
) -> None:
    """Print versions, and read the whole database to see whether it is sound.

    Every column is read and the tables are compared with each other; nothing is written. What is
    printed names no player, hand or file of yours, so that it can be shown to others; of a lake,
    the data files that are missing or damaged. Exit code 3 if the database is damaged or cannot be
    opened.
    """
    from razzstats.health import check_database, versions
    from razzstats.storage.lake.files import is_lake

    path = database_path(db)
    is_there = is_lake(path) or path.exists()
    health = check_database(path, wait=wait_seconds()) if is_there else None
    if format is DoctorFormat.JSON:
        print(json.dumps({"versions": versions(), **_record(health)}))
    else:
        _print(versions(), health)
    if health and health.faults:
        raise typer.Exit(3)


def _record(health: "Health | None") -> dict[str, object]:
    if health is None:
        return {"database": None, "faults": [], "advice": []}
    return {
        "database": health.contents._asdict() if health.contents else None,
        "faults": [fault._asdict() for fault in health.faults],
        "advice": health.advice,
    }


def _print(versions: dict[str, str], health: "Health | None") -> None:
    from razzstats.health import NEWEST_SCHEMA

    print_texts(["program", "version"], versions.items())
    print()
    if health is None:
        print("There is no database yet; `razzstats import FOLDER` makes one.")
        return
    if health.contents:
        rows = [
            (name.replace("_", " "), f"{value:,}")
            for name, value in health.contents._asdict().items()
        ]
        print_texts(["database", "number"], rows)
        print()
    for fault in health.faults:
        print(f"FAULT in {fault.table}: {fault.what}")
    if not health.faults:
        print(f"The database is sound (schema {NEWEST_SCHEMA}, every column read).")
    for sentence in health.advice:
        print(f"- {sentence}.")
