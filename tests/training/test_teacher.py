"""The teacher's tables against the shortest paths that they are made from."""

from dataclasses import replace

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


@given(houses(most=2, places=7))
def test_hops_are_the_moves_of_the_shortest_path(drawn: list[House]) -> None:
    """On random worlds, for all joined pairs; the path lists each place of it, then its end."""
    world = build_world(graphs_of(drawn))
    geodesics = Geodesics.of(world)
    teacher = Teacher.of(world, geodesics, "cpu")
    place, goal = np.nonzero(world.scan[:, None] == world.scan[None, :])
    joined = np.isfinite(geodesics.distance(place, goal))
    here, there = torch.tensor(place[joined]), torch.tensor(goal[joined])
    paths = [geodesics.path(int(a), int(b)) for a, b in zip(here, there, strict=True)]
    assert teacher.hops_between(here, there).tolist() == [len(path) - 1 for path in paths]
    for nodes, path in zip(teacher.path(here, there, 7).tolist(), paths, strict=True):
        assert nodes == [*path, *[path[-1]] * (8 - len(path))]


def test_progress_by_hops() -> None:
    """Of four moves each is a quarter, however long; only the goal itself is 1, the wrong way is negative."""
    places = {"A": (0.0, 0.0, 0.0), "B": (1.0, 0.0, 0.0), "C": (9.0, 0.0, 0.0), "D": (10.0, 0.0, 0.0)}
    places |= {"E": (11.0, 0.0, 0.0), "F": (12.0, 0.0, 0.0), "G": (13.0, 0.0, 0.0)}
    world = toy.toy_world(places, "AB BC CD DE EF FG")
    teacher = replace(Teacher.of(world, Geodesics.of(world), "cpu"), by_hops=True)
    goal, start = torch.full((7,), world.index("toy", "F")), torch.full((7,), world.index("toy", "B"))
    done = teacher.progress(torch.arange(7), goal, teacher.left(start, goal))
    assert done.tolist() == [-0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 0.75]
    near = torch.full((7,), world.index("toy", "E"))  # one move from F: what is six moves off is not below -1
    assert teacher.progress(torch.arange(7), goal, teacher.left(near, goal)).min() == -1
    assert teacher.progress(goal, goal, teacher.left(goal, goal)).tolist() == [1.0] * 7


def test_who_is_led_back() -> None:
    """Beside the way B S C G lies A, a move off; farther off nothing lies, so at two nobody is led back."""
    world = toy.loop_and_arm()
    a, b, c, g, s = (world.index("toy", name) for name in "ABCGS")
    teacher = Teacher.of(world, Geodesics.of(world), "cpu")
    path = teacher.path(torch.tensor([b] * 5), torch.tensor([g] * 5), 4)
    here = torch.tensor([a, b, s, c, g])
    led = [replace(teacher, steered=moves).leads_back(here, path).tolist() for moves in (1, 2)]
    assert led == [[True, False, False, False, False], [False] * 5]
    back = teacher.path(torch.tensor([c]), torch.tensor([g]), 3)  # from C to G; A and B are two off, S one
    led = [
        bool(replace(teacher, steered=2).leads_back(torch.tensor([place]), back)) for place in (a, b, s, g)
    ]
    assert led == [True, True, False, False]
