"""A system, by name, walks a split."""

from collections.abc import Mapping
from pathlib import Path

import fastnav
from fastnav.agents.baselines import stop_at_start, walk_randomly
from fastnav.data.splits import Split, load_split
from fastnav.errors import UnknownName
from fastnav.evaluation.record import RunRecord
from fastnav.evaluation.trajectories import trajectory_of
from fastnav.studies.baselines import walk_shortest
from fastnav.world.graph import World
from fastnav.world.of_split import load_world_of
from fastnav.world.route import Route

#: What each system without weights does, in a line.
SYSTEMS = {
    "random": "faces a random direction, then goes five times forward",
    "stop": "stops where it starts",
    "shortest": "knows the goal and takes the shortest path: an upper bound",
}


def navigate(system: str, data: Path, split_name: str, *, seed: int = 1) -> RunRecord:
    """Let `system` walk all scored episodes of a split."""
    if system not in SYSTEMS:
        raise UnknownName("system", system, SYSTEMS)
    split = load_split(data, split_name)
    world = load_world_of(data, split)
    routes = _walk(system, world, split, seed)
    settings = {"seed": seed} if system == "random" else {}
    trajectories = {instr_id: trajectory_of(world, route) for instr_id, route in routes.items()}
    return RunRecord(system, split_name, trajectories, settings, fastnav.__version__)


def _walk(system: str, world: World, split: Split, seed: int) -> Mapping[str, Route]:
    if system == "shortest":
        return walk_shortest(world, split)
    if system == "random":
        return walk_randomly(world, split.scored, seed)
    return stop_at_start(world, split.scored)
