"""Data directory -> World, with a cache so that the second start is quick.

The cache is keyed by the digests of the files, so an edited file is never served from it, and it is only a
convenience: where it cannot be read or written, the files are parsed again.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fastnav.data.connectivity import connectivity_path, parse_connectivity, read_scan_names
from fastnav.data.files import parse_json, read_bytes, whole_file
from fastnav.errors import DataError, MissingFile, OutputError, UnknownName
from fastnav.world.graph import World, build_world

#: Raised whenever the tables change their meaning.
_CACHE_VERSION = 2
_TABLES = ("scan", "position", "neighbour", "mask", "heading", "elevation", "distance", "view")


def load_world(data: Path, scans: Sequence[str] | None = None, *, cache: bool = True) -> World:
    """The world of the buildings `scans` (all that the data directory lists if None)."""
    names = read_scan_names(data) if scans is None else tuple(dict.fromkeys(scans))
    contents = {name: _read(data, name) for name in names}
    if not cache:
        return _parse(data, contents)
    path = cache_folder() / "worlds" / f"{_digest(contents)}.npz"
    world = _read_cached(path, names)
    if world is None:
        world = _parse(data, contents)
        _write_cached(path, world)
    return world


def cache_folder() -> Path:
    """Where derived files that can be made again are kept."""
    chosen = os.environ.get("FASTNAV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "fastnav"


def _read(data: Path, name: str) -> bytes:
    """A building that no file is named after is more often misspelt than missing."""
    try:
        return read_bytes(connectivity_path(data, name))
    except MissingFile as missing:
        try:
            known = read_scan_names(data)
        except DataError:
            raise missing from None
        if name in known:
            raise
        raise UnknownName("building", name, known) from None


def _parse(data: Path, contents: dict[str, bytes]) -> World:
    graphs = []
    for name, content in contents.items():
        path = connectivity_path(data, name)
        graphs.append(parse_connectivity(parse_json(content, path), path, name))
    return build_world(graphs)


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256(f"world {_CACHE_VERSION}".encode())
    for name, content in contents.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()


def _read_cached(path: Path, scans: tuple[str, ...]) -> World | None:
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            tables = {name: stored[name] for name in _TABLES}
            names = json.loads(bytes(stored["viewpoint_ids"]))
            return World(scans=scans, viewpoint_ids=tuple(names), **tables)
    except Exception:  # a damaged archive raises errors of any kind, and is as good as none
        return None


def _write_cached(path: Path, world: World) -> None:
    tables = {name: getattr(world, name) for name in _TABLES}
    # As bytes: numpy's own texts are as wide as the longest one, and lose NULs at their ends.
    names = np.frombuffer(json.dumps(world.viewpoint_ids).encode(), dtype=np.uint8)
    try:
        with whole_file(path) as beside, beside.open("wb") as stream:
            np.savez(stream, viewpoint_ids=names, **tables)
    except OutputError:
        return
