"""What can be taught: to walk as one is told, or to tell how one walked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor

from fastnav.agents.kinds import SPEAKER, Kind
from fastnav.agents.speaker import Speaker
from fastnav.training.config import TrainingConfig
from fastnav.training.exams import batches, examine
from fastnav.training.imitation import Batch, Rollout, rollout
from fastnav.training.lessons import Lessons
from fastnav.training.routes import taught_paths
from fastnav.training.teacher import Teacher


@dataclass(frozen=True)
class Subject:
    """How a batch is learnt from, and how well it has been learnt."""

    #: (agent, teacher, batch, rows that follow their own samples, settings) -> losses
    lesson: Callable[[Any, Teacher, Batch, Bool[Tensor, " batch"], TrainingConfig], Rollout]
    examine: Callable[[Any, Teacher, Lessons], dict[str, float]]
    score: Callable[[Mapping[str, float]], float]  # of an exam's figures; the higher the better
    scored_by: str


def subject_of(kind: Kind) -> Subject:
    """What agents of this kind are taught."""
    return SPEAKING if kind is SPEAKER else WALKING


def _walk(
    agent: Any, teacher: Teacher, batch: Batch, sampled: Bool[Tensor, " batch"], config: TrainingConfig
) -> Rollout:
    return rollout(agent, teacher, batch, sampled=sampled, steps=config.steps, smoothing=config.smoothing)


def _tell(
    speaker: Speaker, teacher: Teacher, batch: Batch, sampled: Bool[Tensor, " batch"], config: TrainingConfig
) -> Rollout:
    """The words of annotated sentences; nothing is sampled."""
    surprise, words = speaker.surprise(taught_paths(speaker.world, teacher, batch), batch.tokens)
    nothing = torch.zeros((), device=surprise.device)
    return Rollout(surprise.sum(), nothing, words.sum().float(), nothing)


def _examine_speaker(speaker: Speaker, teacher: Teacher, exam: Lessons) -> dict[str, float]:
    """How surprised it is by a word that people wrote."""
    surprise = words = 0.0
    with torch.no_grad():
        for batch in batches(exam):
            sums, lengths = speaker.surprise(taught_paths(speaker.world, teacher, batch), batch.tokens)
            surprise, words = surprise + float(sums.sum()), words + float(lengths.sum())
    return {"loss": surprise / words}


WALKING = Subject(_walk, examine, lambda figures: figures["SR"] + figures["SPL"], "greedy SR + SPL")
SPEAKING = Subject(_tell, _examine_speaker, lambda figures: -figures["loss"], "least surprise at a word")
