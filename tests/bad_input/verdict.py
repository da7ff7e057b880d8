"""What came of a case: refused as it should be, harmless, or one of the faults."""

import io
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError

from tests.bad_input.base import Item, Snapshot
from tests.bad_input.running import Ran

#: 130 is Ctrl-C.
EXIT_CODES = (*range(7), 130)
#: An error message of fewer words explains nothing.
FEWEST_WORDS = 5

_ADVICE = re.compile(
    r";|`fastnav|[Dd]id you mean|Try '|expected|\b(choose|name|check|use|free|fetch|give|keep|leave|write)\b"
    r"|must|requires|not in the range|known:|to mend:"
)
_BOX = re.compile(r"[\s╭╮╰╯─│]+")
_HALF_WRITTEN = (".partial", ".part", ".part.etag", ".download", ".former")


class Outcome(StrEnum):
    """The columns of the table; all but the first two are faults."""

    REFUSED = "refused"
    HARMLESS = "harmless"
    TRACEBACK = "traceback"
    HALF_WRITTEN = "half-written"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Expected:
    """What a case may print and write."""

    names: tuple[str, ...] = ()  # of which a refusal must hold one
    writes: str | None = None  # the file or folder that success may make or change
    silent: bool = False  # the streams are spoilt, so that no message can be asked for
    copies: Callable[[bytes], bool] | None = None  # tells whole copies, of commands that copy files
    keeps_unless: tuple[int, ...] | None = (
        None  # codes on which nothing is kept, of commands that go on later
    )


@dataclass(frozen=True)
class Verdict:
    """An outcome, and why."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()


def judge(
    ran: Ran, before: Snapshot, after: Snapshot, leftovers: Sequence[str], expected: Expected
) -> Verdict:
    """The worst that can be said of a case."""
    for outcome, reasons in (
        (Outcome.TRACEBACK, _tracebacks(ran)),
        (Outcome.HALF_WRITTEN, [*leftovers, *_half_written(ran, before, after, expected)]),
        (Outcome.UNCLEAR, _unclear(ran, expected)),
    ):
        if reasons:
            return Verdict(outcome, tuple(reasons))
    return Verdict(Outcome.REFUSED if ran.code else Outcome.HARMLESS)


def _tracebacks(ran: Ran) -> list[str]:
    reasons = list(ran.stray)
    if ran.escaped:
        reasons.append(ran.escaped)
    elif ran.code not in EXIT_CODES:
        reasons.append(f"exit code {ran.code}")
    if "Traceback" in ran.out + ran.err:
        reasons.append("a traceback was printed")
    return reasons


def _half_written(ran: Ran, before: Snapshot, after: Snapshot, expected: Expected) -> list[str]:
    reasons = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if name.endswith(_HALF_WRITTEN) and not _is_workshop(name, new, expected):
            reasons.append(f"{name}: left behind")
        elif not _may_change(name, new, ran, expected):
            reasons.append(f"{name}: {'removed' if new is None else 'changed' if old else 'new'}")
        elif new is not None and new.kind == "file" and not _is_whole(name, new, expected):
            reasons.append(f"{name}: not whole: {new.content[:60]!r}")
    return reasons


def _may_change(name: str, new: Item | None, ran: Ran, expected: Expected) -> bool:
    """Outputs appear on success alone.

    Copied files and folders that lead to an output may also appear on failure, as may what a later command
    goes on with, and everything where only the printing failed.
    """
    target = expected.writes
    if target is None:
        return False
    path, output = Path(name), Path(_inside(target))
    below = path == output or output in path.parents or path in output.parents
    kept = expected.keeps_unless is not None and ran.code not in expected.keeps_unless
    allowed = ran.code == 0 or expected.silent or expected.copies is not None or kept
    return below and (allowed or (new is not None and new.kind == "folder"))


def _is_workshop(name: str, item: Item | None, expected: Expected) -> bool:
    """The folder in which a feature table is made, that a later build goes on with."""
    return expected.keeps_unless is not None and item == Item("folder") and _workshop(name) == name


def _workshop(name: str) -> str:
    """The folder of a table that is being made, in which a path lies; nothing if it lies in none."""
    places = (str(place) for place in (Path(name), *Path(name).parents))
    return next((place for place in places if place.endswith(".partial") and "features/" in place), "")


def _inside(target: str) -> str:
    """An output's path relative to the tree, which is the working directory."""
    return target if not Path(target).is_absolute() else str(Path(target).relative_to(Path.cwd()))


def _is_whole(name: str, item: Item, expected: Expected) -> bool:
    if expected.copies is not None:
        return expected.copies(item.content)
    if name.endswith("/table/values.npy") and _workshop(name):
        return True  # is filled row by row; a note beside it says how far
    try:
        _READ.get(Path(name).suffix, _json_or_tensors)(item.content)
    except (ValueError, SafetensorError):
        return False
    return bool(item.content)


def _json_or_tensors(content: bytes) -> None:
    """A score may be given any name."""
    if b"__metadata__" in content[:30]:
        safetensors.numpy.load(content)
    else:
        json.loads(content)


def _lines(content: bytes) -> None:
    for line in content.splitlines():
        json.loads(line)


#: How a whole file of some kind is read; others are JSON.
_READ: dict[str, Callable[[bytes], Any]] = {
    **dict.fromkeys((".gz", ".txt", ".tfevents", ".svg", ".png"), bytes),
    ".jsonl": _lines,
    ".safetensors": safetensors.numpy.load,
    ".npy": lambda content: np.load(io.BytesIO(content)),
}


def _unclear(ran: Ran, expected: Expected) -> list[str]:
    printed = ran.err + ran.out
    reasons = [
        f"the control character {c!r} was printed" for c in sorted(set(filter(_moves_cursor, printed)))
    ]
    if ran.code == 0 or expected.silent:
        return reasons
    errors = len(re.findall(r"^error: |^╭─ Error", ran.err, re.MULTILINE))
    if errors != 1 and "to mend:" not in ran.out and '"whole": false' not in ran.out:
        reasons.append(f"{errors} error messages")
    squeezed = _squeeze(printed)
    if not any(_squeeze(form) in squeezed for name in expected.names for form in _forms(name)):
        reasons.append(f"names none of {', '.join(name[:40] for name in expected.names[:4])}")
    if not _ADVICE.search(printed):
        reasons.append("says nothing of what to do")
    if len(printed.split()) < FEWEST_WORDS:
        reasons.append("says hardly anything")
    return reasons


def _forms(name: str) -> tuple[str, ...]:
    """The ways in which messages may write a name: as it is, escaped, or cut."""
    escaped = ascii(name)[1:-1]
    return name, escaped, repr(name)[1:-1], str(Path(name)), name[:30], escaped[:30]


def _squeeze(text: str) -> str:
    """Without blanks and the lines of boxes, which wrapping puts into names."""
    return _BOX.sub("", text)


def _moves_cursor(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs")
