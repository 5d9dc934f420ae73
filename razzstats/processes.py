"""Work given to other processes, and taken from them in the order in which it was given."""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

_T = TypeVar("_T")


def processes(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of so many processes, each begun when it is needed.

    They are fresh ones, no forks: an open database has threads, which no fork survives whole.
    """
    return ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
    )


def _end_with_parent() -> None:
    """End this process when the one for which it works is gone, if only by a kill."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def begun_ahead(items: Iterable[_T], number: int) -> Iterator[_T]:
    """Yield the items in order, each when so many behind it have been taken, too.

    With items that begin something when they are taken, so much is under way at a time.
    """
    waiting = deque[_T]()
    for item in items:
        waiting.append(item)
        if len(waiting) > number:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()
