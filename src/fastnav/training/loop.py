"""train(): learn, examine, keep the best, and go on after any interruption as if there had been none."""

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

import fastnav
from fastnav.agents.checkpoint import save_checkpoint
from fastnav.agents.kinds import kind_named
from fastnav.agents.trained import checkpoint_of
from fastnav.errors import TrainingError, UsageError
from fastnav.training.config import Plan
from fastnav.training.course import Course, load_course
from fastnav.training.exams import examine
from fastnav.training.learner import Learner
from fastnav.training.precision import HALF, settled
from fastnav.training.presets import refuse_idle
from fastnav.training.rundir import SeedRun, open_run
from fastnav.training.team import Team, gather_team, own_device

#: The split that checkpoints are chosen by, where it is not learnt from.
CHOOSING = "dev_unseen"
#: No figure of the curves is as large.
_LARGEST = 1e30
#: A GPU is asked only so often whether the loss is still a number, for it would have to be waited for.
_GPU_LOOKS = 50


@runtime_checkable
class Watcher(Protocol):
    """Who wants to know how training goes."""

    def begins(self, seed: int, iteration: int, iterations: int) -> None:
        """A seed begins, or goes on, at `iteration`."""
        ...

    def learnt(self, iteration: int) -> None:
        """So many iterations are done."""
        ...

    def examined(self, row: Mapping[str, Any]) -> None:
        """A line of the curves."""
        ...


def train(plan: Plan, watcher: Watcher) -> list[Path]:
    """Train an agent for each seed; the paths of the chosen checkpoints."""
    refuse_idle(kind_named(plan.agent), plan.config)
    device = usable_device(own_device(plan.device))
    plan = replace(plan, precision=settled(plan.precision, device))
    team = gather_team(device)
    if plan.config.batch < team.size:
        raise UsageError(
            f"a batch of {plan.config.batch} for {team.size} processes; give --batch {team.size}"
        )
    course = course_of(plan, device)
    if team.leads:
        open_run(plan, course)
    paths = [_train_seed(plan, course, seed, watcher, team) for seed in plan.seeds]
    team.disband()
    return paths


def course_of(plan: Plan, device: torch.device) -> Course:
    """What the agent of a plan learns from."""
    return load_course(
        plan.data,
        plan.split,
        plan.features,
        device,
        low_level=kind_named(plan.agent).agent.low_level,
        mirror=bool(plan.config.mirror),
    )


