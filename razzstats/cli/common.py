"""What the commands share: where the database is, streams and formats."""

import json
import os
import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import platformdirs
import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from rich.console import Console

    from razzstats.diagnostics import Diagnostic
    from razzstats.rules.ruleset import RuleSet
    from razzstats.storage import Database


def default_database() -> Path:
    """Return where the database lies if neither --db nor RAZZSTATS_DB says otherwise."""
    return Path(platformdirs.user_data_path("razzstats", appauthor=False)) / "razzstats.duckdb"


class Format(StrEnum):
    """How data is written to standard output."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, folders (with all below them), globs, .zip and .gz, or - for standard input.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    Path | None,
    typer.Option(
        "--db",
        envvar="RAZZSTATS_DB",
        help=f"The database file. Without it and RAZZSTATS_DB: {default_database()}",
        show_default=False,
    ),
]
VariantOption = Annotated[
    str,
    typer.Option(
        help="The rules: razz, home-game (no bring-in) or ace-to-six. No file says it, so you do."
    ),
]


def database_path(chosen: Path | None) -> Path:
    """Return the database file to use."""
    return chosen or default_database()


def open_database(chosen: Path | None, *, read_only: bool) -> "Database":
    """Open the database; raises DatabaseError as Database.open does."""
    from razzstats.storage import Database

    return Database.open(database_path(chosen), read_only=read_only)


def open_measured(chosen: Path | None) -> "Database":
    """Open the database for reading, after measuring what was not measured yet.

    An import does that itself; an interrupted one, or one of an earlier version, may have left
    hands. If the database cannot be written now, they stay unmeasured, and that is told.
    """
    from razzstats.errors import DatabaseError
    from razzstats.measuring import count_unmeasured

    database = open_database(chosen, read_only=True)
    unmeasured = count_unmeasured(database)
    if not unmeasured:
        return database
    database.close()
    try:
        with open_database(chosen, read_only=False) as writable:
            measure(writable)
    except DatabaseError as error:
        remark(f"luck and decisions of {unmeasured} hands are not measured yet: {error}")
    return open_database(chosen, read_only=True)


def measure(database: "Database") -> int:
    """Measure luck and starting hands of all hands that are new; return their number."""
    from razzstats.measuring import measure_hands

    def tell(left: int) -> None:
        sys.stderr.write(f"\r\x1b[Kmeasuring luck: {left} hands left\r")
        sys.stderr.flush()

    return measure_hands(database, tell if sys.stderr.isatty() else None)


def rule_set(variant: str) -> "RuleSet":
    """Return the rules of this name; raises typer.BadParameter for another name."""
    from razzstats.rules.ruleset import RULE_SETS

    if variant not in RULE_SETS:
        raise typer.BadParameter(
            f"{variant!r} is no variant; choose from {', '.join(RULE_SETS)}",
            param_hint="--variant",
        )
    return RULE_SETS[variant]


def stdout_console() -> "Console":
    """Return the console for data; plain when the output is no terminal or NO_COLOR is set."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    width = int(os.environ.get("COLUMNS", "0") or 0) or 120
    return Console(highlight=False, no_color=True, force_terminal=False, width=width)


def print_columns(
    headings: "Sequence[str]", rows: "Iterable[Sequence[str]]", words: "Sequence[str]"
) -> None:
    """Print a table; columns under ``words`` are text, all others numbers that never wrap."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in headings:
        is_text = heading in words
        table.add_column(heading, justify="left" if is_text else "right", no_wrap=not is_text)
    for row in rows:
        table.add_row(*map(Text, row))
    stdout_console().print(table)


def files_in_words(number: int) -> str:
    """Return ``1 file``, ``2 files``."""
    return f"{number} {'file' if number == 1 else 'files'}"


def remark(text: str) -> None:
    """Print a remark for people to standard error."""
    from razzstats.diagnostics.visible import visible

    print(visible(text), file=sys.stderr)


def tell_failure(found: "Diagnostic") -> None:
    """Print to standard error why a file failed."""
    from razzstats.diagnostics.render import render_concise

    print(render_concise(found, {}), file=sys.stderr)


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


def plain(value: Any) -> Any:
    """Return a frame's value as JSON knows it: NA as None, numpy's numbers as Python's."""
    import pandas as pd

    if value is None or value is pd.NA or (isinstance(value, float) and value != value):
        return None
    if hasattr(value, "item"):
        return value.item()
    return value.isoformat() if hasattr(value, "isoformat") else value


def write_frame(frame: "pd.DataFrame", format: Format) -> None:
    """Write a frame's rows to standard output in a format for programs."""
    records = [
        {key: plain(value) for key, value in row.items()} for row in frame.to_dict("records")
    ]
    if format is Format.JSON:
        print(json.dumps(records))
    elif format is Format.JSONL:
        for record in records:
            print(json.dumps(record))
    elif format is Format.CSV:
        sys.stdout.write(frame.to_csv(index=False))
    else:
        _write_parquet(frame)


def _write_parquet(frame: "pd.DataFrame") -> None:
    from razzstats.storage.export import parquet_bytes

    if sys.stdout.isatty():
        raise typer.BadParameter("Parquet is binary; send it to a file with >")
    sys.stdout.buffer.write(parquet_bytes(frame))
