"""Any result file -> trajectories: our records, leaderboard lists, and the dictionaries that others write."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from fastnav.data.files import read_json
from fastnav.data.splits import Split, load_split
from fastnav.errors import ResultError, UnknownName, UsageError
from fastnav.evaluation.record import is_record, parse_entries, parse_record, trajectory_field
from fastnav.evaluation.trajectories import Trajectory, parse_trajectory, shown_name


@dataclass(frozen=True)
class Result:
    """What a result file says: who walked where. `split` is None where the file does not tell."""

    path: Path
    system: str
    split: str | None
    trajectories: Mapping[str, Trajectory]
    settings: Mapping[str, Any] = field(default_factory=dict)  # of a record: how the run was made


def read_result(path: Path) -> Result:
    """Read a RunRecord, a leaderboard list, or a dictionary {instr_id: {"trajectory": ...}}."""
    result = _result(read_json(path), path)
    if not result.trajectories:
        raise ResultError(f"{path}: the file holds no episodes; check that the run that wrote it finished")
    return result


def load_split_for(result: Result, data: Path, chosen: str | None) -> Split:
    """The split chosen, or else the one that the file says, or else test."""
    if chosen is not None or result.split is None:
        return load_split(data, "test" if chosen is None else chosen)
    try:
        return load_split(data, result.split)
    except UnknownName as error:
        raise ResultError(f"{result.path}: {error}") from None


def refuse_split(result: Result, wanted: str) -> NoReturn:
    """A run on one split says nothing about another."""
    split = shown_name(result.split or "")
    raise UsageError(f"{result.path}: is a run on {split}, not on {wanted}; choose its own --split")


def _result(value: Any, path: Path) -> Result:
    if is_record(value):
        record = parse_record(value, path)
        return Result(path, record.system, record.split, record.trajectories, record.settings)
    if isinstance(value, dict):
        return Result(path, path.stem, None, _by_id(value, path))
    return Result(path, path.stem, None, parse_entries(value, path))


def _by_id(value: dict[str, Any], path: Path) -> dict[str, Trajectory]:
    """The dictionary form; each value is the trajectory itself or an object that holds it."""
    walks: dict[str, Trajectory] = {}
    for instr_id, entry in value.items():
        name = f"episode {shown_name(instr_id)}"
        walk = trajectory_field(entry, path, name) if isinstance(entry, dict) else entry
        walks[instr_id] = parse_trajectory(walk, path, f"{name}: trajectory")
    return walks
