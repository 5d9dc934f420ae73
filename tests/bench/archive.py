"""Databases of very many hands, for benchmarks: few hands are simulated, the others are copies.

Simulated hands are played two hundred a session at tables of several sizes and stakes, imported and
measured. The copies of their rows are made by SQL: each copy follows the one before in time and in
number, and has other opponents by name, with the same cards, decisions, luck and texts, in which
the opponents keep their names.
"""

import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.simulate import DOLLARS, Setup, render_hands, simulate_hands, usual_stakes
from razzstats.storage import Database

SIMULATED = 10_000
HANDS_A_SESSION = 200
SEATS = (2, 6, 6, 6, 8)
SMALL_BETS = (50, 50, 200, 200, 200, 400, 400)  # cents
NAMES = tuple(f"player {number}" for number in range(1, 301))
START = datetime(2015, 1, 1, 19, tzinfo=UTC)
BETWEEN_SESSIONS = timedelta(hours=12)
NUMBERS_A_SESSION = 100_000_000
NUMBERS_A_COPY = 10_000_000_000
NUMBER_BITS = 2**56 - 1  # of a hand's key: its number at its room

COPIED = (
    "hands", "hand_players", "actions", "decisions", "spots", "hand_luck", "player_luck",
    "starting_hands", "hand_texts",
)  # fmt: skip

FLOOR = "SELECT count(*), sum(net / big_bet) FROM hand_players WHERE is_hero"
"""A plain scan of the rows that most tables are about."""


def make_archives(folder: Path, sizes: tuple[int, ...]) -> Iterator[tuple[int, Path]]:
    """Yield a database of each number of hands, all of the same simulated ones."""
    simulated = min(SIMULATED, *sizes)
    first = folder / "simulated.duckdb"
    simulate_archive(first, simulated)
    for hands in sizes:
        path = folder / f"{hands}.duckdb"
        shutil.copyfile(first, path)
        with Database.open(path) as database, database.transaction():
            copy_until(database, hands, simulated)
        yield hands, path


def simulate_archive(path: Path, hands: int) -> None:
    """Make a database of so many simulated hands, measured."""
    with tempfile.TemporaryDirectory() as texts, Database.open(path) as database:
        simulate_into(Path(texts), hands)
        reports = import_paths(database, [texts])
        assert sum(report.stored for report in reports) == hands
        assert measure_hands(database) == hands


def simulate_into(folder: Path, hands: int) -> None:
    """Write the texts of simulated hands, a file a session."""
    for session in range(-(-hands // HANDS_A_SESSION)):
        setup = Setup(
            stakes=usual_stakes(DOLLARS, SMALL_BETS[session % len(SMALL_BETS)]),
            start=START + session * BETWEEN_SESSIONS,
            first_number=NUMBERS_A_COPY + session * NUMBERS_A_SESSION,
            names=NAMES,
        )
        number = min(HANDS_A_SESSION, hands - session * HANDS_A_SESSION)
        played = simulate_hands(number, SEATS[session % len(SEATS)], session, setup)
        text = "".join(render_hands(played))
        (folder / f"session-{session:04}.txt").write_text(text, encoding="utf-8")


def copy_until(database: Database, hands: int, simulated: int) -> None:
    """Copy the rows of all hands, which are simulated, until there are so many."""
    apart = -(-simulated // HANDS_A_SESSION) * BETWEEN_SESSIONS
    for table in COPIED:
        database.rows(f"CREATE TEMP TABLE first_{table} AS SELECT * FROM {table}")
    for copy in range(1, -(-hands // simulated)):
        missing = min(simulated, hands - copy * simulated)
        chosen = f"SELECT hid FROM first_hands ORDER BY played_at, hid LIMIT {missing}"
        for table in COPIED:
            columns = ", ".join(changed_columns(table, copy, apart))
            database.rows(
                f"INSERT INTO {table} BY NAME SELECT * REPLACE ({columns}) FROM first_{table}"
                f" WHERE hid IN ({chosen}) ORDER BY first_{table}.rowid"
            )
    for table in COPIED:
        database.rows(f"DROP TABLE first_{table}")


def changed_columns(table: str, copy: int, apart: timedelta) -> Iterator[str]:
    """Yield as SQL what tells a copy from the first hands."""
    numbers = copy * NUMBERS_A_COPY
    yield f"hid + {numbers} AS hid"
    if table in ("hands", "hand_players"):
        yield f"played_at + to_seconds({copy * apart.total_seconds()}) AS played_at"
    if table == "hands":
        yield f"(hand_no::BIGINT + {numbers})::VARCHAR AS hand_no"
    if table == "hand_texts":
        number = f"(hid & {NUMBER_BITS})"
        yield f"replace(text, '#' || {number}, '#' || ({number} + {numbers})) AS text"
    if table == "hand_players":
        yield f"if(is_hero, name, name || ' of {copy}') AS name"
