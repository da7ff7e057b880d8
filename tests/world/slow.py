"""The world's rules said again in plain Python, slowly: one agent, one viewpoint, one view at a time."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from fastnav.data.connectivity import ScanGraph

Point = tuple[float, float, float]
STEP = math.radians(30)
HALF_FIELD = math.radians(40)


@dataclass(frozen=True)
class SlowMap:
    """Places and who is joined to whom, over all buildings; neighbours in the order of the files."""

    places: list[Point]
    joined: list[list[int]]

    @classmethod
    def of(cls, graphs: list[ScanGraph]) -> "SlowMap":
        places: list[Point] = []
        joined: list[list[int]] = []
        for graph in graphs:
            first = len(places)
            edges = {tuple(edge) for edge in graph.edges.tolist()}
            count = len(graph.viewpoint_ids)
            places += [tuple(point) for point in graph.position.tolist()]
            joined += [[first + b for b in range(count) if (a, b) in edges] for a in range(count)]
        return cls(places, joined)

    def metres(self, a: int, b: int) -> float:
        return math.dist(self.places[a], self.places[b])


def seen_from(here: Point, there: Point, heading: float, elevation: float) -> tuple[float, float] | None:
    """How far right and up of the image's centre `there` lies, or None if it is out of the picture's sides.

    As the original simulator does it: by dot and cross product with the direction of the camera.
    """
    x, y, z = (q - p for p, q in zip(here, there, strict=True))
    level = math.hypot(x, y)
    camera = (math.cos(math.pi / 2 - heading), math.sin(math.pi / 2 - heading))
    along = x * camera[0] + y * camera[1]
    right = math.atan2(x * camera[1] - y * camera[0], along)
    if along < level * math.cos(HALF_FIELD):
        return None
    return right, math.atan2(z, level) - elevation


def sweep() -> Iterator[tuple[int, float, float]]:
    """The 36 views, looking down first, twelve turns right in each row: number, heading, elevation."""
    for row, column in itertools.product(range(3), range(12)):
        yield 12 * row + column, column * STEP, (row - 1) * STEP


def swept_view(here: Point, there: Point) -> int:
    """The view in which `there` is nearest the centre; the first of the sweep among equals."""
    best, chosen = math.inf, -1
    for view, heading, elevation in sweep():
        seen = seen_from(here, there, heading, elevation)
        if seen is not None and math.sqrt(seen[0] ** 2 + seen[1] ** 2) < best:
            best, chosen = math.sqrt(seen[0] ** 2 + seen[1] ** 2), view
    return chosen


def close_call(here: Point, there: Point, within: float = 1e-9) -> bool:
    """Whether two views show `there` equally near the centre, or it lies on the edge of a field of view."""
    x, y, z = (q - p for p, q in zip(here, there, strict=True))
    heading, elevation = math.atan2(x, y), math.atan2(z, math.hypot(x, y))
    edges = (
        heading / STEP - 0.5,
        (heading - HALF_FIELD) / STEP,
        (heading + HALF_FIELD) / STEP,
        elevation / STEP - 0.5,
    )
    return any(abs(edge - round(edge)) < within for edge in edges) or math.hypot(x, y) < within


@dataclass(frozen=True)
class SlowPose:
    """One agent: its place, its heading in twelfths of a turn, its tilt (-1, 0 or 1), whether it stopped."""

    place: int
    twelfth: int
    tilt: int = 0
    finished: bool = False

    @property
    def view(self) -> int:
        return 12 * (self.tilt + 1) + self.twelfth


def start(place: int, heading: float) -> SlowPose:
    """Level, facing the nearest twelfth of a turn."""
    right = math.fmod(heading, 2 * math.pi)
    return SlowPose(place, math.floor((right if right >= 0 else right + 2 * math.pi) / STEP + 0.5) % 12)


def step(world: SlowMap, pose: SlowPose, action: int) -> SlowPose:
    """The panoramic action space: 0 stops, k goes to the k-th neighbour and faces the view it is seen in."""
    if pose.finished or action == 0:
        return SlowPose(pose.place, pose.twelfth, pose.tilt, True)
    target = world.joined[pose.place][action - 1]
    view = swept_view(world.places[pose.place], world.places[target])
    return SlowPose(target, view % 12, view // 12 - 1)


def turns(world: SlowMap, pose: SlowPose) -> list[float]:
    """For each neighbour how far right of the agent's heading it lies."""
    here = world.places[pose.place]
    compass = (
        math.atan2(world.places[k][0] - here[0], world.places[k][1] - here[1])
        for k in world.joined[pose.place]
    )
    return [math.remainder(angle - pose.twelfth * STEP, 2 * math.pi) for angle in compass]


def ahead(world: SlowMap, pose: SlowPose) -> int | None:
    """The neighbour in the picture that is nearest its centre."""
    here = world.places[pose.place]
    best, chosen = math.inf, None
    for target in world.joined[pose.place]:
        seen = seen_from(here, world.places[target], pose.twelfth * STEP, pose.tilt * STEP)
        if seen is not None and math.hypot(*seen) < best:
            best, chosen = math.hypot(*seen), target
    return chosen


def low_level_step(world: SlowMap, pose: SlowPose, move: str) -> SlowPose:
    """One of stop, forward, left, right, up and down; going forward keeps heading and tilt."""
    if pose.finished or move == "stop":
        return SlowPose(pose.place, pose.twelfth, pose.tilt, True)
    if move == "forward":
        target = ahead(world, pose)
        assert target is not None, "nothing is ahead"
        return SlowPose(target, pose.twelfth, pose.tilt)
    if move in ("left", "right"):
        return SlowPose(pose.place, (pose.twelfth + (1 if move == "right" else -1)) % 12, pose.tilt)
    return SlowPose(pose.place, pose.twelfth, max(-1, min(1, pose.tilt + (1 if move == "up" else -1))))


def all_distances(world: SlowMap) -> list[list[float]]:
    """Floyd and Warshall: metres between all places, infinite where no way leads."""
    count = len(world.places)
    metres = [[0.0 if a == b else math.inf for b in range(count)] for a in range(count)]
    for a in range(count):
        for b in world.joined[a]:
            metres[a][b] = world.metres(a, b)
    for via, a, b in itertools.product(range(count), repeat=3):
        metres[a][b] = min(metres[a][b], metres[a][via] + metres[via][b])
    return metres


def all_ways(
    edges: set[frozenset[int]], here: int, target: int, been: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Every way from `here` to `target` over `edges` that visits no place twice."""
    way = (*been, here)
    if here == target:
        yield way
        return
    for edge in edges:
        if here in edge:
            (following,) = edge - {here}
            if following not in way:
                yield from all_ways(edges, following, target, way)
