"""Commands that are killed, or run out of room, at chosen moments; and what must hold after it.

Run as a program it is a server: it loads razzstats once, forks for each command that it is asked to
run, and tells how that ended. So a command costs what it does and not what loading it costs, and a
crash of DuckDB's would end a child alone.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

TRIALS = int(os.environ.get("RAZZSTATS_TRIALS", "1"))
"""How many times as many trials the slow tests make as they usually do."""

TIMEOUT = 60.0  # seconds; a command that takes longer hangs
HANGS = "hangs"


class Ended(NamedTuple):
    """How a command ended."""

    code: int | None
    """The exit code, if it came to its end by itself."""
    signal: int | None
    """The signal that ended it."""
    out: str
    err: str
    seconds: float
    states: list[str]
    """What was in the database when it was opened and after each commit, as `state_of` tells it."""
    hung: bool
    """Whether it was ended because it took too long."""

    @property
    def is_one_sentence(self) -> bool:
        """Whether standard error has a sentence of razzstats' and nothing else."""
        return self.err.startswith("razzstats: ") and self.err.count("\n") == 1


class Commands:
    """Runs commands in processes of their own. Use as a context manager."""

    def __init__(self, **variables: str) -> None:
        """Prepare to begin the server, with these variables of the environment."""
        self._variables = variables

    def __enter__(self) -> Self:
        """Begin the server."""
        from cli import environment

        self._server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(OPENBLAS_NUM_THREADS="1", **self._variables),
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server."""
        with self._server:
            assert self._server.stdin is not None
            self._server.stdin.close()

    def run(
        self,
        *arguments: str | Path,
        batch: int | None = None,
        kill_after: float | None = None,
        room: int | None = None,
        with_states: bool = False,
    ) -> Ended:
        """Run `razzstats ARGUMENTS`.

        ``batch`` is how many hands are written in a transaction, and three times as many measured
        in one. After ``kill_after`` seconds it is killed.
        No file may grow beyond ``room`` bytes. ``with_states`` has the states told.
        """
        return self._ask(
            arguments=[*map(str, arguments)],
            batch=batch,
            kill_after=kill_after,
            room=room,
            with_states=with_states,
        )

    def open(
        self,
        path: Path,
        *,
        kill_after: float | None = None,
        die_in_step: tuple[int, str] | None = None,
    ) -> Ended:
        """Open a database for writing, and close it.

        With ``die_in_step`` it kills itself when that field of the migration with that version is
        asked for.
        """
        return self._ask(open=str(path), kill_after=kill_after, die_in_step=die_in_step)

    def _ask(self, **asked: Any) -> Ended:
        stdin, stdout = self._server.stdin, self._server.stdout
        assert stdin is not None
        assert stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            for name in ("out", "err", "states"):
                (Path(folder) / name).touch()
            stdin.write(json.dumps({**asked, "folder": folder}) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline())
            return Ended(
                **answer,
                out=(Path(folder) / "out").read_text(errors="replace"),
                err=(Path(folder) / "err").read_text(errors="replace"),
                states=(Path(folder) / "states").read_text().splitlines(),
            )


# ---- what is in a database


def tables_of(database: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, in an order that depends on nothing but them."""
    names = database.rows("SELECT table_name FROM duckdb_tables() ORDER BY ALL")
    return {name: database.rows(f"SELECT * FROM {name} ORDER BY ALL") for (name,) in names}


_TIMES = {"files": "imported_at", "schema_migrations": "applied_at"}


def state_of(database: Any) -> str:
    """Return what tells one content of all tables from another, whenever it was written."""
    parts = []
    for (name,) in database.rows("SELECT table_name FROM duckdb_tables() ORDER BY ALL"):
        but = f"EXCLUDE ({_TIMES[name]})" if name in _TIMES else ""
        ((rows, digest),) = database.rows(
            f"SELECT count(*), bit_xor(hash(x)) FROM (SELECT * {but} FROM {name}) AS x"
        )
        parts.append(f"{name} {rows} {digest}")
    return ", ".join(parts)


_OF_FILES = "LEFT JOIN (SELECT file_id, path FROM files) AS f USING (file_id)"
_COUNTS = "hands_seen, stored, duplicates, conflicts, rejected, other_games, incomplete, warnings"


