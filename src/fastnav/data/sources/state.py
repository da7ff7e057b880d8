"""What state a known file of a data directory is in."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fastnav.data.files import read_bytes
from fastnav.data.sources.bundle import is_whole, stored_members
from fastnav.data.sources.manifest import Bundle, SourceFile
from fastnav.errors import DataError, MissingFile


class State(StrEnum):
    """The four states of a file."""

    WHOLE = "whole"
    MISSING = "missing"
    EDITED = "edited"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class FileState:
    """One file's state, and in `detail` what is wrong with it."""

    path: str
    state: State
    detail: str
    cost: str


def state_of(data_dir: Path, file: SourceFile) -> FileState:
    """The state of one file, by its digest."""
    path = data_dir / file.path
    # Not exists(): that also denies a file in a folder that may not be entered.
    try:
        content = read_bytes(path)
    except MissingFile as error:
        state = State.UNREADABLE if _is_there(path) else State.MISSING
        return FileState(file.path, state, str(error) if state is State.UNREADABLE else "", file.cost)
    if hashlib.sha256(content).hexdigest() == file.sha256:
        return FileState(file.path, State.WHOLE, "", file.cost)
    return FileState(file.path, State.EDITED, difference(file, content), file.cost)


def difference(file: SourceFile, content: bytes) -> str:
    """How `content` differs from the published file, in a user's words."""
    found = hashlib.sha256(content).hexdigest()
    published = f"published {file.size} bytes, {file.sha256[:12]}…"
    return f"{len(content)} bytes, sha256 {found[:12]}…; {published}"


def state_of_bundle(data_dir: Path, bundle: Bundle, cost: str) -> FileState:
    """The state of a bundle, by the digest of its contents; it is named by where it was found."""
    try:
        stored = stored_members(bundle, data_dir)
    except (DataError, OSError) as error:
        return FileState(bundle.path, State.UNREADABLE, str(error), cost)
    if stored is None:
        return FileState(bundle.path, State.MISSING, "", cost)
    place, members = stored
    path = place.relative_to(data_dir).as_posix()
    if is_whole(bundle, members):
        return FileState(path, State.WHOLE, "", cost)
    if len(members) != bundle.count:
        detail = f"{len(members)} of {bundle.count} files"
    else:
        detail = "the contents of some of its files are not the published ones"
    if path == bundle.folder:
        detail += f"; remove this folder and `{bundle.path}` is used instead"
    return FileState(path, State.EDITED, detail, cost)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True
