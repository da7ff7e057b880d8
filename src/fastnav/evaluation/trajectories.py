"""Trajectories as result files hold them, in all the shapes that published code writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastnav.data.checking import LARGEST_NUMBER, kind_of
from fastnav.errors import ResultError


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


@dataclass(frozen=True)
class Waypoint:
    """One place of a trajectory."""

    viewpoint: str
    heading: float = 0.0
    elevation: float = 0.0


def parse_trajectory(value: Any, path: Path, where: str) -> Trajectory:
    """Read a list of places: "id", ["id"], ["id", heading, elevation], or lists of these, one a step."""
    if not isinstance(value, list):
        raise _refused(path, where, f"expected a list of places, found {kind_of(value)}")
    places = [place for k, entry in enumerate(value) for place in _places(entry, path, f"{where}[{k}]")]
    if not places:
        raise _refused(path, where, "the trajectory is empty; it must hold at least the start")
    return Trajectory(
        tuple(place.viewpoint for place in places),
        tuple(place.heading for place in places),
        tuple(place.elevation for place in places),
    )


def _places(entry: Any, path: Path, where: str) -> Iterator[Waypoint]:
    if isinstance(entry, str) and entry:
        yield Waypoint(entry)
    elif _is_triple(entry):
        yield Waypoint(entry[0], float(entry[1]), float(entry[2]))
    elif isinstance(entry, list) and entry and all(isinstance(part, str | list) and part for part in entry):
        # One step that passed several places: some planners write the whole way to a frontier as one step.
        for k, part in enumerate(entry):
            yield from _one_place(part, path, f"{where}[{k}]")
    else:
        raise _refused(path, where, f"expected [viewpoint, heading, elevation], found {_shown(entry)}")


def _one_place(part: Any, path: Path, where: str) -> Iterator[Waypoint]:
    if isinstance(part, str):
        yield Waypoint(part)
    elif _is_triple(part):
        yield Waypoint(part[0], float(part[1]), float(part[2]))
    else:
        raise _refused(path, where, f"expected [viewpoint, heading, elevation], found {_shown(part)}")


def _is_triple(entry: Any) -> bool:
    return (
        isinstance(entry, list)
        and len(entry) == 3
        and isinstance(entry[0], str)
        and bool(entry[0])
        and all(_is_angle(angle) for angle in entry[1:])
    )


def _is_angle(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and -LARGEST_NUMBER <= value <= LARGEST_NUMBER


def _shown(value: Any) -> str:
    return repr(value)[:60] if isinstance(value, list) else kind_of(value)


def _refused(path: Path, where: str, problem: str) -> ResultError:
    return ResultError(f"{path}: {where}: {problem}")
