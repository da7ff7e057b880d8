"""Without a GPU nothing is recorded: each call is a plain step."""

import torch
from torch import Tensor

from fastnav.training.imitation import Batch
from fastnav.training.recorded import Recorded


def test_plain_calls_on_the_cpu() -> None:
    """The step is called with each batch itself, and what it returns is returned."""
    seen: list[Batch] = []

    def step(batch: Batch) -> Tensor:
        seen.append(batch)
        return batch.goal.sum()

    number = torch.tensor([3, 4])
    batch = Batch(torch.zeros(2, 5, dtype=torch.int64), number, number, number)
    assert Recorded(step)(batch) == 7
    assert seen == [batch]
