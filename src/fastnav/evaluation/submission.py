"""Leaderboard files: written so that they are accepted, and checked as strictly as the server does.

The file is a JSON list [{"instr_id": "<path_id>_<k>", "trajectory": [[viewpoint, heading, elevation], ...]}],
with every scored episode of the split once. A trajectory begins at the episode's start, lists every place
walked, backtracking included, and each place is next to the one before (or the same).
"""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fastnav.data.checking import kind_of
from fastnav.data.episodes import Episode
from fastnav.data.files import read_json, write_json
from fastnav.data.splits import Split
from fastnav.errors import ResultError
from fastnav.evaluation.record import leaderboard_entries
from fastnav.evaluation.trajectories import Trajectory, parse_trajectory
from fastnav.world.graph import World

#: How many problems an error message lists.
_SHOWN = 5


def write_submission(
    path: Path, trajectories: Mapping[str, Trajectory], split: Split, world: World, *, source: Path
) -> int:
    """Write a leaderboard file and return its number of episodes; nothing invalid is ever written."""
    entries = leaderboard_entries(trajectories)
    refuse_invalid(entries, split, world, source)
    write_json(path, entries)
    return len(entries)


def check_submission(path: Path, split: Split, world: World) -> int:
    """Refuse a file that the leaderboard would refuse; the number of its episodes if it is fine."""
    value = read_json(path)
    refuse_invalid(value, split, world, path)
    return len(value)


def refuse_invalid(value: Any, split: Split, world: World, source: Path) -> None:
    """Raise one error that lists the first problems and counts the others."""
    problems = list(submission_problems(value, split, world))
    if problems:
        shown = "\n".join(f"  - {problem}" for problem in problems[:_SHOWN])
        rest = f"\n  - and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise ResultError(
            f"{source}: the leaderboard for {split.name} would refuse this file:\n{shown}{rest}"
        )


def submission_problems(value: Any, split: Split, world: World) -> Iterator[str]:
    """Everything that is wrong with a leaderboard file, each problem with its episode named."""
    if not isinstance(value, list):
        yield f"expected a list of episodes, found {kind_of(value)}"
        return
    episodes = {episode.instr_id: episode for episode in split.scored}
    seen: set[str] = set()
    for number, entry in enumerate(value):
        instr_id = entry.get("instr_id") if isinstance(entry, dict) else None
        if not isinstance(instr_id, str):
            yield f"entry {number}: expected an object with 'instr_id' and 'trajectory'"
        elif instr_id in seen:
            yield f"episode {instr_id}: is there twice"
        elif instr_id not in episodes:
            yield f"episode {instr_id[:40]}: is none of {split.name}"
        else:
            seen.add(instr_id)
            yield from _trajectory_problems(entry.get("trajectory"), episodes[instr_id], world)
    yield from (f"episode {instr_id}: is missing" for instr_id in episodes if instr_id not in seen)


def _trajectory_problems(value: Any, episode: Episode, world: World) -> Iterator[str]:
    name = f"episode {episode.instr_id}"
    if not isinstance(value, list) or not all(_is_place(place) for place in value):
        yield f"{name}: each place must be [viewpoint, heading, elevation]"
        return
    try:
        walked = parse_trajectory(value, Path(name), "trajectory").viewpoints
    except ResultError as error:
        yield str(error)
        return
    if walked[0] != episode.start:
        yield f"{name}: starts at {walked[0][:40]!r}, not at {episode.start!r}"
    places = [world.find(episode.scan, viewpoint) for viewpoint in walked]
    for k, place in enumerate(places):
        if place is None:
            yield f"{name}: building {episode.scan} has no viewpoint {walked[k][:40]!r}"
            return
    for source, target in itertools.pairwise(place for place in places if place is not None):
        if source != target and world.slot(source, target) is None:
            names = world.viewpoint_ids
            yield f"{name}: jumps from {names[source]} to {names[target]}, which no edge joins"
            return


def _is_place(place: Any) -> bool:
    return isinstance(place, list) and len(place) in (1, 3) and isinstance(place[0], str)
