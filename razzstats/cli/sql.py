"""`razzstats sql`: a question in SQL to the database, which nothing in it can change."""

import itertools
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli.common import (
    DatabaseOption,
    Format,
    open_database,
    print_columns,
    remark,
    wait_seconds,
    write_records,
)

if TYPE_CHECKING:
    from razzstats.storage.asked import Answer

_MOST_ROWS = 1000
"""How many rows a table in the terminal shows."""

_NUMBER = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|BIGNUM|DECIMAL\(\d+,\d+\))")


def run(
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help="The question, in DuckDB's SQL; - reads it from standard input.",
            show_default=False,
        ),
    ],
    db: DatabaseOption = None,
    format: Annotated[Format, typer.Option(help="How to write the answer.")] = Format.TABLE,
) -> None:
    """Ask the database in SQL.

    Questions only read: SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW, SUMMARIZE, and EXPLAIN of
    these. They reach no file, no network and no extension. SHOW TABLES names the tables.
    """
    from razzstats.storage.asked import WrongQuestion

    if format is Format.PARQUET and sys.stdout.isatty():
        raise typer.BadParameter("Parquet is binary; send it to a file with >")
    with open_database(db, read_only=True) as database:  # tells what is wrong with it
        place = database.place
    try:
        _answer(place, _read() if question == "-" else question, format)
    except WrongQuestion as error:
        _tell(str(error))
        raise typer.Exit(error.exit_code) from None


def _read() -> str:
    from razzstats.storage.asked import MOST_CHARACTERS, WrongQuestion

    # As much as shows that it is too long.
    content = sys.stdin.buffer.read(4 * MOST_CHARACTERS + 4)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongQuestion(
            f"standard input is not in UTF-8: byte {error.start + 1} is "
            f"0x{content[error.start]:02x}"
        ) from None


def _tell(words: str) -> None:
    """Print what is wrong; DuckDB points at the place in a line of its own."""
    from razzstats.diagnostics.visible import visible

    for line in f"razzstats: {words}".split("\n"):
        print(visible(line), file=sys.stderr)


def _answer(place: str, question: str, format: Format) -> None:
    from razzstats.storage.asked import asked, write_parquet

    if format is Format.PARQUET:
        sys.stdout.flush()
        _tell_renamed(write_parquet(place, question, sys.stdout.buffer, wait=wait_seconds()))
        return
    with asked(place, question, wait=wait_seconds()) as answer:
        if format is Format.TABLE:
            _print(answer)
        else:
            _write(answer, format)
        _tell_renamed(answer.renamed)


def _tell_renamed(names: Sequence[str]) -> None:
    if names:
        remark(f"several columns have the same name; the later ones are {', '.join(names)}")


# ---- for people


def _print(answer: "Answer") -> None:
    if answer.is_plan:
        _print_plan(answer)
        return
    from razzstats.diagnostics.visible import visible

    rows = list(itertools.islice(answer.rows, _MOST_ROWS + 1))
    headings = [visible(column.name) for column in answer.columns]
    words = [
        heading
        for heading, column in zip(headings, answer.columns, strict=True)
        if not _NUMBER.fullmatch(column.type)
    ]
    shown = [["NULL" if value is None else _text(value) for value in row] for row in rows]
    print_columns(headings, shown[:_MOST_ROWS], words)
    if len(rows) > _MOST_ROWS:
        remark(f"the first {_MOST_ROWS} rows; --format csv, json, jsonl or parquet has them all")
    else:
        remark(_rows_in_words(len(rows)))


def _print_plan(answer: "Answer") -> None:
    from razzstats.diagnostics.visible import visible

    for *_, plan in answer.rows:
        print("\n".join(map(visible, str(plan).rstrip("\n").split("\n"))))


# ---- for programs


def _write(answer: "Answer", format: Format) -> None:
    number = itertools.count()
    # Written as they come, however many they are, and counted.
    rows = (row for row, _ in zip(answer.rows, number, strict=False))
    counted = answer._replace(rows=rows)
    if format is Format.CSV:
        _write_csv(counted)
    else:
        _write_json(counted, format)
    remark(_rows_in_words(next(number)))


def _rows_in_words(number: int) -> str:
    return f"{number} {'row' if number == 1 else 'rows'}"


def _write_csv(answer: "Answer") -> None:
    names = [column.name for column in answer.columns]
    records = (
        {name: _text(value) for name, value in zip(names, row, strict=True)} for row in answer.rows
    )
    write_records(records, names, Format.CSV)


def _write_json(answer: "Answer", format: Format) -> None:
    names = [json.dumps(column.name) for column in answer.columns]
    records = (_json_object(names, row) for row in answer.rows)
    if format is Format.JSONL:
        for record in records:
            print(record)
        return
    print("[", end="")
    for number, record in enumerate(records):
        print(", " if number else "", record, sep="", end="")
    print("]")


def _json_object(names: Sequence[str], values: Sequence[Any]) -> str:
    """Return an object of JSON; the names are JSON already."""
    return f"{{{', '.join(_members(names, values))}}}"


def _members(names: Sequence[str], values: Sequence[Any]) -> Iterator[str]:
    for name, value in zip(names, values, strict=True):
        yield f"{name}: {_json(value)}"


def _json(value: Any) -> str:
    """Return a value as JSON that keeps every digit.

    What JSON has no number for is text: "NaN", "Infinity", "-Infinity".
    """
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_json, value))}]"
    if isinstance(value, dict):
        return _json_object([json.dumps(_text(key)) for key in value], [*value.values()])
    if isinstance(value, Decimal):
        return f"{value:f}"
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, float) and math.isfinite(value):
        return json.dumps(value)
    return json.dumps(value.isoformat() if isinstance(value, (date, time)) else _text(value))


def _text(value: Any) -> str:
    """Return a value as text; lists and structures are JSON, and NULL is nothing."""
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else _not_finite(value)
    if isinstance(value, (list, tuple, dict)):
        return _json(value)
    if isinstance(value, bytes):
        return _bytes(value)
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _bytes(value: bytes) -> str:
    r"""Return bytes as DuckDB writes them and reads them again: ``a\x00``."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\\"'" else f"\\x{byte:02X}"
        for byte in value
    )
