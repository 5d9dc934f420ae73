"""A lake as a database for questions: views of the same names and columns as the tables have."""

import os
from collections.abc import Iterable
from datetime import datetime

import duckdb

from razzstats.storage.database import TABLES_OF_HANDS, Database, Reach
from razzstats.storage.lake.files import LakeFiles, files_at
from razzstats.storage.lake.manifest import Manifest, Piece, State
from razzstats.storage.lake.pieces import TABLES_APART
from razzstats.storage.opening import SETTINGS, Settings, connect_memory, quoted

TABLES_OF_PIECES = (*TABLES_OF_HANDS, *TABLES_APART)
"""The tables of which a lake has data files; the rows of ``files`` are in its log."""


class Lake(Database):
    """A lake as it was when it was opened, for reading."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: LakeFiles, state: State
    ) -> None:
        """Make a new database one of a lake that shows nothing yet; use `open_lake` to get one."""
        super().__init__(connection, files.place)
        self.is_lake = True
        self.pieces: tuple[Piece, ...] = tuple(piece for _, piece in sorted(state.pieces.items()))
        """All that is in the lake, whether or not it is shown."""
        self._files = files
        self._shown: tuple[Piece, ...] | None = None
        self._bring_up_to_date(False)
        self._columns = {table: self._columns_of(table) for table in TABLES_OF_PIECES}
        self.rows(
            "CREATE OR REPLACE TABLE files AS "
            "SELECT * REPLACE (file_id::BIGINT AS file_id) FROM files"
        )
        self.insert_files(state.files)

    def pieces_of(self, table: str) -> list[Piece]:
        """Return the pieces that have rows of a table, shown or not."""
        return [piece for piece in self.pieces if table in piece.rows]

    def paths(self, table: str) -> list[str]:
        """Return their data files, as DuckDB reads them."""
        return [self._files.path(piece.path(table)) for piece in self.pieces_of(table)]

    def columns(self, table: str) -> str:
        """Return the names of a table's columns, as SQL lists them."""
        return ", ".join(self._columns[table])

    def size(self) -> int:
        """Return how many bytes all data files have."""
        paths = [path for table in TABLES_OF_PIECES for path in self.paths(table)]
        if not paths:
            return 0
        ((size,),) = self.rows(
            f"SELECT sum(size) FROM read_blob([{', '.join(map(quoted, paths))}])"
        )
        return int(size)

    def narrow(self, reach: Reach) -> None:
        """Show the hands of a room and of whole months, and all that belongs to no hand."""
        first, last = "", "~"  # before all months, and behind them and the hands without a time
        if reach.since is not None:
            first, last = _month(reach.since), _month(datetime.max)
        if reach.until is not None and reach.until > datetime.min:
            last = _month(reach.until - datetime.resolution)
        self.show(
            piece
            for piece in self.pieces
            if piece.site is None
            or (reach.site in (None, piece.site) and first <= str(piece.month) <= last)
        )

    def show(self, pieces: Iterable[Piece]) -> None:
        """Show the rows of some pieces in views of the tables' names, and no others.

        Where the lake has no rows of a table, the empty one stays.
        """
        shown = tuple(pieces)
        for table in TABLES_OF_PIECES if shown != self._shown else ():
            if every := self.paths(table):
                if self._shown is None:
                    self.rows(f"DROP TABLE {table}")
                paths = [self._files.path(each.path(table)) for each in shown if table in each.rows]
                self._view(table, paths, every[0])
        self._shown = shown

    def _view(self, table: str, paths: list[str], any_path: str) -> None:
        """Make the view of a table's data files; of no rows if there is none of these."""
        columns = ", ".join(f"{cast} AS {name}" for name, cast in self._columns[table].items())
        source = reading(table, paths or [any_path]) + ("" if paths else " WHERE false")
        self.rows(f"CREATE OR REPLACE VIEW {table} AS SELECT {columns} FROM {source}")

    def _columns_of(self, table: str) -> dict[str, str]:
        """Return a table's columns, and how each is had in the type that it has in a database."""
        found = self.rows(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? "
            "ORDER BY column_index",
            (table,),
        )
        names = ((quoted(name, '"'), str(type)) for name, type in found)
        # Parquet has as text what is one of some words.
        return {
            name: f"{name}::{type}" if type.startswith("ENUM") else name for name, type in names
        }


def open_lake(
    place: str | os.PathLike[str], folders: tuple[str, ...] = (), *, is_shown: bool = True
) -> Lake:
    """Open a lake for questions, as it is now: what is added meanwhile is not seen.

    Statements reach the lake's data files and those in ``folders``. Unless ``is_shown``, there are
    no views yet. Raises DatabaseError if there is no lake, or one that is damaged or of another
    version.
    """
    files = files_at(place)
    state = Manifest(files).state()
    lake = Lake(connect_memory((files.path("tables"), *folders), files.filesystem), files, state)
    if is_shown:
        _show_all(lake)
    return lake


def _show_all(lake: Lake) -> None:
    try:
        lake.show(lake.pieces)
    except BaseException:
        lake.close()
        raise


def connect_locked(
    place: str | os.PathLike[str], settings: Settings = SETTINGS, folder: str | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a lake for strangers' questions; with ``folder``, an answer can be written there.

    Nothing else can be written, and nothing read but the data files that count. Raises as
    `open_lake` does.
    """
    files = files_at(place)
    state = Manifest(files).state()
    connection = connect_memory(
        () if folder is None else (folder,), files.filesystem, settings, _paths(files, state)
    )
    _show_all(Lake(connection, files, state))
    if files.filesystem is not None and folder is None:
        connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    connection.execute("SET lock_configuration = true")
    return connection


def data_files(place: str | os.PathLike[str]) -> list[str]:
    """Return the data files of a lake as DuckDB reads them; raises as `open_lake` does."""
    files = files_at(place)
    return _paths(files, Manifest(files).state())


def _paths(files: LakeFiles, state: State) -> list[str]:
    return [path for table in TABLES_OF_PIECES for path in state.paths(files, table)]


def _month(moment: datetime) -> str:
    return f"{moment.year:04}-{moment.month:02}"


def reading(table: str, paths: list[str]) -> str:
    """Return the rows of data files as SQL has them, with ``filename``, ``site`` and ``month``.

    A condition on these keeps files from being read.
    """
    listed = ", ".join(map(quoted, paths))
    source = f"read_parquet([{listed}], filename = true, hive_partitioning = false)"
    return source if table in TABLES_APART else f"(SELECT *, {_FOLDERS} FROM {source})"


# DuckDB's own reading of such names would take folders above the lake for columns, too.
_FOLDERS = ", ".join(
    rf"regexp_extract(filename, '.*[/\\]{name}=([^/\\]*)[/\\]', 1) AS {name}"
    for name in ("site", "month")
)
