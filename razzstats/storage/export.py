"""Frames, tables and texts out of the house, in formats that other programs read."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from razzstats.diagnostics.visible import FORMULA_GUARD, FORMULA_SIGNS
from razzstats.storage.database import EVERYWHERE, Database, Reach, StoredText
from razzstats.storage.lake.files import is_lake
from razzstats.storage.lake.views import open_lake
from razzstats.storage.opening import quoted

TABLE_FORMATS = {"parquet": "parquet", "csv": "csv, header", "jsonl": "json"}
"""What tables can be written as, and how DuckDB calls it; the name is the files' suffix, too."""

_TEXTS_AT_A_TIME = 500


def parquet_bytes(frame: Any) -> bytes:
    """Return a pandas frame as the bytes of a Parquet file."""
    # A connection of its own: the database's may not touch files.
    with (
        tempfile.TemporaryDirectory() as folder,
        duckdb.connect(":memory:") as connection,
    ):
        path = Path(folder) / "frame.parquet"
        connection.register("frame", frame)
        connection.execute("COPY frame TO ? (FORMAT parquet)", [str(path)])
        return path.read_bytes()


def export_tables(
    place: str,
    folder: Path,
    format: str,
    where: str,
    parameters: Sequence[Any],
    reach: Reach = EVERYWHERE,
) -> dict[Path, int]:
    """Write every table of the closed database, or lake, at ``place`` to a file; return their rows.

    ``where`` is a condition over ``hand_players``: tables of hands are written for the hands that
    have such a player, the others whole; all of these hands are in ``reach``. Raises OSError
    if a file cannot be written, and DatabaseError if the database cannot be read.
    """
    with _source(place, folder) as source:
        source.narrow(reach)
        source.rows(
            f"CREATE TEMP TABLE wanted AS SELECT DISTINCT hid FROM hand_players WHERE {where}",
            parameters,
        )
        written: dict[Path, int] = {}
        for table, of_hands in _tables(source):
            path = folder / f"{table}.{format}"
            path.write_bytes(b"")  # a place that cannot be written is told in Python's words
            condition = "WHERE hid IN (SELECT hid FROM wanted)" if of_hands else ""
            columns = _columns(source, table)
            cells = [_cell(name, is_text and format == "csv") for name, is_text in columns]
            # What is of no hand has many rows with the same first columns.
            ordering = columns[:2] if of_hands else columns
            order = ", ".join(f"{table}.{name}" for name, _ in ordering)
            ((written[path],),) = source.rows(
                f"COPY (SELECT {', '.join(cells)} FROM {table} {condition} "
                f"ORDER BY {order}) TO {quoted(str(path.absolute()))} "
                f"(FORMAT {TABLE_FORMATS[format]})"
            )
        return written


def _source(place: str, folder: Path) -> Database:
    """Open what is exported so that its statements can write in a folder."""
    if is_lake(place):
        return open_lake(place, (str(folder.absolute()),))
    database = Database(duckdb.connect(":memory:"), place)
    try:
        database.rows(f"ATTACH {quoted(place)} AS source (READ_ONLY)")
        database.rows("USE source")  # the condition may ask other tables
    except BaseException:
        database.close()
        raise
    return database


def _tables(source: Database) -> list[tuple[str, bool]]:
    """Return the names of the tables, and whether each has a row or more for a hand."""
    return source.rows(
        """SELECT table_name, bool_or(column_name = 'hid') FROM duckdb_columns()
        WHERE database_name = current_database() AND table_name <> 'schema_migrations'
        AND NOT internal GROUP BY table_name ORDER BY table_name"""
    )


def _columns(source: Database, table: str) -> list[tuple[str, bool]]:
    """Return the names of a table's columns, and whether each holds text."""
    return source.rows(
        """SELECT column_name, data_type = 'VARCHAR' FROM duckdb_columns()
        WHERE database_name = current_database() AND table_name = ? ORDER BY column_index""",
        (table,),
    )


def _cell(column: str, guarded: bool) -> str:
    """Return what is written of a column; ``guarded``, none of its texts is a formula."""
    if not guarded:
        return column
    signs = ", ".join(f"chr({ord(sign)})" for sign in FORMULA_SIGNS)
    return (
        f"if({column}[1] IN ({signs}), chr({ord(FORMULA_GUARD)}) || {column}, {column}) AS {column}"
    )


def stored_texts(database: Database, where: str, parameters: Sequence[Any]) -> Iterator[StoredText]:
    """Yield the texts of the hands that have a player as ``where`` says, by room and time."""
    hids = database.rows(
        f"""SELECT hid FROM hands WHERE hid IN (SELECT hid FROM hand_players WHERE {where})
        ORDER BY site, played_at NULLS FIRST, hid""",
        parameters,
    )
    for start in range(0, len(hids), _TEXTS_AT_A_TIME):
        batch = [hid for (hid,) in hids[start : start + _TEXTS_AT_A_TIME]]
        found = database.rows(
            """SELECT hid, site, path, first_line, text, game FROM hands
            JOIN hand_texts USING (hid) JOIN files USING (file_id)
            WHERE hid IN (SELECT unnest(?::BIGINT[]))""",
            (batch,),
        )
        texts = {hid: StoredText(*columns) for hid, *columns in found}
        yield from (texts[hid] for hid in batch if hid in texts)
