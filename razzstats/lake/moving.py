"""A database into a lake: everything that is in it, by the rules of an import, once."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from razzstats.diagnostics import Diagnostic
from razzstats.errors import RazzstatsError
from razzstats.lake.settling import Arrival, Settling
from razzstats.lake.units import file_number, unread_number
from razzstats.measuring import count_unmeasured
from razzstats.storage import Database, FileRow
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import Entry, Manifest, Piece, State
from razzstats.storage.lake.pieces import MONTH, TABLES_APART, write_pieces
from razzstats.storage.lake.views import reading
from razzstats.storage.opening import quoted

_AT_ONCE = 10_000  # hands, or rows of what was kept apart: they are held in memory meanwhile
_GROUP_HANDS = 100_000  # of files that come into the lake together
_GROUP_FILES = 1_000
_MEMORY = "512 MB"

_OF_FILE = frozenset(("hands", *TABLES_APART))  # the tables with a file_id


@dataclass(slots=True)
class ExportReport:
    """What became of a database's hands and files in a lake."""

    files: int = 0
    """Those that came into the lake."""
    known: int = 0
    """Files of which the lake had all already."""
    cut_short: int = 0
    """Files whose import was interrupted: what had been read of them came into the lake."""
    hands: int = 0
    """Hands that came into the lake."""
    duplicates: int = 0
    """Hands of the files that came, which the lake had already."""
    conflicts: int = 0
    """Hands that the lake has with another text; they are kept apart there."""
    findings: list[Diagnostic] = field(default_factory=list)
    """The conflicts."""


def export_to_lake(database: Database, files: LakeFiles) -> ExportReport:
    """Put all that is in a database into a lake, which is made if it is missing.

    Files of which the lake has all are left out, so that a second call adds nothing and one that
    was interrupted goes on. The database must be one in a file, open for reading alone, and all of
    its hands measured; raises RazzstatsError if it is not, DatabaseError if either cannot be used.
    """
    if database.is_lake:
        raise RazzstatsError(f"{database.place} is a lake itself; a copy of it is one, too")
    if unmeasured := count_unmeasured(database):
        raise RazzstatsError(
            f"{unmeasured} hands in {database.place} are not measured, as all hands in a lake are; "
            "try again when nobody else uses the database"
        )
    with database.in_little_memory():
        return _Export(database, files).run()


class _File(NamedTuple):
    """A file of the database."""

    number: int
    """In the database."""
    file_id: int
    """In the lake."""
    row: FileRow
    hands: int
    """How many hands are stored under its number."""


