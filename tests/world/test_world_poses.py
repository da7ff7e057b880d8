"""The world of poses: a step there is a low-level move, and what is seen of a move is where it leads."""

import math

import numpy as np
from hypothesis import given

from fastnav.world import toy
from fastnav.world.graph import World, build_world
from fastnav.world.lowlevel import LowLevel, Move
from fastnav.world.poses import pose_of, pose_world, viewpoint_of
from fastnav.world.simulator import Pose, observe, reset, step
from fastnav.world.views import VIEWS
from tests.world.worlds import House, graphs_of, houses

NORTH, EAST = 12, 15


def all_poses(world: World) -> Pose:
    """Every view of every viewpoint."""
    viewpoint, view = np.divmod(np.arange(len(world) * VIEWS), VIEWS)
    return Pose(viewpoint, view, np.zeros(len(view), dtype=bool))


@given(houses(most=2, places=6))
def test_a_step_is_a_low_level_move(drawn: list[House]) -> None:
    """From every pose of random worlds, each legal move leads where the low-level simulator leads."""
    world = build_world(graphs_of(drawn))
    poses, low = pose_world(world), LowLevel.of(world)
    for move in Move:
        plain = all_poses(world)
        legal = poses.mask[pose_of(plain).viewpoint, move]
        plain = Pose(plain.viewpoint[legal], plain.view[legal], plain.finished[legal])
        moves = np.full(legal.sum(), move)
        there, expected = step(poses, pose_of(plain), moves), low.step(plain, moves)
        assert (viewpoint_of(there.viewpoint) == expected.viewpoint).all()
        assert (there.view == expected.view).all() and (there.finished == expected.finished).all()
        assert (there.viewpoint % VIEWS == there.view).all()


def test_what_leads_nowhere_is_masked() -> None:
    """Forward where nothing is ahead, and tilts at the edges; all else is legal."""
    world = toy.corridor()
    low, mask = LowLevel.of(world), pose_world(world).mask.reshape(len(world), VIEWS, len(Move))
    assert (mask[:, :, Move.FORWARD] == (low.ahead != World.STOP)).all()
    assert mask[:, 24:, Move.UP].sum() == mask[:, :12, Move.DOWN].sum() == 0
    assert mask[:, :24, Move.UP].all() and mask[:, 12:, Move.DOWN].all()
    assert mask[:, :, [Move.STOP, Move.LEFT, Move.RIGHT]].all()


def test_what_is_seen_of_moves() -> None:
    """At the crossroads, facing east: forward is 2 m straight on, turns and tilts are of 30 degrees."""
    world = toy.crossroads()
    here = pose_of(reset(np.array([world.index("toy", "X")]), np.array([math.pi / 2])))
    seen = observe(pose_world(world), here)
    assert seen.view[0] == EAST and here.viewpoint[0] == world.index("toy", "X") * VIEWS + EAST
    np.testing.assert_allclose(seen.distance[0], [0, 2, 0, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(np.degrees(seen.turn[0]), [0, 0, -30, 30, 0, 0], atol=1e-9)
    np.testing.assert_allclose(np.degrees(seen.elevation[0]), [0, 0, 0, 0, 30, -30], atol=1e-9)
    assert seen.action_view[0].tolist() == [EAST, EAST, EAST - 1, EAST + 1, EAST + 12, EAST - 12]


def test_poses_have_names_and_numbers_of_their_own() -> None:
    """A pose is found by its viewpoint's name and its view."""
    world = toy.two_buildings()
    poses = pose_world(world)
    name, scan = world.viewpoint_ids[2], world.scans[world.scan[2]]
    assert poses.index(scan, f"{name}/{NORTH}") == 2 * VIEWS + NORTH
    assert len(poses) == VIEWS * len(world) and (poses.scan == np.repeat(world.scan, VIEWS)).all()
