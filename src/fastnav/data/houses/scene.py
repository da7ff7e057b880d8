"""What is in sight from each viewpoint: things, doors with the rooms beyond, the next steps of the stairs."""

import math
from dataclasses import dataclass

import numpy as np

from fastnav.data.houses.geometry import bearing, hidden, walls_of
from fastnav.data.houses.plan import Door, House, Point, Room, Thing
from fastnav.data.houses.viewpoints import Viewpoints

#: Farther things are too small to be spoken of.
FARTHEST_THING = 7.5
FARTHEST_DOOR = 8.5


@dataclass(frozen=True)
class SeenThing:
    """A thing in sight, where it is and how far away on the ground."""

    thing: Thing
    bearing: float
    distance: float


@dataclass(frozen=True)
class SeenDoor:
    """A door in sight, and what lies behind it: a room, or stairs."""

    door: Door
    beyond: Room
    bearing: float
    distance: float


@dataclass(frozen=True)
class Scene:
    """A furnished house with its viewpoints, and what is seen from each (nearest first)."""

    house: House
    viewpoints: Viewpoints
    things: tuple[tuple[SeenThing, ...], ...]
    doors: tuple[tuple[SeenDoor, ...], ...]
    #: From a viewpoint on the stairs: the bearings at which they go on up and down.
    steps: tuple[dict[str, float], ...]

    def point(self, viewpoint: int) -> Point:
        """Where a viewpoint stands on the ground."""
        x, y, _ = self.viewpoints.position[viewpoint].tolist()
        return x, y

    def room(self, viewpoint: int) -> Room:
        """The room a viewpoint stands in."""
        return self.house.rooms[int(self.viewpoints.room[viewpoint])]


def look_around(house: House, viewpoints: Viewpoints) -> Scene:
    """All that is in sight from each viewpoint of a house."""
    count = len(viewpoints.names)
    things: list[tuple[SeenThing, ...]] = [()] * count
    doors: list[tuple[SeenDoor, ...]] = [()] * count
    for floor in range(house.floors):
        here = np.flatnonzero(viewpoints.floor == floor)
        points = viewpoints.position[here, :2]
        walls = walls_of(house, floor)
        on_floor = [thing for thing in house.things if thing.floor == floor]
        ways = [door for door in house.doors if door.floor == floor]
        blind = hidden(points, _array([thing.centre for thing in on_floor]), walls)
        shut = hidden(points, _array([door.centre for door in ways]), walls)
        for row, viewpoint in enumerate(here.tolist()):
            point = (float(points[row, 0]), float(points[row, 1]))
            in_sight = [on_floor[k] for k in np.flatnonzero(~blind[row]).tolist()]
            open_ways = [ways[k] for k in np.flatnonzero(~shut[row]).tolist()]
            things[viewpoint] = _seen_things(point, in_sight)
            doors[viewpoint] = _seen_doors(house, point, open_ways)
    return Scene(house, viewpoints, tuple(things), tuple(doors), _steps(viewpoints))


def _array(points: list[Point]) -> np.ndarray:
    return np.array(points, dtype=np.float64).reshape(-1, 2)


def _seen_things(point: Point, things: list[Thing]) -> tuple[SeenThing, ...]:
    seen = [
        SeenThing(thing, bearing(point, thing.centre), math.dist(point, thing.centre)) for thing in things
    ]
    near = [one for one in seen if one.distance < FARTHEST_THING]
    return tuple(sorted(near, key=lambda one: one.distance))


def _seen_doors(house: House, point: Point, doors: list[Door]) -> tuple[SeenDoor, ...]:
    seen = []
    for door in doors:
        distance = math.dist(point, door.centre)
        if distance < FARTHEST_DOOR:
            seen.append(SeenDoor(door, beyond(house, point, door), bearing(point, door.centre), distance))
    return tuple(sorted(seen, key=lambda one: one.distance))


def beyond(house: House, point: Point, door: Door) -> Room:
    """The room on the other side of a door, seen from a point."""
    axis = 0 if door.start[0] == door.end[0] else 1
    first, second = (house.rooms[index] for index in door.rooms)
    ahead = point[axis] < door.centre[axis]
    return first if (first.rect.centre[axis] > door.centre[axis]) == ahead else second


def _steps(viewpoints: Viewpoints) -> tuple[dict[str, float], ...]:
    steps: list[dict[str, float]] = []
    for i in range(len(viewpoints.names)):
        found: dict[str, float] = {}
        if viewpoints.on_stairs[i]:
            x, y, z = viewpoints.position[i].tolist()
            for j in np.flatnonzero(viewpoints.unobstructed[i]).tolist():
                ahead, across, height = viewpoints.position[j].tolist()
                found["up" if height > z else "down"] = bearing((x, y), (ahead, across))
        steps.append(found)
    return tuple(steps)
