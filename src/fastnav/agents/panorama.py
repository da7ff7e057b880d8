"""Attention over all 36 views of a place."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fastnav.agents.sight import ANGLES

_KEYS = 128


class Panorama(nn.Module):
    """One view of the 36, or a mixture of them, chosen by what is on one's mind."""

    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.keys = nn.Linear(features + ANGLES, _KEYS)
        self.ask = nn.Linear(width, _KEYS, bias=False)
        self.value = nn.Linear(features + ANGLES, width)

    def forward(
        self,
        hidden: Float[Tensor, "batch width"],
        around: Float[Tensor, "batch view seen"],
        keep: Float[Tensor, "batch feature"],
    ) -> Float[Tensor, "batch width"]:
        """What is seen in the direction of interest."""
        kept = torch.cat([keep, keep.new_ones(len(keep), ANGLES)], dim=1)
        shown = around * kept[:, None]
        scores = torch.einsum("bk,bvk->bv", self.ask(hidden), self.keys(shown))
        return torch.relu(self.value(torch.einsum("bv,bvs->bs", scores.softmax(dim=-1), shown)))
