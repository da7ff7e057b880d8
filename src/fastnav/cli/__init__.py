"""The command line: parses arguments and prints. Everything it does is done by other rooms."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence

from fastnav.errors import FastnavError, OutputError

#: What shells expect of a command ended by Ctrl-C.
INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """The `fastnav` command."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a user's mistake is a message, never a traceback."""
    _mend_streams()
    try:
        code = _run(arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        # Written plainly: the interrupt may have come before the printing was even loaded.
        with contextlib.suppress(OSError):
            sys.stderr.write("interrupted; nothing was left half-written\n")
    return code


def _run(arguments: Sequence[str]) -> int:
    from fastnav.cli.app import app
    from fastnav.cli.console import complain

    try:
        try:
            app(list(arguments), prog_name="fastnav")
        finally:
            sys.stdout.flush()
    except SystemExit as stop:
        return _code(stop)
    except FastnavError as error:
        complain(str(error))
        return error.exit_code
    except (MemoryError, RuntimeError) as error:
        if not _lacks_memory(error):
            raise
        complain(
            f"there is not enough memory ({str(error).splitlines()[0][:100]}); use smaller --batch or --set "
            "values, fewer --episodes, or another --device"
        )
        return FastnavError.exit_code
    except BrokenPipeError:
        # The reader of a pipe has gone, as `head` does; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is not None:
            raise
        complain(
            f"the output could not be printed ({error.strerror or error}); free space or print elsewhere"
        )
        return OutputError.exit_code
    return 0


def _lacks_memory(error: Exception) -> bool:
    """Torch tells so by a RuntimeError of its own, on the CPU by the text alone."""
    of_torch = type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error)
    return isinstance(error, MemoryError) or of_torch


def _mend_streams() -> None:
    """Make the streams take every text: a closed one drops it, and what its encoding lacks is escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _code(stop: SystemExit) -> int:
    return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
