"""What an agent's own numbers say of each node and of the path to it: what a learned score reads."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.search.tree import SearchTree
from fastnav.world.graph import World

#: The signals, in their order. Log-probabilities below the floor tell no more than the floor does.
SIGNALS = (
    "stops",
    "follows",  # whether it is the agent's favourite where it was taken
    "depth",
    "logit",
    "sum-logit",
    "mean-logit",
    "logp",
    "sum-logp",
    "mean-logp",
    "least-logp",  # on the path
    "stop-logp",  # of stopping where the action was taken, instead
    "doubt",  # entropy of the choice
    "sum-doubt",
    "progress",  # as the agent estimates it where the action was taken; 0 if it does not
    "gain",  # of progress, by the step before
    "most-progress",  # on the path
)
_FLOOR = -12.0


def signals(tree: SearchTree) -> Float[Tensor, "batch node signal"]:
    """Every signal of every node; zeros where there is no node."""
    chance = _by_expansion(tree, tree.logit).log_softmax(dim=2)
    chance = torch.where(chance.isfinite(), chance, 0.0)
    logp = torch.cat([chance.new_zeros(len(tree), 1), chance.flatten(1, 2)], dim=1).clamp(min=_FLOOR)
    doubt = _to_children(tree, -(chance.exp() * chance * _legal(tree)).sum(dim=2))
    progress = tree.progress_before.nan_to_num(0.0)
    before = progress.gather(1, tree.parent.clamp(min=SearchTree.ROOT))
    depth = tree.depth.clamp(min=1)
    found = {
        "stops": tree.is_stop.expand_as(logp),
        "follows": tree.is_greedy,
        "depth": tree.depth,
        "logit": tree.logit,
        "sum-logit": tree.sum_logit,
        "mean-logit": tree.sum_logit / depth,
        "logp": logp,
        "sum-logp": tree.sum_logp,
        "mean-logp": tree.sum_logp / depth,
        "least-logp": _along_path(tree, logp, torch.minimum),
        "stop-logp": _to_children(tree, chance[:, :, World.STOP]).clamp(min=_FLOOR),
        "doubt": doubt,
        "sum-doubt": _along_path(tree, doubt, torch.add),
        "progress": progress,
        "gain": progress - before,
        "most-progress": _along_path(tree, progress, torch.maximum),
    }
    stacked = torch.stack([found[name].double() for name in SIGNALS], dim=2)
    return torch.where(tree.exists[:, :, None], stacked, 0.0)


def _by_expansion(
    tree: SearchTree, of_nodes: Float[Tensor, "batch node"]
) -> Float[Tensor, "batch expansion action"]:
    """The values of the children of each expansion."""
    return of_nodes[:, 1:].reshape(len(tree), -1, tree.actions)


def _legal(tree: SearchTree) -> Float[Tensor, "batch expansion action"]:
    return _by_expansion(tree, tree.logit).isfinite().double()


def _to_children(
    tree: SearchTree, of_expansions: Float[Tensor, "batch expansion"]
) -> Float[Tensor, "batch node"]:
    """Each expansion's value, for all of its children."""
    start = of_expansions.new_zeros(len(tree), 1)
    return torch.cat([start, of_expansions.repeat_interleave(tree.actions, dim=1)], dim=1)


def _along_path(
    tree: SearchTree, values: Float[Tensor, "batch node"], join: Callable[[Tensor, Tensor], Tensor]
) -> Float[Tensor, "batch node"]:
    """The values of a node and of all before it but the start, joined two by two."""
    above = tree.parent.clamp(min=SearchTree.ROOT)
    joined, node = values, above
    for _ in range(int(tree.depth.max())):
        joined = torch.where(node == SearchTree.ROOT, joined, join(joined, values.gather(1, node)))
        node = above.gather(1, node)
    return joined
