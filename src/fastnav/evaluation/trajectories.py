"""Trajectories as result files hold them, in all the shapes that published code writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fastnav.data.checking import LARGEST_NUMBER, kind_of
from fastnav.errors import ResultError
from fastnav.world.graph import World
from fastnav.world.route import Route
from fastnav.world.views import view_elevation, view_heading

#: Far more places than any search walks; a longer trajectory would only exhaust time and memory.
LONGEST = 100_000

#: Names longer than this are cut in messages.
_SHOWN = 40


@dataclass(frozen=True)
class Trajectory:
    """The places walked, in order, with the direction faced at each (radians)."""

    viewpoints: tuple[str, ...]
    headings: tuple[float, ...]
    elevations: tuple[float, ...]

    def triples(self) -> list[list[str | float]]:
        """As leaderboard files write it: [[viewpoint, heading, elevation], ...]."""
        rows = zip(self.viewpoints, self.headings, self.elevations, strict=True)
        return [[viewpoint, heading, elevation] for viewpoint, heading, elevation in rows]


class Waypoint(NamedTuple):
    """One place of a trajectory."""

    viewpoint: str
    heading: float = 0.0
    elevation: float = 0.0


def trajectory_of(world: World, route: Route) -> Trajectory:
    """A route with its viewpoints named, and each view turned into the direction of its centre."""
    views = np.array(route.views, dtype=np.int64)
    return Trajectory(
        tuple(world.viewpoint_ids[place] for place in route.viewpoints),
        tuple(view_heading(views).tolist()),
        tuple(view_elevation(views).tolist()),
    )


def parse_trajectory(value: Any, path: Path, where: str) -> Trajectory:
    """Read a list of places: "id", ["id"], ["id", heading, elevation], or lists of these, one a step."""
    if not isinstance(value, list):
        raise ResultError(f"{path}: {where}: expected a list of places, found {kind_of(value)}")
    if not value:
        raise ResultError(f"{path}: {where}: the trajectory is empty; it must hold at least the start")
    places: list[Waypoint] = []
    for k, entry in enumerate(value):
        for place in _step(entry):
            if place is None:
                raise ResultError(
                    f"{path}: {where}[{k}]: expected [viewpoint, heading, elevation], found {shown(entry)}"
                )
            places.append(place)
            if len(places) > LONGEST:
                raise ResultError(f"{path}: {where}: more than {LONGEST} places; no search walks so far")
    return Trajectory(*zip(*places, strict=True))


def read_place(entry: Any) -> Waypoint | None:
    """A place written as ["id"] or ["id", heading, elevation]; None if it is neither."""
    if not isinstance(entry, list) or len(entry) not in (1, 3) or not _is_name(entry[0]):
        return None
    name, *angles = entry
    return Waypoint(name, *map(float, angles)) if all(map(_is_angle, angles)) else None


def shown(value: Any) -> str:
    """A piece of a result file, short and safe to print."""
    return repr(value[:_SHOWN])[: 2 * _SHOWN] if isinstance(value, list) else kind_of(value)


def shown_name(name: str) -> str:
    """An identifier from a result file, short and safe to print."""
    return name if name.isprintable() and len(name) <= _SHOWN else repr(name[:_SHOWN])


def _step(entry: Any) -> Iterator[Waypoint | None]:
    """The places of one entry; None stands for what is no place.

    Some planners write the whole way to a frontier as one step: ["a", "b", "c"] is three places.
    """
    place = _any_place(entry)
    if place is None and isinstance(entry, list) and entry:
        yield from map(_any_place, entry)
    else:
        yield place


def _any_place(entry: Any) -> Waypoint | None:
    return Waypoint(entry) if _is_name(entry) else read_place(entry)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_angle(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and -LARGEST_NUMBER <= value <= LARGEST_NUMBER
