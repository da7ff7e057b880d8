"""Where to next: which nodes are open, and the best of those that the strategy allows."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.errors import UsageError
from fastnav.search.strategies import Budget, Strategy
from fastnav.search.tree import SearchTree, best_node
from fastnav.search.walking import Walker
from fastnav.world.views import VIEWS


@dataclass(frozen=True)
class Picks:
    """The nodes to pop together, by row of the batch and then best first; `NO_NODE` fills up."""

    row: Int[Tensor, " row"]
    node: Int[Tensor, "row pick"]

    def without_idle_rows(self) -> "Picks":
        """Only the rows that have something to pop."""
        busy = (self.node != SearchTree.NO_NODE).any(dim=1)
        return Picks(self.row[busy], self.node[busy])


def pick(tree: SearchTree, rows: Int[Tensor, " row"], strategy: Strategy, budget: Budget) -> Picks:
    """What each of `rows` pops next; rows with nothing to pop are left out, for they have ended."""
    tree = tree.trimmed()
    rows = rows[~budget.is_spent(_rows_of(tree, rows))]
    if not len(rows):
        return Picks(rows, rows[:, None])
    seen = _rows_of(tree, rows)
    allowed = open_nodes(seen, strategy)
    allowed = allowed & strategy.backtrack(seen, allowed)
    node = _best(_score(seen, allowed, strategy), allowed, strategy.width)
    node = _within_stops(seen, _within_expansions(seen, node, budget.expansions), budget.stops)
    return Picks(rows, node).without_idle_rows()


def open_nodes(tree: SearchTree, strategy: Strategy) -> Bool[Tensor, "batch node"]:
    """The part of the frontier that the strategy may pop."""
    frontier = tree.frontier if strategy.stops_compete else tree.frontier & ~tree.is_stop
    return frontier & best_of_pose(tree, strategy.score(tree)) if strategy.merge_poses else frontier


def best_of_pose(tree: SearchTree, score: Float[Tensor, "batch node"]) -> Bool[Tensor, "batch node"]:
    """Which nodes are the best of all at the same pose; final nodes are apart from the others."""
    row, node = tree.exists.nonzero(as_tuple=True)  # few of all, and in the order of their creation
    at = row, node
    pose = (tree.viewpoint[at] * VIEWS + tree.view[at]) * 2 + tree.is_final[at]
    pose += row * 2 * VIEWS * (1 + int(tree.viewpoint.max()))  # poses of different rows differ
    # Sorted by pose, then by score, then by creation: the first of each pose is its best.
    order = score[at].argsort(descending=True, stable=True)
    order = order[pose[order].argsort(stable=True)]
    is_first = pose[order].diff(prepend=pose.new_tensor([-1])) != 0
    first = order[is_first]
    best = torch.zeros_like(tree.exists)
    best[row[first], node[first]] = True
    return best


def within_metres(picks: Picks, tree: SearchTree, walkers: list[Walker], metres: float) -> Picks:
    """Walk to the picks; those that would take a walk over its budget are not made, and end their row."""
    node = picks.node.clone()
    parent = tree.parent
    for line, row in enumerate(picks.row.tolist()):
        walker = walkers[row]
        for place, number in enumerate(node[line].tolist()):
            if number == SearchTree.NO_NODE:
                break
            above = max(int(parent[row, number]), SearchTree.ROOT)
            leg = walker.leg(int(tree.viewpoint[row, above]), int(tree.viewpoint[row, number]))
            if walker.metres + walker.length(leg) > metres:
                node[line, place:] = SearchTree.NO_NODE
                break
            walker.follow(leg)
    return Picks(picks.row, node).without_idle_rows()


def _rows_of(tree: SearchTree, rows: Int[Tensor, " row"]) -> SearchTree:
    """The tree itself while all rows are searching, so that nothing is copied."""
    return tree if len(rows) == len(tree) else tree.take(rows)


def _score(
    tree: SearchTree, allowed: Bool[Tensor, "row node"], strategy: Strategy
) -> Float[Tensor, "row node"]:
    score = strategy.score(tree)
    if bool((score.isnan() & allowed).any()):
        raise UsageError(f"the score of strategy {strategy.name} is not a number (nan) for some open node")
    return score


def _best(
    score: Float[Tensor, "row node"], allowed: Bool[Tensor, "row node"], width: int
) -> Int[Tensor, "row pick"]:
    """The best nodes of each row, best first; the earlier one where scores tie."""
    if width == 1:
        return best_node(score, allowed)[:, None]
    # By score among the allowed, and the others after them whatever their score.
    order = score.argsort(dim=1, descending=True, stable=True)
    order = order.gather(1, (~allowed.gather(1, order)).int().argsort(dim=1, stable=True))[:, :width]
    return torch.where(allowed.gather(1, order), order, SearchTree.NO_NODE)


def _within_expansions(
    tree: SearchTree, node: Int[Tensor, "row pick"], budget: int
) -> Int[Tensor, "row pick"]:
    """Leave out the nodes for whose expansion the budget does not reach."""
    expands = (node != SearchTree.NO_NODE) & ~tree.is_final.gather(1, node.clamp(min=SearchTree.ROOT))
    number = tree.expansions[:, None] + expands.cumsum(dim=1)
    return torch.where(expands & (number > budget), SearchTree.NO_NODE, node)


def _within_stops(
    tree: SearchTree, node: Int[Tensor, "row pick"], stops: int | None
) -> Int[Tensor, "row pick"]:
    """Where the final nodes among the picks are as many as are still wanted, go nowhere else."""
    if stops is None or node.shape[1] == 1:
        return node
    ends = (node != SearchTree.NO_NODE) & tree.is_final.gather(1, node.clamp(min=SearchTree.ROOT))
    enough = tree.finals_popped + ends.sum(dim=1) >= stops
    return torch.where(enough[:, None] & ~ends, SearchTree.NO_NODE, node)
