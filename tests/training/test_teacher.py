"""The teacher's tables against the shortest paths that they are made from."""

import numpy as np
import torch
from hypothesis import given

from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.training.teacher import Teacher
from fastnav.world import toy
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import build_world
from tests.world.worlds import House, graphs_of, houses


@given(houses(most=3, places=7))
def test_distance_and_way_are_those_of_the_geodesics(drawn: list[House]) -> None:
    """On random worlds, for all pairs of one building: the same metres, and the slot of the next place."""
    world = build_world(graphs_of(drawn))
    geodesics = Geodesics.of(world)
    teacher = Teacher.of(world, geodesics, "cpu")
    place, goal = np.nonzero(world.scan[:, None] == world.scan[None, :])
    here, there = torch.tensor(place), torch.tensor(goal)
    np.testing.assert_allclose(
        teacher.distance(here, there).numpy(), geodesics.distance(place, goal), rtol=1e-6
    )
    slot = teacher.action(here, there).numpy()
    assert world.mask[place, slot].all()
    assert (world.neighbour[place, slot] == geodesics.next_hop(place, goal)).all()
    assert (slot[place == goal] == world.STOP).all()


def test_progress_on_a_long_corridor() -> None:
    """Half the way is 0.5, within the radius is 1, a step away from the goal is negative, at least -1."""
    places = {name: (4.0 * k, 0.0, 0.0) for k, name in enumerate("ABCDEFG")}
    world = toy.toy_world(places, "AB BC CD DE EF FG")
    teacher = Teacher.of(world, Geodesics.of(world), "cpu")
    goal = torch.full((7,), world.index("toy", "E"))
    start = torch.full((7,), world.index("toy", "C"))  # 8 m from the goal
    done = teacher.progress(torch.arange(7), goal, teacher.distance(start, goal))
    assert done.tolist() == [-1.0, -0.5, 0.0, 0.5, 1.0, 0.5, 0.0]


def test_progress_from_a_start_at_the_goal() -> None:
    """Where there is no way to go, nothing is divided by nothing."""
    world = toy.corridor()
    teacher = Teacher.of(world, Geodesics.of(world), "cpu")
    zero = torch.zeros(2, dtype=torch.int64)
    done = teacher.progress(torch.tensor([0, 3]), zero, teacher.distance(zero, zero))
    assert done.tolist() == [1.0, -1.0]  # D lies 6 m off, two radii
    assert SUCCESS_RADIUS == 3.0
