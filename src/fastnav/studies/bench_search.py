"""How fast search is: FAST over a split beside FAST the plain way, and the memory that its trees take.

The plain way is timed on a sample of the episodes and scaled to all of them: 64 at a time, as its released
code batches them, and one agent at a time. On the sample both must walk alike. (Where two scores are equal
but for rounding, which depends on who shares a batch, the walks may part; so a few may differ.)
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fastnav.agents.interface import TensorRows
from fastnav.agents.kinds import kind_named
from fastnav.agents.layers import with_padding
from fastnav.agents.sight import Sight
from fastnav.data.episodes import Episode
from fastnav.data.splits import load_split
from fastnav.data.vocabulary import Vocabulary
from fastnav.errors import UsageError
from fastnav.search.loop import search
from fastnav.search.named import fast_long, strategy_named
from fastnav.search.strategies import EXPANSIONS
from fastnav.search.tree import SearchTree
from fastnav.studies.bench_rows import BenchRow
from fastnav.studies.plain_eyes import looking_plainly
from fastnav.studies.plain_fast import plain_fast
from fastnav.studies.plain_walk import slots_of
from fastnav.studies.trained import Ground, Progress, Traveller, load_traveller, started, walked
from fastnav.training.config import TrainingConfig
from fastnav.training.learner import new_network
from fastnav.training.rundir import best_checkpoint
from fastnav.world.features import features_of
from fastnav.world.simulator import Pose

_SEARCHES = ("fast-short", "fast-long")
#: Episodes that the released code searches together, and one agent alone.
PLAIN_BATCHES = (64, 1)
#: Episodes that are searched the plain way, for each of these.
SAMPLES = (128, 12)
#: Budgets at which the tree's memory is taken.
BUDGETS = (10, 20, 40, 80)
#: Trees whose memory is taken.
_TREES = 64
#: So many of the sample's walks may part where scores are equal but for rounding.
_MAY_PART = 0.05


@dataclass(frozen=True)
class Arena:
    """Who searches where."""

    who: str
    traveller: Traveller

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """What is to be walked."""
        return self.traveller.ground.split.scored


def arena_of(run: Path | None, data: Path, split: str, features: str) -> Arena:
    """The agent of a run with its own features; without a run, one of the default sizes, not trained."""
    ground = Ground.of(data, split)
    if run is None:
        return Arena("an untrained network of the default sizes", _untrained(ground, features))
    path = best_checkpoint(run)
    traveller = load_traveller(path, ground)
    if traveller.among_poses:
        raise UsageError(f"{path}: walks in low-level steps, which the plain way cannot; name another agent")
    return Arena(f"{traveller.kind} of {path}", traveller)


def _untrained(ground: Ground, features: str) -> Traveller:
    train = load_split(ground.data, "train")
    vocabulary = Vocabulary.build(episode.instruction for episode in train.episodes)
    sight = Sight.of(torch.as_tensor(features_of(ground.world, ground.data, features)))
    torch.manual_seed(1)
    kind, there = kind_named("smna"), ground.world.to("cpu")
    network = new_network(kind, TrainingConfig(), len(vocabulary), sight).eval()
    return Traveller(kind.agent(network, there, sight, vocabulary), "smna", ground, there, facts={})


def bench_search(arena: Arena, progress: Progress = lambda done, total: None) -> list[BenchRow]:
    """Time FAST-short and FAST-long over all episodes, and take the memory of trees."""
    rows: list[BenchRow] = []
    count = len(arena.episodes)
    for done, name in enumerate(_SEARCHES):
        progress(done, len(_SEARCHES))
        seconds = _seconds(arena, name)
        for batch, sample in zip(PLAIN_BATCHES, SAMPLES, strict=True):
            chosen = arena.episodes[:: -(-count // sample)]
            plainly = _plain_seconds(arena, name, chosen, batch) * count / len(chosen)
            beside = f"plain: {batch} at a time" if batch > 1 else "plain: one agent at a time"
            rows.append(BenchRow(f"{name}, {count} episodes ({beside})", seconds, plainly, "seconds"))
        rows.append(BenchRow(f"{name}, episodes", count / seconds, None, "per second"))
    return rows + _memory(arena)


def _seconds(arena: Arena, name: str) -> float:
    """How long search takes for all episodes, reading them and walking included."""
    begin = time.perf_counter()
    for _ in walked(arena.traveller, arena.episodes, strategy_named(name)):
        pass
    return time.perf_counter() - begin


def _plain_seconds(arena: Arena, name: str, chosen: Sequence[Episode], batch: int) -> float:
    """How long the plain way takes for some episodes; it must walk as the strategy does."""
    agent, plain_ways = looking_plainly(arena.traveller.agent), list[list[int]]()
    plainly, slots = replace(arena.traveller, agent=agent), slots_of(arena.traveller.ground.world)
    exploit = name == "fast-short"
    begin = time.perf_counter()
    with with_padding():
        for first in range(0, len(chosen), batch):
            some = chosen[first : first + batch]
            pose, instruction = started(plainly, some)
            starts = list(zip(pose.viewpoint.tolist(), pose.view.tolist(), strict=True))
            plain_ways += plain_fast(
                agent, slots, starts, instruction, exploit=exploit, expansions=EXPANSIONS
            )
    seconds = time.perf_counter() - begin
    routes = dict(walked(arena.traveller, chosen, strategy_named(f"compat-{name}")))
    parted = sum(way != list(routes[one].viewpoints) for one, way in zip(chosen, plain_ways, strict=True))
    if parted > _MAY_PART * len(chosen):
        raise AssertionError(f"{name} and its plain way walk differently in {parted} of {len(chosen)}")
    return seconds


def _memory(arena: Arena) -> list[BenchRow]:
    """Bytes that a node of a finished tree takes, with the agent's states that search keeps for it."""
    pose, instruction = started(arena.traveller, arena.episodes[:_TREES])
    rows = []
    for expansions in BUDGETS:
        tree = search(
            arena.traveller.agent,
            arena.traveller.there,
            pose,
            instruction,
            strategy=replace(fast_long(expansions=expansions), name=f"explore-{expansions}"),
        )
        kept = int(tree.expansions.sum()) * _state_bytes(arena, pose, instruction)
        total = _tree_bytes(tree) + kept
        name = f"memory of a node, {expansions} expansions"
        rows.append(BenchRow(name, total / tree.viewpoint.numel(), None, "bytes"))
    return rows


def _tree_bytes(tree: SearchTree) -> int:
    held = (getattr(tree, field.name) for field in fields(tree))
    return sum(tensor.numel() * tensor.element_size() for tensor in held if isinstance(tensor, torch.Tensor))


def _state_bytes(arena: Arena, pose: Pose, instruction: Any) -> int:
    """Bytes of one of the agent's states; 0 where they are not tensors."""
    state = arena.traveller.agent.begin(instruction)
    if not isinstance(state, TensorRows):
        return 0
    held = [getattr(state, field.name) for field in fields(state)]
    return int(np.sum([tensor[:1].numel() * tensor.element_size() for tensor in held]))
