"""What the commands share: where the database is, streams and formats."""

import csv
import json
import os
import sys
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from razzstats.cli import completion
from razzstats.places import default_database

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd
    from rich.console import Console

    from razzstats.diagnostics import Diagnostic
    from razzstats.rules.ruleset import RuleSet
    from razzstats.storage import Database


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
        help="The database file (`razzstats config get db` prints its name), or, to ask, a lake. "
        f"Without it, RAZZSTATS_DB and the setting db: {default_database()}",
        show_default=False,
    ),
]
JobsOption = Annotated[
    int,
    typer.Option(min=1, max=64, help="Read and measure with so many processes; one writes."),
]
VariantOption = Annotated[
    str,
    typer.Option(
        help="The rules: razz, home-game (no bring-in) or ace-to-six. No file says it, so you do.",
        autocompletion=completion.variants,
    ),
]


def database_path(chosen: Path | None) -> Path:
    """Return the database file to use."""
    return chosen or default_database()


def existing_database(chosen: Path | None) -> Path:
    """Return the database file or lake to use, which is there; raises NoDatabase otherwise."""
    path = database_path(chosen)
    _tell_how_to_begin(path)
    return path


def writable_database(
    chosen: Path | None, advice: str = "`razzstats lake import` adds hands to it"
) -> Path:
    """Return the database file to write; raises NoDatabase, with advice, if it is a lake."""
    from razzstats.errors import NoDatabase
    from razzstats.storage.lake.files import is_lake, url_of

    path = database_path(chosen)
    if is_lake(path):
        raise NoDatabase(f"{url_of(path) or path} is a lake; {advice}")
    return path


def wait_seconds() -> float:
    """Return how long a command waits while another process uses the database."""
    from razzstats.settings import load_settings

    return float(load_settings()["wait"].value)


def open_database(chosen: Path | None, *, read_only: bool) -> "Database":
    """Open a database that is there; raises DatabaseError as Database.open does."""
    from razzstats.storage import Database

    return Database.open(existing_database(chosen), read_only=read_only, wait=wait_seconds())


def _tell_how_to_begin(path: Path) -> None:
    """Raise NoDatabase with the first steps if there is nothing at the path."""
    from razzstats.errors import NoDatabase
    from razzstats.storage.lake.files import url_of

    if url_of(path) is not None:  # opening it asks there
        return
    try:
        os.lstat(path)
    except FileNotFoundError:
        raise NoDatabase(
            f"there is no database at {path}; `razzstats import FOLDER` makes one. Without a "
            "folder, `razzstats import` looks where the rooms write hand histories"
        ) from None
    except (OSError, ValueError):  # opening it tells what is wrong with that name
        return


def open_measured(chosen: Path | None) -> "Database":
    """Open the database for reading, after measuring what was not measured yet.

    An import does that itself; an interrupted one, or one of an earlier version, may have left
    hands. If the database cannot be written now, they stay unmeasured, and that is told.
    """
    from razzstats import measuring

    path = existing_database(chosen)
    return measuring.open_measured(path, remark, measure, wait=wait_seconds())


def measure(database: "Database", jobs: int = 1) -> int:
    """Measure luck and starting hands of all hands that are new; return their number."""
    from razzstats.cli.progress import is_wanted, measuring_progress
    from razzstats.measuring import count_unmeasured, measure_hands

    with measuring_progress(count_unmeasured(database) if is_wanted() else 0) as tell:
        return measure_hands(database, tell, jobs=jobs)


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


_NARROW = 80  # columns


def print_columns(
    headings: "Sequence[str]", rows: "Iterable[Sequence[str]]", words: "Sequence[str]"
) -> None:
    """Print a table; columns under ``words`` are text, all others numbers that never wrap.

    What is too wide for the terminal goes below, beside the first column again.
    """
    from rich.text import Text

    from razzstats.diagnostics.visible import visible
    from razzstats.reports.terminal_tables import print_rows
    from razzstats.reports.views import Heading

    console = stdout_console()
    shown = [Heading(heading, "", is_text=heading in words) for heading in headings]
    # Headings go on below where their numbers are narrower; over words there is mostly room.
    widths = [len(h.text) if h.is_text and console.width >= _NARROW else 0 for h in shown]
    cells = [
        [Text(visible(cell).ljust(width)) for cell, width in zip(row, widths, strict=True)]
        for row in rows
    ]
    print_rows(shown, cells, console)


def print_texts(headings: "Sequence[str]", rows: "Iterable[Sequence[str]]") -> None:
    """Print a table of words, which go on below where a column is too narrow for them."""
    from rich.table import Table
    from rich.text import Text

    from razzstats.diagnostics.visible import visible

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text("\n".join(map(visible, cell.split("\n")))) for cell in row))
    stdout_console().print(table)


def files_in_words(number: int) -> str:
    """Return ``1 file``, ``2 files``."""
    return f"{number} {'file' if number == 1 else 'files'}"


def hands_in_words(number: int) -> str:
    """Return ``1 hand``, ``2 hands``."""
    return f"{number} {'hand' if number == 1 else 'hands'}"


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
    if format in (Format.JSON, Format.JSONL):
        records = [
            {str(key): plain(value) for key, value in row.items()}
            for row in frame.to_dict("records")
        ]
        write_records(records, list(frame.columns), format)
    elif format is Format.CSV:
        texts = frame.select_dtypes(["object", "string"]).map(_csv_cell)
        quoting = _quoting(cell for column in texts for cell in texts[column])
        safe = frame.assign(**{str(column): texts[column] for column in texts})
        sys.stdout.write(safe.to_csv(index=False, quoting=quoting))
    else:
        _write_parquet(frame)


def write_records(
    records: "Iterable[Mapping[str, Any]]", columns: "Sequence[str]", format: Format
) -> None:
    """Write records of these columns in a format for programs; only Parquet needs a frame."""
    if format is Format.JSON:
        print(json.dumps(list(records)))
    elif format is Format.JSONL:
        for record in records:
            print(json.dumps(record))
    elif format is Format.CSV:
        rows = ([_csv_cell(record.get(column)) for column in columns] for record in records)
        for row in chain([columns], rows):
            # A row at a time, as it comes.
            csv.writer(sys.stdout, lineterminator="\n", quoting=_quoting(row)).writerow(row)
    else:
        import pandas as pd

        _write_parquet(pd.DataFrame(list(records), columns=list(columns)))


def _csv_cell(value: Any) -> Any:
    from razzstats.diagnostics.visible import no_formula

    return no_formula(value) if isinstance(value, str) else value


def _quoting(cells: "Iterable[Any]") -> "Literal[0, 2]":
    # A return that is not in quotes ends the row for whoever reads it, and Python before 3.13 puts
    # none around it.
    has_return = any(isinstance(cell, str) and "\r" in cell for cell in cells)
    return csv.QUOTE_NONNUMERIC if has_return else csv.QUOTE_MINIMAL


def write_record(record: "Mapping[str, Any]", format: Format) -> None:
    """Write one record; JSON has it alone, not in a list."""
    if format is Format.JSON:
        print(json.dumps(record))
    else:
        write_records([record], list(record), format)


def _write_parquet(frame: "pd.DataFrame") -> None:
    from razzstats.storage.export import parquet_bytes

    if sys.stdout.isatty():
        raise typer.BadParameter("Parquet is binary; send it to a file with >")
    sys.stdout.buffer.write(parquet_bytes(frame))
