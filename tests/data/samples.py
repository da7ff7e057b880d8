"""The smallest whole files of every format, made anew at each call so that a test may spoil them."""

import json
from pathlib import Path
from typing import Any

#: Three places in a row, and one that is left out.
PLACES = {"a1": (0.0, 0.0, 0.5), "b2": (3.0, 0.0, 0.5), "c3": (3.0, 4.0, 1.0), "gone": (9.0, 9.0, 9.0)}
EDGES = {("a1", "b2"), ("b2", "c3"), ("c3", "gone")}


def connectivity() -> list[dict[str, Any]]:
    """One building's graph: a1 - b2 - c3, and an excluded place that c3 leads to."""
    names = list(PLACES)
    return [
        {
            "image_id": name,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": name != "gone",
            "visible": [True] * len(names),
            "unobstructed": [(name, other) in EDGES or (other, name) in EDGES for other in names],
            "height": 1.5,
        }
        for name, (x, y, z) in PLACES.items()
    ]


def r2r() -> list[dict[str, Any]]:
    """Two paths; the second has four instructions, of which the benchmark scores three."""
    return [
        {
            "path_id": 7,
            "scan": "house",
            "heading": 1.25,
            "distance": 7.03,
            "path": ["a1", "b2", "c3"],
            "instructions": ["Cross the kitchen.", "Go to the yellow lamp.", "Leave by the arch, then wait."],
        },
        {
            "path_id": 8,
            "scan": "house",
            "heading": 0.0,
            "distance": 7.03,
            "path": ["c3", "b2", "a1"],
            "instructions": ["One way.", "Another way.", "A third way.", "One too many."],
        },
    ]


def captions() -> dict[str, list[str]]:
    """Two viewpoints, each direction and level with a sentence of its own."""
    return {
        name: [f"down: {name} floor {k}\nmiddle: {name} wall {k}\ntop: {name} ceiling {k}" for k in range(8)]
        for name in ("a1", "b2")
    }


def objects() -> dict[str, Any]:
    """One viewpoint's objects: one seen in two views, one in none."""
    return {
        "a1": {
            "31": {
                "name": "arm#chair",
                "visible_pos": [12, 13],
                "bbox2d": [[500, 200, 140, 90.5], [0, 200, 60, 90]],
            },
            "4": {"name": "lamp", "visible_pos": [], "bbox2d": []},
        }
    }


def house(data: Path, scan: str = "house") -> Path:
    """A data directory with one building's graph; gives back the connectivity file."""
    path = data / "connectivity" / f"{scan}_connectivity.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(connectivity()))
    return path


def split_file(data: Path, records: list[dict[str, Any]], name: str = "train") -> Path:
    """A data directory with one split's file; gives back its path."""
    path = data / "r2r" / f"R2R_{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records))
    return path
