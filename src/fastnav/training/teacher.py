"""What an agent is taught: the way on from wherever it is, and how much of the way is done."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
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
        )

    def action(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """The slot on the shortest path to the goal; STOP at the goal."""
        following = self.following[self._pair(place, goal)]
        # STOP and padding lead to the place itself, and so does `following` at the goal: the first is STOP.
        return (self.neighbour[place] == following[:, None]).int().argmax(dim=1)

    def distance(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Float[Tensor, " batch"]:
        """Metres to the goal."""
        return self.metres[self._pair(place, goal)]

    def progress(
        self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"], whole: Float[Tensor, " batch"]
    ) -> Float[Tensor, " batch"]:
        """The part of the `whole` distance that is done: 1 near the goal, negative when farther off."""
        left = self.distance(place, goal)
        done = (whole - left) / whole.clamp(min=SUCCESS_RADIUS)
        return torch.where(left < SUCCESS_RADIUS, torch.ones_like(done), done.clamp(min=-1.0))

    def _pair(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        return self.base[place] + (place - self.first[place]) * self.size[place] + goal - self.first[place]
