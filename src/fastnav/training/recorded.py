"""A training step recorded once for each shape and replayed: a GPU then waits for no Python."""

from collections.abc import Callable
from dataclasses import fields

import torch
from torch import Tensor

from fastnav.training.imitation import Batch

#: Steps run plainly before recording, so that libraries have made their choices.
_WARM_UP = 3


class Recorded:
    """Calls `step` on the CPU; on a GPU, replays a recording of it with the batch copied in."""

    def __init__(self, step: Callable[[Batch], Tensor]) -> None:
        self._step = step
        self._recordings: dict[torch.Size, tuple[torch.cuda.CUDAGraph, Batch, Tensor]] = {}

    def __call__(self, batch: Batch) -> Tensor:
        """One step; what it returns is overwritten by the next."""
        if not batch.tokens.is_cuda:
            return self._step(batch)
        if batch.tokens.shape not in self._recordings:
            self._recordings[batch.tokens.shape] = self._record(batch)
        graph, held, result = self._recordings[batch.tokens.shape]
        for field in fields(batch):
            getattr(held, field.name).copy_(getattr(batch, field.name))
        graph.replay()
        return result

    def _record(self, batch: Batch) -> tuple[torch.cuda.CUDAGraph, Batch, Tensor]:
        held = Batch(*(getattr(batch, field.name).clone() for field in fields(batch)))
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(_WARM_UP):
                self._step(held)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = self._step(held)
        return graph, held, result
