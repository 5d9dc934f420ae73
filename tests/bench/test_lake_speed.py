"""What importing into a lake costs: workers beside one another, and hands by the hundred thousand.

``pytest -m bench -s tests/bench/test_lake_speed.py`` prints the table; no time decides a test. The
numbers of hands are RAZZSTATS_LAKE, 10,000 and 40,000 if it is not set; each is imported with one
worker and with two. Hands are simulated anew, 2,000 a file, unless RAZZSTATS_LAKE_HANDS names a
folder of such files.
"""

import os
import resource
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from razzstats.lake.cluster import local_cluster
from razzstats.lake.importing import import_to_lake
from razzstats.simulate import DOLLARS, Setup, render_hands, simulate_hands, usual_stakes
from razzstats.storage.lake.files import files_at

pytestmark = pytest.mark.bench

T = TypeVar("T")

SIZES = tuple(map(int, os.environ.get("RAZZSTATS_LAKE", "10000,40000").split(",")))
HANDS = os.environ.get("RAZZSTATS_LAKE_HANDS")
HANDS_A_FILE = 2_000
WORKERS = (1, 2)


class Used(NamedTuple):
    """What a worker used up so far."""

    process: int
    seconds: float
    """Of the processor."""
    peak: int
    """Megabytes."""


class Watched(Executor):
    """Workers who tell at each work what they have used up so far."""

    def __init__(self, workers: Executor) -> None:
        self._workers = workers
        self.used: dict[int, Used] = {}
        self.peaks: list[int] = []
        """Megabytes of the worker that took most so far, after each work."""

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        told: Future[T] = Future()

        def pass_on(done: "Future[tuple[T, Used]]") -> None:
            try:
                result, used = done.result()
            except BaseException as error:
                told.set_exception(error)
            else:
                self.used[used.process] = used
                self.peaks.append(max(each.peak for each in self.used.values()))
                told.set_result(result)

        self._workers.submit(_measured, work, *args, **kwargs).add_done_callback(pass_on)
        return told


def _measured(work: Callable[..., T], *args: Any, **kwargs: Any) -> tuple[T, Used]:
    result = work(*args, **kwargs)
    use = resource.getrusage(resource.RUSAGE_SELF)
    return result, Used(os.getpid(), use.ru_utime + use.ru_stime, use.ru_maxrss >> 10)


class Measured(NamedTuple):
    """One import."""

    hands: int
    workers: int
    seconds: float
    busy: float
    """Seconds of the processor that all workers took."""
    peaks: list[int]
    """Megabytes of the worker that took most, after each quarter of the works."""
    master: float
    """Seconds of the processor that the process took which writes the log."""
    size: int
    """Bytes of the lake's data files."""


def histories(folder: Path, hands: int) -> list[str]:
    if HANDS:
        return sorted(map(str, Path(HANDS).rglob("*.txt")))[: hands // HANDS_A_FILE]
    for number in range(hands // HANDS_A_FILE):
        file = folder / f"table {number:03}.txt"
        if not file.exists():
            setup = Setup(
                stakes=usual_stakes(DOLLARS, (4, 20, 100)[number % 3]),
                names=tuple(f"player {name}" for name in range(300)),
                start=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=35 * number),
                first_number=1_000_000_000 * (number + 1),
            )
            simulated = simulate_hands(HANDS_A_FILE, 2 + number % 7, number, setup)
            file.write_text("".join(render_hands(simulated)), encoding="utf-8", newline="\n")
    return sorted(map(str, folder.glob("*.txt")))[: hands // HANDS_A_FILE]


def measure(files: list[str], lake: Path, workers: int) -> Measured:
    shutil.rmtree(lake, ignore_errors=True)
    with local_cluster(workers) as cluster:
        watched = Watched(cluster.workers)
        begin, busy = time.perf_counter(), time.process_time()
        reports = import_to_lake(files, files_at(lake), watched, ahead=cluster.ahead)
        seconds, busy = time.perf_counter() - begin, time.process_time() - busy
    return Measured(
        hands=sum(report.stored for report in reports),
        workers=workers,
        seconds=seconds,
        busy=sum(used.seconds for used in watched.used.values()),
        peaks=[watched.peaks[len(watched.peaks) * part // 4 - 1] for part in (1, 2, 3, 4)],
        master=busy,
        size=sum(file.stat().st_size for file in (lake / "tables").rglob("*.parquet")),
    )


def test_what_a_lake_costs(tmp_path: Path) -> None:
    found = []
    for hands in SIZES:
        files = histories(tmp_path, hands)
        for workers in WORKERS:
            found.append(measure(files, tmp_path / "lake", workers))
            print_table(found[-1:], header=len(found) == 1)
    alone = {each.hands: each.seconds for each in found if each.workers == 1}
    for each in found:
        if each.workers > 1:
            faster = alone[each.hands] / each.seconds
            print(f"{each.hands:,} hands: {each.workers} workers are {faster:.2f} times as fast")
    assert all(each.hands == hands for each, hands in zip(found[::2], SIZES, strict=True))


def print_table(measured: list[Measured], *, header: bool) -> None:
    if header:
        print(
            "\n    hands workers  seconds  hands/s  ms of a worker  of the master  bytes"
            "  peak MB after each quarter"
        )
    for each in measured:
        hands = each.hands
        print(
            f"{hands:9,} {each.workers:7} {each.seconds:8.1f} {hands / each.seconds:8.0f} "
            f"{1e3 * each.busy / hands:15.3f} {1e3 * each.master / hands:14.4f} "
            f"{each.size / hands:6.0f}  {each.peaks}",
            flush=True,
        )
