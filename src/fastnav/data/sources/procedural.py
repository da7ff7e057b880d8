"""Data directories of procedural houses: every one differs, so its files are read instead of compared."""

import re
from collections.abc import Callable
from pathlib import Path

from fastnav.data.captions import read_captions
from fastnav.data.connectivity import read_connectivity, read_scan_names
from fastnav.data.files import HOUSES_MANIFEST, is_file, is_there, read_text
from fastnav.data.objects import parse_objects
from fastnav.data.sources.entries import entries
from fastnav.data.sources.manifest import Bundle, Group
from fastnav.data.sources.state import FileState, State
from fastnav.data.splits import read_r2r
from fastnav.errors import DataError, MissingFile, UsageError

MARKER = HOUSES_MANIFEST
_BUILDING_LIST = "connectivity/scans.txt"


def is_procedural(data_dir: Path) -> bool:
    """Whether the directory was written by `fastnav data houses`."""
    return is_file(data_dir / MARKER)


def refuse_procedural(data_dir: Path) -> None:
    """Published files among procedural houses would fit neither: refuse to put them there."""
    if is_procedural(data_dir):
        raise UsageError(
            f"{data_dir}: holds procedural houses ({MARKER}); choose another --data for published files"
        )


def procedural_states(data_dir: Path, groups: tuple[Group, ...]) -> dict[str, tuple[FileState, ...]]:
    """The states of the files that the houses' own list of buildings asks for, by group."""
    buildings = _buildings(data_dir)
    return {group.name: _group_states(data_dir, group, buildings) for group in groups}


def _group_states(data_dir: Path, group: Group, buildings: list[str]) -> tuple[FileState, ...]:
    paths = {file.path: file.cost for file in group.files}
    if group.per_building is not None:
        published = re.compile(re.escape(group.per_building).replace(re.escape("{scan}"), "[^/]+"))
        paths = {path: cost for path, cost in paths.items() if not published.fullmatch(path)}
        paths |= {group.per_building.replace("{scan}", name): group.cost for name in buildings}
    states = [_presence(data_dir, path, cost) for path, cost in paths.items()]
    if group.bundle is not None:
        states.append(_bundle_presence(data_dir, group.bundle, group.cost))
    return tuple(states)


def _buildings(data_dir: Path) -> list[str]:
    try:
        return read_text(data_dir / _BUILDING_LIST).split()
    except DataError:
        return []  # the list itself is then reported missing or unreadable


def _presence(data_dir: Path, path: str, cost: str) -> FileState:
    try:
        _reader(path)(data_dir / path)
    except MissingFile:
        return FileState(path, State.MISSING, "", cost)
    except DataError as error:
        return FileState(path, State.UNREADABLE, str(error), cost)
    return FileState(path, State.WHOLE, "", cost)


def _reader(path: str) -> Callable[[Path], object]:
    """What reads a file of the data directory in earnest, so that a wrong field is found here and now."""
    folder, name = path.split("/", 1)
    if folder == "captions":
        return read_captions
    if folder == "r2r":
        return lambda file: read_r2r(file, name.removeprefix("R2R_").removesuffix(".json"))
    if path == _BUILDING_LIST:
        return lambda file: read_scan_names(file.parents[1])
    return lambda file: read_connectivity(file, name.removesuffix("_connectivity.json"))


def _bundle_presence(data_dir: Path, bundle: Bundle, cost: str) -> FileState:
    """Members are named after their buildings, so those of any name count here."""
    for path in (bundle.folder, bundle.path):
        try:
            if not is_there(data_dir / path):
                continue
            for entry in entries(data_dir / path):
                if entry.base.endswith(".json"):
                    parse_objects(entry.read(), Path(entry.name))
        except DataError as error:
            return FileState(path, State.UNREADABLE, str(error), cost)
        return FileState(path, State.WHOLE, "", cost)
    return FileState(bundle.path, State.MISSING, "", cost)