def usable_device(name: str) -> torch.device:
    """The device of that name, set up, or an error that tells why it cannot be had."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"device {name!r} cannot be used ({reason}); choose cpu, or cuda on a GPU") from None
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    return device


def _train_seed(plan: Plan, course: Course, seed: int, watcher: Watcher, team: Team) -> Path:
    run = SeedRun(plan.out / f"seed-{seed}")
    if not run.is_finished:
        training = _Training(plan, course, run, seed, team)
        watcher.begins(seed, training.iteration, plan.config.iterations)
        training.go_on(watcher)
    return run.checkpoint


class _Training:
    """One seed, from the beginning or from where it was interrupted."""

    def __init__(self, plan: Plan, course: Course, run: SeedRun, seed: int, team: Team) -> None:
        self.plan, self.course, self.run, self.seed, self.team = plan, course, run, seed, team
        half = plan.precision == HALF
        self.learner = Learner(plan.agent, plan.config, course, seed, half=half, team=team)
        self.sums = torch.zeros(3, device=self.learner.device)  # of losses since the last examination
        self.iteration = 0
        self.looked = 0  # the iteration at which the loss was last seen to be a number
        self.best: float | None = None
        self.rows: list[dict[str, Any]] = []
        self._restore()

    def go_on(self, watcher: Watcher) -> None:
        """Train to the end."""
        config = self.plan.config
        while self.iteration < config.iterations:
            self.sums += self.learner.step(self.iteration)
            self.iteration += 1
            self._refuse_nonsense()
            last = self.iteration == config.iterations
            if last or self.iteration % config.validate_every == 0:
                if self.team.leads:
                    watcher.examined(self._examine())
                self.sums.zero_()
            if not last and self.iteration % config.save_every == 0:
                self._save()
            watcher.learnt(self.iteration)
        if self.team.leads:
            self._finish()

    def _finish(self) -> None:
        self.run.finish({"iterations": self.iteration, "seed": self.seed, "chosen": self._chosen()})

    def _examine(self) -> dict[str, Any]:
        """Write a line of the curves, and the checkpoint if it is the best, or the last, so far."""
        figures = {
            name: examine(self.learner.agent(), self.learner.teacher, exam)
            for name, exam in self.course.exams.items()
        }
        action_loss, progress_loss, steps = self.sums.tolist()
        learnt = {"loss": action_loss / steps, "progress_loss": progress_loss / steps}
        row = {"iteration": self.iteration, "train": learnt, **figures}
        self.rows.append(row)
        score = figures[CHOOSING]["SR"] + figures[CHOOSING]["SPL"] if CHOOSING in figures else None
        if score is None or self.best is None or score > self.best:
            self.best = score
            self._write_checkpoint(figures)
        self.run.write_curves(self.rows)
        return row

    def _write_checkpoint(self, figures: Mapping[str, Mapping[str, float]]) -> None:
        facts = {
            "fastnav": fastnav.__version__,
            "trained": {
                "split": self.plan.split,
                "seed": self.seed,
                "iteration": self.iteration,
                "tables": dict(self.course.tables),
                "precision": self.plan.precision,
                "config": asdict(self.plan.config),
            },
            "chosen": self._chosen(),
            "figures": figures,
        }
        agent = self.learner.agent()
        made = checkpoint_of(agent, features=self.plan.features, facts=facts, spaces=self.course.spaces)
        save_checkpoint(self.run.checkpoint, made)

    def _chosen(self) -> dict[str, Any]:
        """What the checkpoint was chosen by."""
        if self.best is None:
            return {"by": "being the last"}
        return {"by": f"greedy SR + SPL on {CHOOSING}", "score": self.best}

    def _refuse_nonsense(self) -> None:
        """Stop before a loss that is no number is saved or examined."""
        every = _GPU_LOOKS if self.sums.is_cuda else 1
        config = self.plan.config
        due = any(self.iteration % each == 0 for each in (every, config.validate_every, config.save_every))
        if not due and self.iteration < config.iterations:
            return
        if not math.isfinite(float(self.sums.sum())):
            after = f" (the last at which it was seen to be one was {self.looked})" if every > 1 else ""
            raise TrainingError(
                f"the loss is not a number at iteration {self.iteration} of seed {self.seed}{after}; train "
                "anew with --set rate=0.0003 or --set warm_up=1000, and see that the features are right"
            )
        self.looked = self.iteration

    def _save(self) -> None:
        notes = {"seed": self.seed, "iteration": self.iteration, "best": self.best, "rows": self.rows}
        held = {**self.learner.state(), "sums": self.sums}  # all processes tell theirs
        if self.team.leads:
            self.run.save(held, notes)

    def _take_notes(self, notes: Mapping[str, Any]) -> None:
        """Take up how far it was; a ValueError where that makes no sense."""
        iteration, best, rows = notes["iteration"], notes["best"], notes["rows"]
        if notes["seed"] != self.seed or not isinstance(iteration, int):
            raise ValueError("it is that of another seed")
        if not 0 < iteration < self.plan.config.iterations:
            raise ValueError(f"it was saved at iteration {str(iteration)[:20]}")
        if not (best is None or _is_number(best)) or not (isinstance(rows, list) and all(map(_is_row, rows))):
            raise ValueError("its figures are no numbers")
        self.iteration, self.best, self.rows = iteration, best, rows

    def _restore(self) -> None:
        """Go on from what was saved last, if anything was."""
        saved = self.run.load()
        if saved is None:
            return
        tensors, notes = saved
        try:
            self.learner.restore(_without_sums(tensors))
            self.sums.copy_(tensors["sums"])
            self._take_notes(notes)
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            raise self.run.misfit(error) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < _LARGEST


def _is_row(row: Any) -> bool:
    """Whether this is a line of the curves: figures by split, and when they were taken."""
    if not isinstance(row, dict) or not _is_number(row.get("iteration")):
        return False
    figures = [value for name, value in row.items() if name != "iteration"]
    return all(isinstance(each, dict) and all(map(_is_number, each.values())) for each in figures)


def _without_sums(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in tensors.items() if name != "sums"}
