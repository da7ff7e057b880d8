"""Two searches on one small map, followed step by step.

  B
 / \\          S{stop 0, A 3, B 1, C 2}   A{stop -3, S 1, B 4}   B{stop -6, A 2, S 5}
A - S - C - G      C{stop 0, S 1, G 3}   G{stop 4, C 1}
"""

import pytest
import torch

from fastnav.agents.scripted import TableAgent
from fastnav.search.named import strategy_named
from fastnav.search.routes import clean_routes, pops, walked_routes
from fastnav.search.tree import SearchTree
from fastnav.world import toy
from fastnav.world.graph import World
from tests.search.playground import run

SAID = {
    "S": {"S": 0, "A": 3, "B": 1, "C": 2},
    "A": {"A": -3, "S": 1, "B": 4},
    "B": {"B": -6, "A": 2, "S": 5},
    "C": {"C": 0, "S": 1, "G": 3},
    "G": {"G": 4, "C": 1},
}


@pytest.fixture
def world() -> World:
    return toy.loop_and_arm()


@pytest.fixture
def agent(world: World) -> TableAgent:
    logits = torch.zeros(world.mask.shape)
    for place, said in SAID.items():
        here = world.index("toy", place)
        for target, logit in said.items():
            slot = 0 if target == place else world.slot(here, world.index("toy", target))
            logits[here, slot] = logit
    return TableAgent(logits)


def letters(world: World, viewpoints: list[int]) -> str:
    return "".join(world.viewpoint_ids[place] for place in viewpoints)


def steps(tree: SearchTree, world: World) -> list[str]:
    """Where search went, each as the last step, such as "SA"; a stop is "GG"."""
    parent, place = tree.parent[0], tree.viewpoint[0]
    nodes = next(pops(tree))
    return [letters(world, [int(place[parent[node]]), int(place[node])]) for node in nodes[1:]]


def sums(tree: SearchTree, world: World) -> list[tuple[str, float]]:
    """Candidates in order: the places passed, and the sum of logits."""
    nodes = tree.candidates[0].nonzero().ravel().tolist()
    return [
        (letters(world, tree.viewpoint[0, tree.path(0, node)[:-1]].tolist()), float(tree.sum_logit[0, node]))
        for node in nodes
    ]


@pytest.mark.parametrize("name", ["fast-short", "compat-fast-short"])
def test_short(world: World, agent: TableAgent, name: str) -> None:
    strategy = strategy_named(name)
    tree = run(world, agent, strategy, [0])
    # Greedy goes S A B and would go back to S: that closes a loop, so the best of the frontier is S to C.
    assert steps(tree, world) == ["SA", "AB", "SC", "CG", "GG"]
    assert sums(tree, world) == [("S", 0), ("SA", 0), ("SAB", 1), ("SC", 2), ("SCG", 9)]
    goal = strategy.goal.choose(tree)
    route = walked_routes(tree, world, goal, strategy.walking)[0]
    # B and S are joined, but that step was never taken: the way back is by A.
    assert letters(world, list(route.viewpoints)) == "SABASCG"
    clean = clean_routes(tree, world, goal)[0]
    assert letters(world, list(clean.viewpoints)) == "SCG"


@pytest.mark.parametrize("name", ["fast-long", "compat-fast-long"])
def test_explore(world: World, agent: TableAgent, name: str) -> None:
    strategy = strategy_named(name)
    tree = run(world, agent, strategy, [0])
    assert steps(tree, world) == ["SA", "AB", "SC", "CG", "SB", "BA"]
    gone_to = next(pops(tree))[1:]
    assert [float(tree.sum_logit[0, node]) for node in gone_to] == [3, 7, 2, 5, 1, 3]
    assert sums(tree, world) == [
        *(("S", 0), ("SA", 0), ("SAB", 1), ("SC", 2), ("SCG", 9)),
        *(("SB", -5), ("SBA", 0)),
    ]
    assert not tree.frontier[0][~tree.is_stop].any()
    goal = strategy.goal.choose(tree)
    route = walked_routes(tree, world, goal, strategy.walking)[0]
    # The edge from A to B is known when B' leads to A', so nobody walks there; home is by S.
    assert letters(world, list(route.viewpoints)) == "SABASCGCSBSCG"
    assert len(route.viewpoints) - 1 == 12


def test_visited_places_need_no_second_visit(world: World, agent: TableAgent) -> None:
    from dataclasses import replace

    from fastnav.search.walking import Walking

    strategy = replace(strategy_named("fast-long"), walking=Walking(skip="viewpoint"))
    tree = run(world, agent, strategy, [0])
    route = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)[0]
    # S to B was never walked, but B has been seen, so one goes on from G without moving.
    assert letters(world, list(route.viewpoints)) == "SABASCG"


def test_greedy_walks_in_circles(world: World, agent: TableAgent) -> None:
    strategy = strategy_named("greedy")
    tree = run(world, agent, strategy, [0])
    route = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)[0]
    assert letters(world, list(route.viewpoints)) == "SABSABSABSA"
