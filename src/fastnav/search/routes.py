"""From a finished tree to what was walked: the route with all its backtracking, and the path without."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from fastnav.search.tree import SearchTree
from fastnav.search.walking import Lengths, Walker, Walking
from fastnav.world.graph import World
from fastnav.world.route import Route, route_through


@dataclass(frozen=True)
class Walk:
    """All that was walked, and when."""

    route: Route
    arrived: tuple[int, ...]  # for each popped node, the place of the route up to which it was walked


def walked_routes(
    tree: SearchTree, world: World, goal: Int[Tensor, " batch"], walking: Walking
) -> list[Route]:
    """Each row's walk: to every popped node in order, then to the goal."""
    return [walk.route for walk in walks(tree, world, goal, walking)]


def walks(tree: SearchTree, world: World, goal: Int[Tensor, " batch"], walking: Walking) -> list[Walk]:
    """The same, with what was walked for each popped node; the rest is the way to the goal."""
    lengths = Lengths(world)
    viewpoint, view = tree.viewpoint.tolist(), tree.view[:, SearchTree.ROOT].tolist()
    expanded = tree.expanded.tolist()
    made = []
    for row, (nodes, end) in enumerate(zip(pops(tree), goal.tolist(), strict=True)):
        places = viewpoint[row]
        walker = Walker(lengths, places[SearchTree.ROOT], walking)
        steps = [_step(tree.actions, places, expanded[row], node) for node in (*nodes, end)]
        arrived = []
        for step in steps[:-1]:
            walker.follow(walker.leg(*step))
            arrived.append(len(walker.walked) - 1)
        walker.follow(walker.home(*steps[-1]))
        made.append(Walk(route_through(world, walker.walked, view[row]), tuple(arrived)))
    return made


def _step(actions: int, viewpoint: list[int], expanded: list[int], node: int) -> tuple[int, int]:
    """Where a node's action was taken, and where it led."""
    parent = expanded[(node - 1) // actions] if node != SearchTree.ROOT else node
    return viewpoint[parent], viewpoint[node]


def clean_routes(tree: SearchTree, world: World, goal: Int[Tensor, " batch"]) -> list[Route]:
    """Each row's path from the start to the goal, as if the agent had known."""
    routes = []
    for row, end in enumerate(goal.tolist()):
        places = tree.viewpoint[row, tree.path(row, end)].tolist()
        if bool(tree.is_stop[end]):
            places.pop()  # STOP stays where it is
        routes.append(route_through(world, places, int(tree.view[row, SearchTree.ROOT])))
    return routes


def pops(tree: SearchTree) -> Iterator[list[int]]:
    """The nodes of each row in the order in which search went to them."""
    popped = tree.popped_at != SearchTree.NOT_POPPED
    order = tree.popped_at.masked_fill(~popped, torch.iinfo(torch.int64).max).argsort(dim=1).tolist()
    for nodes, count in zip(order, popped.sum(dim=1).tolist(), strict=True):
        yield nodes[:count]
