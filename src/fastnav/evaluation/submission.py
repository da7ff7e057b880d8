"""Leaderboard files: written by the leaderboard's published rules, and checked by them.

The file is a JSON list [{"instr_id": "<path_id>_<k>", "trajectory": [[viewpoint, heading, elevation], ...]}],
with every scored episode of the split once. A trajectory begins at the episode's start, lists every place
walked, backtracking included, and each place is next to the one before (or the same).
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fastnav.data.checking import kind_of
from fastnav.data.episodes import Episode
from fastnav.data.files import read_json, write_json
from fastnav.data.splits import Split
from fastnav.errors import ResultError
from fastnav.evaluation.record import leaderboard_entries
from fastnav.evaluation.trajectories import Trajectory, Waypoint, read_place, shown, shown_name
from fastnav.world.graph import World

#: How many problems an error message lists.
_SHOWN = 5


def write_submission(
    path: Path, trajectories: Mapping[str, Trajectory], split: Split, world: World, *, source: Path
) -> int:
    """Write a leaderboard file and return its number of episodes; nothing invalid is ever written.

    Instructions of the split that the benchmark does not score are left out.
    """
    unscored = {episode.instr_id for episode in split.episodes if not episode.scored}
    entries = leaderboard_entries({key: walk for key, walk in trajectories.items() if key not in unscored})
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
        first = "\n".join(f"  - {problem}" for problem in problems[:_SHOWN])
        rest = f"\n  - and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise ResultError(
            f"{source}: the leaderboard for {split.name} would refuse this file; mend it, or name the "
            f"--split and --data that it was walked on:\n{first}{rest}"
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
            yield f"episode {shown_name(instr_id)}: is not scored on {split.name}; leave it out"
        else:
            seen.add(instr_id)
            problem = _trajectory_problem(entry.get("trajectory"), episodes[instr_id], world)
            if problem:
                yield f"episode {instr_id}: {problem}"
    yield from (f"episode {instr_id}: is missing" for instr_id in episodes if instr_id not in seen)


def _trajectory_problem(value: Any, episode: Episode, world: World) -> str | None:
    """The first thing wrong with a trajectory, or None if it is fine."""
    if not isinstance(value, list) or not value:
        return f"expected a list of places, the start first, found {shown(value)}"
    places: list[Waypoint] = []
    for k, entry in enumerate(value):
        place = read_place(entry)
        if place is None:
            return f"place {k} must be [viewpoint, heading, elevation], found {shown(entry)}"
        places.append(place)
    return _walk_problem([place.viewpoint for place in places], episode, world)


def _walk_problem(names: Sequence[str], episode: Episode, world: World) -> str | None:
    if names[0] != episode.start:
        return f"starts at {shown_name(names[0])}, not at {episode.start}"
    here = world.find(episode.scan, episode.start)
    for before, name in itertools.pairwise((names[0], *names)):
        there = world.find(episode.scan, name)
        if here is None or there is None:
            return f"building {episode.scan} has no viewpoint {shown_name(name)} that one can stand at"
        if there != here and world.slot(here, there) is None:
            return f"jumps from {before} to {name}, which no edge joins; list every place between"
        here = there
    return None