class _Export:
    def __init__(self, database: Database, files: LakeFiles) -> None:
        self.source = database
        self.files = files
        self.manifest = Manifest.make(files)
        self.report = ExportReport()

    def run(self) -> ExportReport:
        """Put the files into the lake, group by group."""
        new = self._new(self._all())
        for group in self._groups(new):
            self._settle(group)
        return self.report

    # ---- which files

    def _all(self) -> list[_File]:
        rows = dict(self.source.files())
        hands = dict(self.source.rows("SELECT file_id, count(*) FROM hands GROUP BY file_id"))
        ids = _lake_ids(rows)
        return [
            _File(number, ids[number], row, hands.get(number, 0)) for number, row in rows.items()
        ]

    def _new(self, found: list[_File]) -> list[_File]:
        """Return the files of which the lake has not all; the others are counted."""
        state = self.manifest.state()
        in_part = [
            file
            for file in found
            if (there := state.files.get(file.file_id)) and not _has_all(there, file.row)
        ]
        missing = self._missing(state, [file.number for file in in_part])
        new = []
        for file in found:
            there = state.files.get(file.file_id)
            if there is None:
                new.append(file)
            elif _has_all(there, file.row):
                self.report.known += 1
            elif file.row.status == "done" or file.number in missing:
                new.append(_beside(file, there, missing.get(file.number, 0)))
            else:
                self.report.known += 1
        return new

    def _missing(self, state: State, numbers: Sequence[int]) -> dict[int, int]:
        """Return how many hands of some files are not in the lake."""
        if not numbers:
            return {}
        where = "WHERE file_id IN (SELECT unnest(?::INTEGER[]))"
        if paths := state.paths(self.files, "hands"):
            where += f" AND hid NOT IN (SELECT hid FROM {reading('hands', paths)})"
        with self._bench() as (bench, _):
            found = bench.rows(
                f"SELECT file_id, count(*) FROM source.hands {where} GROUP BY file_id",
                ([*numbers],),
            )
        return dict(found)

    def _groups(self, new: list[_File]) -> Iterator[list[_File]]:
        """Part the files into groups, each of which comes into the lake whole.

        What comes later lets go of what came before and was kept apart: files for which that would
        not be as in the database come last, and together.
        """
        together = self._meeting_others(new)
        group: list[_File] = []
        hands = 0
        for file in new:
            if file.number in together:
                continue
            group.append(file)
            hands += file.hands
            if hands >= _GROUP_HANDS or len(group) >= _GROUP_FILES:
                yield group
                group, hands = [], 0
        last = [file for file in new if file.number in together]
        yield from (each for each in (group, last) if each)

    def _meeting_others(self, new: list[_File]) -> set[int]:
        """Return the files that have a name in common, or a hand apart that another has stored."""
        found = self.source.rows(
            """SELECT DISTINCT apart.file_id FROM rejected AS apart JOIN hands
            USING (site, hand_no)
            WHERE apart.reason <> 'conflict' AND apart.file_id <> hands.file_id"""
        )
        names = Counter(
            name for file in new for name in {file.row.path, file.row.place} if name is not None
        )
        return {number for (number,) in found} | {
            file.number
            for file in new
            if names[file.row.path] > 1 or names[file.row.place or file.row.path] > 1
        }

    # ---- one group

    def _settle(self, group: list[_File]) -> None:
        arrival = Arrival({file.file_id: file.row for file in group}, self._pieces(group))
        settling = Settling(self.files, [arrival])
        gained = 0

        def decide(state: State) -> Entry:
            nonlocal gained
            entry = settling.decide(state)
            gone = (state.pieces[key] for key in entry.removed if key in state.pieces)
            gained = _hands(entry.added) - _hands(gone)
            return entry

        self.manifest.commit(decide)
        conflicts = [found for each in settling.conflicts.values() for found in each]
        report = self.report
        report.known += len(settling.known)
        report.files += len(group) - len(settling.known)
        report.cut_short += sum(file.row.status == "begun" for file in group)
        report.hands += gained
        report.conflicts += len(conflicts)
        report.findings += conflicts
        all_hands = sum(file.hands for file in group)
        report.duplicates += max(0, all_hands - gained - len(conflicts))

    def _pieces(self, group: list[_File]) -> list[Piece]:
        """Write all rows of some files beside what is in the lake.

        What was kept apart comes last: it stays, even if its hand is stored from elsewhere.
        """
        numbers = [file.number for file in group]
        ids = {file.number: file.file_id for file in group}
        of_files = "WHERE file_id IN (SELECT unnest(?::INTEGER[]))"
        pieces = []
        hids = self._column(
            f"SELECT hid FROM hands {of_files} ORDER BY site, {MONTH}, hid", numbers
        )
        for batch in hids:
            pieces += self._write(TABLES_OF_HANDS, "hid", batch, ids)
        for table in TABLES_APART:
            rows = self._column(
                f"SELECT rowid FROM {table} {of_files} ORDER BY file_id, rowid", numbers
            )
            for batch in rows:
                pieces += self._write([table], "rowid", batch, ids)
        return pieces

    def _column(self, sql: str, numbers: Sequence[int]) -> Iterator[list[int]]:
        """Yield the numbers that a question returns, as many at a time as fit into memory."""
        found = self.source.frame(sql, ([*numbers],)).iloc[:, 0].to_numpy()
        for start in range(0, len(found), _AT_ONCE):
            yield found[start : start + _AT_ONCE].tolist()

    def _write(
        self, tables: Sequence[str], key: str, chosen: list[int], ids: Mapping[int, int]
    ) -> list[Piece]:
        with self._bench() as (bench, folder):
            bench.rows(
                "CREATE TEMP TABLE chosen AS SELECT unnest(?::BIGINT[]) AS number", (chosen,)
            )
            for table in tables:
                bench.rows(
                    f"INSERT INTO {table} BY NAME SELECT * FROM source.{table} "
                    f"WHERE {key} IN (SELECT number FROM chosen)"
                )
            (of_file,) = [table for table in tables if table in _OF_FILE]
            there = bench.rows(f"SELECT DISTINCT file_id FROM {of_file} ORDER BY file_id")
            ids = {number: ids[number] for (number,) in there}
            return write_pieces(bench, _name(bench, tables, ids), ids, self.files, folder)

    @contextmanager
    def _bench(self) -> Iterator[tuple[Database, Path]]:
        """Open a database in memory that can read this one and write beside the lake."""
        place = Path(self.source.place).absolute()
        with self.files.scratch() as folder:
            folders = (self.files.path("tables"), str(folder), str(place.parent))
            with Database.in_memory(folders, self.files.filesystem) as bench:
                bench.rows(f"SET memory_limit = '{_MEMORY}'")  # else it keeps all that it has read
                bench.rows(f"ATTACH {quoted(str(place))} AS source (READ_ONLY)")
                yield bench, folder


