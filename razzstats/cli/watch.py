"""`razzstats watch`: hand histories are imported while a client writes them."""

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    VariantOption,
    files_in_words,
    hands_in_words,
    remark,
    rule_set,
    utc_now,
    wait_seconds,
    writable_database,
)
from razzstats.known_sites import SITE_TITLES

if TYPE_CHECKING:
    from razzstats.watching import Turn, Watch


class WatchFormat(StrEnum):
    """How new hands are told on standard output."""

    TABLE = "table"
    JSONL = "jsonl"


_PATIENCE = 1.0  # seconds of waiting for the database in one turn; the next one tries again
_PAUSE = 0.2  # seconds between two turns while files wait: a report gets its chance


def run(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DIR...]",
            help="Folders (with all below them), files or globs. Without any: the folders of your "
            "settings, or those of the rooms.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
    every: Annotated[
        float, typer.Option(min=0.1, max=3600, help="Seconds between two looks at the folders.")
    ] = 2.0,
    format: Annotated[
        WatchFormat, typer.Option(help="How to tell of new hands: to people, or to programs.")
    ] = WatchFormat.TABLE,
) -> None:
    """Import what appears and grows in folders, until interrupted.

    Ctrl-C, or a request of the system to end, stops it when the present batch of hands is stored.
    The database is open for moments only, so that reports can be asked for meanwhile. Folders are
    looked at every other second, which works on network drives, too; one that is away may come
    back.
    """
    from razzstats.watching import Watch

    rules = rule_set(variant)
    database = writable_database(db)
    if not paths:
        from razzstats.cli.first_run import paths_to_import

        paths = paths_to_import()
    stop = threading.Event()
    watch = Watch(
        paths,
        database,
        rules,
        wait=min(wait_seconds(), _PATIENCE),
        is_stopped=stop.is_set,
    )
    with _stopping(stop):
        remark(f"watching; the database is {watch.database}; Ctrl-C stops")
        stored = _watch(watch, stop, every, format)
    remark(f"stopped; {hands_in_words(stored)} stored")


@contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    """Let signals stop the watch; a second one ends it at once."""

    def end(number: int, frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(watch: "Watch", stop: threading.Event, every: float, format: WatchFormat) -> int:
    """Look again and again; return how many hands were stored."""
    from razzstats.storage import InUse
    from razzstats.watching import Stopped

    stored = 0
    is_waiting = False
    while not stop.is_set():
        left = 0
        try:
            turn = watch.turn()
        except InUse as error:
            if not is_waiting:
                remark(f"{error}: it is tried again until then")
            is_waiting = True
        except Stopped as stopped:
            stored += stopped.stored
        else:
            is_waiting = False
            stored += turn.stored
            left = turn.left
            _tell(turn, format)
        stop.wait(_PAUSE if left else every)
    return stored


def _tell(turn: "Turn", format: WatchFormat) -> None:
    """Tell of a turn, if there is anything to tell."""
    from razzstats.diagnostics.render import render_concise
    from razzstats.diagnostics.visible import visible

    for found in (*turn.missing, *turn.findings):
        if found.severity != "note":
            remark(render_concise(found, SITE_TITLES))
    new = [report for report in turn.reports if report.stored]
    if not new:
        return
    now = utc_now()
    if format is WatchFormat.JSONL:
        files = [report.file for report in new]
        record = {"time": now.isoformat(timespec="seconds"), "stored": turn.stored, "files": files}
        print(json.dumps(record))
    else:
        where = new[0].file if len(new) == 1 else files_in_words(len(new))
        clock = now.astimezone().strftime("%H:%M:%S")
        print(visible(f"{clock}  {hands_in_words(turn.stored)} stored from {where}"))
    sys.stdout.flush()  # who reads the output reads it now
