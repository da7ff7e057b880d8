"""Routes: viewpoints walked in order, each next to the one before; and the way back over known ground."""

import heapq
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from fastnav.errors import UsageError
from fastnav.world.graph import World

#: What the way back makes least: the paper's metres, or the released code's number of moves.
Measure = Literal["metres", "hops"]


@dataclass(frozen=True)
class Route:
    """Every viewpoint walked, in order, with the view faced there (0 to 35)."""

    viewpoints: tuple[int, ...]
    views: tuple[int, ...]

    @property
    def end(self) -> int:
        """Where the walk ends."""
        return self.viewpoints[-1]

    def length(self, world: World) -> float:
        """Metres walked."""
        return sum((step_length(world, u, v) for u, v in _steps(self.viewpoints)), 0.0)


def route_through(world: World, viewpoints: Sequence[int], first_view: int) -> Route:
    """The walk through `viewpoints`, facing the way one goes; each must be next to the one before."""
    views = [first_view]
    for source, target in _steps(viewpoints):
        slot = world.slot(source, target)
        if slot is None:
            raise _not_joined(source, target)
        views.append(int(world.view[source, slot]))
    return Route(tuple(viewpoints), tuple(views))


def step_length(world: World, source: int, target: int) -> float:
    """Metres of one move; staying costs nothing."""
    if source == target:
        return 0.0
    slot = world.slot(source, target)
    if slot is None:
        raise _not_joined(source, target)
    return float(world.distance[source, slot])


def way_back(world: World, walked: Sequence[int], target: int, by: Measure = "metres") -> tuple[int, ...]:
    """The shortest way from the end of `walked` to `target` over edges already walked, both ends included.

    Edges seen but never walked are not known ground: whether they are passable was never tried.
    """
    cost: Callable[[int, int], float]
    cost = (lambda u, v: step_length(world, u, v)) if by == "metres" else (lambda u, v: 1.0)
    joined = _known_edges(walked)
    best: dict[int, float] = {}
    queue: list[tuple[float, int, tuple[int, ...]]] = [(0.0, 0, (walked[-1],))]
    pushed = 0  # ties go to the way found first, so that the answer is the same on every machine
    while queue:
        reached, _, way = heapq.heappop(queue)
        here = way[-1]
        if here == target:
            return way
        if here in best:
            continue
        best[here] = reached
        for following in joined.get(here, ()):
            if following not in best:
                pushed += 1
                heapq.heappush(queue, (reached + cost(here, following), pushed, (*way, following)))
    raise UsageError(f"viewpoint {target} was never reached on this walk, so no known way leads back to it")


def _known_edges(walked: Sequence[int]) -> dict[int, list[int]]:
    joined: dict[int, list[int]] = {}
    for source, target in dict.fromkeys(_steps(walked)):
        if source != target:
            joined.setdefault(source, []).append(target)
            joined.setdefault(target, []).append(source)
    return joined


def _steps(viewpoints: Sequence[int]) -> Iterable[tuple[int, int]]:
    return itertools.pairwise(viewpoints)


def _not_joined(source: int, target: int) -> UsageError:
    return UsageError(f"viewpoints {source} and {target} are not joined: a walk lists every place it passes")
