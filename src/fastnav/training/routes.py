"""Routes that nobody annotated, and the shortest paths along them."""

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor

from fastnav.agents.layers import PAD
from fastnav.agents.speaker import Paths
from fastnav.training.imitation import Batch
from fastnav.training.teacher import Teacher
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.simulator import Pose, advance

#: Moves of R2R's paths beyond the shortest ones, and their least length in metres.
_FEWEST, _MOST = 4, 6
_LEAST_METRES = 5.0


def taught_paths(world: World, teacher: Teacher, batch: Batch) -> Paths:
    """The shortest path of each row, with the STOP at its end."""
    pose = Pose(batch.viewpoint, batch.view, torch.zeros_like(batch.goal, dtype=torch.bool))
    steps: list[tuple[Tensor, ...]] = []
    for _ in range(_MOST + 1):
        slot = torch.where(pose.finished, World.STOP, teacher.action(pose.viewpoint, batch.goal))
        steps.append((pose.viewpoint, pose.view, slot, ~pose.finished))
        pose = advance(world, pose, slot)
    return Paths(*(torch.stack(part, dim=1) for part in zip(*steps, strict=True)))


def unannotated_routes(
    world: World, geodesics: Geodesics, houses: Bool[np.ndarray, " scan"], device: torch.device
) -> Batch:
    """All pairs of places in some houses whose shortest path is as long as R2R's; no words yet."""
    pairs = [_pairs(world, geodesics, int(scan)) for scan in np.flatnonzero(houses)]
    start, goal = (torch.as_tensor(np.concatenate(part), device=device) for part in zip(*pairs, strict=True))
    return Batch(
        tokens=torch.full((len(start), 1), PAD, device=device),
        viewpoint=start,
        view=torch.zeros_like(start),
        goal=goal,
    )


def _pairs(world: World, geodesics: Geodesics, scan: int) -> tuple[np.ndarray, np.ndarray]:
    here = np.flatnonzero(world.scan == scan)
    start, goal = (part.ravel() for part in np.meshgrid(here, here, indexing="ij"))
    moves, place = np.zeros(len(start), dtype=int), start
    for _ in range(_MOST + 1):
        moves += place != goal
        place = geodesics.next_hop(place, goal)
    metres = geodesics.distance(start, goal)
    kept = (moves >= _FEWEST) & (moves <= _MOST) & (metres >= _LEAST_METRES) & np.isfinite(metres)
    return start[kept], goal[kept]
