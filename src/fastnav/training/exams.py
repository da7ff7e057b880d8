"""How far an agent has come: greedy walks on a split, and its losses along the teacher's paths."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.agents.interface import Arrival
from fastnav.agents.learned import Learned
from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.training.imitation import Batch, rollout
from fastnav.training.lessons import Lessons
from fastnav.training.teacher import Teacher
from fastnav.world.simulator import Pose, advance, observe

#: Rows that walk together.
_ROWS = 1024


def examine(agent: Learned[Any, Any], teacher: Teacher, exam: Lessons) -> dict[str, float]:
    """SR, SPL and TL of greedy walks, and the losses of a step on the teacher's path. Changes nothing."""
    device = teacher.metres.device
    sums = torch.zeros(6, device=device)
    with torch.random.fork_rng([device] if device.type == "cuda" else []), torch.no_grad():
        for batch in _batches(exam):
            nobody = torch.zeros_like(batch.goal, dtype=torch.bool)
            taught = rollout(agent, teacher, batch, sampled=nobody, steps=agent.longest)
            losses = torch.stack([taught.action_loss, taught.progress_loss, taught.steps])
            sums += torch.cat([_walk(agent, teacher, batch), losses])
    succeeded, by_length, walked, action_loss, progress_loss, steps = sums.tolist()
    rows = len(exam)
    return {
        "SR": succeeded / rows,
        "SPL": by_length / rows,
        "TL": walked / rows,
        "loss": action_loss / steps,
        "progress_loss": progress_loss / steps,
    }


def _walk(agent: Learned[Any, Any], teacher: Teacher, batch: Batch) -> Float[Tensor, " 3"]:
    """Sums of success, success by path length, and metres walked."""
    world = agent.world
    instruction = agent.read(batch.tokens)
    state = agent.begin(instruction)
    pose = Pose(batch.viewpoint, batch.view, torch.zeros_like(batch.goal, dtype=torch.bool))
    arrival = Arrival.at_start(batch.viewpoint, batch.view)
    walked = torch.zeros(len(batch.goal), device=batch.goal.device)
    for _ in range(agent.longest):
        seen = observe(world, pose)
        state, output = agent.step(instruction, state, seen, arrival)
        slot = output.logits.masked_fill(~seen.mask, float("-inf")).argmax(dim=1)
        step = seen.distance.gather(1, slot[:, None]).squeeze(1)
        walked = walked + torch.where(pose.finished, 0.0, step)
        arrival = Arrival(pose.viewpoint, pose.view, slot)
        pose = advance(world, pose, slot)
    shortest = teacher.distance(batch.viewpoint, batch.goal)
    succeeded = (teacher.distance(pose.viewpoint, batch.goal) < SUCCESS_RADIUS).float()
    # Who starts at the goal and stays has walked no way too many.
    by_length = succeeded * torch.where(walked > shortest, shortest / walked.clamp(min=1e-6), 1.0)
    return torch.stack([succeeded.sum(), by_length.sum(), walked.sum()])


def _batches(exam: Lessons) -> Iterator[Batch]:
    for batch in exam.batches:
        for start in range(0, len(batch.goal), _ROWS):
            rows = slice(start, start + _ROWS)
            yield Batch(*(getattr(batch, field.name)[rows] for field in fields(batch)))
