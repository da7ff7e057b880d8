"""All shortest paths of a world: metres, and the next place on the way.

Agents and search may not import this module: it would tell them where the goal lies.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from fastnav.world.graph import World

Places = Int[np.ndarray, "..."]  # global viewpoint indices, of any shape that broadcasts

#: scipy's mark for "no predecessor".
_NOWHERE = -9999


@dataclass(frozen=True, eq=False)
class Geodesics:
    """Every building's square tables, laid one after the other so that one batched look-up serves all."""

    scan: Int[np.ndarray, " viewpoint"]
    offset: Int[np.ndarray, " scan"]  # first viewpoint of each building
    size: Int[np.ndarray, " scan"]
    base: Int[np.ndarray, " scan"]  # where each building's square begins
    metres: Float[np.ndarray, " pair"]
    following: Int[np.ndarray, " pair"]  # the viewpoint after the first, on the way to the second

    @classmethod
    def of(cls, world: World) -> "Geodesics":
        """Shortest paths by metres between all viewpoints of each building."""
        size = np.bincount(world.scan, minlength=len(world.scans))
        offset = np.cumsum(size) - size
        squares = [_square(world, int(first), int(count)) for first, count in zip(offset, size, strict=True)]
        return cls(
            scan=world.scan,
            offset=offset,
            size=size,
            base=np.cumsum(size**2) - size**2,
            metres=np.concatenate([metres.ravel() for metres, _ in squares]),
            following=np.concatenate([following.ravel() for _, following in squares]),
        )

    def distance(self, source: Places, target: Places) -> Float[np.ndarray, "..."]:
        """Metres between viewpoints; infinite between buildings and where no path leads."""
        same, pair = self._pairs(source, target)
        return np.where(same, self.metres[pair], np.inf)

    def next_hop(self, source: Places, target: Places) -> Places:
        """The place after `source` on the shortest path to `target`; `source` where there is none."""
        same, pair = self._pairs(source, target)
        return np.where(same, self.following[pair], source)

    def path(self, source: int, target: int) -> tuple[int, ...]:
        """The shortest path, both ends included."""
        walked = [source]
        while walked[-1] != target:
            following = int(self.next_hop(np.array(walked[-1]), np.array(target)))
            if following == walked[-1]:
                raise ValueError(f"no path leads from viewpoint {source} to viewpoint {target}")
            walked.append(following)
        return tuple(walked)

    def _pairs(self, source: Places, target: Places) -> tuple[np.ndarray, np.ndarray]:
        scan = self.scan[source]
        same = np.asarray(scan == self.scan[target])  # a single pair would give a bare number
        first = self.offset[scan]
        pair = self.base[scan] + (source - first) * self.size[scan] + (target - first)
        return same, np.where(same, pair, 0)


def _square(world: World, first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Distances and next places of the building whose viewpoints begin at `first`."""
    rows = slice(first, first + count)
    legal = world.mask[rows].copy()
    legal[:, World.STOP] = False
    source, slot = np.nonzero(legal)
    target = world.neighbour[rows][source, slot] - first
    # All edges turned round, so that what precedes a on the way from b follows a on the way to b.
    edges = csr_array((world.distance[rows][source, slot], (target, source)), shape=(count, count))
    metres, before = dijkstra(edges, directed=True, return_predecessors=True)
    following = before.T.astype(np.int64)
    here = np.broadcast_to(np.arange(count)[:, None], following.shape)
    return metres.T, np.where(following == _NOWHERE, here, following) + first
