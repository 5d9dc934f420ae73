"""The database: opening, transactions, inserting hands and asking questions."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import duckdb

from razzstats.diagnostics import Code, Diagnostic
from razzstats.errors import DatabaseError, NoDatabase
from razzstats.locations import HandId
from razzstats.places import WAIT_SECONDS
from razzstats.storage.columns import Columns, HandColumns
from razzstats.storage.lake.files import is_lake, url_of
from razzstats.storage.migrations import MIGRATIONS
from razzstats.storage.opening import (
    connect,
    connect_memory,
    failure,
    lake_failure,
    look_at,
    make_new,
    storable,
)
from razzstats.storage.rows import HandLuckRow, HandRows, PlayerLuckRow, StartingHandRow

if TYPE_CHECKING:
    import pandas as pd

_IN_MEMORY = ":memory:"
_LITTLE_MEMORY = "128 MB"

TABLES_OF_HANDS = (
    "actions", "decisions", "hand_luck", "hand_players", "hand_texts", "hands", "player_luck",
    "spots", "starting_hands",
)  # fmt: skip
"""The tables that have rows of hands, by their ``hid``."""

_RECOUNT = """
UPDATE files SET stored = found.stored, rejected = found.rejected, incomplete = found.incomplete,
    conflicts = found.conflicts,
    duplicates = greatest(0, files.hands_seen - found.stored - found.rejected
        - found.incomplete - found.conflicts)
