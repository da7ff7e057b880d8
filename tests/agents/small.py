"""An SMNA small enough for tests, with random weights, in any world."""

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.agents.sight import GEOMETRY, Sight
from fastnav.agents.smna import SMNA, SMNAConfig, SMNANetwork
from fastnav.data.vocabulary import Vocabulary
from fastnav.world.graph import World
from fastnav.world.views import VIEWS

SENTENCES = ("Walk to the door and stop.", "Go up the stairs, then wait by the table.", "Stop.")
VOCABULARY = Vocabulary.build(SENTENCES, least_count=1)
FEATURES = 5


def random_views(
    world: World, width: int = FEATURES, seed: int = 0
) -> Float[Tensor, "viewpoint view feature"]:
    """A feature table of random numbers."""
    return torch.randn(len(world), VIEWS, width, generator=torch.Generator().manual_seed(seed))


def small_config(width: int = FEATURES, **others: float) -> SMNAConfig:
    """A network of a few thousand weights."""
    sizes = {"word_width": 8, "width": 16, **others}
    return SMNAConfig(words=len(VOCABULARY), features=width + GEOMETRY, geometry=GEOMETRY, **sizes)  # type: ignore[arg-type]


def small_smna(world: World, width: int = FEATURES, **others: float) -> SMNA:
    """An agent in evaluation mode."""
    torch.manual_seed(0)
    network = SMNANetwork(small_config(width, **others)).eval()
    return SMNA(network, world.to("cpu"), Sight.of(random_views(world, width)), VOCABULARY)