def content(database: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Return what a database tells its user: all tables, but for times and numbers of files."""
    tables = {name: rows for name, rows in tables_of(database).items() if name not in _TIMES}
    for name in ("hands", "diagnostics", "rejected"):
        tables[name] = database.rows(
            f"SELECT path, * EXCLUDE (file_id, path) FROM {name} {_OF_FILES} ORDER BY ALL"
        )
    tables["files"] = database.rows(
        f"SELECT path, sha256, size_bytes, status, error, {_COUNTS} FROM files ORDER BY ALL"
    )
    return tables


_ONLY_OF_HANDS = (
    "hand_players", "actions", "hand_texts", "hand_luck", "player_luck", "starting_hands",
    "decisions", "spots",
)  # fmt: skip

INVARIANTS = {
    **{
        f"{table} has rows of stored hands alone": f"""SELECT DISTINCT hid FROM {table}
        WHERE hid NOT IN (SELECT hid FROM hands)"""
        for table in _ONLY_OF_HANDS
    },
    "every hand is stored once": "SELECT hid FROM hands GROUP BY hid HAVING count(*) > 1",
    "every hand has one text": """SELECT hid FROM hands LEFT JOIN hand_texts AS t USING (hid)
        GROUP BY hid HAVING count(t.hid) <> 1""",
    "every hand has its players": """SELECT h.hid FROM hands AS h LEFT JOIN hand_players AS p
        USING (hid) GROUP BY h.hid, h.players
        HAVING count(p.hid) <> h.players OR count(DISTINCT p.seat) <> h.players""",
    "every hand has its actions": """SELECT h.hid FROM hands AS h LEFT JOIN actions AS a
        USING (hid) GROUP BY h.hid HAVING count(a.hid) = 0 OR max(a.seq) <> count(*) - 1
        OR count(DISTINCT a.seq) <> count(*)""",
    "a player's net is what he collected less what he put in": """SELECT hid, seat
        FROM hand_players WHERE net <> collected - contributed""",
    "what all put in is the pot": """SELECT h.hid FROM hands AS h JOIN hand_players AS p
        USING (hid) GROUP BY h.hid, h.pot HAVING sum(p.contributed) <> h.pot""",
    "what all won and the rake is nothing": """SELECT h.hid FROM hands AS h JOIN hand_players AS p
        USING (hid) GROUP BY h.hid, h.rake HAVING sum(p.net) + h.rake <> 0""",
    "every stored hand is of a known file": """SELECT hid FROM hands
        WHERE file_id NOT IN (SELECT file_id FROM files)""",
    "every finding is of a known file": """SELECT * FROM diagnostics
        WHERE file_id NOT IN (SELECT file_id FROM files)""",
    "every rejected text is of a known file": """SELECT * FROM rejected
        WHERE file_id NOT IN (SELECT file_id FROM files)""",
    "a file is known once by its number": """SELECT file_id FROM files GROUP BY file_id
        HAVING count(*) > 1""",
    "the hands of a file that is done add up": """SELECT path FROM files WHERE status = 'done'
        AND hands_seen <> stored + duplicates + conflicts + rejected + incomplete""",
    "a hand is measured once": "SELECT hid FROM hand_luck GROUP BY hid HAVING count(*) > 1",
    "a measured hand has its decisions": """SELECT hid FROM hand_luck WHERE hid IN (
        SELECT hid FROM actions WHERE kind IN ('fold', 'check', 'call', 'complete', 'bet', 'raise'))
        AND hid NOT IN (SELECT hid FROM decisions)""",
    "only measured hands have decisions": """SELECT hid FROM decisions
        WHERE hid NOT IN (SELECT hid FROM hand_luck)""",
    "only measured hands have ratings": """SELECT hid FROM starting_hands
        WHERE hid NOT IN (SELECT hid FROM hand_luck)""",
    "what is measured in a hand is in its players": """SELECT hid FROM player_luck AS l
        WHERE NOT EXISTS (SELECT 1 FROM hand_players AS p WHERE p.hid = l.hid AND p.seat = l.seat)
        OR hid NOT IN (SELECT hid FROM hand_luck WHERE measured)""",
}
"""Questions by what holds in every whole database; each finds what breaks it."""


def broken_invariants(database: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Return what does not hold, and for which rows."""
    found = {name: database.rows(sql) for name, sql in INVARIANTS.items()}
    return {name: rows for name, rows in found.items() if rows}


# ---- the server


def _serve() -> None:
    import pandas  # noqa: F401  (what commands load late is loaded before they fork)
    import plotly  # noqa: F401

    import razzstats.cli.app
    import razzstats.importing
    import razzstats.measuring
    import razzstats.reports.page
    import razzstats.stats.tables  # noqa: F401

    _read_once()
    for line in sys.stdin:
        asked = json.loads(line)
        begin = time.perf_counter()
        child = os.fork()
        if child == 0:
            _be_command(asked)
        status, hung = _wait(child, begin, asked.get("kill_after"))
        answer = {
            "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "seconds": time.perf_counter() - begin,
            "hung": hung,
        }
        print(json.dumps(answer), flush=True)


def _read_once() -> None:
    """Read a file, so that no command has to make what reading needs, its grammar above all."""
    from conftest import TWELVE

    from razzstats.batches import read_batches

    for _ in read_batches(str(TWELVE), 1):
        pass


def _wait(child: int, begin: float, kill_after: float | None) -> tuple[int, bool]:
    """Wait until the child ends or must be ended; return its status and whether it hung."""
    last = begin + (TIMEOUT if kill_after is None else kill_after)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status, False
        left = last - time.perf_counter()
        if left <= 0:
            break
        time.sleep(min(left, 0.002))
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    _end_group(child)  # the processes that read for it
    return status, kill_after is None


def _end_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return


def _be_command(asked: dict[str, Any]) -> None:
    """Run one command in this process, and end the process with it."""
    folder = asked["folder"]
    os.setsid()
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _prepare(asked)
    code: Any = 70
    try:
        _run(asked)
        code = 0
    except SystemExit as left:
        code = left.code
    except BaseException:
        import traceback

        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 70)


