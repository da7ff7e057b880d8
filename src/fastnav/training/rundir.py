"""The folder of a training run.

run.json                        what is trained, how, and on what
seed-1/checkpoint.safetensors   the agent chosen so far
seed-1/curves.jsonl             a line for each examination
seed-1/fastnav.tfevents         the same for TensorBoard
seed-1/resume.safetensors       all that going on depends on; gone when the run has finished
seed-1/finished.json            how it ended
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.settings import settings_of
from fastnav.agents.shipped import found_at, shipped_agents
from fastnav.agents.tensorfile import read_tensors, write_tensors
from fastnav.data.files import (
    files_in,
    is_folder,
    is_there,
    read_json,
    remove_halves,
    write_bytes,
    write_json,
    write_text,
)
from fastnav.errors import DataError, MalformedFile, MissingFile, UsageError
from fastnav.training.config import Plan, TrainingConfig
from fastnav.training.course import Course
from fastnav.training.events import event_file

CHECKPOINT = "checkpoint.safetensors"
_FORMAT = "fastnav-training"
_STATE_FORMAT = "fastnav-training-state"
_VERSION = 1
_STATE_VERSION = 2


def open_run(plan: Plan, course: Course) -> None:
    """Begin the run of `plan`, or with its `resume` go on with one that was begun in the same way."""
    path = plan.out / "run.json"
    remove_halves(plan.out)
    described = describe(plan, course)
    if not is_there(path):
        write_json(path, described, indent=2)
        return
    if not plan.resume:
        raise UsageError(
            f"{plan.out}: holds a training run already; --resume goes on with it, or choose another --out"
        )
    begun = read_json(path)
    if not isinstance(begun, dict) or begun.get("format") != _FORMAT:
        raise MalformedFile(path, "does not describe a training run", remedy="choose another --out")
    for name in described:
        _refuse_changed(path, name, begun.get(name), described[name])


def describe(plan: Plan, course: Course) -> dict[str, Any]:
    """What all seeds of a run have in common."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "agent": plan.agent,
        "split": plan.split,
        "features": plan.features,
        "tables": dict(course.tables),
        "config": asdict(plan.config),
    }


def begun_with(out: Path) -> TrainingConfig:
    """The settings that a run was begun with."""
    path = out / "run.json"
    begun = read_json(path)
    config = begun.get("config") if isinstance(begun, dict) else None
    if not isinstance(config, dict):
        raise MalformedFile(path, "does not describe a training run", remedy="name a run's folder")
    try:
        return settings_of(TrainingConfig, config)
    except UsageError as error:
        raise MalformedFile(path, str(error), where="field 'config'", remedy="train anew") from None


def _refuse_changed(path: Path, name: str, before: Any, now: Any) -> None:
    if name == "config" and isinstance(before, dict):
        for setting, value in now.items():
            _refuse_changed(path, setting, before.get(setting), value)
    elif before != now:
        raise UsageError(
            f"{path}: the run was begun with {name} {_shown(before)}, not {_shown(now)}; say the same to go "
            "on with it, or choose another --out"
        )


def _shown(value: Any) -> str:
    return json.dumps(value)[:80]


def best_checkpoint(run: Path) -> Path:
    """The checkpoint that `run` is, or that its folder holds; of several seeds the one chosen by most.

    Where nothing could be chosen by, as when all of train was learnt from, it is that of the first seed.
    """
    found = checkpoints_of(run)
    if len(found) == 1:
        return found[0]
    scores = [_score(path) for path in found]
    return found[scores.index(max(scores))]


def checkpoints_of(run: Path) -> list[Path]:
    """The checkpoint that `run` is or names, or all that its folder holds, one for each seed."""
    if not is_folder(run):
        return [_file(run)]
    found = [path for path in (run / CHECKPOINT, *_of_seeds(run)) if is_there(path)]
    if not found:
        remedy = "name a run of `fastnav train`, or one of its checkpoints"
        raise MissingFile(run, f"holds no {CHECKPOINT}", remedy)
    return found


def _file(run: Path) -> Path:
    """A checkpoint's file, or that of an agent that comes with fastnav by this name."""
    path = found_at(run)
    if not is_there(path):
        names = ", ".join(shipped_agents())
        remedy = f"name a run of `fastnav train`, a checkpoint, or an agent that comes with fastnav: {names}"
        raise MissingFile(path, "no such file", remedy)
    return path


def _of_seeds(run: Path) -> list[Path]:
    folders = [path for path in files_in(run, "") if path.name.removeprefix("seed-").isdecimal()]
    return [
        path / CHECKPOINT for path in sorted(folders, key=lambda path: int(path.name.removeprefix("seed-")))
    ]


def _score(path: Path) -> float:
    chosen = load_checkpoint(path).facts.get("chosen")
    score = chosen.get("score") if isinstance(chosen, dict) else None
    return float(score) if isinstance(score, int | float) else float("-inf")


@dataclass(frozen=True)
class SeedRun:
    """One seed's part of a run on disk."""

    folder: Path

    @property
    def checkpoint(self) -> Path:
        """The agent chosen so far."""
        return self.folder / CHECKPOINT

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to do."""
        return is_there(self.folder / "finished.json")

    def write_curves(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """All examinations so far, a line each; and for TensorBoard, anew so that none is double."""
        write_text(self.folder / "curves.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        write_bytes(self.folder / "fastnav.tfevents", event_file(rows))

    def save(self, tensors: Mapping[str, Tensor], notes: Mapping[str, Any]) -> None:
        """Keep all that going on depends on."""
        description = {"format": _STATE_FORMAT, "version": _STATE_VERSION, **notes}
        write_tensors(self._state, tensors, description)

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """What was saved last; None where nothing was. What a killed training half wrote goes away."""
        remove_halves(self.folder)
        if not is_there(self._state):
            return None
        tensors, notes = read_tensors(self._state)
        if notes.get("format") != _STATE_FORMAT:
            raise MalformedFile(self._state, "not the state of a training", remedy="remove it to begin anew")
        if notes.get("version") != _STATE_VERSION:
            raise DataError(f"{self._state}: saved by another fastnav; go on with that one, or remove it")
        return tensors, notes

    def misfit(self, error: Exception) -> MalformedFile:
        """The error for a state that does not fit the run."""
        problem = f"does not fit the run ({str(error).splitlines()[0][:80]})"
        return MalformedFile(self._state, problem, remedy="remove it to begin this seed anew")

    def finish(self, notes: Mapping[str, Any]) -> None:
        """Nothing is left to do."""
        write_json(self.folder / "finished.json", dict(notes), indent=2)
        self._state.unlink(missing_ok=True)

    @property
    def _state(self) -> Path:
        return self.folder / "resume.safetensors"
