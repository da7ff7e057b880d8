"""What an expansion adds to the tree: a child for each action, but for those that are pruned."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.agents.interface import StepOutput
from fastnav.errors import UsageError
from fastnav.search.tree import SearchTree, children
from fastnav.world.graph import World


@dataclass(frozen=True)
class Growth:
    """Which children an expansion makes."""

    top_k: int | None = None  # only so many of the best actions; all if None
    revisit: bool = False  # whether a path may come back to a viewpoint that it has passed
    depth: int | None = None  # a node so many actions away is final, as if the agent stopped there

    def __post_init__(self) -> None:
        for name, value in (("top_k", self.top_k), ("depth", self.depth)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}; give 1 or more, or None for no limit")


@dataclass(frozen=True)
class Lanes:
    """The nodes that are expanded together; a row of the batch may have several."""

    row: Int[Tensor, " lane"]
    node: Int[Tensor, " lane"]
    expansion: Int[Tensor, " lane"]  # the number of each one's expansion

    def __len__(self) -> int:
        return len(self.row)


def grow(tree: SearchTree, world: World, lanes: Lanes, output: StepOutput, growth: Growth) -> None:
    """Write the expansions of all lanes, and the children that they make, into the tree."""
    here = lanes.row, lanes.node
    place = tree.viewpoint[here]
    legal, target = world.mask[place], world.neighbour[place]
    logit = output.logits.to("cpu", torch.float64).masked_fill(~legal, -torch.inf)
    stays = (torch.arange(tree.actions) == World.STOP).expand_as(legal)
    depth = (tree.depth[here] + 1)[:, None].expand_as(target)

    tree.expanded[lanes.row, lanes.expansion] = lanes.node
    if output.progress is not None:
        tree.progress[lanes.row, lanes.expansion] = output.progress.to("cpu", torch.float64)
    new = lanes.row[:, None], children(tree, lanes.expansion)
    exists = legal & _best_actions(logit, growth.top_k)
    if not growth.revisit:
        exists &= stays | ~_on_path(tree, lanes, target)
    tree.exists[new] = exists
    tree.viewpoint[new] = target
    tree.view[new] = torch.where(stays, tree.view[here][:, None], world.view[place])
    tree.depth[new] = depth
    tree.logit[new] = logit
    tree.sum_logit[new] = tree.sum_logit[here][:, None] + logit
    tree.sum_logp[new] = tree.sum_logp[here][:, None] + logit.log_softmax(dim=1)
    tree.is_greedy[new] = _best_actions(logit, 1)
    tree.is_final[new] = stays if growth.depth is None else stays | (depth >= growth.depth)


def _best_actions(logit: Float[Tensor, "lane action"], count: int | None) -> Bool[Tensor, "lane action"]:
    """Which actions are among the best so many; of equal ones the lower slot is better."""
    if count is None:
        return torch.ones_like(logit, dtype=torch.bool)
    order = logit.sort(dim=1, descending=True, stable=True).indices
    return torch.zeros_like(logit, dtype=torch.bool).scatter(1, order[:, :count], True)


def _on_path(
    tree: SearchTree, lanes: Lanes, target: Int[Tensor, "lane action"]
) -> Bool[Tensor, "lane action"]:
    """Which targets are viewpoints that the path to the lane's node has passed, the node's own included."""
    passed = torch.zeros_like(target, dtype=torch.bool)
    node = lanes.node
    for _ in range(1 + int(tree.depth[lanes.row, node].max())):
        passed |= target == tree.viewpoint[lanes.row, node][:, None]
        above = tree.expanded[lanes.row, (node - 1).clamp(min=0) // tree.actions]
        node = torch.where(node == SearchTree.ROOT, node, above)  # a path that is shorter waits at its start
    return passed
