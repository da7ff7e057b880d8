"""One rollout of a batch under a teacher: the losses, and how it went.

On a GPU nothing in it waits for the device and every shape is fixed, so that a whole training step can be
recorded once and replayed. On the CPU rows that have stopped are left behind, to the same result.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from fastnav.agents.interface import Arrival, TensorRows
from fastnav.agents.layers import is_thrifty
from fastnav.agents.learned import Learned
from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.training.teacher import Teacher
from fastnav.world.simulator import Pose, advance, observe

#: On the CPU rows that have stopped are left behind when they are so large a part of all.
_WORTH_LEAVING = 0.125


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
    arrival = Arrival.at_start(batch.viewpoint, batch.view)
    rows = _Rows(
        viewpoint=batch.viewpoint,
        view=batch.view,
        finished=torch.zeros_like(sampled),
        goal=batch.goal,
        whole=teacher.left(batch.viewpoint, batch.goal),
        path=teacher.path(batch.viewpoint, batch.goal, steps if teacher.steered else 0),
        sampled=sampled,
        dice=_gumbel_noise((len(sampled), steps, world.actions), sampled.device),
    )
    action_loss = progress_loss = count = reached = torch.zeros((), device=sampled.device)
    for number in range(steps):
        pose = rows.pose
        seen = observe(world, pose)
        state, output = agent.step(instruction, state, seen, arrival)
        logits = output.logits.float().masked_fill(~seen.mask, float("-inf"))
        right = teacher.action(pose.viewpoint, rows.goal)
        alive = (~pose.finished).float()
        action_loss = action_loss + (_surprise(logits, right, smoothing) * alive).sum()
        if output.progress is not None:
            missed = output.progress.float() - teacher.progress(pose.viewpoint, rows.goal, rows.whole)
            progress_loss = progress_loss + (missed**2 * alive).sum()
        count = count + alive.sum()
        free = rows.sampled
        if teacher.steered:
            free = free & ~teacher.leads_back(pose.viewpoint, rows.path)
        slot = torch.where(free, (logits.detach() + rows.dice[:, number]).argmax(dim=1), right)
        arrival = Arrival(pose.viewpoint, pose.view, slot)
        rows = rows.at(advance(world, pose, slot))
        going = rows.going()
        if going is not None:
            reached = reached + _arrived(teacher, rows)
            rows, arrival = rows.take(going), arrival.take(going)
            instruction, state = instruction.take(going), state.take(going)
            reached = reached - _arrived(teacher, rows)
        if not len(rows.goal):
            break
    return Rollout(action_loss, progress_loss, count, reached + _arrived(teacher, rows))


@dataclass(frozen=True)
class _Rows(TensorRows):
    """What is known of the rows that still walk, apart from the agent's own."""

    viewpoint: Int[Tensor, " batch"]
    view: Int[Tensor, " batch"]
    finished: Bool[Tensor, " batch"]
    goal: Int[Tensor, " batch"]
    whole: Float[Tensor, " batch"]  # the way from the start to the goal, in the measure of progress
    path: Int[Tensor, "batch node"]  # that way, where it is asked for
    sampled: Bool[Tensor, " batch"]
    dice: Float[Tensor, "batch step action"]

    @property
    def pose(self) -> Pose:
        """Where the rows stand."""
        return Pose(self.viewpoint, self.view, self.finished)

    def at(self, pose: Pose) -> "_Rows":
        """The same rows elsewhere."""
        return replace(self, viewpoint=pose.viewpoint, view=pose.view, finished=pose.finished)

    def going(self) -> Int[Tensor, " row"] | None:
        """The rows that have not stopped, where it pays to leave the others behind; never on a GPU."""
        if not is_thrifty(self.finished):
            return None
        going = (~self.finished).nonzero().squeeze(1)
        return going if len(going) <= (1 - _WORTH_LEAVING) * len(self.finished) else None


def _arrived(teacher: Teacher, rows: _Rows) -> Float[Tensor, ""]:
    """How many rows have stopped within the success radius."""
    near = teacher.distance(rows.viewpoint, rows.goal) < SUCCESS_RADIUS
    return (near & rows.finished).float().sum()


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


def _gumbel_noise(shape: tuple[int, ...], device: torch.device) -> Float[Tensor, "..."]:
    """What makes the largest of some logits a draw from their softmax."""
    return -torch.empty(shape, device=device).exponential_().clamp(min=1e-20).log()
