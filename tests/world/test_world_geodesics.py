"""Shortest paths by metres, against Floyd and Warshall."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from fastnav.world import toy
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import build_world
from fastnav.world.route import step_length
from tests.world.slow import SlowMap, all_distances
from tests.world.worlds import House, graphs_of, houses


def test_the_corridor() -> None:
    paths = Geodesics.of(toy.corridor())
    here = np.arange(4)
    assert paths.distance(here[:, None], here[None, :]).tolist() == [
        [2.0 * abs(a - b) for b in here] for a in here
    ]
    assert paths.next_hop(np.array([0, 3, 2]), np.array([3, 0, 2])).tolist() == [1, 2, 2]
    assert paths.path(0, 3) == (0, 1, 2, 3)
    assert paths.path(2, 2) == (2,)


def test_the_way_of_fewer_metres_goes_before_that_of_fewer_moves() -> None:
    paths = Geodesics.of(toy.shortcut())
    assert paths.distance(np.array(0), np.array(3)) == pytest.approx(3)
    assert paths.path(0, 3) == (0, 1, 2, 3)


def test_buildings_are_infinitely_far_from_each_other() -> None:
    paths = Geodesics.of(toy.two_buildings())
    assert paths.distance(np.array([0, 0, 2]), np.array([1, 2, 0])).tolist() == [2, np.inf, np.inf]
    assert paths.next_hop(np.array([0, 4]), np.array([2, 1])).tolist() == [0, 4]
    with pytest.raises(ValueError, match="no path leads from viewpoint 0 to viewpoint 4"):
        paths.path(0, 4)


def test_a_place_joined_to_none_is_infinitely_far() -> None:
    places = {"A": (0.0, 0.0, 0.0), "B": (1.0, 0.0, 0.0), "C": (2.0, 0.0, 0.0)}
    paths = Geodesics.of(toy.toy_world(places, "AB"))
    assert paths.distance(np.array([0, 2, 2]), np.array([2, 0, 2])).tolist() == [np.inf, np.inf, 0]
    assert paths.next_hop(np.array([0, 2]), np.array([2, 1])).tolist() == [0, 2]


def test_ways_that_lead_one_way_only() -> None:
    """Round the loop A B S: where B no longer leads back to A, from B to A one goes by S."""
    world = toy.loop_and_arm()
    a, b, s = (world.index("toy", name) for name in "ABS")
    mask = world.mask.copy()
    mask[b, world.slot(b, a)] = False
    paths = Geodesics.of(replace(world, mask=mask))
    assert paths.path(a, b) == (a, b) and paths.path(b, a) == (b, s, a)
    both = [float(paths.distance(np.array(one), np.array(other))) for one, other in ((a, b), (b, a))]
    lengths = [
        sum(step_length(world, u, v) for u, v in itertools.pairwise(way)) for way in ((a, b), (b, s, a))
    ]
    assert both == pytest.approx(lengths)


@given(houses(most=3))
def test_distances_are_those_of_floyd_and_warshall(drawn: list[House]) -> None:
    slow = SlowMap.of(graphs_of(drawn))
    paths = Geodesics.of(build_world(graphs_of(drawn)))
    here = np.arange(len(slow.places))
    expected = np.array(all_distances(slow))
    np.testing.assert_allclose(paths.distance(here[:, None], here[None, :]), expected, rtol=1e-12)


@given(houses())
def test_following_the_next_hops_walks_the_distance(drawn: list[House]) -> None:
    slow = SlowMap.of(graphs_of(drawn))
    paths = Geodesics.of(build_world(graphs_of(drawn)))
    for a, b in itertools.product(range(len(slow.places)), repeat=2):
        distance = float(paths.distance(np.array(a), np.array(b)))
        if math.isinf(distance):
            assert paths.next_hop(np.array(a), np.array(b)) == a
            continue
        path = paths.path(a, b)
        assert (path[0], path[-1]) == (a, b)
        assert all(v in slow.joined[u] for u, v in itertools.pairwise(path))
        assert sum(slow.metres(u, v) for u, v in itertools.pairwise(path)) == pytest.approx(distance)