def _lake_ids(rows: Mapping[int, FileRow]) -> dict[int, int]:
    """Return what a lake calls the files of a database: the same in each lake, and each time.

    Of several readings of one content the best has the content's own number, which an import
    into the lake knows as well.
    """

    def worth(number: int) -> tuple[bool, int, int]:
        row = rows[number]
        return row.status != "done", -row.parser_version, number

    ids: dict[int, int] = {}
    taken: set[int] = set()
    for number in sorted(rows, key=worth):
        row = rows[number]
        again = ("again", row.sha256, row.place or row.path, row.imported_at.isoformat())
        first = _own_number(row)
        ids[number] = _number_of(repr(again)) if first in taken else first
        taken.add(ids[number])
    return ids


def _own_number(row: FileRow) -> int:
    if row.sha256 is not None:
        return file_number(row.sha256)
    if row.place is not None:  # nobody could read it; an import into a lake calls it so
        return unread_number(row.place)
    return _number_of(repr(("once", row.path, row.imported_at.isoformat())))


def _number_of(words: str) -> int:
    return file_number(hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest())


def _has_all(there: FileRow, row: FileRow) -> bool:
    """Return whether the lake has a whole reading of a file, and no older one than this."""
    return there.status == "done" and there.parser_version >= row.parser_version


def _beside(file: _File, there: FileRow, missing: int) -> _File:
    """Return a file of which the lake has a part, which stays."""
    row = file.row
    apart = row.rejected + row.incomplete + row.conflicts
    seen = max(row.hands_seen, there.stored + missing + apart)
    return file._replace(row=row._replace(hands_seen=seen))


def _hands(pieces: Iterable[Piece]) -> int:
    return sum(piece.hands for piece in pieces)


def _name(bench: Database, tables: Sequence[str], ids: Mapping[int, int]) -> str:
    """Return a name for all rows in some tables of a bench, which no other rows have."""
    told: list[object] = []
    for table in tables:
        number = "file_id" if table in _OF_FILE else "0"
        left_out = " EXCLUDE (file_id)" if table in _OF_FILE else ""
        found = bench.rows(
            f"SELECT {number} AS number, count(*), "
            f"sum(hash(*COLUMNS(*{left_out}))::HUGEINT) FROM {table} GROUP BY number"
        )
        told += sorted((ids.get(number, 0), *rest) for number, *rest in found)
    return f"export-{hashlib.blake2b(repr(told).encode(), digest_size=16).hexdigest()}"
