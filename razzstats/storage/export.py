"""Frames out of the house in formats that DuckDB writes."""

import tempfile
from pathlib import Path
from typing import Any

import duckdb


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
