"""Agents small enough for tests, with random weights, in any world."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.agents.kinds import kind_named
from fastnav.agents.learned import Learned
from fastnav.agents.sight import GEOMETRY, Sight
from fastnav.agents.smna import SMNA
from fastnav.data.vocabulary import Vocabulary
from fastnav.world.graph import World
from fastnav.world.poses import pose_world
from fastnav.world.views import VIEWS

SENTENCES = ("Walk to the door and stop.", "Go up the stairs, then wait by the table.", "Stop.")
VOCABULARY = Vocabulary.build(SENTENCES, least_count=1)
FEATURES = 5


def random_views(
    world: World, width: int = FEATURES, seed: int = 0
) -> Float[Tensor, "viewpoint view feature"]:
    """A feature table of random numbers."""
    return torch.randn(len(world), VIEWS, width, generator=torch.Generator().manual_seed(seed))


def small_agent(kind: str, world: World, width: int = FEATURES, **others: float) -> Learned[Any, Any]:
    """An agent of a few thousand weights, in evaluation mode."""
    torch.manual_seed(0)
    made = kind_named(kind)
    sizes = {"word_width": 8, "width": 16, **others}
    config = made.config(words=len(VOCABULARY), features=width + GEOMETRY, geometry=GEOMETRY, **sizes)
    network = made.network(config).eval()
    there = pose_world(world) if made.agent.low_level else world
    return made.agent(network, there.to("cpu"), Sight.of(random_views(world, width)), VOCABULARY)


def small_smna(world: World, width: int = FEATURES, **others: float) -> SMNA:
    """An SMNA of a few thousand weights, in evaluation mode."""
    agent = small_agent("smna", world, width, **others)
    assert isinstance(agent, SMNA)
    return agent
