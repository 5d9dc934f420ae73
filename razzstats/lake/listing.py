"""The data files of a lake, for other programs: what stands in its folders may be no part of it."""

import os
from typing import NamedTuple

from razzstats.errors import RazzstatsError
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.manifest import Manifest
from razzstats.storage.lake.pieces import TABLES_APART

TABLES = (*TABLES_OF_HANDS, *TABLES_APART)
"""The tables that are in data files."""


class DataFile(NamedTuple):
    """A Parquet file with rows of one table."""

    file: str
    site: str | None
    """The room of all its hands; None for tables of what belongs to no stored hand."""
    month: str | None
    """The month of all its hands, ``2026-11``, or ``unknown``."""
    rows: int


def data_files(lake: str | os.PathLike[str], table: str) -> list[DataFile]:
    """Return the data files of a table that are in a lake now.

    Raises RazzstatsError for a table that no lake has, DatabaseError if there is no such lake.
    """
    if table not in TABLES:
        raise RazzstatsError(f"{table!r} is no table of a lake; choose from {', '.join(TABLES)}")
    files = files_at(lake)
    return [
        DataFile(files.path(piece.path(table)), piece.site, piece.month, piece.rows[table])
        for piece in Manifest(files).state().pieces_of(table)
    ]


def lake_files(lake: str | os.PathLike[str], table: str) -> list[str]:
    """Return the names of the Parquet files with a table's rows in a lake, for other programs.

    ``lake`` is its folder or address. Read these files and no others: what workers that died have
    left beside them, and what was written anew since, is no part of the lake. ``site`` and
    ``month`` of the hands stand in the names of the folders, ``site=pokerstars/month=2026-03``.

    Raises RazzstatsError for a table that no lake has, DatabaseError if there is no such lake.

    >>> [file] = razzstats.lake_files("archive", "hands")
    >>> file
    '...archive/tables/hands/site=pokerstars/month=2026-03/...-0.parquet'
    """
    return [each.file for each in data_files(lake, table)]
