"""Episodes as tensors, and batches drawn from them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from fastnav.agents.layers import PAD
from fastnav.agents.learned import tokenised
from fastnav.data.splits import Split
from fastnav.data.vocabulary import Vocabulary
from fastnav.training.imitation import Batch
from fastnav.world.graph import World
from fastnav.world.views import snapped_view

#: Sentences are padded to one of these widths, so that few shapes have to be recorded.
WIDTHS = (24, 32, 48, 80)


@dataclass(frozen=True, eq=False)
class Lessons:
    """All episodes of a split, sorted by the width that their sentences are padded to."""

    batches: tuple[Batch, ...]  # one of all episodes for each width

    @classmethod
    def of(cls, world: World, split: Split, vocabulary: Vocabulary, device: Any) -> "Lessons":
        """The episodes of a split whose goals are known."""
        episodes = split.episodes
        tokens = tokenised(vocabulary, [episode.instruction for episode in episodes], WIDTHS[-1])
        tokens = torch.nn.functional.pad(tokens, (0, WIDTHS[-1] - tokens.shape[1]), value=PAD)
        start = torch.tensor([world.index(e.scan, e.start) for e in episodes])
        goal = torch.tensor([world.index(e.scan, split.references[e.path_id].goal) for e in episodes])
        view = torch.as_tensor(snapped_view(np.array([episode.heading for episode in episodes])))
        return by_width(Batch(*(part.to(device) for part in (tokens, start, view, goal))))

    def __len__(self) -> int:
        return sum(len(batch.goal) for batch in self.batches)

    def draw(self, rows: int, generator: torch.Generator) -> Batch:
        """A batch of one width, widths as often as they have episodes."""
        sizes = torch.tensor([len(batch.goal) for batch in self.batches], dtype=torch.float)
        chosen = self.batches[int(torch.multinomial(sizes, 1, generator=generator))]
        index = torch.randint(len(chosen.goal), (rows,), generator=generator).to(chosen.goal.device)
        return chosen.take(index)


def by_width(batch: Batch) -> Lessons:
    """Episodes sorted by the width that their sentences need."""
    length = (batch.tokens != PAD).sum(dim=1)
    parts = []
    for narrower, width in zip((0, *WIDTHS), WIDTHS, strict=False):
        rows = ((length > narrower) & (length <= width)).nonzero().squeeze(1)
        if len(rows):
            part = batch.take(rows)
            parts.append(replace(part, tokens=part.tokens[:, :width].contiguous()))
    return Lessons(tuple(parts))
