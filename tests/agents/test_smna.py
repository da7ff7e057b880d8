"""SMNA keeps the contract, and its switches do what they say."""

import pytest
import torch

from fastnav.agents.learned import tokenised
from fastnav.agents.smna import SMNAConfig
from fastnav.data.vocabulary import END, UNKNOWN
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.testing import check_agent
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.simulator import reset
from tests.agents.small import FEATURES, SENTENCES, VOCABULARY, small_smna


@pytest.mark.parametrize("world", [toy.crossroads(), toy.stairs(), toy.two_buildings()])
@pytest.mark.parametrize("width", [FEATURES, 0])
def test_contract(world: World, width: int) -> None:
    """No row depends on its company, padding or place, and states can be taken and joined."""
    check_agent(small_smna(world, width), world)


@pytest.mark.parametrize("strategy", ["greedy", "fast-short", "fast-long", "beam-3"])
def test_any_search_drives_it(strategy: str) -> None:
    """Every kind of search ends with a goal for each row."""
    world = toy.loop_and_arm()
    agent, named = small_smna(world), strategy_named(strategy)
    starts = reset(torch.tensor([0, 1, 2]), torch.zeros(3))
    with torch.inference_mode():
        instruction = agent.encode(SENTENCES)
    tree = search(agent, world, starts, instruction, strategy=named)
    assert named.goal.choose(tree).shape == (3,)


def test_tokens() -> None:
    """Words, an end mark, padding; what is too long loses its last words, and unknown words are one."""
    tokens = tokenised(VOCABULARY, ["Stop.", "Walk to the zebra and stop."], longest=5)
    rows = [[VOCABULARY.words[number] for number in row] for row in tokens.tolist()]
    assert rows == [["stop", ".", END, "<PAD>", "<PAD>"], ["walk", "to", "the", UNKNOWN, END]]


def test_features_are_hidden_for_a_whole_episode_in_training_alone() -> None:
    """While training some features are gone from all views of an episode, geometry never; else none is."""
    agent = small_smna(toy.crossroads(), width=200, feature_dropout=0.5)
    tokens = tokenised(VOCABULARY, SENTENCES, 80)
    assert (agent.network.encode(tokens).keep == 1).all()
    agent.network.train()
    keep = agent.network.encode(tokens).keep
    assert (keep[:, 200:] == 1).all()
    assert set(keep[:, :200].unique().tolist()) == {0.0, 2.0}
    assert 0.3 < (keep[:, :200] == 0).float().mean() < 0.7
    assert not torch.equal(keep[0], keep[1])


def test_config_is_plain_numbers() -> None:
    """A config survives as JSON does: it is rebuilt from its own fields."""
    config = small_smna(toy.crossroads()).network.config
    assert SMNAConfig(**vars(config)) == config
