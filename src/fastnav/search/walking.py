"""Walking: what an agent does on foot while search jumps about, and the ground it knows."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fastnav.errors import UsageError
from fastnav.world.graph import World
from fastnav.world.route import Measure

#: When a popped node needs no step of its own: see `Walking`.
Skip = Literal["nothing", "last-step", "edge", "viewpoint"]


@dataclass(frozen=True)
class Walking:
    """How a jump to a popped node is walked.

    nothing     walk to the node's parent and take its action, always
    last-step   the released code: always walk to the parent; only the step itself is left out if it is known
    edge        the paper: neither, if that edge was walked before
    viewpoint   neither, if the viewpoint was visited before: what is to be seen there is known
    """

    by: Measure = "metres"  # what the way back over known ground makes least
    skip: Skip = "edge"


class Lengths:
    """Metres of a world's edges, kept: arrays are slow to ask for single numbers."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[tuple[int, int], float] = {}

    def of(self, source: int, target: int) -> float:
        """Metres from `source` to its neighbour `target`."""
        length = self._known.get((source, target))
        if length is None:
            slot = self._world.slot(source, target)
            if slot is None:
                raise UsageError(f"viewpoints {source} and {target} are not joined: no step leads there")
            length = self._known[source, target] = float(self._world.distance[source, slot])
        return length


class Walker:
    """One agent on foot: where it has been, in order, and which edges it knows."""

    def __init__(self, lengths: Lengths, start: int, walking: Walking) -> None:
        self.walked = [start]
        self.metres = 0.0
        self._lengths = lengths
        self._walking = walking
        self._cost: dict[int, dict[int, float]] = {start: {}}  # of known edges, in the order they were walked

    def leg(self, parent: int, target: int) -> tuple[int, ...]:
        """The viewpoints to pass when search goes to `target`, a neighbour of `parent` or (STOP) itself."""
        skip, stays = self._walking.skip, target == parent
        known_step = stays or target in self._cost[parent]
        if (skip == "edge" and known_step) or (skip == "viewpoint" and target in self._cost):
            return ()
        way = self.way(parent)
        return way if stays or (skip == "last-step" and known_step) else (*way, target)

    def length(self, leg: Sequence[int]) -> float:
        """Metres of a walk that goes on from here."""
        return sum((self._lengths.of(u, v) for u, v in zip((self.walked[-1], *leg), leg, strict=False)), 0.0)

    def follow(self, leg: Sequence[int]) -> None:
        """Walk."""
        for target in leg:
            source = self.walked[-1]
            metres = self._lengths.of(source, target)
            cost = metres if self._walking.by == "metres" else 1.0
            self._cost[source].setdefault(target, cost)
            self._cost.setdefault(target, {}).setdefault(source, cost)
            self.metres += metres
            self.walked.append(target)

    def home(self, parent: int, target: int) -> tuple[int, ...]:
        """The viewpoints to pass to the goal: over known ground if it was visited, else by its parent."""
        return self.way(target) if target in self._cost else (*self.way(parent), target)

    def way(self, target: int) -> tuple[int, ...]:
        """The shortest way to `target` over known edges, without the viewpoint where the agent stands.

        Of equally short ways it is the one found first, as in `world.route.way_back`.
        """
        start = self.walked[-1]
        came_from: dict[int, int] = {}
        queue = [(0.0, 0, start, start)]
        pushed = 0
        while queue:
            reached, _, here, before = heapq.heappop(queue)
            if here in came_from:
                continue
            came_from[here] = before
            if here == target:
                return _trace(came_from, start, target)
            for following, cost in self._cost[here].items():
                if following not in came_from:
                    pushed += 1
                    heapq.heappush(queue, (reached + cost, pushed, following, here))
        raise UsageError(f"viewpoint {target} was never reached on this walk; no known way leads back")


def _trace(came_from: dict[int, int], start: int, target: int) -> tuple[int, ...]:
    way: list[int] = []
    while target != start:
        way.append(target)
        target = came_from[target]
    return tuple(way[::-1])
