"""Rows of a database as the files of a lake, and files of a lake without some of their rows."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from razzstats.errors import DamagedDatabase
from razzstats.storage.database import TABLES_OF_HANDS, Database
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import UNKNOWN_MONTH, Piece
from razzstats.storage.opening import quoted

TABLES_APART = ("diagnostics", "rejected")
"""The tables of what belongs to no stored hand."""

_ORDER = {
    "actions": "hid, seq",
    "decisions": "hid, seq",
    "hand_luck": "hid",
    "hand_players": "hid, seat",
    "hand_texts": "hid",
    "hands": "hid",
    "player_luck": "hid, seat",
    "spots": "hid, seq",
    "starting_hands": "hid, seat",
    "diagnostics": "file_id, line, col, code, message",
    "rejected": "file_id, line, code",
}
"""Rows stand in an order that follows from them: the same hands give the same bytes."""

_OF_PLACE = frozenset(("hands", "hand_players"))  # have the room, of which the folder tells

_FILE_DIGITS = 15  # hexadecimal, of sixty bits

MONTH = f"coalesce(strftime(played_at, '%Y-%m'), '{UNKNOWN_MONTH}')"
"""The month of a hand, as folders are named for it: ``2026-11``."""


def open_bench(files: LakeFiles, folder: Path) -> Database:
    """Open a database in memory that can read the files of a lake and write in a folder."""
    return Database.in_memory((files.path("tables"), str(folder)), files.filesystem)


def write_pieces(
    database: Database, name: str, file_ids: Mapping[int, int], files: LakeFiles, folder: Path
) -> list[Piece]:
    """Write all hands of a database, and what was kept apart, as pieces of one name.

    The database must be able to write in ``folder``; ``file_ids`` says what the lake calls its
    files. What was kept apart has a piece for each file. Nothing is in the lake before its log
    says so.
    """
    writing = _Writing(database, files, folder)
    database.rows(
        "CREATE OR REPLACE TEMP TABLE of_lake AS SELECT unnest(?::INTEGER[]) AS number, "
        "unnest(?::BIGINT[]) AS file_id",
        ([*file_ids.keys()], [*file_ids.values()]),
    )
    pieces = []
    for site, month, first, last in database.rows(
        f"SELECT site, {MONTH}, min(hid), max(hid) FROM hands GROUP BY ALL ORDER BY ALL"
    ):
        database.rows(
            f"CREATE OR REPLACE TEMP TABLE of_piece AS SELECT hid FROM hands "
            f"WHERE site = ? AND {MONTH} = ?",
            (site, month),
        )
        chosen = {
            table: f"SELECT {_columns(table)} FROM {table} WHERE hid IN (SELECT hid FROM of_piece)"
            for table in TABLES_OF_HANDS
        }
        pieces.append(writing.piece(Piece(name, site, month, {}, first, last), chosen))
    for number, file_id in file_ids.items():
        chosen = {
            table: f"SELECT {_columns(table)} FROM {table} WHERE file_id = {number}"
            for table in TABLES_APART
            if database.rows(f"SELECT 1 FROM {table} WHERE file_id = {number} LIMIT 1")
        }
        pieces.append(writing.piece(Piece(name_apart(file_id, name), None, None, {}), chosen))
    return [piece for piece in pieces if piece.rows]


def name_apart(file_id: int, name: str) -> str:
    """Return the name of a piece of what was kept apart of a file."""
    return f"{file_id:0{_FILE_DIGITS}x}-{name}"


def file_of_apart(piece: Piece) -> int:
    """Return the number of the file of which a piece tells that has no hands."""
    return int(piece.name[:_FILE_DIGITS], 16)


def write_without(
    bench: Database, piece: Piece, hids: Iterable[int], files: LakeFiles, folder: Path
) -> Piece | None:
    """Write a piece anew without some of its hands; return it, or None if nothing is left."""
    gone = sorted(hids)
    bench.rows("CREATE OR REPLACE TEMP TABLE gone AS SELECT unnest(?::BIGINT[]) AS hid", (gone,))
    renamed = Piece(
        _renamed(piece, gone), piece.site, piece.month, {}, piece.first_hid, piece.last_hid
    )
    chosen = {
        table: f"SELECT * FROM read_parquet({quoted(files.path(piece.path(table)))}, "
        "hive_partitioning = false) WHERE hid NOT IN (SELECT hid FROM gone)"
        for table in piece.rows
    }
    written = _Writing(bench, files, folder).piece(renamed, chosen)
    return written if written.rows else None


def write_some_apart(
    bench: Database, piece: Piece, gone: Sequence[tuple[int, str, int, str]], files: LakeFiles,
    folder: Path,
) -> Piece | None:  # fmt: skip
    """Write a piece anew without some rejected hands; return it, or None if nothing is left.

    They are told by their ``file_id``, ``file``, ``line`` and ``reason``.
    """
    bench.rows(
        "CREATE OR REPLACE TEMP TABLE gone AS SELECT unnest(?::BIGINT[]) AS file_id, "
        "unnest(?::VARCHAR[]) AS file, unnest(?::INTEGER[]) AS line, "
        "unnest(?::VARCHAR[]) AS reason",
        [list(column) for column in zip(*gone, strict=True)],
    )
    renamed = Piece(_renamed(piece, sorted(gone)), None, None, {})
    chosen = {
        table: f"SELECT * FROM read_parquet({quoted(files.path(piece.path(table)))}) AS found"
        + (" ANTI JOIN gone USING (file_id, file, line, reason)" if table == "rejected" else "")
        for table in piece.rows
    }
    written = _Writing(bench, files, folder).piece(renamed, chosen)
    return written if written.rows else None


def write_together(
    bench: Database, pieces: Sequence[Piece], parts: int, files: LakeFiles, folder: Path
) -> list[Piece]:
    """Write the rows of pieces of one place as so many larger ones, hand by hand.

    Pieces of what was kept apart must be of one file. Raises DatabaseError if a data file has not
    the rows of which the log tells.
    """
    first = pieces[0]
    told = repr((parts, [piece.name for piece in pieces]))
    name = f"together-{hashlib.blake2b(told.encode(), digest_size=12).hexdigest()}"
    if first.site is None:
        spans = [(name_apart(file_of_apart(first), name), 0, 0)]
    else:
        spans = [
            (f"{name}-{number}", *span)
            for number, span in enumerate(_spans(bench, pieces, parts, files))
        ]
    written = [
        _written_together(bench, pieces, Piece(each, first.site, first.month, {}, *span), files,
                          folder)
        for each, *span in spans
    ]  # fmt: skip
    _check_all_there(pieces, written, files)
    return written


def _spans(
    bench: Database, pieces: Sequence[Piece], parts: int, files: LakeFiles
) -> list[tuple[int, int]]:
    found = bench.rows(
        f"""SELECT min(hid), max(hid) FROM (
            SELECT hid, ntile({parts}) OVER (ORDER BY hid) AS part
            FROM {_together(pieces, "hands", files)}
        ) GROUP BY part ORDER BY part"""
    )
    return [(first, last) for first, last in found]


def _written_together(
    bench: Database, pieces: Sequence[Piece], target: Piece, files: LakeFiles, folder: Path
) -> Piece:
    between = f" WHERE hid BETWEEN {target.first_hid} AND {target.last_hid}"
    chosen = {
        table: f"SELECT * FROM {_together(pieces, table, files)}"
        + ("" if target.site is None else between)
        for table in sorted({table for piece in pieces for table in piece.rows})
    }
    return _Writing(bench, files, folder).piece(target, chosen)


def _together(pieces: Sequence[Piece], table: str, files: LakeFiles) -> str:
    paths = [quoted(files.path(piece.path(table))) for piece in pieces if table in piece.rows]
    return f"read_parquet([{', '.join(paths)}], hive_partitioning = false)"


def _check_all_there(before: Sequence[Piece], after: Sequence[Piece], files: LakeFiles) -> None:
    due, there = Counter[str](), Counter[str]()
    for pieces, counted in ((before, due), (after, there)):
        for piece in pieces:
            counted.update(piece.rows)
    if due != there:
        tables = ", ".join(sorted(table for table in due if due[table] != there[table]))
        raise DamagedDatabase(
            f"the lake {files.place} is damaged: there are other rows than its log says in {tables}"
        )


def _renamed(piece: Piece, gone: Sequence[object]) -> str:
    digest = hashlib.blake2b(repr((piece.name, gone)).encode(), digest_size=8).hexdigest()
    return f"{piece.name.partition('~')[0]}~{digest}"


def _columns(table: str) -> str:
    left_out = " EXCLUDE (site)" if table in _OF_PLACE else ""
    number = f"(SELECT file_id FROM of_lake WHERE number = {table}.file_id)"
    of_file = table in ("hands", *TABLES_APART)
    return f"*{left_out}" + (f" REPLACE ({number} AS file_id)" if of_file else "")


class _Writing:
    """Writes files beside the lake and moves each to its place."""

    def __init__(self, database: Database, files: LakeFiles, folder: Path) -> None:
        self._database = database
        self._files = files
        self._folder = folder

    def piece(self, piece: Piece, chosen: Mapping[str, str]) -> Piece:
        """Write the rows of a piece, table by table, as statements choose them."""
        rows = {}
        for table, statement in chosen.items():
            file = self._folder / f"{table}.parquet"
            ((count,),) = self._database.rows(
                f"COPY ({statement} ORDER BY {_ORDER[table]}) TO {quoted(str(file))} "
                "(FORMAT parquet, COMPRESSION zstd)"
            )
            if count:
                self._files.put(file, piece.path(table))
                rows[table] = int(count)
        return Piece(piece.name, piece.site, piece.month, rows, piece.first_hid, piece.last_hid)
