"""The database: opening, transactions, inserting hands and asking questions."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import duckdb

from razzstats.diagnostics import Diagnostic
from razzstats.errors import DatabaseError, NoDatabase
from razzstats.storage.columns import Columns, HandColumns
from razzstats.storage.migrations import MIGRATIONS
from razzstats.storage.rows import HandLuckRow, HandRows, PlayerLuckRow, StartingHandRow

if TYPE_CHECKING:
    import pandas as pd

_SQLITE_MARK = b"SQLite format 3\x00"
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    # Text from strangers is queried here: nothing in it may reach a file or the network.
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}

_IN_MEMORY = ":memory:"
_LITTLE_MEMORY = "128 MB"

_TABLES_OF_HANDS = (
    "actions", "decisions", "hand_luck", "hand_players", "hand_texts", "hands", "player_luck",
    "spots", "starting_hands",
)  # fmt: skip

# What DuckDB raises for a statement of ours that is wrong; all else is the file's or the machine's.
_OUR_MISTAKES = (
    duckdb.ProgrammingError,
    duckdb.DataError,
    duckdb.IntegrityError,
    duckdb.NotSupportedError,
    duckdb.PermissionException,
)


class FileRow(NamedTuple):
    """One row of the table ``files`` but for its number: what became of a file."""

    path: str
    sha256: str | None
    size_bytes: int | None
    status: str
    """"done", "failed", or "begun" if the reading was cut short."""
    hands_seen: int
    stored: int
    duplicates: int
    conflicts: int
    rejected: int
    other_games: int
    incomplete: int
    warnings: int
    parser_version: int
    imported_at: datetime
    error: str | None


class RejectedHand(NamedTuple):
    """A hand that is not stored, and the finding that says why."""

    reason: str
    """"rejected", "incomplete" or "conflict"."""
    found: Diagnostic
    file: str
    first_line: int
    text: str


class RejectedText(NamedTuple):
    """A row of the table ``rejected``."""

    id: str
    """The first digits of the text's SHA-256."""
    site: str | None
    hand_no: str | None
    reason: str
    code: str
    message: str
    file: str
    line: int
    text: str
    file_id: int


class StoredText(NamedTuple):
    """The text of a stored or rejected hand, and where it was read."""

    site: str
    file: str
    first_line: int
    text: str
    game: str


