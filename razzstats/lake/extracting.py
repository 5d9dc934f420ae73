"""One player's hands out of a lake, into a database of his own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

from razzstats.errors import RazzstatsError
from razzstats.places import WAIT_SECONDS
from razzstats.storage import Database, FileRow, storable
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import Manifest, Piece, State
from razzstats.storage.lake.views import reading
from razzstats.storage.opening import quoted

_AT_ONCE = 10_000  # hands of a transaction, which are held in memory meanwhile
_MEMORY = "1 GB"

_Identity: TypeAlias = str | tuple[str, str | None, datetime]


@dataclass(slots=True)
class ExtractReport:
    """What became of a player's hands."""

    found: int = 0
    """Hands in the lake in which he was dealt in."""
    added: int = 0
    known: int = 0
    """Hands that his database had already."""
    conflicts: int = 0
    """Hands that his database has with another text, which stays."""


class _Chunk(NamedTuple):
    """Some of the player's hands, and where they are."""

    hids: list[int]
    pieces: list[Piece]


def extract_player(
    files: LakeFiles, hero: str, path: Path, *, site: str | None = None, wait: float = WAIT_SECONDS
) -> ExtractReport:
    """Copy all hands in which a player was dealt in to the database at ``path``, made if missing.

    ``site`` chooses one room. Hands that the database has stay as they are. Each batch is stored
    whole or not at all: after an interruption the same call goes on. Raises RazzstatsError if
    there is no such player, DatabaseError if the lake or the database cannot be used; for the
    database it waits ``wait`` seconds.
    """
    state = Manifest(files).state()
    folders = (files.path("tables"), str(path.absolute().parent))
    with Database.in_memory(folders, files.filesystem) as bench:
        bench.place, bench.is_lake = files.place, True  # whose files what it raises is about
        bench.rows(f"SET memory_limit = '{_MEMORY}'")
        extract = _Extract(files, state, bench)
        extract.find(storable(hero), site)
        Database.open(path, wait=wait).close()
        with extract.in_own(path):
            bench.rows(f"ATTACH {quoted(str(path.absolute()))} AS own")
            bench.rows("USE own")
        return extract.run(path)


