"""Every kind of agent keeps the contract, walks by any search, and hides features in training alone."""

from typing import Any

import pytest
import torch

from fastnav.agents.kinds import KINDS
from fastnav.agents.learned import Learned, tokenised
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.testing import check_agent
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.poses import pose_of
from fastnav.world.simulator import Pose, reset
from tests.agents.small import FEATURES, SENTENCES, VOCABULARY, small_agent

kinds = pytest.mark.parametrize("kind", KINDS)


def starts_of(agent: Learned[Any, Any]) -> Pose:
    """Three places, facing north."""
    starts = reset(torch.tensor([0, 1, 2]), torch.zeros(3))
    return pose_of(starts) if agent.low_level else starts


@kinds
@pytest.mark.parametrize("world", [toy.crossroads(), toy.stairs(), toy.two_buildings()])
@pytest.mark.parametrize("width", [FEATURES, 0])
def test_contract(kind: str, world: World, width: int) -> None:
    """No row depends on its company, padding or place, and states can be taken and joined."""
    agent = small_agent(kind, world, width)
    check_agent(agent, agent.world)


@kinds
@pytest.mark.parametrize("strategy", ["greedy", "fast-short", "fast-long", "beam-3"])
def test_any_search_drives_it(kind: str, strategy: str) -> None:
    """Every kind of search ends with a goal for each row."""
    agent, named = small_agent(kind, toy.loop_and_arm()), strategy_named(strategy)
    with torch.inference_mode():
        instruction = agent.encode(SENTENCES)
    tree = search(agent, agent.world, starts_of(agent), instruction, strategy=named)
    assert named.goal.choose(tree).shape == (3,)


@kinds
def test_features_are_hidden_for_a_whole_episode_in_training_alone(kind: str) -> None:
    """While training some features are gone from all views of an episode, geometry never; else none is."""
    agent = small_agent(kind, toy.crossroads(), width=200, feature_dropout=0.5)
    tokens = tokenised(VOCABULARY, SENTENCES, 80)
    assert (agent.read(tokens).keep == 1).all()
    agent.network.train()
    keep = agent.read(tokens).keep
    assert (keep[:, 200:] == 1).all()
    assert set(keep[:, :200].unique().tolist()) == {0.0, 2.0}
    assert 0.3 < (keep[:, :200] == 0).float().mean() < 0.7
    assert not torch.equal(keep[0], keep[1])


@kinds
def test_hidden_features_are_not_seen(kind: str) -> None:
    """Two agents whose buildings differ only in what is hidden say the same; in what is shown, not."""
    world = toy.crossroads()
    agent = small_agent(kind, world)
    tokens = tokenised(VOCABULARY, SENTENCES, 80)
    instruction = agent.read(tokens)
    instruction.keep[:, 0] = 0.0

    def said(changed: int | None) -> torch.Tensor:
        other = small_agent(kind, world)
        if changed is not None:
            other.sight.views[:, :, changed] += 3 * torch.rand(other.sight.views.shape[:2])
            other.sight.here[:, changed] = other.sight.views[:, :, changed].mean(dim=1)
        strategy = strategy_named("fast-long")
        return search(other, other.world, starts_of(other), instruction, strategy=strategy).logit

    with torch.inference_mode():
        plain = said(None)
        torch.testing.assert_close(said(0), plain)
        assert not torch.allclose(said(1), plain)


@kinds
def test_config_is_plain_numbers(kind: str) -> None:
    """A config survives as JSON does: it is rebuilt from its own fields."""
    config = small_agent(kind, toy.crossroads()).network.config
    assert KINDS[kind].config(**vars(config)) == config
