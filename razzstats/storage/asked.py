"""Questions in a user's own SQL: what may be asked, what a question reaches, and the answer.

DuckDB's SQL can read and write files, load extensions and reach the network. Several walls stand
before that, each enough alone: the database is read only, only questions are let through and only
as the argument of ``query()``, which takes nothing else, and the connection has its files, its
extensions, its view of Python's variables and its settings locked. A lake's data files are all that
a connection to it can open.
"""

import contextlib
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, NamedTuple, TypeVar

import duckdb

from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.places import WAIT_SECONDS
from razzstats.storage.lake.files import is_lake
from razzstats.storage.lake.views import connect_locked, data_files
from razzstats.storage.opening import (
    SETTINGS,
    Settings,
    connect,
    failure,
    lake_failure,
    quoted,
)

MOST_CHARACTERS = 100_000
"""How long a question may be; DuckDB's parser ends the process on some that are 400,000 long."""

_Result = TypeVar("_Result")

_STACK = 64 << 20  # bytes; elsewhere a thread's own is too small for long questions
_ROWS_AT_A_TIME = 1000
_MOST_LINES, _MOST_OF_A_LINE = 6, 300  # of what DuckDB says about a mistake

_SETTINGS: Settings = {
    # Access to other files is shut below, where one folder may be let through.
    **{name: value for name, value in SETTINGS.items() if name != "enable_external_access"},
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "temp_directory": "",  # what is too big for memory would be written beside the database
}

# What neither Python's values nor a Parquet file hold in full: months become days, nanoseconds
# are cut.
_ONLY_AS_TEXT = re.compile(r"\b(INTERVAL|TIME(STAMP)?(TZ)?_NS|GEOMETRY|VARIANT|UNION)\b")
_WIDE_INTEGER = re.compile(r"\bU?HUGEINT\b")  # Parquet has doubles for them

_EXPLAIN = re.compile(r"\s*EXPLAIN\s+(ANALYZE\s+)?(.*)", re.IGNORECASE | re.DOTALL)

_OUT_OF_REACH = "a question reaches nothing but the database: no file, no network, no extension"

# The file or the machine is to blame for these, for all else the question.
_DAMAGE = (duckdb.IOException, duckdb.InternalException, duckdb.FatalException)


class WrongQuestion(RazzstatsError):
    """A question that is refused or that cannot be answered; the message may have some lines."""


class Column(NamedTuple):
    """A column of an answer."""

    name: str
    """No two columns have the same."""
    type: str
    """As DuckDB writes it: ``DECIMAL(5,2)``."""


class Answer(NamedTuple):
    """What a question brought; the rows are fetched as they are asked for."""

    columns: Sequence[Column]
    renamed: Sequence[str]
    """The names that were given to columns whose name another has."""
    rows: Iterator[tuple[Any, ...]]
    is_plan: bool
    """Whether it is not data but how DuckDB would find them."""


@contextlib.contextmanager
def asked(place: str, question: str, *, wait: float = WAIT_SECONDS) -> Iterator[Answer]:
    """Ask the database at ``place``, which is not open, and yield the answer.

    Raises WrongQuestion, and DatabaseError if the database cannot be read.
    """
    with _locked(place, wait) as connection:
        plan, question = _checked(connection, question)
        with _mistakes_told(place):
            columns = _columns(connection, question)
        if plan:
            with _mistakes_told(place):
                _in_thread(connection, lambda: connection.execute(plan + question))
            shown = [Column(str(name), "VARCHAR") for name, *_ in connection.description or ()]
            yield Answer(shown, [], _rows(connection, place), is_plan=True)
            return
        taken = [
            f"CAST(c{number} AS VARCHAR)" if _ONLY_AS_TEXT.search(column.type) else f"c{number}"
            for number, column in enumerate(columns)
        ]
        renamed = _renamed(connection, question, columns)
        with _mistakes_told(place, place_shown=False):
            _in_thread(connection, lambda: connection.execute(_selected(taken, question)))
        yield Answer(columns, renamed, _rows(connection, place), is_plan=False)


