"""Questions that are asked once where several statistics need the same."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from razzstats.storage import Database

if TYPE_CHECKING:
    import pandas as pd


class AskedOnce(Database):
    """A database that remembers its answers, for statistics that are made together.

    It is used as long as nothing is written to the database, and is let go with what it remembers.
    """

    def __init__(self, database: Database) -> None:
        """Ask by the connection of another database object, which stays its owner."""
        super().__init__(database._connection, database.place)
        self._database = database
        self._rows: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        self._frames: dict[tuple[str, str], pd.DataFrame] = {}

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a question."""
        key = sql, repr(parameters)
        if key not in self._rows:
            self._rows[key] = self._database.rows(sql, parameters)
        return list(self._rows[key])

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> "pd.DataFrame":
        """Return the rows of a question as a data frame."""
        key = sql, repr(parameters)
        if key not in self._frames:
            self._frames[key] = self._database.frame(sql, parameters)
        return self._frames[key].copy(deep=False)