class _Extract:
    def __init__(self, files: LakeFiles, state: State, bench: Database) -> None:
        self.files = files
        self.state = state
        self.bench = bench
        self.report = ExtractReport()
        self.numbers: dict[_Identity, int] = {}
        """What the player's database calls the files that it knows."""
        self.last_number = 0

    def find(self, hero: str, site: str | None) -> None:
        """Look for the player's hands."""
        pieces = [
            piece
            for piece in self.state.pieces_of("hand_players")
            if site is None or piece.site == site
        ]
        self.bench.rows("CREATE TEMP TABLE wanted (hid BIGINT, site VARCHAR, month VARCHAR)")
        if pieces:
            self.bench.rows(
                "INSERT INTO wanted SELECT DISTINCT hid, site, month "
                f"FROM {self._reading('hand_players', pieces)} WHERE name = ?",
                (hero,),
            )
        ((self.report.found,),) = self.bench.rows("SELECT count(*) FROM wanted")
        if not self.report.found:
            where = f"{self.files.place} of {site}" if site else self.files.place
            raise RazzstatsError(
                f"no hand in the lake {where} has a player {hero!r}; names are told with capital "
                "and small letters as the room writes them"
            )

    @contextmanager
    def in_own(self, path: Path) -> Iterator[None]:
        """Blame the player's database for what is raised meanwhile, and not the lake."""
        self.bench.place, self.bench.is_lake = str(path), False
        yield
        self.bench.place, self.bench.is_lake = self.files.place, True

    def run(self, path: Path) -> ExtractReport:
        """Copy the hands, some at a time."""
        with self.in_own(path):
            for number, row in self.bench.files():
                self.numbers.setdefault(_identity(row), number)
                self.last_number = number
        for chunk in self._chunks():
            if added := self._take_new(chunk):
                with self.in_own(path):
                    self._store()
                self.report.added += added
        return self.report

    def _chunks(self) -> Iterator[_Chunk]:
        places = self.bench.rows("SELECT DISTINCT site, month FROM wanted ORDER BY site, month")
        for place in places:
            found = self.bench.rows(
                "SELECT hid FROM wanted WHERE site = ? AND month = ? ORDER BY hid", place
            )
            for start in range(0, len(found), _AT_ONCE):
                hids = [hid for (hid,) in found[start : start + _AT_ONCE]]
                near = [
                    piece
                    for piece in self.state.pieces_of("hands")
                    if (piece.site, piece.month) == place
                    and piece.first_hid <= hids[-1]
                    and hids[0] <= piece.last_hid
                ]
                yield _Chunk(hids, near)

    def _take_new(self, chunk: _Chunk) -> int:
        """Read those of some hands that the database has not; return how many there are."""
        bench = self.bench
        bench.rows(
            "CREATE OR REPLACE TEMP TABLE chosen AS SELECT unnest(?::BIGINT[]) AS hid",
            (chunk.hids,),
        )
        self._take("hands", chunk.pieces)
        ((known, conflicts),) = bench.rows(
            """SELECT count(*) FILTER (here.text_hash = there.text_hash),
                count(*) FILTER (here.text_hash <> there.text_hash)
            FROM hands AS here JOIN new_hands AS there USING (hid)"""
        )
        self.report.known += known
        self.report.conflicts += conflicts
        bench.rows("DELETE FROM new_hands WHERE hid IN (SELECT hid FROM hands)")
        ((added,),) = bench.rows("SELECT count(*) FROM new_hands")
        if added:
            bench.rows("CREATE OR REPLACE TEMP TABLE chosen AS SELECT hid FROM new_hands")
            for table in TABLES_OF_HANDS:
                if table != "hands":
                    self._take(table, chunk.pieces)
        return int(added)

    def _take(self, table: str, pieces: Sequence[Piece]) -> None:
        """Read what the chosen hands have in a table of the lake."""
        columns = self.bench.rows(
            "SELECT column_name FROM duckdb_columns() "
            "WHERE database_name = 'own' AND table_name = ? ORDER BY column_index",
            (table,),
        )
        named = ", ".join(quoted(name, '"') for (name,) in columns)
        with_rows = [piece for piece in pieces if table in piece.rows]
        found = (
            f"SELECT {named} FROM {self._reading(table, with_rows)} "
            "WHERE hid IN (SELECT hid FROM chosen)"
            if with_rows
            else f"SELECT {named} FROM {table} WHERE false"
        )
        self.bench.rows(f"CREATE OR REPLACE TEMP TABLE new_{table} AS {found}")

    def _store(self) -> None:
        """Store what was read, whole or not at all."""
        bench = self.bench
        numbers, new = self._files_of_hands()
        bench.rows(
            "CREATE OR REPLACE TEMP TABLE numbers AS SELECT unnest(?::BIGINT[]) AS file_id, "
            "unnest(?::INTEGER[]) AS number",
            ([*numbers.keys()], [*numbers.values()]),
        )
        bench.rows(
            "UPDATE new_hands SET file_id = number FROM numbers "
            "WHERE new_hands.file_id = numbers.file_id"
        )
        with bench.transaction():
            bench.insert_files(new)
            for table in TABLES_OF_HANDS:
                bench.rows(f"INSERT INTO {table} BY NAME SELECT * FROM new_{table} ORDER BY hid")
            forgotten = bench.rows(
                """DELETE FROM rejected WHERE reason <> 'conflict' AND (site, hand_no) IN
                (SELECT site, hand_no FROM new_hands) RETURNING file_id"""
            )
            changed = {*numbers.values(), *(number for (number,) in forgotten)}
            bench.recount_files(changed)
            bench.rows(
                """UPDATE files SET
                    hands_seen = greatest(hands_seen, stored + rejected + incomplete + conflicts)
                WHERE file_id IN (SELECT unnest(?::INTEGER[]))""",
                ([*changed],),
            )

    def _files_of_hands(self) -> tuple[dict[int, int], dict[int, FileRow]]:
        """Return what the database calls the files of the new hands, and those new to it."""
        numbers: dict[int, int] = {}
        new: dict[int, FileRow] = {}
        found = self.bench.rows("SELECT DISTINCT file_id FROM new_hands ORDER BY file_id")
        for (file_id,) in found:
            row = self.state.files[file_id]
            identity = _identity(row)
            if identity not in self.numbers:
                self.last_number += 1
                self.numbers[identity] = self.last_number
                new[self.last_number] = _with_nothing(row)
            numbers[file_id] = self.numbers[identity]
        return numbers, new

    def _reading(self, table: str, pieces: Sequence[Piece]) -> str:
        return reading(table, [self.files.path(piece.path(table)) for piece in pieces])


def _identity(row: FileRow) -> _Identity:
    return row.sha256 or (row.path, row.place, row.imported_at)


def _with_nothing(row: FileRow) -> FileRow:
    """Return what a database is told of a file of which it has some hands.

    It is as one whose import was interrupted: an import reads all of it.
    """
    return row._replace(
        status="begun" if row.status == "done" else row.status,
        hands_seen=0, stored=0, duplicates=0, conflicts=0, rejected=0, other_games=0,
        incomplete=0, warnings=0,
    )  # fmt: skip
