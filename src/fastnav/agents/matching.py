"""Words against views: what is read is compared with what is seen, where both have a place in one space.

Captions, objects and words went through the same sentence encoder. So "sofa" lies near a view with a couch
from the beginning, in buildings never trained in, and a few weights are enough to use it.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

#: Ways of weighing the features of a comparison.
_WEIGHINGS = 4
_HIDDEN = 64


class Matcher(nn.Module):
    """Several readings of the sentence, each compared with every action; a network judges the comparisons."""

    meanings: Float[Tensor, "word feature"]  # where words would be seen; zeros where that is not known

    def __init__(self, words: int, features: int, geometry: int, width: int, *, readings: int) -> None:
        super().__init__()
        self.readings, self.geometry = readings, geometry
        seen = features - geometry
        self.register_buffer("meanings", torch.zeros(words, seen))
        self.ask = nn.Linear(width, readings * width, bias=False)
        self.weigh = nn.Parameter(0.1 * torch.randn(_WEIGHINGS, seen) + 1.0)
        compared = readings * _WEIGHINGS + geometry
        self.judge = nn.Sequential(nn.Linear(compared, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, 1))

    def forward(
        self,
        hidden: Float[Tensor, "batch width"],
        sentence: tuple[
            Float[Tensor, "batch token width"], Bool[Tensor, "batch token"], Int[Tensor, "batch token"]
        ],
        actions: Float[Tensor, "batch action feature"],
    ) -> Float[Tensor, "batch action"]:
        """What is to be added to each action's logit."""
        context, mask, tokens = sentence
        batch, seen = len(hidden), self.meanings.shape[1]
        asked = self.ask(hidden).view(batch, self.readings, -1)
        scores = torch.einsum("brw,btw->brt", asked, context) / context.shape[-1] ** 0.5
        read = scores.masked_fill(~mask[:, None], float("-inf")).softmax(dim=-1)
        # Summed by word first: the words' places need not be held for each row.
        by_word = torch.zeros(batch, self.readings, len(self.meanings), device=read.device, dtype=read.dtype)
        by_word = by_word.scatter_add(2, tokens[:, None].expand(-1, self.readings, -1), read)
        sought = (by_word @ self.meanings)[:, :, None] * self.weigh  # [batch, reading, weighing, feature]
        compared = torch.einsum("bif,baf->bai", sought.flatten(1, 2), actions[..., :seen]) / seen**0.5
        return self.judge(torch.cat([compared, actions[..., seen:]], dim=-1)).squeeze(-1)
