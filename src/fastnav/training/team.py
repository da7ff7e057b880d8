"""Several processes that train one agent together, as `torchrun` starts them.

Each learns from its share of every batch; losses, gradients and counts are summed over all, which comes to
the same as one process with the whole batch. The first process alone writes and prints.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor

from fastnav.training.imitation import Batch


@dataclass(frozen=True)
class Team:
    """This process among all; alone, if there is no other."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes and prints."""
        return self.rank == 0

    def share(self, batch: Batch) -> Batch:
        """The rows of a batch that this process learns from."""
        return batch.take(slice(self.rank, None, self.size))

    def rows(self, tensor: Tensor) -> Tensor:
        """The same of one tensor."""
        return tensor[self.rank :: self.size]

    def summed(self, tensor: Tensor) -> Tensor:
        """The sum over all processes."""
        if self.size > 1:
            tensor = tensor.clone()
            dist.all_reduce(tensor)
        return tensor

    def sum_up(self, tensors: Iterable[Tensor]) -> None:
        """Replace tensors by their sums over all processes, in one message."""
        if self.size > 1:
            held = list(tensors)
            whole = self.summed(torch.cat([tensor.flatten() for tensor in held]))
            for tensor, part in zip(held, torch.split(whole, [one.numel() for one in held]), strict=True):
                tensor.copy_(part.view_as(tensor))

    def gathered(self, tensor: Tensor) -> Sequence[Tensor]:
        """What all processes hold, by their ranks."""
        if self.size == 1:
            return [tensor]
        held = [torch.empty_like(tensor) for _ in range(self.size)]
        dist.all_gather(held, tensor)
        return held

    def disband(self) -> None:
        """Nothing more is to be said; who left before the others would break off their last words."""
        if self.size > 1:
            dist.barrier()
            dist.destroy_process_group()


def leads() -> bool:
    """Whether this process writes and prints, as far as the environment tells."""
    return int(os.environ.get("RANK", "0")) == 0


def processes() -> int:
    """How many train together, as the environment tells."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def own_device(name: str) -> str:
    """Of several GPUs the one for this process, where no other is asked for."""
    number = os.environ.get("LOCAL_RANK")
    return f"cuda:{number}" if name == "cuda" and number is not None else name


def gather_team(device: torch.device) -> Team:
    """Meet the processes that the environment tells of, if there are any."""
    if processes() == 1:
        return Team()
    if not dist.is_initialized():
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return Team(dist.get_rank(), dist.get_world_size())
