"""Imitation the plain way, to measure training against: as released code trains.

Each row is an environment of its own, in Python: it looks around, gathers the features of its candidates one
by one, asks its teacher, and moves. Batches are padded to their longest sentence and their most candidates;
rows that have stopped are computed on, masked, until all have; two optimisers turn the weights. Nothing is
smoothed, nobody steered.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from fastnav.agents.interface import Arrival
from fastnav.agents.layers import PAD, with_padding
from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.studies.plain_eyes import look, looking_plainly, observed
from fastnav.studies.plain_walk import Slot, slots_of
from fastnav.training.config import TrainingConfig
from fastnav.training.course import Course
from fastnav.training.imitation import Batch
from fastnav.training.learner import Learner
from fastnav.training.teacher import Teacher
from fastnav.world.graph import World

#: The target of a row that has stopped.
_IGNORED = -1


class PlainLearner:
    """Steps of learning on the batches that a `Learner` of the same seed draws."""

    def __init__(self, agent: str, config: TrainingConfig, course: Course, seed: int) -> None:
        self._config, self._course = config, course
        self._agent = looking_plainly(Learner(agent, config, course, seed).agent())
        network = self._agent.network.train()
        reads = {id(weight) for weight in network.encoder.parameters()}
        others = [weight for weight in network.parameters() if id(weight) not in reads]
        self._optimizers = [
            torch.optim.Adam(weights, lr=config.rate) for weights in (network.encoder.parameters(), others)
        ]
        self._slots = slots_of(course.world)
        self._teacher = _PlainTeacher(course.teacher, self._slots)
        self._draws = torch.Generator().manual_seed(seed)

    def step(self) -> int:
        """Learn from one batch; how many steps its agents took."""
        for optimizer in self._optimizers:
            optimizer.zero_grad()
        action_loss, progress_loss, steps = self.losses(
            self._course.lessons.draw(self._config.batch, self._draws)
        )
        loss = (action_loss + self._config.progress_weight * progress_loss) / steps
        loss.backward()  # type: ignore[no-untyped-call]
        for optimizer in self._optimizers:
            optimizer.step()
        return steps

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor, int]:
        """The sums of both losses over a rollout, and of steps."""
        device, rows = batch.goal.device, range(len(batch.goal))
        goals = batch.goal.tolist()
        poses = list(zip(batch.viewpoint.tolist(), batch.view.tolist(), strict=True))
        starts = [place for place, _ in poses]
        ended = [False for _ in rows]
        sampled = int(len(goals) * self._config.sampled)
        action_loss = progress_loss = torch.zeros((), device=device)
        steps = 0
        with with_padding():
            instruction = self._agent.read(batch.tokens[:, : int((batch.tokens != PAD).sum(dim=1).max())])
            state = self._agent.begin(instruction)
            arrival = Arrival.at_start(batch.viewpoint, batch.view)
            for _ in range(self._config.steps):
                seen = [look(self._slots, *pose) for pose in poses]
                observation = observed(poses, seen, device)
                state, output = self._agent.step(instruction, state, observation, arrival)
                logits = output.logits.masked_fill(~observation.mask, float("-inf"))
                right = [self._teacher.action(poses[k][0], goals[k]) for k in rows]
                target = torch.tensor([_IGNORED if ended[k] else right[k] for k in rows], device=device)
                action_loss = action_loss + nn.functional.cross_entropy(
                    logits, target, ignore_index=_IGNORED, reduction="sum"
                )
                if output.progress is not None:
                    done = [self._teacher.progress(starts[k], poses[k][0], goals[k]) for k in rows]
                    missed = (output.progress - torch.tensor(done, device=device)) ** 2
                    progress_loss = progress_loss + missed[target != _IGNORED].sum()
                steps += len(goals) - sum(ended)
                drawn = torch.multinomial(logits.detach().softmax(dim=1), 1).flatten().tolist()
                slots = [drawn[k] if k < sampled else right[k] for k in rows]
                arrival = Arrival(observation.viewpoint, observation.view, torch.tensor(slots, device=device))
                for k in rows:
                    if not ended[k]:
                        ended[k] = slots[k] == World.STOP
                        poses[k] = poses[k] if ended[k] else seen[k][slots[k]][:2]
                if all(ended):
                    break
        return action_loss, progress_loss, steps


class _PlainTeacher:
    """The teacher's tables as lists."""

    def __init__(self, teacher: Teacher, slots: Sequence[Sequence[Slot]]) -> None:
        self._slots = slots
        tables = (teacher.first, teacher.size, teacher.base, teacher.metres, teacher.following)
        self._first, self._size, self._base, self._metres, self._following = (
            table.tolist() for table in tables
        )

    def action(self, place: int, goal: int) -> int:
        """The slot on the shortest path."""
        following = self._following[self._pair(place, goal)]
        return next(k for k, slot in enumerate(self._slots[place]) if slot[0] == following)

    def progress(self, start: int, place: int, goal: int) -> float:
        """How much of the way is done."""
        whole, left = (float(self._metres[self._pair(one, goal)]) for one in (start, place))
        if left < SUCCESS_RADIUS:
            return 1.0
        return max(-1.0, (whole - left) / max(whole, SUCCESS_RADIUS))

    def _pair(self, place: int, goal: int) -> int:
        first = self._first[place]
        return int(self._base[place] + (place - first) * self._size[place] + goal - first)