def write_parquet(
    place: str, question: str, stream: BinaryIO, *, wait: float = WAIT_SECONDS
) -> Sequence[str]:
    """Write the answer as Parquet; return the names of columns that had to be renamed.

    Raises as `asked` does.
    """
    with _locked(place, wait) as connection:
        plan, question = _checked(connection, question)
        if plan:
            raise WrongQuestion("EXPLAIN has no data for Parquet; take another --format")
        # What is bound here knows no file at all; below, there is one folder.
        with _mistakes_told(place):
            columns = _columns(connection, question)
        renamed = _renamed(connection, question, columns)
    taken = [
        _for_parquet(f"c{number}", column.type) + " AS " + quoted(column.name, '"')
        for number, column in enumerate(columns)
    ]
    with tempfile.TemporaryDirectory() as folder, _locked(place, wait, folder) as connection:
        path = Path(folder) / "answer.parquet"
        copying = f"COPY ({_selected(taken, question)}) TO {quoted(str(path))} (FORMAT parquet)"
        with _mistakes_told(place, place_shown=False):
            _in_thread(connection, lambda: connection.execute(copying))
        with path.open("rb") as written:
            shutil.copyfileobj(written, stream)
    return renamed


def _for_parquet(name: str, type: str) -> str:
    """Return the column in a type that Parquet holds in full."""
    if type in ("HUGEINT", "UHUGEINT"):  # what sum() makes of whole numbers
        return f"CAST({name} AS DECIMAL(38,0))"
    if _WIDE_INTEGER.search(type) or _ONLY_AS_TEXT.search(type):
        return f"CAST({name} AS VARCHAR)"
    return name


def _selected(taken: Sequence[str], question: str) -> str:
    names = ", ".join(f"c{number}" for number in range(len(taken)))
    return f"SELECT {', '.join(taken)} FROM query({quoted(question)}) AS answer({names})"


# ---- what is let through


def _checked(connection: duckdb.DuckDBPyConnection, text: str) -> tuple[str, str]:
    """Return the words of an EXPLAIN before the question, if any, and the question.

    Raises WrongQuestion if it is no question, or more than one.
    """
    _check_text(text)
    kind = _kind(connection, text)
    explained = _EXPLAIN.fullmatch(text)
    if kind == "EXPLAIN" and explained:
        # The statement is put together anew, as another reading of its comments could hide one.
        plan = "EXPLAIN ANALYZE " if explained[1] else "EXPLAIN "
        text, kind = explained[2], _kind(connection, explained[2])
    else:
        plan = ""
    if kind == "MULTI":
        raise WrongQuestion("PIVOT has to name its values here: PIVOT ... ON column IN (...)")
    if kind != "SELECT":
        raise WrongQuestion(
            "`razzstats sql` only asks, with SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW or "
            f"SUMMARIZE, or EXPLAIN before one of these; this is {kind}"
        )
    return plan, text


def _check_text(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise WrongQuestion(
            f"the question has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read"
        )
    if "\x00" in text:
        raise WrongQuestion("the question has a zero byte in it")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WrongQuestion("the question is not in UTF-8") from None


def _kind(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return what kind of statement the text is; raises WrongQuestion unless it is one."""
    with _mistakes_told(""):
        statements = connection.extract_statements(text)
    if not statements:
        raise WrongQuestion("there is no question: razzstats sql 'SELECT count(*) FROM hands'")
    if len(statements) > 1:
        raise WrongQuestion(f"one question at a time; these are {len(statements)} statements")
    return statements[0].type.name.replace("_", " ")


# ---- the connection


@contextlib.contextmanager
def _locked(
    place: str, wait_seconds: float, folder: str | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that can neither write to the database nor read anything else.

    With ``folder``, files in there are the exception.
    """
    connection = (
        connect_locked(place, _SETTINGS, folder)
        if is_lake(place)
        else _connect_locked(place, wait_seconds, folder)
    )
    try:
        with _ctrl_c_noted():
            yield connection
    finally:
        _close(connection)


@contextlib.contextmanager
def _ctrl_c_noted() -> Iterator[None]:
    """Note Ctrl-C beside raising what it raises.

    An exception is lost where it meets a callback of Python's own, of which an answer without end
    has thousands; what is noted is seen at the next step.
    """

    def note(number: int, frame: FrameType | None) -> None:
        _interrupted.set()
        signal.default_int_handler(number, frame)

    _interrupted.clear()
    is_main = threading.current_thread() is threading.main_thread()  # where signals arrive
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # what another wants of Ctrl-C stays, a shell's too that has it ignored
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_interrupted = threading.Event()
"""Whether Ctrl-C came while the present question was answered: a signal is the process's."""


def _connect_locked(
    place: str, wait_seconds: float, folder: str | None
) -> duckdb.DuckDBPyConnection:
    connection = connect(Path(place), read_only=True, wait=wait_seconds, settings=_SETTINGS)
    if folder is not None:
        connection.execute(f"SET allowed_directories = [{quoted(folder)}]")
    connection.execute("SET enable_external_access = false")
    if folder is None:
        # Else the database's own file and its temporary folder could be read.
        connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    connection.execute("SET lock_configuration = true")
    return connection


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    """Close it, though a question that Ctrl-C ended may still be at its last steps."""
    for _ in range(100):
        try:
            connection.close()
        except duckdb.Error:
            connection.interrupt()
            time.sleep(0.05)
        else:
            return


def _columns(connection: duckdb.DuckDBPyConnection, question: str) -> list[Column]:
    """Return the columns of a question's answer, without answering it."""
    try:
        found = connection.execute(f"DESCRIBE FROM query({quoted(question)})").fetchall()
    except duckdb.InterruptException:
        raise
    except duckdb.Error:
        # Asked as it stands, it fails as well, but with its own line in what is said.
        connection.execute(question)
        raise
    return [Column(name, type) for name, type, *_ in found]


def _renamed(
    connection: duckdb.DuckDBPyConnection, question: str, columns: Sequence[Column]
) -> list[str]:
    try:
        found = connection.execute(f"DESCRIBE {question}").fetchall()
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error:  # what describes something is not described itself
        return []
    names = [name for name, *_ in found]
    if len(names) != len(columns):
        return []
    return [new.name for new, name in zip(columns, names, strict=True) if new.name != name]


def _rows(connection: duckdb.DuckDBPyConnection, place: str) -> Iterator[tuple[Any, ...]]:
    while True:
        with _mistakes_told(place, place_shown=False):
            batch = _in_thread(connection, lambda: connection.fetchmany(_ROWS_AT_A_TIME))
        if not batch:
            return
        yield from batch


def _in_thread(connection: duckdb.DuckDBPyConnection, work: Callable[[], _Result]) -> _Result:
    """Do what may take long in another thread, so that Ctrl-C ends it.

    DuckDB loses the signal if it comes as a question is begun.
    """
    before = threading.stack_size(_STACK)
    try:
        with ThreadPoolExecutor(1) as pool:
            doing = pool.submit(work)
            try:
                while not wait_for([doing], timeout=1).done:  # without one, Windows waits deaf
                    _stop_if_interrupted()
                _stop_if_interrupted()
            except KeyboardInterrupt:
                while not wait_for([doing], timeout=0.05).done:
                    connection.interrupt()
                raise
            return doing.result()
    finally:
        threading.stack_size(before)


def _stop_if_interrupted() -> None:
    if _interrupted.is_set():
        raise KeyboardInterrupt


# ---- what went wrong


@contextlib.contextmanager
def _mistakes_told(place: str, *, place_shown: bool = True) -> Iterator[None]:
    """Turn what DuckDB raises into our errors; with ``place_shown``, show the place in the text."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":  # what DuckDB makes of Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise _told(error, place, place_shown) from None


def _told(error: duckdb.Error, place: str, place_shown: bool) -> RazzstatsError:
    reason = _first_line(error)
    if place and is_lake(place) and (damage := _damage_of_lake(error, place)):
        return damage
    if isinstance(error, duckdb.PermissionException):
        return WrongQuestion(_OUT_OF_REACH)
    if not isinstance(error, _DAMAGE):
        return WrongQuestion(_words(error) if place_shown else reason)
    if "No files found" in reason:  # said of a file of the database that is not there
        return WrongQuestion(_OUT_OF_REACH)
    return failure(f"{place} cannot be used", reason)


def _damage_of_lake(error: duckdb.Error, place: str) -> DatabaseError | None:
    """Return what is wrong with a data file of a lake, if that is what the error is about."""
    said = str(error)
    # A way that leads on from a data file is another file's, of which the question speaks.
    named = next((p for p in data_files(place) if p in said and f"{p}/.." not in said), None)
    if named is not None and isinstance(error, duckdb.PermissionException):
        # A file that is not there is looked for as a folder of files, and those are out of reach.
        return lake_failure(place, duckdb.IOException(f"{named} is missing"))
    if named is not None or type(error) is duckdb.Error or "Traceback" in said:
        return lake_failure(place, error)
    return None


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0][:_MOST_OF_A_LINE]


def _words(error: duckdb.Error) -> str:
    """Return the first lines of what DuckDB says."""
    lines = [line for line in str(error).split("\n") if line.strip()]
    return "\n".join(line[:_MOST_OF_A_LINE] for line in lines[:_MOST_LINES])
