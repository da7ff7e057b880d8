"""A trained agent walks a split, driven by a search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

import fastnav
from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.interface import Agent
from fastnav.agents.kinds import kind_named
from fastnav.agents.learned import Learned
from fastnav.agents.shipped import called
from fastnav.agents.trained import agent_of
from fastnav.data.episodes import Episode
from fastnav.data.files import sha256_of
from fastnav.data.splits import Split, load_split
from fastnav.errors import AgentError, DataError, UsageError
from fastnav.evaluation.record import RunRecord
from fastnav.evaluation.trace import SearchRecord, Trace
from fastnav.evaluation.trajectories import Trajectory, trajectory_of
from fastnav.search.loop import search
from fastnav.search.named import LONGEST, for_walks_of, scored_by, strategy_named
from fastnav.search.routes import Walk, walks
from fastnav.search.strategies import Strategy
from fastnav.search.tree import SearchTree
from fastnav.studies.eyes import refuse_strange_tables
from fastnav.studies.recording import manner_of, plans_of, record_searches, score_name
from fastnav.training.loop import usable_device
from fastnav.training.rundir import best_checkpoint
from fastnav.training.scorefile import score_called
from fastnav.world.features import features_of
from fastnav.world.graph import World
from fastnav.world.of_split import load_world_of
from fastnav.world.poses import pose_of, pose_world, viewpoint_of
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
    score: str = ""  # the local score, by name or file, instead of the strategy's own
    episodes: str = ""  # which ones: instr_ids, path_ids or buildings, joined by commas; all if empty
    device: str = "cpu"
    trace: bool = False  # whether the record keeps the search trees


@dataclass(frozen=True, eq=False)
class Ground:
    """A split and the world that it is walked in: loaded once, for any number of agents."""

    data: Path
    split: Split
    world: World  # of numpy arrays
    digest: str  # of the split's file

    @classmethod
    def of(cls, data: Path, split: str) -> "Ground":
        """Read a split and its buildings."""
        loaded = load_split(data, split)
        digest = "" if loaded.source is None else digest_of(loaded.source)
        return cls(data, loaded, load_world_of(data, loaded), digest)


@dataclass(frozen=True, eq=False)
class Traveller:
    """A trained agent that stands in a world: loaded once, for any number of searches."""

    agent: Agent[Any, Any]
    kind: str  # such as "smna"
    ground: Ground
    there: World  # what the agent walks in, on its device: the ground's world, or that of its poses
    facts: Mapping[str, Any]  # what records keep: the checkpoint, its digest, features and seed
    longest: int = LONGEST  # actions that it takes at most, in greedy walks and beams
    among_poses: bool = False


def load_traveller(path: Path, ground: Ground, device: str = "cpu") -> Traveller:
    """Put the agent of a checkpoint into the world of `ground`."""
    usable_device(device)
    checkpoint = load_checkpoint(path)
    refuse_strange_tables(checkpoint, ground.data, called(path))
    views = features_of(ground.world, ground.data, checkpoint.features)
    low_level = kind_named(checkpoint.agent).agent.low_level
    there = (pose_world(ground.world) if low_level else ground.world).to(device)
    agent: Learned[Any, Any] = agent_of(checkpoint, there, torch.as_tensor(views, device=device), path)
    trained = checkpoint.facts.get("trained")
    facts = {
        "checkpoint": called(path),
        "sha256": digest_of(path),
        "features": checkpoint.features,
        "seed": trained.get("seed") if isinstance(trained, dict) else None,
    }
    return Traveller(agent, checkpoint.agent, ground, there, facts, agent.longest, low_level)


def digest_of(path: Path) -> str:
    """By what records know a checkpoint, and the file of a split."""
    return sha256_of(path)[:16]


def navigate_trained(outing: Outing, *, progress: Progress = lambda done, total: None) -> RunRecord:
    """Let the agent of a run walk all scored episodes of a split, or those that are asked for."""
    strategy = strategy_named(outing.strategy)
    if outing.score:
        strategy = scored_by(strategy, score_called(outing.score))
    path = best_checkpoint(outing.run)
    traveller = load_traveller(path, Ground.of(outing.data, outing.split), outing.device)
    return travel(traveller, strategy, outing.episodes, trace=outing.trace, progress=progress)


def travel(
    traveller: Traveller,
    strategy: Strategy,
    wanted: str = "",
    *,
    trace: bool = False,
    progress: Progress = lambda done, total: None,
) -> RunRecord:
    """Let an agent walk the episodes that are `wanted` by one search; `trace` keeps what the search saw."""
    split = traveller.ground.split
    world = traveller.ground.world
    strategy = for_walks_of(strategy, traveller.longest)
    episodes = chosen_episodes(split.scored, wanted)
    trajectories: dict[str, Trajectory] = {}
    searches: dict[str, SearchRecord] = {}
    for done, batch in batches(episodes):
        found = _search(traveller, batch, strategy)
        names = [episode.instr_id for episode in batch]
        routes = (trajectory_of(world, walk.route) for walk in found.walks)
        trajectories.update(zip(names, routes, strict=True))
        if trace:
            recorded = record_searches(found.tree, world, batch, strategy, found.goal, found.walks)
            searches.update(zip(names, recorded, strict=True))
        progress(done, len(episodes))
    names = [episode.instr_id for episode in episodes]
    trajectories = {name: trajectories[name] for name in names}
    searches = {name: searches[name] for name in names if trace}
    settings = {
        "strategy": strategy.name,
        "score": score_name(strategy.score),
        **traveller.facts,
        "data": traveller.ground.digest,
    }
    if wanted:
        settings["episodes"] = wanted
    plans = plans_of(world, (episode.scan for episode in episodes)) if trace else {}
    kept = Trace(manner_of(strategy), plans, searches) if trace else None
    system = f"{traveller.kind} {strategy.name}"
    return RunRecord(system, split.name, trajectories, settings, fastnav.__version__, kept)


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


@dataclass(frozen=True, eq=False)
class _Found:
    """What a search of some episodes came to."""

    tree: SearchTree
    goal: Int[Tensor, " batch"]
    walks: list[Walk]


def batches(episodes: Sequence[Episode]) -> Iterator[tuple[int, Sequence[Episode]]]:
    """Episodes to be searched together, each time with the number of those done with them.

    Those with instructions of about one length go together, so that little is padded.
    """
    ordered = sorted(episodes, key=lambda episode: len(episode.instruction))
    for first in range(0, len(ordered), _BATCH):
        batch = ordered[first : first + _BATCH]
        yield first + len(batch), batch


def walked(
    traveller: Traveller, episodes: Sequence[Episode], strategy: Strategy
) -> Iterator[tuple[Episode, Route]]:
    """Each episode, in no order, with the walk that a search made of it."""
    for _, batch in batches(episodes):
        found = _search(traveller, batch, strategy)
        yield from zip(batch, (walk.route for walk in found.walks), strict=True)


def started(traveller: Traveller, episodes: Sequence[Episode]) -> tuple[Pose, Any]:
    """Where episodes start, and their instructions as the agent reads them."""
    world, device = traveller.ground.world, traveller.there.neighbour.device
    places = np.array([world.index(episode.scan, episode.start) for episode in episodes])
    starts = reset(
        torch.as_tensor(places, device=device),
        # In double precision, as everywhere: a heading halfway between two views is snapped the same way.
        torch.tensor([episode.heading for episode in episodes], dtype=torch.float64, device=device),
    )
    with torch.inference_mode():
        instruction = traveller.agent.encode([episode.instruction for episode in episodes])
    return pose_of(starts) if traveller.among_poses else starts, instruction


def grown(traveller: Traveller, episodes: Sequence[Episode], strategy: Strategy) -> SearchTree:
    """The trees of some episodes, searched together, with viewpoints of the ground's world."""
    starts, instruction = started(traveller, episodes)
    try:
        tree = search(traveller.agent, traveller.there, starts, instruction, strategy=strategy)
    except AgentError as error:  # of agents that are ours, so that the weights are to blame
        name = traveller.facts["checkpoint"]
        raise DataError(f"{name}: its weights give no sense ({error}); take another checkpoint") from None
    if traveller.among_poses:  # whoever turns has not walked
        tree = replace(tree, viewpoint=viewpoint_of(tree.viewpoint))
    return tree


def _search(traveller: Traveller, episodes: Sequence[Episode], strategy: Strategy) -> _Found:
    """Search some episodes together."""
    tree = grown(traveller, episodes, strategy)
    goal = strategy.goal.choose(tree)
    return _Found(tree, goal, walks(tree, traveller.ground.world, goal, strategy.walking))
