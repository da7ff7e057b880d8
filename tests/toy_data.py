"""A small data directory in the real file formats, written from toy worlds, with sentences of our own."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np

from fastnav.data.connectivity import ScanGraph
from fastnav.world.toy import Place, toy_graph

#: The loop and arm of `fastnav.world.toy`, in each building.
PLACES: dict[str, Place] = {
    "S": (0.0, 0.0, 0.0),
    "A": (-2.0, 0.0, 0.0),
    "B": (-1.0, 2.0, 0.0),
    "C": (2.0, 0.0, 0.0),
    "G": (4.0, 0.0, 0.0),
}
EDGES = "SA AB BS SC CG"
SENTENCES = ("Leave the loop and walk to the far end.", "Go straight on twice.", "Pass C, wait at the end.")

#: Split -> (building, first path_id, paths).
SPLITS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "train": ("seenhouse01", 10, ("SCG", "ASC", "BSC")),
    "val_seen": ("seenhouse01", 20, ("ASCG",)),
    "val_unseen": ("newhouse001", 30, ("SCG", "BSCG")),
    "test": ("testhouse01", 40, ("S", "A")),
}


def write_toy_data(data: Path) -> Path:
    """Write the directory and return it."""
    for scan in sorted({scan for scan, _, _ in SPLITS.values()}):
        write_json(data / "connectivity" / f"{scan}_connectivity.json", connectivity(scan))
    names = sorted({scan for scan, _, _ in SPLITS.values()})
    (data / "connectivity" / "scans.txt").write_text("\n".join(names) + "\n")
    for split in SPLITS:
        write_json(data / "r2r" / f"R2R_{split}.json", entries(split))
    return data


def entries(split: str) -> list[dict[str, Any]]:
    """The paths of a split as its file holds them."""
    scan, first, paths = SPLITS[split]
    graph = toy_graph(PLACES, EDGES, scan=scan)
    made = []
    for k, path in enumerate(paths):
        entry = {"scan": scan, "path_id": first + k, "path": list(path), "heading": 0.5 * k}
        made.append({**entry, "distance": _length(graph, path), "instructions": list(SENTENCES)})
    return made


def connectivity(scan: str) -> list[dict[str, Any]]:
    """A building's connectivity as its file holds it."""
    graph = toy_graph(PLACES, EDGES, scan=scan)
    joined = np.zeros((len(PLACES), len(PLACES)), dtype=bool)
    joined[tuple(graph.edges.T)] = True
    return [
        {
            "image_id": name,
            "pose": _pose(graph.position[k].tolist()),
            "included": True,
            "visible": joined[k].tolist(),
            "unobstructed": joined[k].tolist(),
            "height": 1.5,
        }
        for k, name in enumerate(graph.viewpoint_ids)
    ]


def write_json(path: Path, value: Any) -> None:
    """Write a value, making the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def _pose(position: list[float]) -> list[float]:
    x, y, z = position
    return [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z, 0.0, 0.0, 0.0, 1.0]


def _length(graph: ScanGraph, path: str) -> float:
    places = [graph.position[graph.viewpoint_ids.index(name)] for name in path]
    return round(sum(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(places)), 2)
