"""SearchTree: everything that a search has seen, as tensors `[batch, node]`.

A node is an action taken somewhere, and what it led to. The layout is closed-form: node 0 is the start, and
expansion number `e` of a row makes the nodes `1 + e * actions + slot`, one for each slot; slot 0 is the STOP
child. So a node's number tells its slot and the expansion that made it, and nodes are numbered in the
order in which they were created. Wherever scores tie, the node created first wins.

    expansion of      the start            its best child          ...
    nodes        0 |  1  2  3 ... A    |  A+1  A+2 ... 2A     |
                      STOP  neighbours    STOP   neighbours

The words: a node is *popped* when search goes there, and *expanded* when the agent then looks around and
scores the actions. A *final* node is never expanded: a STOP child, or one at the limit of depth.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.world.graph import World
from fastnav.world.simulator import Pose


@dataclass(frozen=True, eq=False)
class SearchTree:
    """One row for each episode. The tensors live on the CPU; sums are double precision."""

    ROOT: ClassVar[int] = 0
    NO_NODE: ClassVar[int] = -1
    NOT_POPPED: ClassVar[int] = -1
    NOT_EXPANDED: ClassVar[int] = -1

    actions: int  # slots of each expansion
    width: int  # how many nodes are popped together, in one round

    exists: Bool[Tensor, "batch node"]  # legal, and neither pruned nor a loop
    viewpoint: Int[Tensor, "batch node"]  # where the action leads
    view: Int[Tensor, "batch node"]  # the view faced on arrival
    depth: Int[Tensor, "batch node"]  # actions taken since the start, STOP included
    logit: Float[Tensor, "batch node"]  # of the action itself; -inf where it is not legal
    sum_logit: Float[Tensor, "batch node"]  # over all actions since the start
    sum_logp: Float[Tensor, "batch node"]  # the same of log-probabilities
    is_greedy: Bool[Tensor, "batch node"]  # the best legal action where it was taken
    is_final: Bool[Tensor, "batch node"]
    popped_at: Int[Tensor, "batch node"]  # its turn: width * round + place in the round; or NOT_POPPED

    expanded: Int[Tensor, "batch expansion"]  # the node, or NO_NODE
    progress: Float[Tensor, "batch expansion"]  # the agent's estimate there; nan where it gives none

    def __len__(self) -> int:
        return len(self.viewpoint)

    def take(self, rows: Int[Tensor, " row"]) -> "SearchTree":
        """The trees of some rows."""
        tensors = (getattr(self, field.name)[rows] for field in fields(self)[2:])
        return SearchTree(self.actions, self.width, *tensors)

    def trimmed(self) -> "SearchTree":
        """The same without the room that no row has used yet; a view, nothing is copied."""
        used = int(self.expansions.max()) if len(self) else 0
        nodes = 1 + used * self.actions
        tensors = [getattr(self, field.name) for field in fields(self)[2:]]
        of_nodes = [tensor[:, :nodes] for tensor in tensors[:-2]]
        of_expansions = [tensor[:, :used] for tensor in tensors[-2:]]
        return SearchTree(self.actions, self.width, *of_nodes, *of_expansions)

    @property
    def slot(self) -> Int[Tensor, " node"]:
        """The action slot of each node; STOP's for the start, which no action led to."""
        return (self._number - 1).clamp(min=0) % self.actions

    @property
    def is_stop(self) -> Bool[Tensor, " node"]:
        """Which nodes are STOP children."""
        return (self.slot == World.STOP) & (self._number != SearchTree.ROOT)

    @property
    def parent(self) -> Int[Tensor, "batch node"]:
        """The node whose expansion made each node; NO_NODE for the start and where nothing is yet."""
        return self._from_expansions(self.expanded, SearchTree.NO_NODE)

    @property
    def progress_before(self) -> Float[Tensor, "batch node"]:
        """The estimate of progress where each node's action was chosen; nan for the start."""
        return self._from_expansions(self.progress, torch.nan)

    @property
    def expansions(self) -> Int[Tensor, " batch"]:
        """How many nodes each row has expanded."""
        return (self.expanded != SearchTree.NO_NODE).sum(dim=1)

    @property
    def expanded_at(self) -> Int[Tensor, "batch node"]:
        """The number of each node's own expansion, or NOT_EXPANDED."""
        at = torch.full_like(self.popped_at, SearchTree.NOT_EXPANDED)
        row, expansion = torch.nonzero(self.expanded != SearchTree.NO_NODE, as_tuple=True)
        at[row, self.expanded[row, expansion]] = expansion
        return at

    @property
    def frontier(self) -> Bool[Tensor, "batch node"]:
        """Nodes that search has seen and not gone to, STOP children included."""
        return self.exists & (self.popped_at == SearchTree.NOT_POPPED)

    @property
    def candidates(self) -> Bool[Tensor, "batch node"]:
        """Where the goal could be: all STOP children, and final nodes that search has gone to."""
        return self.exists & (self.is_stop | self.is_final & (self.popped_at != SearchTree.NOT_POPPED))

    @property
    def finals_popped(self) -> Int[Tensor, " batch"]:
        """How many final nodes each row has gone to."""
        return (self.is_final & (self.popped_at != SearchTree.NOT_POPPED)).sum(dim=1)

    def path(self, row: int, node: int) -> list[int]:
        """The nodes from the start to `node`, both included."""
        nodes = [node]
        while nodes[-1] != SearchTree.ROOT:
            nodes.append(int(self.expanded[row, (nodes[-1] - 1) // self.actions]))
        return nodes[::-1]

    @cached_property
    def _number(self) -> Int[Tensor, " node"]:
        return torch.arange(self.viewpoint.shape[1])

    def _from_expansions(self, values: Tensor, of_root: int | float) -> Tensor:
        root = values.new_full((len(values), 1), of_root)
        return torch.cat([root, values.repeat_interleave(self.actions, dim=1)], dim=1)


#: A value for each node, the higher the better.
Score = Callable[[SearchTree], Float[Tensor, "batch node"]]


def children(tree: SearchTree, expansion: Int[Tensor, " lane"]) -> Int[Tensor, "lane action"]:
    """The nodes that the given expansions made, or will make."""
    return 1 + expansion[:, None] * tree.actions + torch.arange(tree.actions)


def best_node(score: Float[Tensor, "batch node"], among: Bool[Tensor, "batch node"]) -> Int[Tensor, " batch"]:
    """The best node of each row, the first of those that tie; NO_NODE where there is none."""
    best = score.masked_fill(~among, -torch.inf).argmax(dim=1)  # the first, where several are equal
    rows = torch.arange(len(score))
    # Where all are -inf the first wins; that may not be one of `among`.
    best = torch.where(among[rows, best], best, among.int().argmax(dim=1))
    return torch.where(among[rows, best], best, SearchTree.NO_NODE)


def plant(starts: Pose, *, actions: int, width: int, expansions: int) -> SearchTree:
    """A tree for each row that holds the start alone, with room for so many expansions."""
    batch, nodes = len(starts.viewpoint), 1 + expansions * actions
    whole = torch.zeros((batch, nodes), dtype=torch.int64)
    real = torch.zeros((batch, nodes), dtype=torch.float64)
    flag = torch.zeros((batch, nodes), dtype=torch.bool)
    tree = SearchTree(
        actions=actions,
        width=width,
        exists=flag.clone(),
        viewpoint=whole.clone(),
        view=whole.clone(),
        depth=whole.clone(),
        logit=real - torch.inf,
        sum_logit=real.clone(),
        sum_logp=real.clone(),
        is_greedy=flag.clone(),
        is_final=flag.clone(),
        popped_at=whole + SearchTree.NOT_POPPED,
        expanded=torch.full((batch, expansions), SearchTree.NO_NODE),
        progress=torch.full((batch, expansions), torch.nan, dtype=torch.float64),
    )
    tree.exists[:, SearchTree.ROOT] = True
    tree.viewpoint[:, SearchTree.ROOT] = torch.as_tensor(starts.viewpoint).cpu()
    tree.view[:, SearchTree.ROOT] = torch.as_tensor(starts.view).cpu()
    return tree
