"""Running one command in this process: what it printed, how it ended, and what should never have come out."""

import contextlib
import io
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any

from fastnav.cli import run
from fastnav.cli.console import complain
from fastnav.data.captions import read_captions
from fastnav.data.connectivity import read_scan_names
from fastnav.data.houses import HousesConfig
from fastnav.data.objects import read_objects
from fastnav.data.sources.options import Link
from fastnav.errors import FastnavError
from fastnav.evaluation.record import read_record

#: Seconds after which a case counts as hanging.
PATIENCE = 20

#: Readers that no command calls yet, run as if they were commands.
READERS: dict[str, Callable[[Path], Any]] = {
    "read-captions": read_captions,
    "read-objects": lambda data: list(read_objects(data)),
    "read-record": read_record,
    "read-scans": read_scan_names,
}


class Hung(BaseException):
    """A command that did not end in time."""


@dataclass
class Ran:
    """What a command left behind."""

    code: int = -1
    out: str = ""
    err: str = ""
    escaped: str = ""  # the traceback of what came out of `run`
    stray: list[str] = field(default_factory=list)  # warnings, and errors swallowed where nobody could catch


@dataclass(frozen=True)
class Streams:
    """Where a command prints to; `None` closes the stream."""

    stdout: Callable[[], IO[str] | None]
    stderr: Callable[[], IO[str] | None]


def captured() -> io.TextIOWrapper:
    """A stream that is read afterwards, as strict as a real one."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict", write_through=True)


def captured_errors() -> io.TextIOWrapper:
    """The same for stderr, which never fails to encode."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)


NORMAL = Streams(captured, captured_errors)


def execute(argv: Sequence[str], streams: Streams = NORMAL) -> Ran:
    """Run a command line; whatever happens is told in the answer."""
    ran = Ran()
    out, err = streams.stdout(), streams.stderr()
    with _watched(ran.stray), in_place_of_streams(out, err), _impatient():
        try:
            ran.code = _run(argv)
        except BaseException:
            ran.escaped = traceback.format_exc()
    ran.out, ran.err = _text(out), _text(err)
    return ran


def _run(argv: Sequence[str]) -> int:
    if argv and argv[0] in READERS:
        try:
            READERS[argv[0]](Path(argv[1]))
        except FastnavError as error:
            complain(str(error))
            return error.exit_code
        return 0
    return run(argv)


def _text(stream: IO[str] | None) -> str:
    """What went to a captured stream; nothing where it was a real file."""
    buffer = getattr(stream, "buffer", None)
    text = buffer.getvalue().decode(errors="replace") if isinstance(buffer, io.BytesIO) else ""
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            stream.close()
    return text


@contextlib.contextmanager
def _watched(stray: list[str]) -> Iterator[None]:
    """Collect Python warnings, and errors in finalisers and threads."""
    hooks = sys.unraisablehook, threading.excepthook
    sys.unraisablehook = lambda told: stray.append(f"{told.exc_value!r} in {told.object!r}")
    threading.excepthook = lambda told: stray.append(f"{told.exc_value!r} in a thread")
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            yield
        stray += [f"{each.category.__name__}: {each.message} ({each.filename})" for each in raised]
    finally:
        sys.unraisablehook, threading.excepthook = hooks


@contextlib.contextmanager
def in_place_of_streams(out: IO[str] | None, err: IO[str] | None) -> Iterator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextlib.contextmanager
def _impatient() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Hung(f"no end after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _tiny(seed: int = 1) -> HousesConfig:
    return HousesConfig(seed, 3, 1, 1, 20.0, 1, 1, 1)


@contextlib.contextmanager
def surroundings(root: Path) -> Iterator[None]:
    """The working directory, the variables, tiny houses, and no waiting between attempts at a download."""
    here, variables, pause = Path.cwd(), dict(os.environ), Link.pause
    sizes = HousesConfig.__dict__["small"], HousesConfig.__dict__["full"]
    for name in ("FASTNAV_DATA", "FORCE_COLOR", "COLUMNS", "http_proxy", "https_proxy"):
        os.environ.pop(name, None)
    os.environ |= {"FASTNAV_CACHE": str(root / "cache"), "NO_COLOR": "1", "no_proxy": "*"}
    os.chdir(root)
    Link.pause = lambda self, attempt: None  # type: ignore[method-assign]
    HousesConfig.small = HousesConfig.full = staticmethod(_tiny)  # type: ignore[method-assign]
    try:
        yield
    finally:
        Link.pause = pause  # type: ignore[method-assign]
        HousesConfig.small, HousesConfig.full = sizes  # type: ignore[method-assign]
        os.chdir(here)
        os.environ.clear()
        os.environ.update(variables)
