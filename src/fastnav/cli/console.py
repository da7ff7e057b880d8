"""Printing: results on stdout, progress and remarks on stderr."""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

#: Width of tables where there is no terminal to ask: a file or a pipe should not wrap them.
_FILE_WIDTH = 140


class _Console(Console):
    """A console that leaves it to its callers what to do when nobody reads."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def out() -> Console:
    """Where results go. Made anew each time, as tests and shells replace stdout."""
    return _Console(highlight=False, width=None if sys.stdout.isatty() else _FILE_WIDTH)


def err() -> Console:
    """Where progress and remarks go."""
    return _Console(stderr=True, highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """A remark on stderr. Text of files is never read as markup."""
    _tell(Text(printable(message)))


def warn(message: str) -> None:
    """A warning on stderr."""
    _tell(Text("note: ", style="yellow") + Text(printable(message)))


def complain(message: str) -> None:
    """An error on stderr."""
    _tell(Text("error: ", style="bold red") + Text(printable(message)))


def _tell(text: Text) -> None:
    """Print on stderr. Where that is full or nobody reads it, there is nowhere left to complain."""
    with suppress(OSError):
        err().print(text)


def printable(text: str) -> str:
    """`text` without characters that would move the cursor or cannot be encoded."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def show_json(value: Any) -> None:
    """A result for machines."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False) + "\n")


def show_text(text: str) -> None:
    """A plain result line, never folded: scripts read it."""
    out().print(Text(printable(text)), soft_wrap=True)


def count(number: int, thing: str) -> str:
    """A number of things: "1 path", "2 paths"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def shell(*words: object) -> str:
    """A command of fastnav as one types it in this shell."""
    called = "fastnav" if shutil.which("fastnav") else sys.argv[0]  # not on the path: as it was called
    return shlex.join([called, *(str(word) for word in words)])


def table(title: str, *columns: str, names: int = 1) -> Table:
    """An empty table; the first `names` columns are text, the others numbers."""
    made = Table(title=printable(title), box=None, pad_edge=False)
    for k, column in enumerate(columns):
        made.add_column(Text(printable(column)), justify="left" if k < names else "right", no_wrap=k < names)
    return made


def show(made: Table) -> None:
    """Print a table under its title, and a blank line after it."""
    console = out()
    # Printed apart: a table wraps its own title to the width of its columns.
    console.print(Text(str(made.title), style="bold"))
    made.title = None
    console.print(made)
    console.print()


@contextmanager
def progress(*, unit: str = "") -> Iterator[Progress]:
    """A progress display on stderr that goes away when it is done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    console = err()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar
