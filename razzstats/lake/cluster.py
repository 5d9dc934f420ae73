"""The workers of a lake's import: a Dask cluster of this machine, or one that is running."""

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import Any, NamedTuple

from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.processes import out_of_reach_of_ctrl_c
from razzstats.storage import PARSER_VERSION

_START = 10  # seconds in which a scheduler answers
_LOOK = 2  # seconds between two looks for workers that have gone
_TRIES = 10  # workers that may die over one unit, by whatever they die, before it is given up
_GONE = ("failed", "closed")  # what Dask calls them
_LOGS = "distributed"


class Cluster(NamedTuple):
    """Workers, and how many there are."""

    workers: Executor
    number: int

    @property
    def ahead(self) -> int:
        """Return how many units are begun at a time: nobody waits, and memory is bounded."""
        return 2 * self.number + 1


@contextmanager
def local_cluster(jobs: int) -> Iterator[Cluster]:
    """Start so many processes of this machine, and end them; one that dies is replaced."""
    distributed = _distributed()
    with ExitStack() as stack:
        # Workers are begun by the cluster's own thread, those that replace others, too.
        with out_of_reach_of_ctrl_c():
            cluster = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,  # Python reads with one thread of a process at a time
                    host="127.0.0.1",
                    # Nobody looks at the scheduler's pages; its server has to listen somewhere.
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                )
            )
            client = stack.enter_context(distributed.Client(cluster))
        stack.enter_context(_kept_at(cluster, jobs))
        yield Cluster(_executor(client), jobs)


@contextmanager
def _kept_at(cluster: Any, jobs: int) -> Iterator[None]:
    """Start workers in the place of those that have gone.

    Dask starts a worker that dies again, but not one that dies as it starts.
    """
    ended = threading.Event()

    def replace() -> None:
        gone = [name for name, each in cluster.workers.items() if each.status.name in _GONE]
        for name in gone:
            del cluster.workers[name]
            cluster.worker_spec.pop(name, None)
        if len(cluster.workers) < jobs:
            cluster.scale(jobs)

    def keep() -> None:
        while not ended.wait(_LOOK):
            cluster.loop.add_callback(replace)

    keeper = threading.Thread(target=keep, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()


@contextmanager
def running_cluster(address: str) -> Iterator[Cluster]:
    """Use the cluster whose scheduler is at an address, ``tcp://host:8786``.

    Raises DatabaseError if it does not answer or has no worker, RazzstatsError if its workers have
    another version of razzstats.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=_START)
    except (OSError, ValueError, ImportError) as error:
        raise DatabaseError(f"the scheduler {address} does not answer: {error}") from None
    with client:
        versions = client.run(_version)
        if not versions:
            raise DatabaseError(f"the scheduler {address} has no workers")
        here = _version()
        for worker, there in versions.items():
            if there != here:
                raise RazzstatsError(
                    f"the worker {worker} has razzstats {there}; here it is {here}: the rows would "
                    "not be the same"
                )
        yield Cluster(_executor(client), len(versions))


def _executor(client: Any) -> Executor:
    # What a dead worker had begun is begun again elsewhere; what it had done is in the lake.
    executor: Executor = client.get_executor(pure=False)
    return executor


def _version() -> str:
    return f"{version('razzstats')} (parser {PARSER_VERSION})"


def _distributed() -> Any:
    """Return the package, told to look for lost workers and to keep its log to itself."""
    try:
        import dask
        import distributed
    except ImportError:
        raise RazzstatsError(
            "the workers need packages that are not installed: pip install 'razzstats[cluster]'"
        ) from None
    dask.config.set(
        {
            "distributed.deploy.lost-worker-timeout": f"{_LOOK}s",
            "distributed.scheduler.allowed-failures": _TRIES,
        }
    )
    for name in [each for each in logging.root.manager.loggerDict if each.startswith(_LOGS)]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed
