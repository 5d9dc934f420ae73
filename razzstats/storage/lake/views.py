"""A lake as a database for questions: views of the same names and columns as the tables have."""

import os

from razzstats.storage.database import TABLES_OF_HANDS, Database
from razzstats.storage.lake.files import LakeFiles, files_at
from razzstats.storage.lake.manifest import Manifest, State
from razzstats.storage.lake.pieces import TABLES_APART
from razzstats.storage.opening import quoted


def open_lake(place: str | os.PathLike[str], folders: tuple[str, ...] = ()) -> Database:
    """Open a lake for questions, as it is now: what is added meanwhile is not seen.

    Statements reach the lake's data files and those in ``folders``. Raises DatabaseError if there
    is no lake, or one of another version.
    """
    files = files_at(place)
    state = Manifest(files).state()
    database = Database.in_memory((files.path("tables"), *folders), files.filesystem)
    database.place, database.is_lake = files.place, True
    show_lake(database, files, state)
    return database


def show_lake(database: Database, files: LakeFiles, state: State) -> None:
    """Put views of a lake in the place of a new database's tables.

    Where the lake has no rows of a table, the empty one stays.
    """
    database.rows(
        "CREATE OR REPLACE TABLE files AS SELECT * REPLACE (file_id::BIGINT AS file_id) FROM files"
    )
    database.insert_files(state.files)
    for table in (*TABLES_OF_HANDS, *TABLES_APART):
        if paths := state.paths(files, table):
            columns = database.rows(
                "SELECT column_name FROM duckdb_columns() WHERE table_name = ? "
                "ORDER BY column_index",
                (table,),
            )
            named = ", ".join(quoted(name, '"') for (name,) in columns)
            database.rows(f"DROP TABLE {table}")
            database.rows(f"CREATE VIEW {table} AS SELECT {named} FROM {reading(table, paths)}")


def reading(table: str, paths: list[str]) -> str:
    """Return the rows of data files as SQL has them, with ``filename``, ``site`` and ``month``."""
    listed = ", ".join(map(quoted, paths))
    folders = _NO_FOLDERS if table in TABLES_APART else _FOLDERS
    return f"read_parquet([{listed}], filename = true, {folders})"


_NO_FOLDERS = "hive_partitioning = false"
_FOLDERS = "hive_partitioning = true, hive_types = {'site': VARCHAR, 'month': VARCHAR}"
