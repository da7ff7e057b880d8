"""What an agent is taught: the way on from wherever it is, and how much of the way is done."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World


@dataclass(frozen=True, eq=False)
class Teacher:
    """Shortest paths of a world as tensors."""

    neighbour: Int[Tensor, "viewpoint action"]
    first: Int[Tensor, " viewpoint"]  # the first viewpoint of each one's building
    size: Int[Tensor, " viewpoint"]  # number of viewpoints of its building
    base: Int[Tensor, " viewpoint"]  # where the square of its building's pairs begins
    metres: Float[Tensor, " pair"]
    following: Int[Tensor, " pair"]
    hops: Int[Tensor, " pair"]  # moves on the shortest path by metres
    by_hops: bool = False  # whether progress is told in moves, or in metres
    steered: int = 0  # who samples and is so many moves off the way is led back; 0 never

    @classmethod
    def of(cls, world: World, geodesics: Geodesics, device: Any) -> "Teacher":
        """The teacher of `world`, which holds numpy arrays, on `device`."""
        building = geodesics.scan

        def move(table: np.ndarray) -> Tensor:
            return torch.tensor(table, device=device)

        return cls(
            neighbour=move(world.neighbour),
            first=move(geodesics.offset[building]),
            size=move(geodesics.size[building]),
            base=move(geodesics.base[building]),
            metres=move(geodesics.metres).float(),
            following=move(geodesics.following),
            hops=move(_hops(geodesics)),
        )

    def action(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """The slot on the shortest path to the goal; STOP at the goal."""
        following = self.following[self._pair(place, goal)]
        # STOP and padding lead to the place itself, and so does `following` at the goal: the first is STOP.
        return (self.neighbour[place] == following[:, None]).int().argmax(dim=1)

    def distance(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Float[Tensor, " batch"]:
        """Metres to the goal."""
        return self.metres[self._pair(place, goal)]

    def left(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Float[Tensor, " batch"]:
        """What is left of the way, in the measure of progress."""
        return self.hops_between(place, goal).float() if self.by_hops else self.distance(place, goal)

    def hops_between(
        self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]
    ) -> Int[Tensor, " batch"]:
        """Moves to the goal."""
        return self.hops[self._pair(place, goal)]

    def path(
        self, start: Int[Tensor, " batch"], goal: Int[Tensor, " batch"], moves: int
    ) -> Int[Tensor, "batch node"]:
        """The first so many moves of the way, the start included; who has arrived stays."""
        nodes = [start]
        for _ in range(moves):
            nodes.append(self.following[self._pair(nodes[-1], goal)])
        return torch.stack(nodes, dim=1)

    def leads_back(
        self, place: Int[Tensor, " batch"], path: Int[Tensor, "batch node"]
    ) -> Bool[Tensor, " batch"]:
        """Who is so far off the path that the teacher's action takes the place of a sampled one."""
        off = self.hops_between(place, path[:, 0])
        for node in path.unbind(dim=1)[1:]:
            off = torch.minimum(off, self.hops_between(place, node))
        return off >= self.steered

    def progress(
        self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"], whole: Float[Tensor, " batch"]
    ) -> Float[Tensor, " batch"]:
        """The part of the `whole` way that is done: 1 near the goal (by hops at it), negative farther off."""
        left = self.left(place, goal)
        if self.by_hops:
            return ((whole - left) / whole.clamp(min=1)).masked_fill(left == 0, 1.0).clamp(min=-1.0)
        done = (whole - left) / whole.clamp(min=SUCCESS_RADIUS)
        return torch.where(left < SUCCESS_RADIUS, torch.ones_like(done), done.clamp(min=-1.0))

    def _pair(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        return self.base[place] + (place - self.first[place]) * self.size[place] + goal - self.first[place]


def _hops(geodesics: Geodesics) -> Int[np.ndarray, " pair"]:
    """Moves on the way between all pairs; 0 where none leads."""
    size = geodesics.size[geodesics.scan]
    here = np.repeat(np.arange(len(size)), size)
    building = geodesics.scan[here]
    goal = (np.arange(len(here)) - geodesics.base[building]) % size[here] + geodesics.offset[building]
    hops = np.zeros(len(here), dtype=np.int64)
    going = np.arange(len(here))
    while len(going):
        following = geodesics.next_hop(here[going], goal[going])
        moved = following != here[going]
        going = going[moved]
        here[going] = following[moved]
        hops[going] += 1
    return hops
