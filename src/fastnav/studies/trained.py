"""A trained agent walks a split, driven by a search."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import fastnav
from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.learned import Learned
from fastnav.agents.trained import agent_of
from fastnav.data.episodes import Episode
from fastnav.data.files import sha256_of
from fastnav.data.splits import load_split
from fastnav.errors import UsageError
from fastnav.evaluation.record import RunRecord
from fastnav.evaluation.trajectories import trajectory_of
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.search.routes import walked_routes
from fastnav.search.strategies import Strategy
from fastnav.training.rundir import best_checkpoint
from fastnav.world.features import features_of
from fastnav.world.graph import World
from fastnav.world.of_split import load_world_of
from fastnav.world.route import Route
from fastnav.world.simulator import Pose, reset

#: Episodes that are searched together.
_BATCH = 512

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Outing:
    """Who is to walk where, and how."""

    run: Path  # a training run's folder, or a checkpoint
    data: Path
    split: str
    strategy: str
    episodes: str = ""  # which ones: instr_ids, path_ids or buildings, joined by commas; all if empty
    device: str = "cpu"


def navigate_trained(outing: Outing, *, progress: Progress = lambda done, total: None) -> RunRecord:
    """Let the agent of a run walk all scored episodes of a split, or those that are asked for."""
    strategy = strategy_named(outing.strategy)
    path = best_checkpoint(outing.run)
    checkpoint = load_checkpoint(path)
    split = load_split(outing.data, outing.split)
    episodes = chosen_episodes(split.scored, outing.episodes)
    world = load_world_of(outing.data, split)
    views = features_of(world, outing.data, checkpoint.features, width=checkpoint.width)
    there = world.to(outing.device)
    agent = agent_of(checkpoint, there, torch.as_tensor(views, device=outing.device), path)
    trajectories = {}
    for number, (episode, route) in enumerate(walks(agent, world, episodes, strategy), 1):
        trajectories[episode.instr_id] = trajectory_of(world, route)
        if number % _BATCH == 0 or number == len(episodes):
            progress(number, len(episodes))
    trajectories = {episode.instr_id: trajectories[episode.instr_id] for episode in episodes}
    trained = checkpoint.facts.get("trained")
    settings: dict[str, Any] = {
        "strategy": strategy.name,
        "checkpoint": str(path),
        "sha256": sha256_of(path)[:16],
        "features": checkpoint.features,
        "seed": trained.get("seed") if isinstance(trained, dict) else None,
    }
    if outing.episodes:
        settings["episodes"] = outing.episodes
    system = f"{checkpoint.agent} {strategy.name}"
    return RunRecord(system, split.name, trajectories, settings, fastnav.__version__)


def chosen_episodes(episodes: Sequence[Episode], wanted: str) -> list[Episode]:
    """Those of an instr_id, a path_id or a building among `wanted`, joined by commas; all if it is empty."""
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if not names:
        return list(episodes)
    called = [{episode.instr_id, str(episode.path_id), episode.scan} for episode in episodes]
    for name in names:
        if not any(name in own for own in called):
            example = episodes[0]
            raise UsageError(
                f"--episodes: no episode {name!r} in the split; name instructions ({example.instr_id}), "
                f"paths ({example.path_id}) or buildings ({example.scan}), joined by commas"
            )
    return [episode for episode, own in zip(episodes, called, strict=True) if own.intersection(names)]


def walks(
    agent: Learned[Any, Any], world: World, episodes: Sequence[Episode], strategy: Strategy
) -> Iterator[tuple[Episode, Route]]:
    """Each episode with the walk that the search made of it; sentences of about one length go together."""
    ordered = sorted(episodes, key=lambda episode: len(agent.vocabulary.encode(episode.instruction)))
    for first in range(0, len(ordered), _BATCH):
        batch = ordered[first : first + _BATCH]
        yield from zip(batch, _search(agent, world, batch, strategy), strict=True)


def _search(
    agent: Learned[Any, Any], world: World, episodes: Sequence[Episode], strategy: Strategy
) -> list[Route]:
    """The walks of some episodes, searched together."""
    starts, instruction = started(agent, world, episodes)
    tree = search(agent, agent.world, starts, instruction, strategy=strategy)
    return walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)


def started(agent: Learned[Any, Any], world: World, episodes: Sequence[Episode]) -> tuple[Pose, Any]:
    """Where episodes start, and their instructions as the agent reads them."""
    device = agent.world.neighbour.device
    places = np.array([world.index(episode.scan, episode.start) for episode in episodes])
    starts = reset(
        torch.as_tensor(places, device=device),
        # In double precision, as everywhere: a heading halfway between two views is snapped the same way.
        torch.tensor([episode.heading for episode in episodes], dtype=torch.float64, device=device),
    )
    with torch.inference_mode():
        return starts, agent.encode([episode.instruction for episode in episodes])
