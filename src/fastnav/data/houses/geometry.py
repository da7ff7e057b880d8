"""Walls and lines of sight."""

import math
from collections.abc import Iterable

import numpy as np
from jaxtyping import Bool, Float

from fastnav.data.houses.plan import House, Point

#: How far a walker keeps from a door post.
CLEARANCE = 0.15

Interval = tuple[float, float]


def bearing(here: Point, there: Point) -> float:
    """The heading from one point to another: radians clockwise from +y, in [0, 2 pi)."""
    return math.atan2(there[0] - here[0], there[1] - here[1]) % (2 * math.pi)


def turned(angle: float) -> float:
    """The same angle in [-pi, pi): negative to the left."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def walls_of(house: House, floor: int, clearance: float = 0.0) -> Float[np.ndarray, "wall 4"]:
    """The pieces of wall of one floor as x0, y0, x1, y1, with a gap at each door.

    Each gap is narrowed by `clearance` at both ends, for walkers who are wider than a line of sight.
    """
    lines: dict[tuple[bool, float], list[Interval]] = {}
    gaps: dict[tuple[bool, float], list[Interval]] = {}
    for room in house.rooms_on(floor):
        box = room.rect
        for x in (box.x0, box.x1):
            lines.setdefault((True, round(x, 3)), []).append((box.y0, box.y1))
        for y in (box.y0, box.y1):
            lines.setdefault((False, round(y, 3)), []).append((box.x0, box.x1))
    for door in house.doors:
        if door.floor != floor:
            continue
        (x0, y0), (x1, y1) = door.start, door.end
        upright = abs(x0 - x1) < 1e-6
        ends = sorted((y0, y1) if upright else (x0, x1))
        gap = (ends[0] + clearance, ends[1] - clearance)
        gaps.setdefault((upright, round(x0 if upright else y0, 3)), []).append(gap)
    pieces = [
        (at, low, at, high) if upright else (low, at, high, at)
        for (upright, at), intervals in lines.items()
        for low, high in _without(_joined(intervals), gaps.get((upright, at), []))
    ]
    pieces += [
        (*flight.divider[0], *flight.divider[1])
        for flight in house.flights
        if flight.floor in (floor, floor - 1)
    ]
    return np.array(pieces, dtype=np.float64).reshape(-1, 4)


def hidden(
    here: Float[np.ndarray, "here 2"], there: Float[np.ndarray, "there 2"], walls: Float[np.ndarray, "wall 4"]
) -> Bool[np.ndarray, "here there"]:
    """Whether a wall stands between two points. All walls run along x or along y."""
    blocked = np.zeros((len(here), len(there)), dtype=bool)
    for x0, y0, x1, y1 in walls.tolist():
        along = 1 if x0 == x1 else 0  # the axis in which this wall extends
        low, high = (min(y0, y1), max(y0, y1)) if along else (min(x0, x1), max(x0, x1))
        at = x0 if along else y0
        side_here = here[:, 1 - along] - at
        side_there = there[:, 1 - along] - at
        rows = np.flatnonzero(side_here)
        opposite = side_here[rows, None] * side_there[None, :] < 0
        if not opposite.any():
            continue
        share = side_here[rows, None] / np.where(opposite, side_here[rows, None] - side_there[None, :], 1.0)
        crossing = here[rows, None, along] + share * (there[None, :, along] - here[rows, None, along])
        blocked[rows] |= opposite & (crossing > low) & (crossing < high)
    return blocked


def _joined(intervals: Iterable[Interval]) -> list[Interval]:
    """The union of intervals, as intervals apart from each other."""
    union: list[Interval] = []
    for low, high in sorted(intervals):
        if union and low <= union[-1][1] + 1e-6:
            union[-1] = (union[-1][0], max(high, union[-1][1]))
        else:
            union.append((low, high))
    return union


def _without(intervals: list[Interval], gaps: list[Interval]) -> list[Interval]:
    """What is left of intervals once the gaps are cut out."""
    for start, end in sorted(gaps):
        left = []
        for low, high in intervals:
            if end <= low or start >= high:
                left.append((low, high))
                continue
            left += [(a, b) for a, b in ((low, start), (end, high)) if b - a > 1e-6]
        intervals = left
    return intervals
