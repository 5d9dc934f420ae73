"""Work given to other processes, and taken from them in the order in which it was given."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, TypeVar

_T = TypeVar("_T")


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Yield a pool of so many processes, each begun when it is needed.

    They are fresh ones, no forks: an open database has threads, which no fork survives whole. When
    the work is broken off, what is begun is done to its end, and all else is let go.
    """
    pool = _Pool(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_belong_to_parent
    )
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def out_of_reach_of_ctrl_c() -> Iterator[None]:
    """Keep Ctrl-C from what is begun meanwhile, threads and processes alike.

    A terminal's Ctrl-C goes to every process of a command; the one that began the others decides
    what becomes of their work. To that one it comes when this ends. Windows has no such thing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python begins this helper with its first process, and undoes what is set here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Begin a process if there is none for the work."""
        with out_of_reach_of_ctrl_c():
            return super().submit(fn, *args, **kwargs)


def _belong_to_parent() -> None:
    """End this process when the one for which it works is gone, if only by a kill."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it is not out of its reach already
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
