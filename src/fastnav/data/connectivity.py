"""Connectivity files -> navigation graphs: where one can stand and which places are joined."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from fastnav.data.checking import Record, as_list
from fastnav.data.files import read_json, read_text
from fastnav.errors import MalformedFile

#: Row-major 4x4 pose: the entries that hold x, y and z.
_TRANSLATION = (3, 7, 11)


@dataclass(frozen=True)
class ScanGraph:
    """The included viewpoints of one building, in file order, and the edges between them."""

    scan: str
    viewpoint_ids: tuple[str, ...]
    position: Float[np.ndarray, "viewpoint 3"]  # metres
    edges: Int[np.ndarray, "edge 2"]  # both directions, sorted by source and then target


def connectivity_path(data: Path, scan: str) -> Path:
    """The connectivity file of building `scan`."""
    return data / "connectivity" / f"{scan}_connectivity.json"


def read_scan_names(data: Path) -> tuple[str, ...]:
    """The buildings that `connectivity/scans.txt` lists."""
    path = data / "connectivity" / "scans.txt"
    names = tuple(line.strip() for line in read_text(path).splitlines() if line.strip())
    for name in names:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise MalformedFile(path, f"{name[:40]!r} is no building's name", remedy="one name a line")
    if not names:
        raise MalformedFile(path, "no building is listed", remedy="one name a line")
    if len(set(names)) < len(names):
        raise MalformedFile(path, "a building is listed twice", remedy="one name a line, each once")
    return names


def read_connectivity(path: Path, scan: str) -> ScanGraph:
    """Read one connectivity file; every fault is an error that names the viewpoint and field."""
    return parse_connectivity(read_json(path), path, scan)


def parse_connectivity(value: Any, path: Path, scan: str) -> ScanGraph:
    """The graph in `value`, which was read from `path`."""
    entries = as_list(value, path)
    records = [Record.of(entry, path, f"viewpoint {number}") for number, entry in enumerate(entries)]
    names = [record.text("image_id") for record in records]
    records = [record.named(f"viewpoint {k} ({names[k]})") for k, record in enumerate(records)]
    _refuse_repeats(records, names)
    included = np.array([record.flag("included") for record in records], dtype=bool)
    if not included.any():
        raise MalformedFile(path, "no viewpoint is included", remedy="fetch the file again")
    reachable = np.array([_flags(record, len(names)) for record in records])
    _refuse_one_way(records, names, reachable)
    reachable = reachable[np.ix_(included, included)]
    position = np.array([_position(record) for record in records])[included]
    edges = np.argwhere(reachable)
    _refuse_zero_length(records, included, position, edges)
    kept = tuple(name for name, keep in zip(names, included, strict=True) if keep)
    return ScanGraph(scan, kept, position, edges)


def _position(record: Record) -> list[float]:
    pose = record.numbers("pose", length=16)
    return [pose[k] for k in _TRANSLATION]


def _flags(record: Record, count: int) -> Any:
    """`unobstructed` as a boolean row; the slow check that names the culprit runs only on a bad row."""
    values = record.items("unobstructed", length=count)
    if set(map(type, values)) <= {bool}:
        return np.array(values, dtype=bool)
    return np.array(record.flags("unobstructed"), dtype=bool)


def _refuse_repeats(records: list[Record], names: list[str]) -> None:
    first: dict[str, int] = {}
    for k, name in enumerate(names):
        if name in first:
            raise records[k].error("image_id", f"already used by viewpoint {first[name]}")
        first[name] = k


def _refuse_one_way(records: list[Record], names: list[str], reachable: Any) -> None:
    if reachable.diagonal().any():
        k = int(reachable.diagonal().argmax())
        raise records[k].error(f"unobstructed[{k}]", "a viewpoint cannot lead to itself")
    one_way = np.argwhere(reachable & ~reachable.T)
    if len(one_way):
        source, target = (int(k) for k in one_way[0])
        raise records[source].error(
            f"unobstructed[{target}]", f"leads to {names[target]}, which does not lead back"
        )


def _refuse_zero_length(records: list[Record], included: Any, position: Any, edges: Any) -> None:
    step = position[edges[:, 0]] - position[edges[:, 1]]
    zero = np.flatnonzero((step == 0).all(axis=1))
    if len(zero):
        source, target = np.flatnonzero(included)[edges[zero[0]]]
        raise records[source].error(
            "pose", f"stands in the very place of its neighbour {records[target].where}"
        )
