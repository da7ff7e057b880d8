"""Downloads side by side, with an end to all of them when one thing makes the rest pointless."""

import queue
import threading
from dataclasses import dataclass, field

from fastnav.data.sources.download import Unreachable, download
from fastnav.data.sources.options import Link
from fastnav.data.sources.transfer import Download
from fastnav.errors import FastnavError, OutputError


@dataclass(frozen=True)
class _Pool:
    """Tasks for a few threads, and their results: `None`, or what went wrong."""

    link: Link
    tasks: queue.SimpleQueue[Download] = field(default_factory=queue.SimpleQueue)
    results: queue.SimpleQueue[BaseException | None] = field(default_factory=queue.SimpleQueue)
    given_up: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Take tasks until none is left."""
        while True:
            try:
                item = self.tasks.get_nowait()
            except queue.Empty:
                return
            self.results.put(self._outcome(item))

    def _outcome(self, item: Download) -> BaseException | None:
        try:
            if not self.given_up.is_set():
                download(item, self.link)
        except Unreachable as error:
            self.given_up.set()
            return error
        except BaseException as error:  # a thread's fault belongs to its caller, whatever it is
            return error
        return None


def download_all(items: list[Download], link: Link) -> list[FastnavError]:
    """Download `items`; returns the failures, but raises at once where the disk is at fault.

    When a server cannot be reached, what has not begun is left: it would fail the same, only slowly. The
    threads are daemons and their results are waited for here, so that Ctrl-C is answered at once.
    """
    pool = _Pool(link)
    for item in items:
        pool.tasks.put(item)
    for _ in range(min(link.options.workers, len(items))):
        threading.Thread(target=pool.work, daemon=True).start()
    failures: list[FastnavError] = []
    try:
        for _ in items:
            outcome = pool.results.get()
            if isinstance(outcome, Unreachable) and any(isinstance(each, Unreachable) for each in failures):
                continue  # the downloads that ran beside the first one fail for the same reason
            if isinstance(outcome, FastnavError) and not isinstance(outcome, OutputError):
                failures.append(outcome)
            elif outcome is not None:
                raise outcome
    except BaseException:
        link.stop.set()
        raise
    return failures
