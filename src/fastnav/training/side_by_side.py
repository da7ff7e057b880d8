"""Several seeds at once on one GPU, which one training alone does not fill: a process for each."""

import multiprocessing
import queue
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch

from fastnav.agents.kinds import kind_named
from fastnav.errors import FastnavError, TrainingError
from fastnav.training.config import Plan
from fastnav.training.loop import Watcher, course_of, train, usable_device
from fastnav.training.precision import settled
from fastnav.training.presets import refuse_idle
from fastnav.training.rundir import open_run
from fastnav.training.team import processes

#: Seconds after which it is seen to whether all processes are still there.
_PATIENCE = 5.0


def train_seeds(plan: Plan, watchers: Callable[[int], Watcher]) -> list[Path]:
    """Train an agent for each seed: all at once on a GPU, else one after the other."""
    if plan.device.startswith("cuda") and len(plan.seeds) > 1 and processes() == 1:
        return train_side_by_side(plan, watchers)
    return train(plan, watchers(plan.seeds[0]))


def train_side_by_side(plan: Plan, watchers: Callable[[int], Watcher]) -> list[Path]:
    """Train an agent for each seed, all at once, with a watcher each; the paths of the chosen checkpoints.

    Where one fails the others go on to their ends; only then is it an error.
    """
    refuse_idle(kind_named(plan.agent), plan.config)
    settled(plan.precision, usable_device(plan.device))
    # Begun here, for each process finds the run begun; and mistakes are found before there are many.
    open_run(plan, course_of(plan, torch.device("cpu")))
    context = multiprocessing.get_context("spawn")
    news = context.Queue()
    alone = {seed: replace(plan, seeds=(seed,), resume=True) for seed in plan.seeds}
    going = {seed: context.Process(target=_train, args=(alone[seed], news)) for seed in plan.seeds}
    watching = {seed: watchers(seed) for seed in plan.seeds}
    ends: dict[int, Path | str] = {}
    try:
        for process in going.values():
            process.start()
        for told in _news(news, going, ends):
            getattr(watching[told.seed], told.name)(*told.facts)
    finally:
        for process in going.values():
            process.terminate()  # those that have ended do not mind
            process.join()
    failed = [f"seed {seed}: {end}" for seed, end in ends.items() if isinstance(end, str)]
    if failed:
        raise TrainingError("; ".join(failed))
    return [path for _, path in sorted(ends.items()) if isinstance(path, Path)]


@dataclass(frozen=True)
class _Told:
    """What a process has to say: that something happened to its seed, or how it ended."""

    seed: int
    name: str  # of the watcher's method, or "ended"
    facts: tuple[Any, ...]


def _news(
    news: "multiprocessing.Queue[_Told]", going: Mapping[int, BaseProcess], ends: dict[int, Path | str]
) -> Iterator[_Told]:
    """What processes tell, until all have ended; how they did is put into `ends`."""
    while len(ends) < len(going):
        try:
            told = news.get(timeout=_PATIENCE)
        except queue.Empty:
            for seed in going.keys() - ends.keys():
                if going[seed].exitcode is not None:
                    ends[seed] = f"its process ended ({going[seed].exitcode}); --resume goes on with it"
            continue
        if told.name == "ended":
            (ends[told.seed],) = told.facts
        else:
            yield told


class _Messenger:
    """Tells the first process what it would tell a watcher."""

    def __init__(self, seed: int, news: "multiprocessing.Queue[_Told]") -> None:
        self._seed, self._news = seed, news

    def begins(self, seed: int, iteration: int, iterations: int) -> None:
        """A seed begins, or goes on."""
        self._news.put(_Told(self._seed, "begins", (seed, iteration, iterations)))

    def learnt(self, iteration: int) -> None:
        """So many iterations are done."""
        self._news.put(_Told(self._seed, "learnt", (iteration,)))

    def examined(self, row: Mapping[str, Any]) -> None:
        """A line of the curves."""
        self._news.put(_Told(self._seed, "examined", (row,)))


def _train(plan: Plan, news: "multiprocessing.Queue[_Told]") -> None:
    """One seed, in a process of its own."""
    (seed,) = plan.seeds
    try:
        (end,) = train(plan, _Messenger(seed, news))
        news.put(_Told(seed, "ended", (end,)))
    except FastnavError as error:
        news.put(_Told(seed, "ended", (str(error),)))
    except KeyboardInterrupt:  # Ctrl-C reaches all processes; the first one says so
        news.cancel_join_thread()
