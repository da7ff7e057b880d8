"""On foot: the way back over known ground, what need not be walked, and budgets of metres."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.agents.scripted import TableAgent
from fastnav.errors import UsageError
from fastnav.search import named
from fastnav.search.loop import search
from fastnav.search.routes import pops, walked_routes
from fastnav.search.strategies import Budget, Strategy
from fastnav.search.walking import Lengths, Skip, Walker, Walking
from fastnav.world import toy
from fastnav.world.graph import build_world
from fastnav.world.route import Measure, route_through, way_back
from tests.search.playground import PLAYS, poses, run, world_and_agent
from tests.world.worlds import House


@given(
    places=st.integers(2, 9),
    seed=st.integers(0, 2**32 - 1),
    steps=st.integers(0, 25),
    by=st.sampled_from(["metres", "hops"]),
)
def test_the_way_back_is_that_of_the_world(places: int, seed: int, steps: int, by: Measure) -> None:
    world = build_world([House("house", places, seed, 0.5).graph()])
    rng = np.random.default_rng(seed)
    walker = Walker(Lengths(world), 0, Walking(by=by))
    for _ in range(steps):
        here = walker.walked[-1]
        ways = world.neighbour[here, 1:][world.mask[here, 1:]]
        walker.follow([int(rng.choice(ways))] if len(ways) else [])
    for target in set(walker.walked):
        assert (walker.walked[-1], *walker.way(target)) == way_back(world, walker.walked, target, by)
    assert walker.metres == pytest.approx(route_through(world, walker.walked, 0).length(world))


def test_metres_and_hops_differ() -> None:
    # A --- B --- C --- D, 3 m in 3 moves; and A --- X --- D, 8 m in 2.
    world = toy.shortcut()
    round_trip = [1, 2, 3, 4, 0]  # B C D X A
    for by, way in (("metres", (1, 2, 3)), ("hops", (4, 3))):
        walker = Walker(Lengths(world), 0, Walking(by=by))
        walker.follow(round_trip)
        assert walker.way(3) == way


def test_unknown_ground_is_not_crossed() -> None:
    walker = Walker(Lengths(toy.corridor()), 0, Walking())
    walker.follow([1])
    with pytest.raises(UsageError, match="viewpoint 3 was never reached on this walk"):
        walker.way(3)
    with pytest.raises(UsageError, match="viewpoints 1 and 3 are not joined"):
        walker.follow([3])


S, A, B, C, G = range(5)


@pytest.mark.parametrize(
    ("skip", "known_edge", "known_place", "stop"),
    [
        ("nothing", (A, B), (S, A, B, S), (S, A)),
        ("last-step", (A,), (S, A, B, S), (S, A)),
        ("edge", (), (S, A, B, S), ()),
        ("viewpoint", (), (), ()),
    ],
)
def test_what_need_not_be_walked(
    skip: Skip, known_edge: tuple[int, ...], known_place: tuple[int, ...], stop: tuple[int, ...]
) -> None:
    # A loop S A B and an arm S C G; walked: S A B A S, and then C.
    world = toy.loop_and_arm()
    walker = Walker(Lengths(world), S, Walking(skip=skip))
    walker.follow([A, B, A, S])
    assert walker.leg(A, B) == known_edge
    walker.follow([C])
    # B and S are joined, both were visited, and nobody went from one to the other.
    assert walker.leg(B, S) == known_place
    assert walker.leg(A, A) == stop
    assert walker.leg(C, G) == (G,)


@given(play=PLAYS, metres=st.floats(0, 40))
@settings(max_examples=20)
def test_a_budget_of_metres(play: tuple[int, float, int, int], metres: float) -> None:
    world, agent = world_and_agent(play)
    free = named.fast_long(expansions=12)
    tight = replace(free, budget=Budget(expansions=12, metres=metres))
    all_pops = list(pops(run(world, agent, free)))
    tree = run(world, agent, tight)
    for row, nodes in enumerate(pops(tree)):
        # The same search, cut short just before it would walk further than allowed.
        assert nodes == all_pops[row][: len(nodes)]
        assert walked_to(tree, world, tight, row, nodes) <= metres
        if len(nodes) < len(all_pops[row]):
            assert walked_to(tree, world, tight, row, all_pops[row][: len(nodes) + 1]) > metres


def walked_to(tree, world, strategy: Strategy, row: int, nodes: list[int]) -> float:  # type: ignore[no-untyped-def]
    """Metres walked to pop these nodes."""
    walker = Walker(Lengths(world), row, strategy.walking)
    parent, place = tree.parent[row].tolist(), tree.viewpoint[row].tolist()
    for node in nodes[1:]:
        walker.follow(walker.leg(place[parent[node]], place[node]))
    return walker.metres


def test_a_beam_walks_within_metres_too() -> None:
    world, agent = world_and_agent((7, 0.5, 3, 5))
    strategy = named.beam(3)
    tree = search(
        agent,
        world,
        poses([0]),
        agent.encode(["go"]),
        strategy=strategy,
        budget=replace(strategy.budget, metres=20.0),
    )
    nodes = next(pops(tree))
    assert 1 < len(nodes) < len(next(pops(run(world, agent, strategy, [0]))))
    assert walked_to(tree, world, strategy, 0, nodes) <= 20


def test_a_goal_that_was_never_gone_to_is_reached_by_its_parent() -> None:
    # A --- B --- C --- D; the agent sees C from B, and a ranker of one's own may choose it.
    world = toy.corridor()
    logits = torch.zeros(world.mask.shape)
    strategy = named.fast_long(expansions=2)
    tree = run(world, TableAgent(logits), strategy, [0])
    unseen = int((tree.viewpoint[0] == 2).nonzero()[0])
    route = walked_routes(tree, world, torch.tensor([unseen]), strategy.walking)[0]
    assert route.viewpoints == (0, 1, 2)
