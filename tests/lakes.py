"""Comparing a lake with a database, table by table."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from razzstats.storage import Database
from razzstats.storage.database import TABLES_OF_HANDS

T = TypeVar("T")

_OF_FILES = ("hands", "diagnostics", "rejected")
_NOT_COMPARED = frozenset(("file_id", "imported_at"))


def tables_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, sorted; files are told by their paths, not by numbers."""
    return {
        table: database.rows(_rows(database, table))
        for table in (*TABLES_OF_HANDS, "diagnostics", "rejected", "files")
    }


def _rows(database: Database, table: str) -> str:
    names = [
        name
        for (name,) in database.rows(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = ? AND NOT internal "
            "ORDER BY column_index",
            (table,),
        )
        if name not in _NOT_COMPARED
    ]
    # As text: what is an enumeration in one is text in the other.
    columns = ", ".join(f"{table}.{name}::VARCHAR" for name in names)
    if table in _OF_FILES:
        return f"SELECT {columns}, files.path FROM {table} JOIN files USING (file_id) ORDER BY ALL"
    return f"SELECT {columns} FROM {table} ORDER BY ALL"


class Inline(Executor):
    """A worker in this process, who does what he is given at once."""

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(work(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future
