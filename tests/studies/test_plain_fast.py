"""What search is measured against walks as the `compat-*` strategies do, and sees the same."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fastnav.agents.interface import Arrival
from fastnav.agents.scripted import TableAgent
from fastnav.search.named import strategy_named
from fastnav.search.routes import walked_routes
from fastnav.studies.plain_eyes import look, looking_plainly, observed
from fastnav.studies.plain_fast import plain_fast
from fastnav.studies.plain_walk import slots_of
from fastnav.world import toy
from fastnav.world.graph import build_world
from fastnav.world.simulator import observe, reset
from tests.agents.small import small_smna
from tests.search.playground import NORTH, run, with_expansions
from tests.world.worlds import House


@pytest.mark.parametrize("name", ["compat-fast-short", "compat-fast-long"])
@given(places=st.integers(1, 9), density=st.floats(0.15, 0.9), seed=st.integers(0, 2**32 - 1))
def test_it_walks_as_search_does(name: str, places: int, density: float, seed: int) -> None:
    """In random worlds, from everywhere, whatever an agent says (no two scores are the same)."""
    world = build_world([House("house", places, seed, density).graph()])
    logits = np.random.default_rng(seed).normal(0, 3, size=world.mask.shape)
    agent = TableAgent(torch.as_tensor(logits).float())
    strategy = with_expansions(strategy_named(name), 12)
    tree = run(world, agent, strategy)
    routes = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
    walked = plain_fast(
        agent,
        slots_of(world),
        [(place, NORTH) for place in range(len(world))],
        agent.encode(["go"] * len(world)),
        exploit=name == "compat-fast-short",
        expansions=12,
    )
    assert walked == [list(route.viewpoints) for route in routes]


def test_plain_eyes_see_the_same() -> None:
    """Each row's slots, the features of each, and those of the action that led there."""
    world = toy.stairs()
    agent = small_smna(world)
    plain = looking_plainly(agent)
    dice = torch.Generator().manual_seed(2)
    place = torch.randint(len(world), (40,), generator=dice)
    pose = reset(place, torch.rand(40, generator=dice) * 6)
    pose = replace(pose, view=torch.randint(36, (40,), generator=dice))
    seen = observe(world.to("cpu"), pose)
    poses = list(zip(pose.viewpoint.tolist(), pose.view.tolist(), strict=True))
    slots = slots_of(world)
    plainly = observed(poses, [look(slots, *one) for one in poses])
    width = plainly.mask.shape[1]
    for name in ("mask", "neighbour", "action_view", "elevation", "distance"):
        torch.testing.assert_close(getattr(plainly, name), getattr(seen, name)[:, :width])
    # Half a turn may be rounded to half a turn the other way.
    torch.testing.assert_close((plainly.turn - seen.turn[:, :width]).cos(), torch.ones(40, width))
    passed = torch.rand(seen.mask.shape, generator=dice) < 0.5
    shown = agent.sight.actions(seen, passed).masked_fill(~seen.mask[:, :, None], 0.0)
    torch.testing.assert_close(plain.sight.actions(seen, passed), shown)
    last = seen.mask.sum(dim=1) - 1
    arrival = Arrival(pose.viewpoint, pose.view, torch.where(torch.arange(40) % 3 == 0, Arrival.START, last))
    torch.testing.assert_close(
        plain.sight.arrival(agent.world, arrival), agent.sight.arrival(agent.world, arrival)
    )
