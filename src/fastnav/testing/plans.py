"""A fixed walk for a small batch, so that an agent can be led along it in different company."""

from dataclasses import dataclass, fields, replace

import torch
from jaxtyping import Int
from torch import Tensor

from fastnav.agents.interface import Arrival
from fastnav.world.graph import World
from fastnav.world.simulator import Observation, Pose, observe, step


@dataclass(frozen=True)
class Moment:
    """What all rows see at one step, and how they came there."""

    view: Observation
    arrival: Arrival

    def take(self, rows: Int[Tensor, " row"]) -> "Moment":
        """The same for some rows."""
        seen = {field.name: getattr(self.view, field.name)[rows] for field in fields(self.view)}
        return Moment(replace(self.view, **seen), self.arrival.take(rows))

    def with_other_padding(self) -> "Moment":
        """The same, but for what stands in slots that are masked."""
        view, masked = self.view, ~self.view.mask
        return replace(
            self,
            view=replace(
                view,
                neighbour=view.neighbour.masked_fill(masked, 0),
                action_view=view.action_view.masked_fill(masked, 7),
                turn=view.turn.masked_fill(masked, 1.0),
                elevation=view.elevation.masked_fill(masked, -0.5),
                distance=view.distance.masked_fill(masked, 9.0),
            ),
        )


def walk_at_random(world: World, batch: int, steps: int, seed: int) -> list[Moment]:
    """What `batch` walkers see who never stop; where no way leads on, they stand."""
    device = world.neighbour.device
    dice = torch.Generator().manual_seed(seed)
    here = torch.randint(len(world), (batch,), generator=dice).to(device)
    facing = torch.randint(36, (batch,), generator=dice).to(device)
    pose = Pose(here, facing, torch.zeros(batch, dtype=torch.bool, device=device))
    moments = [Moment(observe(world, pose), Arrival.at_start(pose.viewpoint, pose.view))]
    for _ in range(steps - 1):
        legal = world.mask[pose.viewpoint].cpu().double()
        legal[:, World.STOP] = torch.where(legal.sum(dim=1) > 1, 0.0, 1.0)
        action = torch.multinomial(legal, 1, generator=dice)[:, 0].to(device)
        arrival = Arrival(pose.viewpoint, pose.view, action)
        moved = step(world, pose, action)
        pose = Pose(moved.viewpoint, moved.view, torch.zeros_like(moved.finished))
        moments.append(Moment(observe(world, pose), arrival))
    return moments
