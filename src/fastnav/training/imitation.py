"""One rollout of a batch under a teacher: the losses, and how it went.

Nothing in it waits for the device and every shape is fixed, so that a GPU can record a whole training step
once and replay it.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from fastnav.agents.interface import Arrival
from fastnav.agents.learned import Learned
from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.training.teacher import Teacher
from fastnav.world.simulator import Pose, advance, observe


@dataclass(frozen=True, eq=False)
class Batch:
    """Episodes to learn from, goals included."""

    tokens: Int[Tensor, "batch token"]
    viewpoint: Int[Tensor, " batch"]
    view: Int[Tensor, " batch"]
    goal: Int[Tensor, " batch"]

    def take(self, rows: slice | Int[Tensor, " row"]) -> "Batch":
        """Some of the rows."""
        return Batch(self.tokens[rows], self.viewpoint[rows], self.view[rows], self.goal[rows])


@dataclass(frozen=True, eq=False)
class Rollout:
    """Sums over the batch; divide by `steps`."""

    action_loss: Float[Tensor, ""]
    progress_loss: Float[Tensor, ""]
    steps: Float[Tensor, ""]
    reached: Float[Tensor, ""]  # episodes that end within the success radius


def rollout(
    agent: Learned[Any, Any],
    teacher: Teacher,
    batch: Batch,
    *,
    sampled: Bool[Tensor, " batch"],
    steps: int,
    smoothing: float = 0.0,
) -> Rollout:
    """Let the agent walk: rows of `sampled` follow its own sampled actions, the others the teacher's."""
    world = agent.world
    instruction = agent.read(batch.tokens)
    state = agent.begin(instruction)
    pose = Pose(batch.viewpoint, batch.view, torch.zeros_like(sampled))
    arrival = Arrival.at_start(batch.viewpoint, batch.view)
    whole = teacher.left(batch.viewpoint, batch.goal)
    path = teacher.path(batch.viewpoint, batch.goal, steps) if teacher.steered else None
    action_loss = progress_loss = count = torch.zeros((), device=whole.device)
    for _ in range(steps):
        seen = observe(world, pose)
        state, output = agent.step(instruction, state, seen, arrival)
        logits = output.logits.masked_fill(~seen.mask, float("-inf"))
        right = teacher.action(pose.viewpoint, batch.goal)
        alive = (~pose.finished).float()
        action_loss = action_loss + (_surprise(logits, right, smoothing) * alive).sum()
        if output.progress is not None:
            missed = output.progress - teacher.progress(pose.viewpoint, batch.goal, whole)
            progress_loss = progress_loss + (missed**2 * alive).sum()
        count = count + alive.sum()
        free = sampled if path is None else sampled & ~teacher.leads_back(pose.viewpoint, path)
        slot = torch.where(free, _sample(logits.detach()), right)
        arrival = Arrival(pose.viewpoint, pose.view, slot)
        pose = advance(world, pose, slot)
    near = teacher.distance(pose.viewpoint, batch.goal) < SUCCESS_RADIUS
    return Rollout(action_loss, progress_loss, count, (near & pose.finished).float().sum())


def _surprise(
    logits: Float[Tensor, "batch action"], right: Int[Tensor, " batch"], smoothing: float
) -> Float[Tensor, " batch"]:
    """Cross entropy with the teacher's action, which of its certainty gives `smoothing` to all legal ones."""
    if not smoothing:
        return cross_entropy(logits, right, reduction="none")
    chance = logits.log_softmax(dim=1)
    legal = logits > float("-inf")
    # torch's own smoothing would count the masked actions, each of which is infinitely surprising.
    others = torch.where(legal, chance, 0.0).sum(dim=1) / legal.sum(dim=1)
    return -(1 - smoothing) * chance.gather(1, right[:, None]).squeeze(1) - smoothing * others


def _sample(logits: Float[Tensor, "batch action"]) -> Int[Tensor, " batch"]:
    """A draw from the softmax of the logits, by adding Gumbel noise."""
    noise = -torch.empty_like(logits).exponential_().clamp(min=1e-20).log()
    return (logits + noise).argmax(dim=1)