class Database:
    """An open database. Use as a context manager; writing happens inside `transaction`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, place: str) -> None:
        """Wrap a connection; use `open` or `in_memory` to get one."""
        self._connection = connection
        self.place = place

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open the database file, made or brought up to date where need be.

        Raises DatabaseError if it is locked by another process, damaged, no database of ours, or
        written by a newer version of razzstats; with ``read_only`` also if it does not exist.
        """
        exists = _look_at(path)
        if read_only and not exists:
            raise NoDatabase(f"there is no database at {path}; `razzstats import FOLDER` makes one")
        if not read_only:
            _make_folder(path)
        database = cls(_connect(path, read_only), str(path))
        try:
            database._bring_up_to_date(read_only)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def in_memory(cls) -> Self:
        """Open a database that lives as long as the object."""
        database = cls(duckdb.connect(_IN_MEMORY, config=_SETTINGS), _IN_MEMORY)
        database._bring_up_to_date(False)
        return database

    def __enter__(self) -> Self:
        """Return the database itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the database."""
        self.close()

    def beside(self) -> "Database":
        """Return another connection to the same database, for questions of another thread."""
        return Database(self._connection.cursor(), self.place)

    def close(self) -> None:
        """Close the connection; what was committed stays."""
        self._connection.close()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a question and return its rows."""
        with _damage_told(self.place):
            return self._connection.execute(sql, parameters).fetchall()

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> "pd.DataFrame":
        """Run a question and return its rows as a data frame."""
        with _damage_told(self.place):
            return self._connection.execute(sql, parameters).df()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is written inside, or nothing of it if an exception leaves the block."""
        with _damage_told(self.place):
            self._connection.execute("BEGIN")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def in_little_memory(self) -> Iterator[None]:
        """Hold little of the tables in memory meanwhile, however much is written.

        DuckDB keeps all that it has written at hand, up to four fifths of the machine.
        """
        if self.place == _IN_MEMORY:
            yield
            return
        ((before,),) = self.rows("SELECT current_setting('memory_limit')")
        self.rows(f"SET memory_limit = '{_LITTLE_MEMORY}'")
        try:
            yield
        finally:
            self.rows(f"SET memory_limit = '{before}'")

    def find_texts(self, number: str, site: str | None = None) -> list[StoredText]:
        """Return the texts of the hands with this number, one a room; rejected ones if none."""
        found = self.rows(
            """SELECT site, path, first_line, text, game FROM hands JOIN hand_texts USING (hid)
            JOIN files USING (file_id) WHERE hand_no = $1 AND ($2 IS NULL OR site = $2)
            ORDER BY site""",
            (number, site),
        ) or self.rows(
            """SELECT site, any_value(file), any_value(line), any_value(text), 'razz'
            FROM rejected WHERE hand_no = $1 AND ($2 IS NULL OR site = $2)
            GROUP BY site ORDER BY site""",
            (number, site),
        )
        return [StoredText(*row) for row in found]

    def texts(self, hids: Sequence[int]) -> dict[int, StoredText]:
        """Return the texts of stored hands by their ids."""
        found = self.rows(
            """SELECT hid, site, path, first_line, text, game FROM hands JOIN hand_texts USING (hid)
            JOIN files USING (file_id) WHERE hid IN (SELECT unnest(?::BIGINT[]))""",
            (list(hids),),
        )
        return {hid: StoredText(*row) for hid, *row in found}

    # ---- writing

    def files(self) -> list[tuple[int, FileRow]]:
        """Return all rows of the table ``files`` with their numbers, in the order of these."""
        columns = ", ".join(FileRow._fields)
        found = self.rows(f"SELECT file_id, {columns} FROM files ORDER BY file_id")
        return [(number, FileRow(*row)) for number, *row in found]

    def known_hashes(self, hids: Sequence[int]) -> dict[int, str]:
        """Return the text hashes of those of the hands that are stored."""
        if not hids:
            return {}
        found = self.rows(
            "SELECT hid, text_hash FROM hands WHERE hid IN (SELECT unnest(?::BIGINT[]))",
            (list(hids),),
        )
        return dict(found)

    def insert_hands(self, hands: Sequence[HandRows]) -> None:
        """Insert the rows of hands that are not stored yet."""
        self.insert_columns(HandColumns.of(hands))

    def insert_columns(self, hands: HandColumns) -> None:
        """Insert the rows of hands that are not stored yet."""
        if len(hands):
            self._insert("hands", hands.hands)
            self._insert("hand_players", hands.players)
            self._insert("actions", hands.actions)
            self._insert("hand_texts", hands.texts)

    def insert_luck(
        self,
        hands: Sequence[HandLuckRow],
        players: Sequence[PlayerLuckRow],
        starting_hands: Sequence[StartingHandRow],
    ) -> None:
        """Insert what was measured in hands, each of which is not measured yet."""
        self._append("hand_luck", hands)
        self._append("player_luck", players)
        self._append("starting_hands", starting_hands)

    def stored_text(self, hid: int) -> str:
        """Return the text of a stored hand."""
        (found,) = self.rows("SELECT text FROM hand_texts WHERE hid = ?", (hid,))
        return str(found[0])

    def delete_hands(self, hids: Sequence[int]) -> None:
        """Delete hands from all tables, so that other readings of them can take their place."""
        for table in _TABLES_OF_HANDS if hids else ():
            self.rows(
                f"DELETE FROM {table} WHERE hid IN (SELECT unnest(?::BIGINT[]))", (list(hids),)
            )

    def insert_files(self, files: Mapping[int, FileRow]) -> None:
        """Record what became of files, in the place of what was recorded under their numbers."""
        self.rows("DELETE FROM files WHERE file_id IN (SELECT unnest(?::BIGINT[]))", ([*files],))
        self._append(
            "files",
            [(id, *file._replace(path=storable(file.path))) for id, file in files.items()],
        )

    def insert_diagnostics(self, file_id: int, found: Iterable[Diagnostic]) -> None:
        """Record findings."""
        self._append("diagnostics", [_diagnostic_row(file_id, each) for each in found])

    def insert_rejected(self, file_id: int, hands: Iterable[RejectedHand]) -> None:
        """Record hands that were not stored, with their text."""
        self._append("rejected", [_rejected_row(file_id, hand) for hand in hands])

    def forget_rejected(self, stored: HandColumns) -> None:
        """Drop the rejected and incomplete texts of hands that are now stored."""
        if len(stored) and self.rows("SELECT 1 FROM rejected LIMIT 1"):
            self.rows(
                """DELETE FROM rejected WHERE reason <> 'conflict' AND (site, hand_no) IN
                (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))""",
                (stored.hands["site"].tolist(), stored.hands["hand_no"].tolist()),
            )

    def rejected_texts(self) -> list[RejectedText]:
        """Return the hands that are kept apart, in the order of files and lines."""
        columns = ", ".join(RejectedText._fields)
        found = self.rows(
            f"""SELECT {columns} FROM (SELECT left(sha256(text), 8) AS id, * FROM rejected)
            ORDER BY file, line, code"""
        )
        return [RejectedText(*row) for row in found]

    def delete_rejected(self, hand: RejectedText) -> None:
        """Drop one of the hands that are kept apart."""
        self.rows(
            "DELETE FROM rejected WHERE file_id = ? AND file = ? AND line = ? AND text = ?",
            (hand.file_id, hand.file, hand.line, hand.text),
        )

    def forget_findings(self, paths: Iterable[str]) -> None:
        """Drop what earlier readings of files found; the files are being read again."""
        earlier = self.rows(
            "SELECT file_id FROM files WHERE path IN (SELECT unnest(?::VARCHAR[]))",
            ([storable(path) for path in paths],),
        )
        for table in ("diagnostics", "rejected") if earlier else ():
            self.rows(
                f"DELETE FROM {table} WHERE file_id IN (SELECT unnest(?::BIGINT[]))",
                ([file_id for (file_id,) in earlier],),
            )

    def _append(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            with _damage_told(self.place), self._connection.appender(table) as appender:
                appender.append_rows(rows)

    def _insert(self, table: str, columns: Columns) -> None:
        with _damage_told(self.place):
            self._connection.register("new_rows", columns)
            self._connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM new_rows")
            self._connection.unregister("new_rows")

    # ---- opening

    def _bring_up_to_date(self, read_only: bool) -> None:
        version = self._schema_version()
        newest = MIGRATIONS[-1].version
        if version > newest:
            raise DatabaseError(
                f"{self.place} was written by a newer razzstats (schema {version}; this one knows "
                f"{newest}); upgrade razzstats to use it"
            )
        if read_only and version < newest:
            raise DatabaseError(
                f"{self.place} is from an older razzstats (schema {version} of {newest}); "
                "`razzstats import` brings it up to date"
            )
        for migration in MIGRATIONS[version:]:
            with self.transaction():
                self._connection.execute(migration.sql)
                self._connection.execute(
                    "INSERT INTO schema_migrations VALUES (?, ?, ?)",
                    (migration.version, migration.name, datetime.now(UTC).replace(tzinfo=None)),
                )

    def _schema_version(self) -> int:
        tables = {name for (name,) in self.rows("SELECT table_name FROM duckdb_tables()")}
        if "schema_migrations" in tables:
            found = self.rows("SELECT coalesce(max(version), 0) FROM schema_migrations")
            return int(found[0][0])
        if tables:
            raise DatabaseError(f"{self.place} is a DuckDB database, but not one of razzstats")
        with contextlib.suppress(duckdb.Error):  # a read-only database stays without
            self._connection.execute(
                "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY,"
                " name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)"
            )
        return 0


def _look_at(path: Path) -> bool:
    """Return whether there is such a file; refuse what DuckDB would take for something else."""
    if storable(str(path)) != str(path):
        raise NoDatabase(f"{path} is not a name in UTF-8, which a database's must be")
    try:
        with open(path, "rb") as file:
            # DuckDB would take a SQLite file for a reason to load an extension.
            if file.read(16).startswith(_SQLITE_MARK):
                raise DatabaseError(f"{path} is a SQLite database, not one of razzstats")
    except FileNotFoundError:
        return False
    except IsADirectoryError:
        raise NoDatabase(f"{path} is a folder; --db takes the name of a file") from None
    except OSError as error:
        raise DatabaseError(f"{path} cannot be read: {error.strerror}") from None
    return True


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"{path.parent} cannot be made: {error.strerror}") from None


def _connect(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), read_only=read_only, config=_SETTINGS)
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        if "set lock on file" in reason:
            holder = reason.partition("held in ")[2] or "another process"
            raise DatabaseError(
                f"{path} is in use by {holder}; wait for it to finish, then try again"
            ) from None
        if "not a valid DuckDB database" in reason:
            raise DatabaseError(f"{path} is not a database of razzstats") from None
        raise DatabaseError(f"{path} cannot be opened: {reason}") from None


@contextlib.contextmanager
def _damage_told(place: str) -> Iterator[None]:
    """Turn what the file or the machine is to blame for into a DatabaseError."""
    try:
        yield
    except _OUR_MISTAKES:
        raise
    except RuntimeError as error:
        if str(error) == "Query interrupted":  # what DuckDB makes of Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise DatabaseError(f"{place} cannot be used: {reason}") from None


def storable(text: str) -> str:
    """Return a file name as tables hold it: odd bytes arrive as surrogates, which none takes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _diagnostic_row(file_id: int, found: Diagnostic) -> tuple[Any, ...]:
    span, hand_id = found.span, found.hand_id
    return (
        file_id,
        hand_id.site if hand_id else None,
        hand_id.number if hand_id else None,
        found.code.id,
        found.code.name,
        str(found.severity),
        found.message,
        storable(span.file) if span else None,
        span.line if span else None,
        span.column if span else None,
        found.help,
    )


def _rejected_row(file_id: int, hand: RejectedHand) -> tuple[Any, ...]:
    hand_id = hand.found.hand_id
    return (
        file_id,
        hand_id.site if hand_id else None,
        hand_id.number if hand_id else None,
        hand.reason,
        hand.found.code.id,
        hand.found.message,
        storable(hand.file),
        hand.first_line,
        hand.text,
    )
