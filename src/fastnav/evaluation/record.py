"""RunRecord: what one system did on one split, as JSON with a schema version.

{"format": "fastnav-run", "schema": 1, "fastnav": "0.1.0", "system": "random", "split": "val_unseen",
 "settings": {"seed": 1, ...},
 "episodes": [{"instr_id": "17_0", "trajectory": [[viewpoint, heading, elevation], ...]}, ...],
 "trace": {...}}

`trace` is there only where the searches were recorded, and is large: `evaluation/trace.py` describes it, and
only `read_record` reads it. Walks are scored without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fastnav.data.checking import kind_of
from fastnav.data.files import read_json, write_json
from fastnav.errors import ResultError
from fastnav.evaluation.trace import Trace
from fastnav.evaluation.trace_reading import parse_trace
from fastnav.evaluation.trajectories import Trajectory, parse_trajectory, shown_name

FORMAT = "fastnav-run"
SCHEMA = 1


@dataclass(frozen=True)
class RunRecord:
    """One system's walks on one split."""

    system: str
    split: str
    trajectories: Mapping[str, Trajectory]  # by instr_id
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""  # of the fastnav that wrote it
    trace: Trace | None = None  # what the searches saw, where that was recorded

    def save(self, path: Path) -> None:
        """Write the record, whole or not at all."""
        write_json(path, self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON value."""
        record = {
            "format": FORMAT,
            "schema": SCHEMA,
            "fastnav": self.version,
            "system": self.system,
            "split": self.split,
            "settings": dict(self.settings),
            "episodes": leaderboard_entries(self.trajectories),
        }
        return record if self.trace is None else {**record, "trace": self.trace.to_json()}


def leaderboard_entries(trajectories: Mapping[str, Trajectory]) -> list[dict[str, Any]]:
    """The list that a leaderboard file is."""
    return [{"instr_id": key, "trajectory": walk.triples()} for key, walk in trajectories.items()]


def is_record(value: Any) -> bool:
    """Whether a JSON value says that it is a RunRecord."""
    return isinstance(value, dict) and value.get("format") == FORMAT


def read_record(path: Path) -> RunRecord:
    """The record in a file, with its trace if it has one."""
    value = read_json(path)
    if not is_record(value):
        raise ResultError(f"{path}: is no run record; name one that `fastnav navigate` wrote")
    record = parse_record(value, path)
    if "trace" not in value:
        return record
    return replace(record, trace=parse_trace(value["trace"], path, record.trajectories))


def parse_record(value: dict[str, Any], path: Path) -> RunRecord:
    """The record in `value`, which was read from `path`, without its trace."""
    schema = value.get("schema")
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        raise _wrong_field(path, "schema", "a version number", schema)
    if schema > SCHEMA:
        raise ResultError(
            f"{path}: written in schema {str(schema)[:9]} by a newer fastnav; upgrade to read it "
            f"(known: {SCHEMA})"
        )
    settings = value.get("settings", {})
    if not isinstance(settings, dict):
        raise _wrong_field(path, "settings", "an object", settings)
    version = value.get("fastnav", "")
    if not isinstance(version, str):
        raise _wrong_field(path, "fastnav", "a version", version)
    episodes = value.get("episodes")
    if not isinstance(episodes, list):
        raise _wrong_field(path, "episodes", "a list", episodes)
    return RunRecord(
        system=_text(value, "system", path),
        split=_text(value, "split", path),
        trajectories=parse_entries(episodes, path),
        settings=settings,
        version=version,
    )


def parse_entries(value: Any, path: Path) -> dict[str, Trajectory]:
    """Trajectories by instr_id from a list of {"instr_id", "trajectory"}; an id twice is an error."""
    if not isinstance(value, list):
        raise ResultError(f"{path}: expected a list of episodes, found {kind_of(value)}")
    walks: dict[str, Trajectory] = {}
    for number, entry in enumerate(value):
        instr_id = entry.get("instr_id") if isinstance(entry, dict) else None
        if not isinstance(instr_id, str) or not instr_id:
            raise ResultError(f"{path}: entry {number}: expected an object with 'instr_id' and 'trajectory'")
        name = f"episode {shown_name(instr_id)}"
        if instr_id in walks:
            raise ResultError(f"{path}: entry {number}: {name} is there twice; keep one of them")
        where = f"entry {number} ({name})"
        walks[instr_id] = parse_trajectory(trajectory_field(entry, path, where), path, f"{where}: trajectory")
    return walks


def trajectory_field(entry: dict[str, Any], path: Path, where: str) -> Any:
    """An entry's trajectory; where it is missing, the message tells what is there instead."""
    if "trajectory" not in entry:
        others = ", ".join(repr(shown_name(key)) for key in list(entry)[:5]) or "nothing"
        raise ResultError(
            f"{path}: {where}: field 'trajectory' is missing (it holds {others}); rename or add it"
        )
    return entry["trajectory"]


def _text(value: dict[str, Any], name: str, path: Path) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text:
        raise _wrong_field(path, name, "non-empty text", text)
    return text


def _wrong_field(path: Path, name: str, expected: str, found: Any) -> ResultError:
    return ResultError(f"{path}: field {name!r}: expected {expected}, found {kind_of(found)}")
