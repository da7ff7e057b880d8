"""A plan on disk: what a drawing of the house needs, and no more."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from fastnav.data.checking import Record
from fastnav.data.files import read_json
from fastnav.data.houses.plan import House
from fastnav.data.houses.viewpoints import Viewpoints
from fastnav.errors import MalformedFile

FORMAT = 1


def plan_record(house: House, viewpoints: Viewpoints) -> dict[str, Any]:
    """A house as plain JSON."""
    included = viewpoints.included
    edges = np.argwhere(np.triu(viewpoints.length > 0)).tolist()
    return {
        "format": FORMAT,
        "scan": house.scan,
        "floors": house.floors,
        "rooms": [asdict(room) for room in house.rooms],
        "doors": [asdict(door) for door in house.doors],
        "flights": [asdict(flight) for flight in house.flights],
        "things": [
            {"name": thing.name, "floor": thing.floor, "rect": asdict(thing.rect), "look": thing.look}
            for thing in house.things
        ],
        "viewpoints": [
            {
                "name": name,
                "position": viewpoints.position[i].tolist(),
                "floor": int(viewpoints.floor[i]),
                "included": bool(included[i]),
            }
            for i, name in enumerate(viewpoints.names)
        ],
        "edges": edges,
    }


def read_plan(path: Path) -> dict[str, Any]:
    """A plan from disk, checked as far as a drawing relies on it."""
    record = Record.of(read_json(path), path, "the plan")
    if record.integer("format") != FORMAT:
        raise MalformedFile(
            path, "a plan of another version of fastnav", remedy="build the houses again with this version"
        )
    record.text("scan"), record.integer("floors")
    for field in ("rooms", "doors", "flights", "things", "viewpoints", "edges"):
        record.items(field)
    return record.fields
