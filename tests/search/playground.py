"""Random worlds, agents that forget, and trees told in the words of the reference."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from hypothesis import strategies as st

from fastnav.agents.scripted import TableAgent
from fastnav.search.loop import search
from fastnav.search.routes import pops, walked_routes
from fastnav.search.strategies import Strategy
from fastnav.search.tree import SearchTree
from fastnav.world.graph import World, build_world
from fastnav.world.route import Route
from fastnav.world.simulator import Pose
from tests.search.reference import Slots, Task
from tests.world.worlds import House

#: Level and north: where everybody begins.
NORTH = 12

#: A world and an agent, drawn as plain numbers: places, density of the graph, largest logit, seed.
PLAYS = st.tuples(st.integers(1, 8), st.floats(0.15, 0.9), st.integers(1, 6), st.integers(0, 2**32 - 1))


def world_and_agent(play: tuple[int, float, int, int]) -> tuple[World, TableAgent]:
    """A random world, and whole-numbered logits so that scores tie; progress is in quarters from -1 to 1."""
    places, density, largest, seed = play
    world = build_world([House("house", places, seed, density).graph()])
    rng = np.random.default_rng(seed)
    logits = rng.integers(-largest, largest + 1, size=world.mask.shape)
    logits[:, 0] -= rng.integers(0, 3)  # not so quick to stop
    progress = rng.integers(-4, 5, size=len(world)) / 4
    return world, TableAgent(torch.as_tensor(logits).float(), torch.as_tensor(progress).float())


def poses(starts: list[int]) -> Pose:
    """Everybody looks north."""
    here = torch.tensor(starts, dtype=torch.int64)
    return Pose(here, torch.full_like(here, NORTH), torch.zeros_like(here, dtype=torch.bool))


def run(world: World, agent: TableAgent, strategy: Strategy, starts: list[int] | None = None) -> SearchTree:
    """Search from the given starts, or from every viewpoint."""
    starts = list(range(len(world))) if starts is None else starts
    instruction = agent.encode(["go"] * len(starts))
    return search(agent, world, poses(starts), instruction, strategy=strategy)


def task(world: World, agent: TableAgent, start: int) -> Task:
    """The same for the reference."""
    progress = agent.progress if agent.progress is not None else torch.full((len(world),), torch.nan)
    return Task(world, agent.logits, progress, start, NORTH)


@dataclass(frozen=True)
class Told:
    """One row of a tree in the words of the reference."""

    expanded: list[Slots]
    popped: list[Slots]
    candidates: dict[Slots, tuple[float, float, float]]  # sums of logits, of log-probabilities, and progress
    goal: Slots


def told(tree: SearchTree, strategy: Strategy) -> list[Told]:
    """All rows of a tree; plain lists, for single numbers of a tensor are slow to get."""
    goals, before = strategy.goal.choose(tree).tolist(), tree.progress_before
    rows = []
    for row, (nodes, goal) in enumerate(zip(pops(tree), goals, strict=True)):
        above = [node for node in tree.expanded[row].tolist() if node != SearchTree.NO_NODE]
        ends = tree.candidates[row].nonzero().ravel()
        numbers = zip(
            *(field[row, ends].tolist() for field in (tree.sum_logit, tree.sum_logp, before)), strict=True
        )
        found = {
            slots(node, above, tree.actions): sums for node, sums in zip(ends.tolist(), numbers, strict=True)
        }
        rows.append(
            Told(
                [slots(node, above, tree.actions) for node in above],
                [slots(node, above, tree.actions) for node in nodes],
                found,
                slots(goal, above, tree.actions),
            )
        )
    return rows


def slots(node: int, expanded: list[int], actions: int) -> Slots:
    """A node by the slots taken since the start."""
    taken: list[int] = []
    while node != SearchTree.ROOT:
        expansion, slot = divmod(node - 1, actions)
        taken.append(slot)
        node = expanded[expansion]
    return tuple(taken[::-1])


def outcomes(tree: SearchTree, world: World, strategy: Strategy) -> list[tuple[Told, Route]]:
    """All that a search says of each row, in plain values that can be compared."""
    routes = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
    return list(zip(told(tree, strategy), routes, strict=True))


def with_expansions(strategy: Strategy, expansions: int) -> Strategy:
    """The same strategy on another budget of expansions."""
    return replace(strategy, budget=replace(strategy.budget, expansions=expansions))
