"""How fast training is: steps that agents take a second while learning, beside the plain way."""

import statistics
import time
from collections.abc import Callable

import torch

from fastnav.studies.bench_rows import BenchRow
from fastnav.studies.plain_train import PlainLearner
from fastnav.studies.trained import Progress
from fastnav.training.config import TrainingConfig
from fastnav.training.course import Course
from fastnav.training.learner import Learner
from fastnav.training.precision import HALF, settled

ROUNDS = 3
#: Batches to warm up with, that the library learns from in a round, and the plain way; a GPU records each
#: shape when it meets it.
BATCHES = {"cpu": (1, 3, 3), "cuda": (60, 200, 3)}
_AGENT, _SEED = "smna", 1


def bench_train(
    course: Course, config: TrainingConfig, progress: Progress = lambda done, total: None
) -> list[BenchRow]:
    """Let the library and the plain way learn in turn, several times over; medians of both.

    They draw the same batches. On a CPU where products are taken in bfloat16, there is a row without that.
    """
    device = course.teacher.metres.device
    warm_up, batches, plain_batches = BATCHES[device.type]
    precisions = dict.fromkeys((settled("auto", device), "float32"))
    plain = PlainLearner(_AGENT, config, course, _SEED)
    ways: list[tuple[Callable[[], torch.Tensor], int]] = [
        (_stepping(Learner(_AGENT, config, course, _SEED, half=name == HALF)), batches) for name in precisions
    ]
    ways.append((lambda: torch.tensor(plain.step()), plain_batches))
    for number, (way, _) in enumerate(ways):
        for _ in range(warm_up if number < len(precisions) else 1):
            way()
    rates: list[list[float]] = [[] for _ in ways]
    for done in range(ROUNDS):
        progress(done, ROUNDS)
        for kept, (way, count) in zip(rates, ways, strict=True):
            kept.append(_rate(way, count, device))
    *fast, plainly = (statistics.median(kept) for kept in rates)
    return [
        BenchRow(f"agent steps, batch {config.batch}, {device.type}, {name}", speed, plainly, "per second")
        for name, speed in zip(precisions, fast, strict=True)
    ]


def _stepping(learner: Learner) -> Callable[[], torch.Tensor]:
    """One step of learning; how many steps the agents took."""
    return lambda: learner.step(0)[2]


def _rate(way: Callable[[], torch.Tensor], batches: int, device: torch.device) -> float:
    """Agent steps a second."""
    _wait(device)
    begin = time.perf_counter()
    steps = torch.zeros((), dtype=torch.float64, device=device)
    for _ in range(batches):
        steps += way().to(device)
    _wait(device)
    return float(steps) / (time.perf_counter() - begin)


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
