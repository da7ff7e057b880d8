"""StateBank: the agent's state after each expansion, so that search can go on from anywhere it has been."""

from typing import Generic, TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from fastnav.agents.interface import Rows
from fastnav.search.growth import Lanes
from fastnav.search.tree import SearchTree

StateT = TypeVar("StateT", bound=Rows)


class StateBank(Generic[StateT]):
    """States as the agent returned them, a part for each round, and where in them each expansion's row is."""

    def __init__(self, beginning: StateT, batch: int, expansions: int) -> None:
        # Column 0 is the state before the first step, column 1 + e the state after expansion e.
        self._parts = [beginning]
        self._part = torch.zeros((batch, 1 + expansions), dtype=torch.int64)
        self._place = torch.zeros_like(self._part)
        self._place[:, 0] = torch.arange(batch)

    def put(self, state: StateT, lanes: Lanes) -> None:
        """Keep the states of lanes that have just been expanded."""
        at = lanes.row, 1 + lanes.expansion
        self._part[at] = len(self._parts)
        self._place[at] = torch.arange(len(lanes))
        self._parts.append(state)

    def before(self, tree: SearchTree, lanes: Lanes) -> StateT:
        """The state with which each lane's node is looked at: the one after its parent's expansion."""
        # 0 for the start; for others, 1 + the expansion that made them.
        column = (lanes.node + tree.actions - 1) // tree.actions
        return self._gather(self._part[lanes.row, column], self._place[lanes.row, column])

    def _gather(self, part: Int[Tensor, " lane"], place: Int[Tensor, " lane"]) -> StateT:
        """Take from each part what is wanted of it, join, and put the rows back in the lanes' order."""
        wanted = sorted(set(part.tolist()))
        if len(wanted) == 1:
            return self._parts[wanted[0]].take(place)
        order = part.argsort(stable=True)
        pieces = [self._parts[number].take(place[part == number]) for number in wanted]
        return type(pieces[0]).join(pieces).take(order.argsort())
