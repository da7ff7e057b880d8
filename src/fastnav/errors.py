"""Everything that can go wrong for a reason the user can mend.

    FastnavError                     exit code 1
    ├── UsageError                   2   an option or a name is wrong
    │   ├── UnknownName                  ... and the nearest right ones are known
    │   └── AgentError                   an agent breaks the contract that search relies on
    ├── DataError                    3   an input file cannot be used
    │   ├── MissingFile                  it is not there, or may not be read
    │   ├── MalformedFile                a record or field of it breaks the format
    │   └── EditedFile                   its digest is not the published one
    ├── ResultError                  4   a result or leaderboard file is refused
    ├── FetchError                   5   a download failed
    ├── TrainingError                1   training cannot go on
    └── OutputError                  6   an output cannot be written

Each message names the file, the episode or the option, says what is wrong, and what to do about it.
The command line prints the message alone; a traceback always means a fault in fastnav itself.
"""

import difflib
from collections.abc import Iterable
from pathlib import Path


class FastnavError(Exception):
    """The root: catch this to catch every mistake that fastnav explains."""

    exit_code = 1


class UsageError(FastnavError):
    """An option, argument or name that cannot be meant."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that is not among those known; the message offers the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        near = difflib.get_close_matches(name, choices, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(choices) or 'none'}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class AgentError(UsageError):
    """An agent that breaks the contract of `agents/interface.py`; the message begins with its class."""

    def __init__(self, agent: object, problem: str) -> None:
        super().__init__(f"{type(agent).__name__}: {problem}")


class DataError(FastnavError):
    """An input file that cannot be used."""

    exit_code = 3


class MissingFile(DataError):
    """A file that is not there or may not be read."""

    def __init__(self, path: Path, problem: str = "no such file", remedy: str = "check the path") -> None:
        super().__init__(f"{path}: {problem}; {remedy}")
        self.path = path


class MalformedFile(DataError):
    """A file that breaks its format, named down to the record and field where that is known."""

    def __init__(self, path: Path, problem: str, *, where: str = "", remedy: str = "") -> None:
        place = f"{path}: {where}" if where else str(path)
        advice = remedy or "`fastnav data check` says which files are whole"
        super().__init__(f"{place}: {problem}; {advice}")
        self.path = path
        self.where = where
        self.problem = problem


class EditedFile(DataError):
    """A file whose bytes are not the published ones."""


class ResultError(FastnavError):
    """A result or leaderboard file that is refused."""

    exit_code = 4


class FetchError(FastnavError):
    """A download that failed for good."""

    exit_code = 5


class TrainingError(FastnavError):
    """Training that cannot go on, as its numbers are none any more."""


class OutputError(FastnavError):
    """An output that cannot be written; nothing is left half-written."""

    exit_code = 6
