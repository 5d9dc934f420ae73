"""Whether a database is whole: every column can be read, and the tables agree with each other."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from razzstats.errors import DatabaseError
from razzstats.rules.actions import CHOICES
from razzstats.storage.database import TABLES_OF_HANDS, Database
from razzstats.storage.decisions import sql_kinds
from razzstats.storage.lake.pieces import MONTH
from razzstats.storage.lake.views import TABLES_OF_PIECES, Lake, open_lake, reading


class Fault(NamedTuple):
    """Something that no whole database has."""

    table: str
    what: str
    """What is wrong, in words that name no player, and no file but a lake's own."""


class Agreement(NamedTuple):
    """What holds between the tables of a whole database."""

    table: str
    broken: str
    """What it is called where it does not hold, after a number of cases."""
    sql: str
    """The cases: a statement that returns a row each."""


def unreadable_tables(path: Path, *, wait: float) -> list[Fault]:
    """Read every column of every table; return the tables in which that fails.

    DuckDB finds out that bytes have changed when it reads them, and only then. Raises
    DatabaseError if the database cannot even be opened.
    """
    with Database.open(path, read_only=True, wait=wait) as database:
        tables = [str(name) for (name,) in database.rows("SELECT table_name FROM duckdb_tables()")]
    return [fault for table in sorted(tables) for fault in _unreadable(path, table, wait)]


def _unreadable(path: Path, table: str, wait: float) -> Iterator[Fault]:
    # After such an error a connection answers nothing any more: each table has one of its own.
    try:
        with Database.open(path, read_only=True, wait=wait) as database:
            database.rows(f'SELECT bit_xor(hash(COLUMNS(*))) FROM "{table}"')
    except DatabaseError as error:
        yield Fault(table, str(error).replace(str(path), "the database"))


def damaged_files(place: Path) -> list[Fault]:
    """Read every column of every data file of a lake; return those that are not as its log says.

    Raises DatabaseError if the log cannot be read.
    """
    with open_lake(place, is_shown=False) as lake:
        damaged = [table for table in TABLES_OF_PIECES if not _is_whole(lake, table)]
    return [fault for table in damaged for fault in _damaged(place, table)]


def misplaced(lake: Lake) -> list[Fault]:
    """Return whether hands stand among those of another month, where they are not looked for."""
    paths = lake.paths("hands")
    if not paths:
        return []
    ((number,),) = lake.rows(
        f"SELECT count(*) FROM {reading('hands', paths)} WHERE month IS DISTINCT FROM {MONTH}"
    )
    return [Fault("hands", f"{number} hands among those of another month")] if number else []


def _is_whole(lake: Lake, table: str) -> bool:
    expected = {
        path: piece.rows[table]
        for piece, path in zip(lake.pieces_of(table), lake.paths(table), strict=True)
    }
    if not expected:
        return True
    try:
        return _rows_by_file(lake, table, [*expected]) == expected
    except DatabaseError:
        return False


def _rows_by_file(lake: Lake, table: str, paths: list[str]) -> dict[str, int]:
    found = lake.rows(
        f"SELECT filename, count(*), bit_xor(hash({lake.columns(table)})) "
        f"FROM {reading(table, paths)} GROUP BY filename"
    )
    return {name: rows for name, rows, _ in found}


def _damaged(place: Path, table: str) -> Iterator[Fault]:
    lake = open_lake(place, is_shown=False)
    try:
        for piece, path in zip(lake.pieces_of(table), lake.paths(table), strict=True):
            name, expected = piece.path(table), piece.rows[table]
            try:
                rows = _rows_by_file(lake, table, [path]).get(path, 0)
            except DatabaseError as error:
                kind = "is missing" if "No files found" in str(error) else "cannot be read"
                yield Fault(table, f"{name} {kind}")
                lake.close()  # after some errors a connection answers nothing any more
                lake = open_lake(place, is_shown=False)
            else:
                if rows != expected:
                    yield Fault(table, f"{name} has {rows} rows, not {expected}")
    finally:
        lake.close()


def disagreements(database: Database) -> list[Fault]:
    """Return where the tables do not agree; the columns must be readable."""
    counted = (
        (agreement, database.rows(f"SELECT count(*) FROM ({agreement.sql})")[0][0])
        for agreement in AGREEMENTS
    )
    return [Fault(each.table, f"{number} {each.broken}") for each, number in counted if number]


_OF_NO_HAND = tuple(
    Agreement(
        table,
        "rows of no hand",
        f"SELECT hid FROM {table} WHERE hid NOT IN (SELECT hid FROM hands)",
    )
    for table in TABLES_OF_HANDS
    if table != "hands"
)
_OF_NO_FILE = tuple(
    Agreement(
        table,
        "rows of no file",
        f"SELECT file_id FROM {table} WHERE file_id NOT IN (SELECT file_id FROM files)",
    )
    for table in ("hands", "diagnostics", "rejected")
)
_ALWAYS_ONE = """SELECT hid FROM hands LEFT JOIN
    (SELECT hid, count(*) AS rows FROM {table} GROUP BY hid) USING (hid) WHERE rows IS DISTINCT FROM
    {expected}"""

AGREEMENTS: tuple[Agreement, ...] = (
    *_OF_NO_HAND,
    *_OF_NO_FILE,
    Agreement(
        "hand_texts",
        "hands without one text",
        _ALWAYS_ONE.format(table="hand_texts", expected="1"),
    ),
    Agreement(
        "hand_players",
        "hands with another number of players",
        _ALWAYS_ONE.format(table="hand_players", expected="players"),
    ),
    Agreement(
        "hand_players",
        "hands whose chips do not add up",
        """SELECT hid FROM hands JOIN (
            SELECT hid, sum(contributed) AS put_in, sum(collected) AS out, sum(net) AS net
            FROM hand_players GROUP BY hid) USING (hid)
        WHERE put_in <> pot OR out + rake <> pot OR net + rake <> 0""",
    ),
    Agreement(
        "actions",
        "hands without all of their actions",
        """SELECT hid FROM hands LEFT JOIN (
            SELECT hid, count(*) AS rows, max(seq) + 1 AS expected FROM actions GROUP BY hid
            ) USING (hid)
        WHERE rows IS DISTINCT FROM expected OR rows IS NULL""",
    ),
    Agreement(
        "hand_luck",
        "hands that were measured twice",
        "SELECT hid FROM hand_luck GROUP BY hid HAVING count(*) > 1",
    ),
    Agreement(
        "decisions",
        "measured hands without all of their decisions",
        f"""SELECT hid FROM hand_luck
        LEFT JOIN (SELECT hid, count(*) AS made FROM decisions GROUP BY hid) USING (hid)
        LEFT JOIN (SELECT hid, count(*) AS due FROM actions
            WHERE kind IN {sql_kinds(CHOICES)} GROUP BY hid) USING (hid)
        WHERE made IS DISTINCT FROM due""",
    ),
    Agreement(
        "spots",
        "rows of no decision",
        "SELECT hid FROM spots ANTI JOIN decisions USING (hid, seq, seat)",
    ),
    Agreement(
        "files",
        "files of which more or fewer hands are stored than was counted",
        """SELECT file_id FROM files LEFT JOIN (
            SELECT file_id, count(*) AS found FROM hands GROUP BY file_id) USING (file_id)
        WHERE coalesce(found, 0) <> stored""",
    ),
    Agreement(
        "files",
        "files of which more or fewer hands are kept apart than was counted",
        """SELECT file_id FROM files LEFT JOIN (
            SELECT file_id, count(*) AS found FROM rejected GROUP BY file_id) USING (file_id)
        WHERE coalesce(found, 0) <> rejected + incomplete + conflicts""",
    ),
    Agreement(
        "files",
        "files with a hand of which nobody knows what became",
        """SELECT file_id FROM files WHERE duplicates < 0
        OR hands_seen <> stored + duplicates + rejected + incomplete + conflicts""",
    ),
)
"""All that must hold; each is looked for by itself."""
