"""What can still be read in a damaged database: texts of hands, and where its files were."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from razzstats.errors import DatabaseError
from razzstats.storage.opening import connect

_AT_ONCE = 4_096  # rows; a stretch that cannot be read is halved until what is damaged stands alone


class KeptText(NamedTuple):
    """The text of a hand in a damaged database, stored or kept apart."""

    hid: int | None
    text: str


class Salvage:
    """A database file from which rows are taken as far as they can be read.

    After an error DuckDB's connection answers nothing any more, so each question has one of its
    own. What cannot be read counts as lost; nothing is raised for it.
    """

    def __init__(self, path: Path) -> None:
        """Take from this file, which is never written."""
        self.path = path
        self.lost = 0
        """Rows of texts that could not be read so far."""

    def places(self) -> list[str]:
        """Return the whole paths of the files that were imported, as far as they are recorded."""
        found = self._rows("SELECT coalesce(place, path) FROM files WHERE sha256 IS NOT NULL") or (
            self._rows("SELECT path FROM files WHERE sha256 IS NOT NULL")  # of an older schema
        )
        return list(dict.fromkeys(str(place) for (place,) in found or ()))

    def games(self) -> dict[int, str]:
        """Return the rules of hands by their ids, where they are not those of plain Razz."""
        return dict(self._rows("SELECT hid, game FROM hands WHERE game <> 'razz'") or ())

    def texts(self) -> Iterator[KeptText]:
        """Yield all texts that can be read, those of stored hands first."""
        for table, hid in (("hand_texts", "hid"), ("rejected", "NULL")):
            size = self._rows(
                "SELECT estimated_size FROM duckdb_tables() WHERE table_name = ?", [table]
            )
            last = int(size[0][0]) if size else 0
            for first in range(0, last, _AT_ONCE):
                sql = f"SELECT {hid}, text FROM {table} WHERE rowid >= ? AND rowid < ?"
                for row in self._stretch(sql, first, min(first + _AT_ONCE, last)):
                    yield KeptText(*row)

    def _stretch(self, sql: str, first: int, behind: int) -> Iterator[tuple[Any, ...]]:
        found = self._rows(sql, [first, behind])
        if found is not None:
            yield from found
        elif behind - first == 1:
            self.lost += 1
        else:
            middle = (first + behind) // 2
            yield from self._stretch(sql, first, middle)
            yield from self._stretch(sql, middle, behind)

    def _rows(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]] | None:
        """Return the rows of a question, or None if they cannot be read."""
        try:
            with connect(self.path, read_only=True, wait=0.0) as connection:
                return connection.execute(sql, parameters or []).fetchall()
        except (duckdb.Error, DatabaseError):
            return None
