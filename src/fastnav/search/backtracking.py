"""Should we backtrack? Rules that say which of the open nodes search may go to next.

A rule gets the tree and its open nodes, and returns those among which the score decides; where it returns
none, the row has ended.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from fastnav.errors import UsageError
from fastnav.search.scoring import normalised_progress
from fastnav.search.tree import SearchTree, children

Backtrack = Callable[[SearchTree, Bool[Tensor, "batch node"]], Bool[Tensor, "batch node"]]


def explore(tree: SearchTree, open_nodes: Bool[Tensor, "batch node"]) -> Bool[Tensor, "batch node"]:
    """Always go to the best open node, wherever it is."""
    return open_nodes


def exploit(tree: SearchTree, open_nodes: Bool[Tensor, "batch node"]) -> Bool[Tensor, "batch node"]:
    """Follow the best local action; where that is not open, since it would close a loop, all open nodes."""
    follows = open_nodes & tree.is_greedy & _made_by(tree, tree.expansions - 1)
    return torch.where(follows.any(dim=1, keepdim=True), follows, open_nodes)


def never(tree: SearchTree, open_nodes: Bool[Tensor, "batch node"]) -> Bool[Tensor, "batch node"]:
    """Go on from where the last round led, as beams do; what they leave behind stays behind."""
    parent = tree.parent
    popped = tree.popped_at.gather(1, parent.clamp(min=SearchTree.ROOT)) // tree.width
    last = tree.popped_at.amax(dim=1, keepdim=True) // tree.width
    return open_nodes & (parent != SearchTree.NO_NODE) & (popped == last)


@dataclass(frozen=True)
class RollBack:
    """Try actions until one makes progress, with a step back from each that does not.

    After so many that did not, the one with the most progress is taken anyway.
    """

    tries: int = 5

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise UsageError(f"progress inference with {self.tries} tries; give 1 or more")

    def __call__(
        self, tree: SearchTree, open_nodes: Bool[Tensor, "batch node"]
    ) -> Bool[Tensor, "batch node"]:
        """The open actions of the place where the agent has settled."""
        return open_nodes & (tree.parent == self._settled(tree, open_nodes)[:, None])

    def _settled(self, tree: SearchTree, open_nodes: Bool[Tensor, "batch node"]) -> Int[Tensor, " batch"]:
        """The last node if it made progress, else the one before, else the best that was tried there."""
        normalised_progress(tree, "progress inference")
        rows = torch.arange(len(tree))
        last = tree.expansions - 1
        node = tree.expanded[rows, last]
        before = tree.parent[rows, node]
        gained = tree.progress[rows, last] > tree.progress_before[rows, node]
        # Siblings of the last node that were expanded: the actions tried from the same place.
        tried = (tree.parent.gather(1, tree.expanded.clamp(min=SearchTree.ROOT)) == before[:, None]) & (
            tree.expanded != SearchTree.NO_NODE
        )
        most = tree.progress.masked_fill(~tried, -torch.inf).argmax(dim=1)
        left = (open_nodes & (tree.parent == before[:, None])).any(dim=1)
        again = (tried.sum(dim=1) < self.tries) & left
        rolled_back = torch.where(again, before, tree.expanded[rows, most])
        return torch.where(gained | (node == SearchTree.ROOT), node, rolled_back)


def _made_by(tree: SearchTree, expansion: Int[Tensor, " batch"]) -> Bool[Tensor, "batch node"]:
    """The children of one expansion of each row."""
    made = torch.zeros_like(tree.exists)
    return made.scatter(1, children(tree, expansion), True)
