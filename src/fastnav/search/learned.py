"""A learned local score: a small network that says how likely going on from an open node ends at the goal.

It reads the agent's own numbers alone (`search.signals`), so it serves any building; `training.score` teaches
it.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.search.signals import signals
from fastnav.search.tree import SearchTree

_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class LearnedScore:
    """The log-odds that following the agent from a node, or stopping there, ends in success."""

    centre: Float[Tensor, " signal"]
    scale: Float[Tensor, " signal"]
    into: Float[Tensor, "signal hidden"]
    bias: Float[Tensor, " hidden"]
    out: Float[Tensor, " hidden"]
    level: Float[Tensor, ""]
    name: str = "learned"  # what records call it

    def __call__(self, tree: SearchTree) -> Float[Tensor, "batch node"]:
        """The score of every node.

        Matrix products round their last digits by the size of the batch: without them, nodes of which all
        signals are equal tie whoever shares the batch, and the one created first wins.
        """
        return self.odds(signals(tree)).round(decimals=_DECIMALS)

    def odds(self, seen: Float[Tensor, "*batch signal"]) -> Float[Tensor, "*batch"]:
        """The score of signals."""
        hidden = torch.tanh((seen - self.centre) / self.scale @ self.into + self.bias)
        return hidden @ self.out + self.level
