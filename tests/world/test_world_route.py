"""Routes: their length, and the way back over known ground."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.errors import UsageError
from fastnav.world import toy
from fastnav.world.graph import World, build_world
from fastnav.world.route import Route, route_through, step_length, way_back
from tests.world.slow import SlowMap, all_ways
from tests.world.worlds import House, graphs_of, houses


def walk(world: World, letters: str) -> list[int]:
    """The places of a one-building world by their letters."""
    return [world.index("toy", letter) for letter in letters]


def letters(world: World, way: tuple[int, ...]) -> str:
    return "".join(world.viewpoint_ids[place] for place in way)


# ---- length


@pytest.mark.parametrize(
    ("through", "metres"), [("A", 0), ("AB", 2), ("ABCD", 6), ("ABA", 4), ("ABCBABCD", 14), ("ABBB", 2)]
)
def test_every_metre_counts(through: str, metres: float) -> None:
    world = toy.corridor()
    places = walk(world, through)
    assert Route(tuple(places), (12,) * len(places)).length(world) == metres


def test_the_length_on_stairs_is_that_of_the_slope() -> None:
    world = toy.stairs()
    assert route_through(world, walk(world, "BU"), 0).length(world) == pytest.approx(math.sqrt(18))


@given(drawn=houses(most=1), seed=st.integers(0, 2**32 - 1))
def test_length_is_the_sum_of_straight_lines(drawn: list[House], seed: int) -> None:
    world, slow = build_world(graphs_of(drawn)), SlowMap.of(graphs_of(drawn))
    places = random_walk(slow, 8, seed)
    route = route_through(world, places, first_view=17)
    assert route.length(world) == pytest.approx(sum(slow.metres(u, v) for u, v in itertools.pairwise(places)))
    assert route.viewpoints == tuple(places)
    assert route.views[0] == 17
    assert route.end == places[-1]


def test_a_route_faces_the_way_it_goes() -> None:
    world = toy.crossroads()
    assert route_through(world, walk(world, "NXEXS"), 14).views == (14, 18, 15, 21, 18)


@pytest.mark.parametrize("pair", [(0, 2), (3, 1)])
def test_a_jump_is_no_walk(pair: tuple[int, int]) -> None:
    world = toy.corridor()
    told = f"viewpoints {pair[0]} and {pair[1]} are not joined: a walk lists every place it passes"
    with pytest.raises(UsageError, match=told):
        step_length(world, *pair)
    with pytest.raises(UsageError, match=told):
        route_through(world, pair, 0)
    with pytest.raises(UsageError, match=told):
        Route(pair, (0, 0)).length(world)


def test_staying_costs_nothing() -> None:
    assert step_length(toy.corridor(), 1, 1) == 0.0


# ---- the way back


def test_the_golden_way_back_leaves_an_edge_that_was_only_seen() -> None:
    #     B
    #    / \          walked S A B: from B to S one goes back by A,
    #   A - S - C     for the edge between B and S was seen and never walked
    world = toy.loop_and_arm()
    walked = walk(world, "SAB")
    assert world.slot(walked[2], walked[0]) is not None
    for by in ("metres", "hops"):
        assert letters(world, way_back(world, walked, walked[0], by)) == "BAS"


def test_once_the_loop_is_closed_the_short_side_is_known_ground() -> None:
    world = toy.loop_and_arm()
    walked = walk(world, "SABS")
    assert letters(world, way_back(world, [*walked, *walk(world, "A")], walked[2], "hops")) == "AB"
    assert letters(world, way_back(world, [*walked, *walk(world, "C")], walked[2], "hops")) == "CSB"


def test_metres_and_hops_differ_where_the_shortcut_is_longer() -> None:
    # A - B - C - D is 3 m in 3 moves; A - X - D is 8 m in 2 moves; both were walked.
    world = toy.shortcut()
    walked = walk(world, "DXABCD")
    goal = walk(world, "A")[0]
    assert letters(world, way_back(world, walked, goal)) == "DCBA"
    assert letters(world, way_back(world, walked, goal, "metres")) == "DCBA"
    assert letters(world, way_back(world, walked, goal, "hops")) == "DXA"


def test_where_one_stands_the_way_back_is_no_way() -> None:
    world = toy.corridor()
    assert way_back(world, [2], 2) == (2,)
    assert way_back(world, [0, 1, 2], 2) == (2,)


def test_standing_still_in_a_walk_makes_no_edge() -> None:
    world = toy.corridor()
    assert way_back(world, [0, 1, 1, 2, 2], 0) == (2, 1, 0)


@pytest.mark.parametrize("by", ["metres", "hops"])
@pytest.mark.parametrize("target", [3, 99])
def test_a_place_never_reached_is_told(by: str, target: int) -> None:
    with pytest.raises(UsageError, match=f"viewpoint {target} was never reached on this walk"):
        way_back(toy.corridor(), [0, 1, 2], target, by)


def random_walk(slow: SlowMap, steps: int, seed: int) -> list[int]:
    """A walk of at most so many steps, from a random start to random neighbours."""
    draw = random.Random(seed)
    walked = [draw.randrange(len(slow.places))]
    while len(walked) <= steps and slow.joined[walked[-1]]:
        walked.append(draw.choice(slow.joined[walked[-1]]))
    return walked


@given(drawn=houses(most=1), seed=st.integers(0, 2**32 - 1), by=st.sampled_from(["metres", "hops"]))
def test_the_way_back_is_the_least_of_all_known_ways(drawn: list[House], seed: int, by: str) -> None:
    world, slow = build_world(graphs_of(drawn)), SlowMap.of(graphs_of(drawn))
    walked = random_walk(slow, 9, seed)
    known = {frozenset(pair) for pair in itertools.pairwise(walked)}

    def cost(way: tuple[int, ...]) -> float:
        return sum(slow.metres(u, v) if by == "metres" else 1.0 for u, v in itertools.pairwise(way))

    for target in set(walked):
        way = way_back(world, walked, target, by)
        assert (way[0], way[-1]) == (walked[-1], target)
        assert all(frozenset(pair) in known for pair in itertools.pairwise(way))
        assert cost(way) == pytest.approx(min(map(cost, all_ways(known, walked[-1], target))))
