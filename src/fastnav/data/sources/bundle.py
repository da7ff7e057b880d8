"""Bundles: many small files that count as one, whether packed or lying in a folder."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from fastnav.data.files import is_there, write_bytes
from fastnav.data.packing import packed
from fastnav.data.sources.entries import Entry, entries
from fastnav.data.sources.manifest import Bundle
from fastnav.errors import OutputError

#: No member comes near this; a larger file of a fitting name is something else.
LARGEST_MEMBER = 4_000_000


def is_member(bundle: Bundle, entry: Entry) -> bool:
    """Whether `entry` looks like a file of the bundle."""
    return entry.size <= LARGEST_MEMBER and re.fullmatch(bundle.member, entry.base) is not None


def read_members(bundle: Bundle, source: Iterable[Entry]) -> dict[str, bytes]:
    """The bytes of the members among `source`, by their bare names."""
    return {entry.base: entry.read() for entry in source if is_member(bundle, entry)}


def contents_digest(members: Mapping[str, bytes]) -> str:
    """The digest of what is inside, however it was packed: that of sorted `name digest` lines."""
    lines = (f"{name} {hashlib.sha256(members[name]).hexdigest()}\n" for name in sorted(members))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def is_whole(bundle: Bundle, members: Mapping[str, bytes]) -> bool:
    """Whether the members are all there and as published."""
    return len(members) == bundle.count and contents_digest(members) == bundle.sha256


def stored_members(bundle: Bundle, data_dir: Path) -> tuple[Path, dict[str, bytes]] | None:
    """Where the bundle lies in a data directory and what it holds; the folder is read before the archive."""
    for path in (data_dir / bundle.folder, data_dir / bundle.path):
        if is_there(path):
            return path, read_members(bundle, entries(path))
    return None


def refuse_shadowed(bundle: Bundle, data_dir: Path) -> None:
    """Readers prefer the folder, so an archive written beside one that is not whole would change nothing."""
    folder = data_dir / bundle.folder
    if is_there(folder):
        raise OutputError(
            f"{folder}: is not as published, but read before the archive; remove it and run again"
        )


def write_packed(path: Path, members: Mapping[str, bytes]) -> None:
    """Pack the members at `path`, whole or not at all; the same members give the same bytes."""
    write_bytes(path, packed("BBox", members))