FROM (
    SELECT file_id, count(*) FILTER (reason = 'stored') AS stored,
        count(*) FILTER (reason = 'rejected') AS rejected,
        count(*) FILTER (reason = 'incomplete') AS incomplete,
        count(*) FILTER (reason = 'conflict') AS conflicts
    FROM (SELECT unnest($1::INTEGER[]) AS file_id) LEFT JOIN (
        SELECT file_id, 'stored' AS reason FROM hands
        WHERE file_id IN (SELECT unnest($1::INTEGER[]))
        UNION ALL SELECT file_id, reason FROM rejected
    ) USING (file_id) GROUP BY file_id
) AS found WHERE files.file_id = found.file_id
"""

# What DuckDB raises for a statement of ours that is wrong; all else is the file's or the machine's.
_OUR_MISTAKES = (
    duckdb.ProgrammingError,
    duckdb.DataError,
    duckdb.IntegrityError,
    duckdb.NotSupportedError,
    duckdb.PermissionException,
)


# What it also raises of a Parquet file that is not there, or whose bytes are not what they were.
_OF_DATA_FILES = (
    duckdb.PermissionException,
    duckdb.InvalidInputException,
    duckdb.ConversionException,
)


class Reach(NamedTuple):
    """Hands of one room, and of a time; None lets all through."""

    site: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""

    def joined(self, other: "Reach") -> "Reach":
        """Return where the hands of both are."""
        return Reach(
            self.site if self.site == other.site else None,
            min(self.since, other.since) if self.since and other.since else None,
            max(self.until, other.until) if self.until and other.until else None,
        )


EVERYWHERE = Reach()


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
    place: str | None = None
    """The whole path, by which the file is found again; None for standard input."""


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


class StoredReading(NamedTuple):
    """A stored hand, to be read again."""

    hid: int
    game: str
    file_id: int
    path: str
    first_line: int
    text_hash: str
    text: str


class Database:
    """An open database. Use as a context manager; writing happens inside `transaction`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, place: str) -> None:
        """Wrap a connection; use `open` or `in_memory` to get one."""
        self._connection = connection
        self.place = place
        self.is_lake = False
        """Whether the tables are views of a lake, which can only be read."""

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, wait: float = WAIT_SECONDS) -> Self:
        """Open the database file, made or brought up to date where need be.

        A lake is opened for reading in the same way; its tables are views.
        Many may read it at a time, or one write; an opening waits ``wait`` seconds for its turn.
        Raises DatabaseError if it is locked by another process, damaged, no database of ours, or
        written by a newer version of razzstats; with ``read_only`` also if it does not exist.
        """
        if is_lake(path):
            if not read_only:
                raise NoDatabase(
                    f"{url_of(path) or path} is a lake; `razzstats lake import` adds hands to it"
                )
            from razzstats.storage.lake.views import open_lake  # which is made of databases

            return cast(Self, open_lake(path))
        exists = look_at(path)
        if read_only and not exists:
            raise NoDatabase(f"there is no database at {path}; `razzstats import FOLDER` makes one")
        if not exists:
            make_new(path, cls._make)
        database = cls(connect(path, read_only=read_only, wait=wait), str(path))
        try:
            database._bring_up_to_date(read_only)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def _make(cls, path: Path) -> None:
        database = cls(connect(path, read_only=False, wait=0.0), str(path))
        try:
            database._bring_up_to_date(False)
        finally:
            database.close()

    @classmethod
    def in_memory(cls, folders: Sequence[str] = (), filesystem: Any = None) -> Self:
        """Open a database that lives as long as the object.

        Its statements can read and write files in ``folders`` and nowhere else; ``filesystem`` (of
        fsspec) opens those of an object store.
        """
        database = cls(connect_memory(folders, filesystem), _IN_MEMORY)
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
        another = Database(self._connection.cursor(), self.place)
        another.is_lake = self.is_lake
        return another

    def close(self) -> None:
        """Close the connection; what was committed stays."""
        self._connection.close()

    def narrow(self, reach: Reach) -> None:
        """Read only files in which such hands can be, for questions about no others.

        That is done in a lake; a database in one file stays as it is.
        """

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a question and return its rows."""
        with _damage_told(self.place, self.is_lake):
            return self._connection.execute(sql, parameters).fetchall()

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> "pd.DataFrame":
        """Run a question and return its rows as a data frame."""
        with _damage_told(self.place, self.is_lake):
            return self._connection.execute(sql, parameters).df()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is written inside, or nothing of it if an exception leaves the block."""
        with _damage_told(self.place, self.is_lake):
            try:
                self._connection.execute("BEGIN")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # Ctrl-C may come when none has begun yet, or when all is in; a failed commit, and
                # what else is wrong with the database, is told by what was raised first.
                with contextlib.suppress(duckdb.Error):
                    self._connection.execute("ROLLBACK")
                raise

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

    def hands_of_parsers_before(self, version: int) -> list[int]:
        """Return the ids of the hands that a parser before this version read, in their order."""
        found = self.rows("SELECT hid FROM hands WHERE parser_version < ? ORDER BY hid", (version,))
        return [hid for (hid,) in found]

    def stored_readings(self, hids: Sequence[int]) -> list[StoredReading]:
        """Return the texts of stored hands and what of them stays when they are read again."""
        columns = ", ".join(StoredReading._fields)
        found = self.rows(
            f"""SELECT {columns} FROM hands JOIN hand_texts USING (hid) JOIN files USING (file_id)
            WHERE hid IN (SELECT unnest(?::BIGINT[])) ORDER BY hid""",
            (list(hids),),
        )
        return [StoredReading(*row) for row in found]

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
        for table in TABLES_OF_HANDS if hids else ():
            self.rows(
                f"DELETE FROM {table} WHERE hid IN (SELECT unnest(?::BIGINT[]))", (list(hids),)
            )

    def insert_files(self, files: Mapping[int, FileRow]) -> None:
        """Record what became of files, in the place of what was recorded under their numbers."""
        self.rows("DELETE FROM files WHERE file_id IN (SELECT unnest(?::BIGINT[]))", ([*files],))
        self._append(
            "files",
            [(id, *_storable_row(file)) for id, file in files.items()],
        )

    def recount_files(self, file_ids: Iterable[int]) -> None:
        """Bring the counts of files up to date: what of each is in which table now.

        Hands that are in no table under their file's number are in one under another's.
        """
        self.rows(_RECOUNT, ([*file_ids],))

    def files_of(self, hids: Sequence[int]) -> set[int]:
        """Return the numbers of the files from which stored hands come."""
        if not hids:
            return set()
        found = self.rows(
            "SELECT DISTINCT file_id FROM hands WHERE hid IN (SELECT unnest(?::BIGINT[]))",
            (list(hids),),
        )
        return {file_id for (file_id,) in found}

    def insert_diagnostics(self, file_id: int, found: Iterable[Diagnostic]) -> None:
        """Record findings."""
        self._append("diagnostics", [_diagnostic_row(file_id, each) for each in found])

    def insert_rejected(self, file_id: int, hands: Iterable[RejectedHand]) -> None:
        """Record hands that were not stored, with their text."""
        self._append("rejected", [_rejected_row(file_id, hand) for hand in hands])

    def forget_rejected(self, stored: HandColumns) -> set[int]:
        """Drop the rejected and incomplete texts of hands that are now stored.

        Returns the numbers of the files that had them.
        """
        if not len(stored) or not self.rows("SELECT 1 FROM rejected LIMIT 1"):
            return set()
        found = self.rows(
            """DELETE FROM rejected WHERE reason <> 'conflict' AND (site, hand_no) IN
            (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[])) RETURNING file_id""",
            (stored.hands["site"].tolist(), stored.hands["hand_no"].tolist()),
        )
        return {file_id for (file_id,) in found}

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

    def forget_findings_of(self, hands: Iterable[tuple[int, HandId]], but: Code) -> None:
        """Drop what was found in hands of files, but for one kind."""
        listed = list(hands)
        self.rows(
            """DELETE FROM diagnostics WHERE code <> ? AND (file_id, site, hand_no) IN
            (SELECT unnest(?::INTEGER[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))""",
            (but.id, [file_id for file_id, _ in listed], [hand.site for _, hand in listed],
             [hand.number for _, hand in listed]),
        )  # fmt: skip

    def forget_findings(self, files: Mapping[int, FileRow]) -> set[int]:
        """Drop what earlier readings of files found; the files are being read again.

        Earlier are those under the same numbers or paths. Returns the numbers of these readings.
        """
        found = self.rows(
            """SELECT file_id FROM files WHERE path IN (SELECT unnest(?::VARCHAR[]))
            OR file_id IN (SELECT unnest(?::INTEGER[]))""",
            ([storable(file.path) for file in files.values()], [*files]),
        )
        earlier = {file_id for (file_id,) in found}
        for table in ("diagnostics", "rejected") if earlier else ():
            self.rows(
                f"DELETE FROM {table} WHERE file_id IN (SELECT unnest(?::BIGINT[]))",
                ([*earlier],),
            )
        return earlier

    def _append(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            with (
                _damage_told(self.place, self.is_lake),
                self._connection.appender(table) as appender,
            ):
                appender.append_rows(rows)

    def _insert(self, table: str, columns: Columns) -> None:
        with _damage_told(self.place, self.is_lake):
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


@contextlib.contextmanager
def _damage_told(place: str, is_lake: bool) -> Iterator[None]:
    """Turn what the files or the machine is to blame for into a DatabaseError."""
    try:
        yield
    except _OUR_MISTAKES as error:
        if is_lake and isinstance(error, _OF_DATA_FILES):
            raise lake_failure(place, error) from None
        raise
    except RuntimeError as error:
        if str(error) == "Query interrupted":  # what DuckDB makes of Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except duckdb.Error as error:
        if is_lake:
            raise lake_failure(place, error) from None
        reason = str(error).splitlines()[0]
        raise failure(f"{place} cannot be used", reason) from None


def _storable_row(file: FileRow) -> FileRow:
    place = None if file.place is None else storable(file.place)
    return file._replace(path=storable(file.path), place=place)


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
