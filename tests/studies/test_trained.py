"""Walks of an agent that turns and walks in low-level steps are walks among viewpoints."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch

from fastnav.agents.interface import Arrival
from fastnav.data.episodes import Episode
from fastnav.data.splits import Split
from fastnav.errors import DataError
from fastnav.search.named import for_walks_of, strategy_named
from fastnav.search.strategies import Strategy
from fastnav.studies.trained import Ground, Traveller, _search
from fastnav.world import toy
from fastnav.world.lowlevel import LowLevel
from fastnav.world.poses import pose_of
from fastnav.world.route import Route
from fastnav.world.simulator import Pose, observe, reset
from tests.agents.small import SENTENCES, small_agent

WORLD = toy.loop_and_arm()
EPISODES = [
    Episode(f"{k}_0", k, "toy", name, 0.7 * k, SENTENCES[k % 3]) for k, name in enumerate(WORLD.viewpoint_ids)
]


def low_level_walk(episode: Episode, seed: int) -> tuple[int, ...]:
    """The viewpoints of a greedy walk of at most twenty moves in the low-level simulator."""
    agent, low = agent_of(seed), LowLevel.of(WORLD)
    start = WORLD.index(episode.scan, episode.start)
    pose = reset(np.array([start]), np.array([episode.heading]))
    walked, arrival = [start], None
    with torch.inference_mode():
        instruction = agent.encode([episode.instruction])
        state = agent.begin(instruction)
        for _ in range(agent.longest):
            here = pose_of(Pose(*(torch.as_tensor(part) for part in vars(pose).values())))
            arrival = arrival or Arrival.at_start(here.viewpoint, here.view)
            seen = observe(agent.world, here)
            state, output = agent.step(instruction, state, seen, arrival)
            move = output.logits.masked_fill(~seen.mask, -torch.inf).argmax(dim=1)
            arrival = Arrival(here.viewpoint, here.view, move)
            pose = low.step(pose, move.numpy())
            walked.append(int(pose.viewpoint[0]))
            if bool(pose.finished[0]):
                break
    return tuple(place for place, _ in itertools.groupby(walked))


def agent_of(seed: int):  # type: ignore[no-untyped-def]
    """A random agent that wanders a little."""
    agent = small_agent("seq2seq", WORLD)
    with torch.no_grad():
        dice = torch.Generator().manual_seed(seed)
        for weight in agent.network.parameters():
            weight += 0.7 * torch.randn(weight.shape, generator=dice)
    return agent


def routes_of(seed: int, strategy: Strategy) -> list[Route]:
    """What the random agent walks."""
    agent = agent_of(seed)
    split = Split("toy", tuple(EPISODES), {})
    ground = Ground(Path("nowhere"), split, WORLD, "")
    traveller = Traveller(agent, "seq2seq", ground, agent.world, {}, agent.longest, among_poses=True)
    return [walk.route for walk in _search(traveller, EPISODES, strategy).walks]


def test_weights_without_sense_are_named() -> None:
    """Whoever uses a trained agent did not write it: the message names the file, and what to do."""
    agent = agent_of(0)
    with torch.no_grad():
        next(agent.network.parameters()).fill_(torch.nan)
    ground = Ground(Path("nowhere"), Split("toy", tuple(EPISODES), {}), WORLD, "")
    facts = {"checkpoint": "run/seed-1"}
    traveller = Traveller(agent, "seq2seq", ground, agent.world, facts, agent.longest, among_poses=True)
    with pytest.raises(DataError, match=r"run/seed-1: its weights .* logit .* is nan.*another checkpoint"):
        _search(traveller, EPISODES, strategy_named("greedy"))


@pytest.mark.parametrize("seed", range(6))
def test_greedy_is_the_low_level_simulators_walk(seed: int) -> None:
    """The same viewpoints, each once however often the agent turns there."""
    strategy = for_walks_of(strategy_named("greedy"), agent_of(seed).longest)
    routes = routes_of(seed, strategy)
    assert [route.viewpoints for route in routes] == [low_level_walk(e, seed) for e in EPISODES]


@pytest.mark.parametrize(
    "name", ["fast-short", "fast-long", "beam-3", "state-factored-3", "compat-fast-long"]
)
def test_every_search_walks_along_edges(name: str) -> None:
    """Each place is next to the one before, with all backtracking, and each walk begins at its start."""
    strategy = for_walks_of(strategy_named(name), 20)
    routes = [route for seed in range(4) for route in routes_of(seed, strategy)]
    for number, route in enumerate(routes):
        assert route.viewpoints[0] == number % len(EPISODES)
        assert all(WORLD.slot(u, v) is not None for u, v in itertools.pairwise(route.viewpoints))
    assert max(len(route.viewpoints) for route in routes) > 2
