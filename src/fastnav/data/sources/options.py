"""What the parts of a download share: its options, and whom to tell how far it is."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

#: Called with a file's name, the bytes that are here, and the bytes in all where the server says so.
Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class FetchOptions:
    """How patiently to download. `backoff` seconds before the first retry, twice that before the next."""

    timeout: float = 30.0
    retries: int = 4
    backoff: float = 0.5
    workers: int = 4


@dataclass(frozen=True)
class Link:
    """One run's options and callback, shared by its threads; `stop` ends all of them."""

    options: FetchOptions
    progress: Progress | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, name: str, done: int, total: int | None) -> None:
        """Report progress; callbacks need not be thread-safe."""
        if self.progress is not None:
            with self._lock:
                self.progress(name, done, total)

    def pause(self, attempt: int) -> None:
        """Wait before retry number `attempt`, unless everything is to stop."""
        self.stop.wait(self.options.backoff * 2 ** (attempt - 1))
