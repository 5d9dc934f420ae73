"""Frames, tables and texts out of the house, in formats that other programs read."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from razzstats.diagnostics.visible import FORMULA_GUARD, FORMULA_SIGNS
from razzstats.errors import DatabaseError
from razzstats.storage.database import Database, StoredText

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
    place: str, folder: Path, format: str, where: str, parameters: Sequence[Any]
) -> dict[Path, int]:
    """Write every table of the closed database at ``place`` to a file; return their rows.

    ``where`` is a condition over ``hand_players``: tables of hands are written for the hands that
    have such a player, the others whole. Raises OSError if a file cannot be written, and
    DatabaseError if the database cannot be read.
    """
    try:
        with duckdb.connect(":memory:") as connection:
            quoted = place.replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS source (READ_ONLY)")
            connection.execute("USE source")  # the condition may ask other tables
            connection.execute(
                f"CREATE TEMP TABLE wanted AS SELECT DISTINCT hid FROM source.hand_players "
                f"WHERE {where}",
                list(parameters),
            )
            written: dict[Path, int] = {}
            for table, of_hands in _tables(connection):
                path = folder / f"{table}.{format}"
                path.write_bytes(b"")  # a place that cannot be written is told in Python's words
                condition = "WHERE hid IN (SELECT hid FROM wanted)" if of_hands else ""
                columns = _columns(connection, table)
                cells = [_cell(name, is_text and format == "csv") for name, is_text in columns]
                order = ", ".join(f"{table}.{name}" for name, _ in columns[:2])
                copied = connection.execute(
                    f"COPY (SELECT {', '.join(cells)} FROM source.{table} {condition} "
                    f"ORDER BY {order}) TO ? "
                    f"(FORMAT {TABLE_FORMATS[format]})",
                    [str(path)],
                ).fetchone()
                written[path] = int(copied[0]) if copied else 0
            return written
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise DatabaseError(f"{place} cannot be exported: {reason}") from None


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, bool]]:
    """Return the names of the tables, and whether each has a row or more for a hand."""
    return connection.execute(
        """SELECT table_name, bool_or(column_name = 'hid') FROM duckdb_columns()
        WHERE database_name = 'source' AND table_name <> 'schema_migrations'
        GROUP BY table_name ORDER BY table_name"""
    ).fetchall()


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[str, bool]]:
    """Return the names of a table's columns, and whether each holds text."""
    return connection.execute(
        """SELECT column_name, data_type = 'VARCHAR' FROM duckdb_columns()
        WHERE database_name = 'source' AND table_name = ? ORDER BY column_index""",
        [table],
    ).fetchall()


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
