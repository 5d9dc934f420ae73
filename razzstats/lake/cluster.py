"""The workers of a lake's import: a Dask cluster of this machine, or one that is running."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, NamedTuple

from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.storage import PARSER_VERSION

_START = 30  # seconds in which a scheduler answers


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
    """Start so many processes of this machine, and end them."""
    distributed = _distributed()
    with (
        distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,  # Python reads with one thread of a process at a time
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield Cluster(_executor(client), jobs)


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
    try:
        import distributed
    except ImportError:
        raise RazzstatsError(
            "the workers need packages that are not installed: pip install 'razzstats[cluster]'"
        ) from None
    return distributed
