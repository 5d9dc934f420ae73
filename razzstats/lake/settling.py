"""What arrives in a lake meets what is there: each hand stays once, by the rules of an import.

Of two readings of a hand the first one stays: what is in the lake before what arrives, and what
arrives in the order of its files. If the texts differ, the longer one takes its place where it
only goes on from it; else it is a conflict, and kept apart.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from razzstats.diagnostics import Diagnostic
from razzstats.importing import conflict_found
from razzstats.locations import HandId
from razzstats.storage import PARSER_VERSION, Database, FileRow, RejectedHand, hand_key
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import Entry, Piece, State
from razzstats.storage.lake.pieces import (
    file_of_apart,
    open_bench,
    write_pieces,
    write_some_apart,
    write_without,
)
from razzstats.storage.lake.views import reading

_LIVE = -1  # the rank of what is in the lake already


@dataclass(slots=True)
class Arrival:
    """Files that were read whole, on their way into the lake: all come in, or none."""

    files: dict[int, FileRow] = field(default_factory=dict)
    """By their numbers, with the counts of the reading: where the hands are is settled here."""
    pieces: list[Piece] = field(default_factory=list)
    notes: dict[int, list[Diagnostic]] = field(default_factory=dict)
    """What was found in files beside what the pieces have, by the files' numbers."""


class _Reading(NamedTuple):
    """One of several readings of a hand."""

    hid: int
    rank: int
    first_line: int
    key: str
    """Of its piece."""
    file_id: int
    text_hash: str


class _Rejected(NamedTuple):
    """A hand that was kept apart, in some piece."""

    key: str
    """Of its piece."""
    file_id: int
    file: str
    line: int
    reason: str


class Settling:
    """Decides what an entry of the log says of some arrivals; makes the files that it names."""

    def __init__(self, files: LakeFiles, arrivals: Sequence[Arrival]) -> None:
        """Settle arrivals, in the order of their files, among what is in these files."""
        self._files = files
        self._arrivals = arrivals
        self.known: set[int] = set()
        """The numbers of the files that another had added before, as found by `decide`."""
        self.conflicts: dict[int, list[Diagnostic]] = {}
        """By the files' numbers, as found by `decide`."""

    def decide(self, state: State) -> Entry:
        """Return what the log has to say next; as often as it is asked, of each state anew."""
        self.known = {
            number
            for arrival in self._arrivals
            for number, row in arrival.files.items()
            if is_read(row) and is_read(state.files.get(number))
        }
        arrivals = [each for each in self._arrivals if each.files.keys() - self.known]
        if not arrivals:
            return Entry()
        with self._files.scratch() as folder, open_bench(self._files, folder) as bench:
            meeting = _Meeting(self._files, bench, folder, state, arrivals, self.known)
            entry = meeting.entry()
            self.conflicts = {
                number: [hand.found for hand in hands]
                for number, hands in meeting.conflicts.items()
            }
            return entry


def is_read(row: FileRow | None) -> bool:
    """Return whether all of a file was read by this parser, or a newer one, for what it is.

    That a file has no hand, or is damaged, is as true the next time. One that could not be read
    for other reasons has no hash in its row.
    """
    if row is None or row.parser_version < PARSER_VERSION:
        return False
    return row.status == "done" or (row.status == "failed" and row.sha256 is not None)


class _Meeting:
    """One try at an entry: some arrivals, and one state of the lake."""

    def __init__(
        self,
        files: LakeFiles,
        bench: Database,
        folder: Path,
        state: State,
        arrivals: Sequence[Arrival],
        known: set[int],
    ) -> None:
        self.files = files
        self.bench = bench
        self.folder = folder
        self.state = state
        self.arrivals = arrivals
        self.ranks: dict[str, int] = {}
        """The order of the arriving pieces, by their keys."""
        self.arrival_of: dict[str, Arrival] = {}
        self.pieces: dict[str, Piece] = dict(state.pieces)
        """Those of the lake, and the arriving ones."""
        for arrival in arrivals:
            self._take_in(arrival, known)
        self.rows = {
            number: row
            for arrival in arrivals
            for number, row in arrival.files.items()
            if number not in known
        }
        """The files that arrive."""
        self.dropped: dict[str, set[int]] = defaultdict(set)
        """Hands that leave pieces, by the pieces' keys."""
        self.let_go: dict[str, set[_Rejected]] = defaultdict(set)
        """Hands kept apart that leave pieces."""
        self.conflicts: dict[int, list[RejectedHand]] = defaultdict(list)
        """By file."""
        self.changes: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        """By how much counts of files change."""
        self.forgotten_files = self._read_again()

    def _take_in(self, arrival: Arrival, known: set[int]) -> None:
        for piece in arrival.pieces:
            # Hands of a file that failed in part, and is read again, are there already.
            arrives = (
                file_of_apart(piece) not in known
                if piece.site is None
                else piece.key not in self.state.pieces
            )
            if arrives:
                self.ranks[piece.key] = len(self.ranks)
                self.arrival_of[piece.key] = arrival
                self.pieces[piece.key] = piece

    def entry(self) -> Entry:
        """Return the entry, with all files written that it names."""
        forgotten = {
            key
            for key, piece in self.state.pieces.items()
            if piece.site is None and file_of_apart(piece) in self.forgotten_files
        } - self.ranks.keys()
        for key in forgotten:
            del self.pieces[key]
        self._list_arriving()
        for _, readings in groupby(self._met(), attrgetter("hid")):
            self._settle(list(readings))
        self._drop_outgrown()
        self._let_go_of_stored()
        changed = self.dropped.keys() | self.let_go.keys()
        added = [
            piece
            for key, piece in ((key, self.pieces[key]) for key in self.ranks)
            if key not in changed and self.state.pieces.get(key) != piece
        ]
        added += self._written_anew()
        added += self._written_apart()
        removed = sorted((forgotten | changed) - self.ranks.keys())
        return Entry(added, removed, self._file_rows())

    def _read_again(self) -> set[int]:
        """Return the files of the lake whose findings make room for those of another reading."""
        places = {row.place for row in self.rows.values()} - {None}
        return {
            number
            for number, row in self.state.files.items()
            if number in self.rows or row.place in places
        }

    # ---- several readings of a hand

    def _list_arriving(self) -> None:
        self.bench.rows(
            "CREATE OR REPLACE TEMP TABLE arriving (hid BIGINT, site VARCHAR, hand_no VARCHAR, "
            "text_hash VARCHAR, file_id BIGINT, first_line INTEGER, rank INTEGER, key VARCHAR)"
        )
        keys = [key for key in self.ranks if "hands" in self.pieces[key].rows]
        if keys:
            self.bench.rows(
                f"""INSERT INTO arriving SELECT hid, site, hand_no, text_hash, file_id, first_line,
                rank, key FROM {self._rows_of("hands", keys)}"""
            )

    def _met(self) -> list[_Reading]:
        """Return the readings of hands of which there are several, hand by hand, in their order."""
        columns = ", ".join(_Reading._fields)
        keys = self._near()
        live = f"UNION ALL SELECT {columns} FROM {self._rows_of('hands', keys)}" if keys else ""
        found = self.bench.rows(
            f"""WITH several AS (
                SELECT {columns} FROM arriving {live}
                WHERE hid IN (SELECT hid FROM arriving)
            )
            SELECT {columns} FROM several
            WHERE hid IN (SELECT hid FROM several GROUP BY hid HAVING count(*) > 1)
            ORDER BY hid, rank, first_line"""
        )
        return [_Reading(*row) for row in found]

    def _near(self) -> list[str]:
        """Return the pieces of the lake that may have a hand that arrives."""
        spans = [
            (piece.site, piece.first_hid, piece.last_hid)
            for piece in map(self.pieces.__getitem__, self.ranks)
            if "hands" in piece.rows
        ]
        return [
            key
            for key, piece in self.state.pieces.items()
            if "hands" in piece.rows
            and any(
                piece.site == site and piece.first_hid <= last and first <= piece.last_hid
                for site, first, last in spans
            )
        ]

    def _settle(self, readings: list[_Reading]) -> None:
        stays, *others = readings
        for other in others:
            if stays.text_hash == other.text_hash:
                self._drop(other)
                continue
            before, text = self._text(stays), self._text(other)
            if text.startswith(before):
                self._drop(stays)
                stays = other
            else:
                self._drop(other)
                self._conflict(other, text)

    def _drop(self, reading: _Reading) -> None:
        self.dropped[reading.key].add(reading.hid)
        self.changes[reading.file_id]["stored"] -= 1

    def _conflict(self, reading: _Reading, text: str) -> None:
        ((site, number),) = self.bench.rows(
            "SELECT site, hand_no FROM arriving WHERE hid = ? AND key = ?",
            (reading.hid, reading.key),
        )
        path = self.arrival_of[reading.key].files[reading.file_id].path
        line = reading.first_line
        found = conflict_found(HandId(site, number), path, line)
        hand = RejectedHand("conflict", found, path, line, text)
        self.conflicts[reading.file_id].append(hand)
        self.changes[reading.file_id]["conflicts"] += 1

    def _text(self, reading: _Reading) -> str:
        ((text,),) = self.bench.rows(
            f"SELECT text FROM {self._rows_of('hand_texts', [reading.key])} WHERE hid = ?",
            (reading.hid,),
        )
        return str(text)

    # ---- hands that are kept apart

    def _drop_outgrown(self) -> None:
        """Drop the hands of which the rest, come meanwhile, says that they are wrong."""
        keys = [key for key in self.ranks if "rejected" in self.pieces[key].rows]
        if not keys:
            return
        found = self.bench.rows(
            f"""SELECT site, hand_no, rank, text FROM {self._rows_of("rejected", keys)}
            WHERE reason = 'rejected' AND site IS NOT NULL AND hand_no IS NOT NULL"""
        )
        for site, number, rank, text in found:
            for stored in self._stored(hand_key(HandId(site, number)), rank):
                before = self._text(stored)
                if len(before) < len(text) and text.startswith(before):
                    self._drop(stored)

    def _stored(self, hid: int, rank: int) -> list[_Reading]:
        """Return the reading of a hand that stays, if it is of this piece or one before."""
        keys = [
            key
            for key, piece in self.pieces.items()
            if "hands" in piece.rows
            and piece.first_hid <= hid <= piece.last_hid
            and self.ranks.get(key, _LIVE) <= rank
            and hid not in self.dropped.get(key, ())
        ]
        if not keys:
            return []
        found = self.bench.rows(
            f"""SELECT {", ".join(_Reading._fields)} FROM {self._rows_of("hands", keys)}
            WHERE hid = ?""",
            (hid,),
        )
        return [_Reading(*row) for row in found]

    def _let_go_of_stored(self) -> None:
        """Let go of rejected and incomplete texts of hands that a later file has whole."""
        keys = [key for key, piece in self.pieces.items() if "rejected" in piece.rows]
        if not keys:
            return
        found = self.bench.rows(
            f"""SELECT r.key, r.file_id, r.file, r.line, r.reason, a.key, a.hid
            FROM {self._rows_of("rejected", keys)} AS r JOIN arriving AS a
            ON r.site = a.site AND r.hand_no = a.hand_no AND a.rank > r.rank
            WHERE r.reason <> 'conflict'"""
        )
        for *rejected, key, hid in found:
            gone = _Rejected(*rejected)
            if hid not in self.dropped.get(key, ()) and gone not in self.let_go[gone.key]:
                self.let_go[gone.key].add(gone)
                self.changes[gone.file_id][gone.reason] -= 1
        self.let_go = defaultdict(set, {key: gone for key, gone in self.let_go.items() if gone})

    # ---- what is written

    def _written_anew(self) -> list[Piece]:
        """Write the pieces of which something goes, without it."""
        written = [
            write_without(self.bench, self.pieces[key], hids, self.files, self.folder)
            for key, hids in self.dropped.items()
        ]
        written += [
            write_some_apart(
                self.bench, self.pieces[key], [each[1:] for each in gone], self.files, self.folder
            )
            for key, gone in self.let_go.items()
        ]
        return [piece for piece in written if piece]

    def _written_apart(self) -> list[Piece]:
        """Write what was found here: conflicts, and what only several stretches tell together."""
        notes = {
            number: found
            for arrival in self.arrivals
            for number, found in arrival.notes.items()
            if number in self.rows
        }
        listed = [number for number in self.rows if number in notes or number in self.conflicts]
        if not listed:
            return []
        told: list[object] = []
        with Database.in_memory((str(self.folder),)) as database:
            for number, file_id in enumerate(listed):
                conflicts = self.conflicts.get(file_id, [])
                found = [*notes.get(file_id, ()), *(hand.found for hand in conflicts)]
                database.insert_rejected(number, conflicts)
                database.insert_diagnostics(number, found)
                told += [file_id, *found]
            text = repr(told).encode("utf-8", "backslashreplace")
            name = f"settled-{hashlib.blake2b(text, digest_size=8).hexdigest()}"
            return write_pieces(database, name, dict(enumerate(listed)), self.files, self.folder)

    def _file_rows(self) -> dict[int, FileRow]:
        rows = {
            number: self.state.files[number]._replace(rejected=0, incomplete=0, conflicts=0)
            for number in self.forgotten_files
        }
        for number, row in self.rows.items():
            before = self.state.files.get(number)
            rows[number] = row._replace(stored=before.stored if before else 0)
        arrived = "SELECT file_id, count(*) FROM arriving GROUP BY file_id"
        for number, hands in self.bench.rows(arrived):
            self.changes[number]["stored"] += hands
        for number, change in self.changes.items():
            row = rows.get(number) or self.state.files[number]
            counts = {name: getattr(row, name) + by for name, by in change.items()}
            rows[number] = row._replace(**counts)
        counted = {number: _recounted(row) for number, row in rows.items()}
        return {
            number: row
            for number, row in counted.items()
            if not _is_same(row, self.state.files.get(number))
        }

    # ---- reading

    def _rows_of(self, table: str, keys: Iterable[str]) -> str:
        """Return the rows of a table in pieces, with the ``key`` and the ``rank`` of each piece."""
        listed = [*keys]
        paths = [self.files.path(self.pieces[key].path(table)) for key in listed]
        self.bench.rows(
            f"CREATE OR REPLACE TEMP TABLE {table}_pieces AS SELECT unnest(?::VARCHAR[]) AS path, "
            "unnest(?::VARCHAR[]) AS key, unnest(?::INTEGER[]) AS rank",
            (paths, listed, [self.ranks.get(key, _LIVE) for key in listed]),
        )
        return f"({reading(table, paths)} AS rows JOIN {table}_pieces ON rows.filename = path)"


def _is_same(row: FileRow, before: FileRow | None) -> bool:
    return before is not None and row == before._replace(imported_at=row.imported_at)


def _recounted(row: FileRow) -> FileRow:
    apart = row.rejected + row.incomplete + row.conflicts
    return row._replace(duplicates=max(0, row.hands_seen - row.stored - apart))
