"""A plan on disk: what a drawing of the house needs, and no more."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fastnav.data.checking import Record
from fastnav.data.files import read_json
from fastnav.data.houses.plan import Door, Flight, House, Point, Rect, Room, Thing
from fastnav.data.houses.viewpoints import Viewpoints
from fastnav.errors import MalformedFile

FORMAT = 1


@dataclass(frozen=True)
class PlannedViewpoint:
    """A viewpoint as it is drawn; one on the stairs is drawn on the floor whose walls surround it."""

    name: str
    position: tuple[float, float, float]
    floor: int
    included: bool


@dataclass(frozen=True)
class Plan:
    """A house with its viewpoints and the pairs of them (by index) between which one can walk."""

    house: House
    viewpoints: tuple[PlannedViewpoint, ...]
    edges: tuple[tuple[int, int], ...]


def plan_of(house: House, viewpoints: Viewpoints) -> Plan:
    """The plan of a house."""
    rows = zip(viewpoints.names, viewpoints.position.tolist(), viewpoints.floor.tolist(), strict=True)
    return Plan(
        house,
        tuple(
            PlannedViewpoint(name, (x, y, z), floor, bool(viewpoints.included[i]))
            for i, (name, (x, y, z), floor) in enumerate(rows)
        ),
        tuple((i, j) for i, j in np.argwhere(np.triu(viewpoints.length > 0)).tolist()),
    )


def plan_record(plan: Plan) -> dict[str, Any]:
    """A plan as plain JSON."""
    return {"format": FORMAT, **asdict(plan)}


def read_plan(path: Path) -> Plan:
    """A plan from disk."""
    record = Record.of(read_json(path), path, "the plan")
    remedy = "build the houses again with this version of fastnav"
    if record.integer("format") != FORMAT:
        raise MalformedFile(path, "a plan of another version", remedy=remedy)
    try:
        return _plan(record.fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MalformedFile(path, f"not a plan ({error!r})", remedy=remedy) from None


def _plan(fields: dict[str, Any]) -> Plan:
    house = fields["house"]
    return Plan(
        House(
            scan=house["scan"],
            floors=house["floors"],
            rooms=tuple(Room(**{**room, "rect": Rect(**room["rect"])}) for room in house["rooms"]),
            doors=tuple(_door(door) for door in house["doors"]),
            flights=tuple(_flight(flight) for flight in house["flights"]),
            things=tuple(Thing(**{**thing, "rect": Rect(**thing["rect"])}) for thing in house["things"]),
        ),
        tuple(
            PlannedViewpoint(**{**viewpoint, "position": tuple(viewpoint["position"])})
            for viewpoint in fields["viewpoints"]
        ),
        tuple((int(i), int(j)) for i, j in fields["edges"]),
    )


def _point(pair: list[float]) -> Point:
    x, y = pair
    return float(x), float(y)


def _door(fields: dict[str, Any]) -> Door:
    one, two = fields["rooms"]
    return Door(
        **{**fields, "rooms": (one, two), "start": _point(fields["start"]), "end": _point(fields["end"])}
    )


def _flight(fields: dict[str, Any]) -> Flight:
    start, end = fields["divider"]
    points = {name: _point(fields[name]) for name in ("foot", "landing", "head")}
    return Flight(floor=fields["floor"], divider=(_point(start), _point(end)), **points)
