"""Caption files -> what a viewpoint looks like in words, in 24 directions."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastnav.data.checking import Record
from fastnav.data.files import read_json

#: Entry k is centred on the absolute heading 45 k degrees (0 = +y, clockwise).
SECTORS = 8
#: The rows of an entry, from the floor up.
LEVELS = ("down", "middle", "top")

_ENTRY = re.compile(r"down: (?P<down>.*)\nmiddle: (?P<middle>.*)\ntop: (?P<top>.*)", re.DOTALL)


@dataclass(frozen=True)
class ViewpointCaptions:
    """The sentences of one viewpoint: `sentences[sector][level]`."""

    viewpoint_id: str
    sentences: tuple[tuple[str, str, str], ...]


def captions_path(data: Path, scan: str) -> Path:
    """The caption file of building `scan`."""
    return data / "captions" / f"{scan}.json"


def read_captions(path: Path) -> dict[str, ViewpointCaptions]:
    """Read one building's captions by viewpoint id."""
    record = Record.of(read_json(path), path, "the top level")
    return {name: _viewpoint(record, name) for name in record.fields}


def _viewpoint(record: Record, name: str) -> ViewpointCaptions:
    entries = record.named(f"viewpoint {name}").texts(name, length=SECTORS)
    return ViewpointCaptions(name, tuple(_levels(record, name, k, entry) for k, entry in enumerate(entries)))


def _levels(record: Record, name: str, sector: int, entry: Any) -> tuple[str, str, str]:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise record.named(f"viewpoint {name}").error(
            f"{name}[{sector}]", "expected three lines 'down: ..', 'middle: ..', 'top: ..'"
        )
    return match["down"], match["middle"], match["top"]