def _run(asked: dict[str, Any]) -> None:
    from razzstats.cli.app import main
    from razzstats.storage import Database

    if "open" in asked:
        Database.open(Path(asked["open"])).close()
    else:
        sys.argv = ["razzstats", *asked["arguments"]]
        main()


_BATCH = "RAZZSTATS_TEST_BATCH"  # a variable, so that processes that read for a command have it too


def _set_batch() -> None:
    import razzstats.batches
    import razzstats.measuring

    if batch := os.environ.get(_BATCH):
        razzstats.batches.BATCH = int(batch)
        razzstats.measuring._BATCH = 3 * int(batch)


def _prepare(asked: dict[str, Any]) -> None:
    if asked.get("batch"):
        os.environ[_BATCH] = str(asked["batch"])
        _set_batch()
    if asked.get("die_in_step"):
        _die_in_step(*asked["die_in_step"])
    if asked.get("with_states"):
        _write_states(f"{asked['folder']}/states")
    if asked.get("room"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (asked["room"], asked["room"]))


class _Deadly:
    """A migration that kills who asks for one of its fields."""

    def __init__(self, step: Any, deadly: str) -> None:
        self._step = step
        self._deadly = deadly

    def __getattr__(self, name: str) -> Any:
        if name == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return getattr(self._step, name)


def _die_in_step(version: int, deadly: str) -> None:
    from razzstats.storage import database
    from razzstats.storage.migrations import MIGRATIONS

    steps = [_Deadly(step, deadly) if step.version == version else step for step in MIGRATIONS]
    vars(database)["MIGRATIONS"] = tuple(steps)


def _write_states(path: str) -> None:
    """Write down what is in the database when it is opened and after each commit."""
    from razzstats.storage import Database

    out = os.open(path, os.O_WRONLY | os.O_APPEND)
    transaction: Callable[[Database], Any] = Database.transaction

    @contextmanager
    def told(self: Database) -> Iterator[None]:
        if os.fstat(out).st_size == 0:
            os.write(out, f"{state_of(self)}\n".encode())
        with transaction(self):
            yield
        os.write(out, f"{state_of(self)}\n".encode())

    Database.transaction = told  # type: ignore[method-assign]


if __name__ == "__main__":
    _serve()
elif __name__ == "__mp_main__":
    _set_batch()
