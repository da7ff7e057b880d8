"""A pool of processes that ends soon, and without a word, when its owner is interrupted."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from typing import TypeVar

from fastnav.errors import OutputError

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def spread_over(function: Callable[[T], R], items: Sequence[T], workers: int) -> Iterator[Iterator[R]]:
    """What `function` makes of each item, in their order, worked out by so many processes.

    Ctrl-C reaches this process alone. The others then finish what they have begun, a moment's work, and
    end: to kill one in the middle of handing over its result would leave this one waiting for the rest of it.
    """
    # Spawned, not forked: the caller may have threads (torch has), which do not survive a fork.
    pool = ProcessPoolExecutor(min(workers, len(items)), mp_context=get_context("spawn"))
    try:
        with _deaf_children():
            results = pool.map(function, items)
        yield results
    except BrokenProcessPool:
        raise OutputError(
            "houses: a worker process died (out of memory, or a script that lacks "
            '`if __name__ == "__main__":`); build with workers=1'
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C; one that comes meanwhile reaches this one after it.

    What is blocked is inherited from the first instruction on, before an initializer could run: the
    imports of a new process take longer than most of its work.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # else it is started in the block, and unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
