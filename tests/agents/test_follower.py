"""What the follower sees around it, and that its short way of looking is the long one."""

import math

import torch

from fastnav.agents.follower import ANGLES, Follower, Surroundings, angles_from
from fastnav.agents.interface import Arrival
from fastnav.agents.learned import tokenised
from fastnav.world import toy
from fastnav.world.simulator import observe, reset
from fastnav.world.views import VIEWS
from tests.agents.small import FEATURES, SENTENCES, VOCABULARY, small_agent

NORTH, EAST, EAST_UP = 12, 15, 27


def test_angles_are_those_from_the_view_that_is_faced() -> None:
    """Facing east, north is a quarter turn to the left; the view above the faced one is 30 degrees up."""
    angles = angles_from(torch.tensor([EAST]))
    assert angles.shape == (1, VIEWS, ANGLES)
    torch.testing.assert_close(angles[0, NORTH], torch.tensor([-1.0, 0.0, 0.0, 1.0]), atol=1e-6, rtol=0)
    up = torch.tensor([0.0, 1.0, 0.5, math.sqrt(0.75)])
    torch.testing.assert_close(angles[0, EAST_UP], up, atol=1e-6, rtol=0)


def test_looking_is_attention_over_all_views() -> None:
    """The weights are those of queries and keys taken into one space, the result a mean of what is shown."""
    network = small_agent("follower", toy.crossroads()).network
    dice = torch.Generator().manual_seed(3)
    views = torch.randn(2, VIEWS, FEATURES, generator=dice)
    angles = angles_from(torch.tensor([NORTH, EAST]))
    hidden, keep = torch.randn(2, 16, generator=dice), torch.ones(2, network.config.features)
    keep[0, 1], keep[1, 3] = 0.0, 2.0
    around = torch.cat([views * keep[:, None, :FEATURES], angles], dim=-1)
    keys, query = network.view(around), network.look(hidden)
    weights = (keys * query[:, None]).sum(dim=-1).softmax(dim=-1)
    seen = Surroundings(views, angles, torch.zeros(2, 1, 1), torch.zeros(2, 1))
    torch.testing.assert_close(
        network._look(hidden, seen, keep), (weights[..., None] * around).sum(dim=1), rtol=1e-4, atol=1e-5
    )


def test_it_sees_what_no_action_shows() -> None:
    """A change of a view in which no neighbour lies changes what is said next, of what was attended to."""
    world = toy.corridor()
    shown = {
        int(view)
        for row in observe(world.to("cpu"), reset(torch.arange(4), torch.zeros(4))).action_view
        for view in row
    }
    hidden_view = next(view for view in range(VIEWS) if view not in shown)

    def said(change: float) -> torch.Tensor:
        agent = small_agent("follower", world)
        assert isinstance(agent, Follower)
        agent.sight.views[:, hidden_view] += change
        pose = reset(torch.tensor([0]), torch.zeros(1))
        instruction = agent.read(tokenised(VOCABULARY, SENTENCES[:1], 80))
        arrival = Arrival.at_start(pose.viewpoint, pose.view)
        seen = observe(world.to("cpu"), pose)
        output = agent.step(instruction, agent.begin(instruction), seen, arrival)[1]
        assert output.progress is None
        return output.logits

    assert not torch.allclose(said(0.0), said(1.0))
