"""Lessons that a speaker wrote: sentences for routes that nobody annotated."""

from dataclasses import replace
from pathlib import Path

import torch

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.kinds import SPEAKER
from fastnav.agents.speaker import Speaker
from fastnav.agents.trained import speaker_of
from fastnav.errors import UsageError
from fastnav.training.course import Course
from fastnav.training.imitation import Batch
from fastnav.training.lessons import WIDTHS, Lessons, by_width
from fastnav.training.routes import taught_paths, unannotated_routes
from fastnav.training.teacher import Teacher
from fastnav.world.views import HEADINGS, LEVEL_ROW

#: Paths that are written about together.
_ROWS = 4096
#: The same sentences for all seeds of a training: what differs between seeds is the learning.
_SEED = 1


def written_by(path: Path, course: Course, temperature: float) -> Lessons:
    """What the speaker of a checkpoint writes for the houses of a course."""
    checkpoint = load_checkpoint(path, agent=SPEAKER.name)
    if checkpoint.vocabulary.words != course.vocabulary.words:
        raise UsageError(f"{path}: the speaker has another word list; train it on the same data")
    trained = checkpoint.facts.get("trained")
    split = trained.get("split") if isinstance(trained, dict) else None
    if split != course.split:
        raise UsageError(
            f"{path}: the speaker was trained on {split}, not on {course.split}, and would tell the agent of "
            f"houses that it is examined in; train it with --train-split {course.split}"
        )
    speaker = speaker_of(checkpoint, course.world, course.sight, path)
    routes = unannotated_routes(course.ground, course.geodesics, course.houses, course.teacher.metres.device)
    return write(speaker, course.teacher, routes, temperature=temperature, seed=_SEED)


def write(speaker: Speaker, teacher: Teacher, routes: Batch, *, temperature: float, seed: int) -> Lessons:
    """A sentence for each route, begun in a random direction."""
    device = routes.goal.device
    headings = torch.randint(HEADINGS, (len(routes.goal),), generator=torch.Generator().manual_seed(seed))
    routes = replace(routes, view=(headings + HEADINGS * LEVEL_ROW).to(device))
    written = []
    with torch.random.fork_rng([device] if device.type == "cuda" else []), torch.no_grad():
        torch.manual_seed(seed)
        for start in range(0, len(routes.goal), _ROWS):
            paths = taught_paths(speaker.world, teacher, routes.take(slice(start, start + _ROWS)))
            written.append(speaker.write(paths, WIDTHS[-1], temperature))
    return by_width(replace(routes, tokens=torch.cat(written)))
