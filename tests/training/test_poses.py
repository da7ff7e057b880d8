"""The low-level teacher: its way is the shortest that can be gone, by the fewest turns."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from fastnav.training.imitation import rollout
from fastnav.training.lessons import Lessons
from fastnav.training.poses import PoseTeacher, lessons_in_poses
from fastnav.training.teacher import Teacher
from fastnav.world import toy
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World, build_world
from fastnav.world.lowlevel import LowLevel, Move
from fastnav.world.poses import pose_world, viewpoint_of
from fastnav.world.views import VIEWS
from tests.agents.small import small_agent
from tests.training.test_imitation import lesson
from tests.world.worlds import House, graphs_of, houses

NORTH = 12


def teacher_of(world: World) -> PoseTeacher:
    return PoseTeacher.among_poses(Teacher.of(world, Geodesics.of(world), "cpu"), world, "cpu")


def shortest(poses: World) -> np.ndarray:
    """Metres from each pose to each viewpoint, turns being free, by a search over all poses."""
    source, slot = np.nonzero(poses.mask)
    target = poses.neighbour[source, slot]
    cost = poses.distance[source, slot] + 1e-9  # nothing costs nothing, or scipy sees no edge
    metres = dijkstra(csr_array((cost, (source, target)), shape=(len(poses),) * 2))
    return metres.reshape(len(poses), -1, VIEWS).min(axis=2)


def turns_between(one: np.ndarray, other: int) -> np.ndarray:
    """Turns and tilts from views to a view."""
    sideways = np.abs(one % 12 - other % 12)
    return np.minimum(sideways, 12 - sideways) + np.abs(one // 12 - other // 12)


@settings(max_examples=25, deadline=None)
@given(houses(most=2, places=6))
def test_the_way_is_the_shortest_that_can_be_gone(drawn: list[House]) -> None:
    """From each pose to each goal of random worlds; each forward step comes after the fewest turns."""
    world = build_world(graphs_of(drawn))
    poses, teacher, best = pose_world(world), teacher_of(world), shortest(pose_world(world))
    ahead = LowLevel.of(world).ahead
    place, goal = np.nonzero(np.isfinite(best))
    here, since = place.copy(), np.zeros(len(place), dtype=int)  # turns since the last viewpoint
    began, walked, stopped = place.copy(), np.zeros(len(place)), np.zeros(len(place), dtype=bool)
    for _ in range(60):
        move = teacher.action(torch.tensor(here), torch.tensor(goal)).numpy()
        assert poses.mask[here, move].all()
        stopped |= move == Move.STOP
        for row in np.flatnonzero(move == Move.FORWARD):
            viewpoint, view = divmod(int(here[row]), VIEWS)
            alike = np.flatnonzero(ahead[viewpoint] == ahead[viewpoint, view])
            assert since[row] == min(int(turns_between(began[row] % VIEWS, other)) for other in alike)
        walked += poses.distance[here, move]
        here = poses.neighbour[here, move]
        walks = move == Move.FORWARD
        since, began = np.where(walks, 0, since + 1), np.where(walks, here, began)
    assert stopped.all() and (viewpoint_of(here) == goal).all()
    np.testing.assert_allclose(walked, best[place, goal], atol=1e-6)


def test_who_is_hidden_behind_others_is_reached_by_a_detour() -> None:
    """From S, A lies 10 degrees to the right, M 15 and B 20: A or B is always nearer a view's middle."""
    far = {"A": (10, 3.0), "M": (15, 6.0), "B": (20, 3.0)}
    places = {
        name: (metres * math.sin(math.radians(angle)), metres * math.cos(math.radians(angle)), 0.0)
        for name, (angle, metres) in far.items()
    }
    places["S"] = (0.0, 0.0, 0.0)
    world = toy.toy_world(places, "SA SM SB AM")
    start, goal = world.index("toy", "S"), torch.tensor([world.index("toy", "M")])
    assert world.slot(start, int(goal)) not in LowLevel.of(world).ahead[start]
    here = torch.tensor([start * VIEWS + NORTH])
    seen, poses, teacher = [], pose_world(world).to("cpu"), teacher_of(world)
    for _ in range(8):
        move = teacher.action(here, goal)
        here = poses.neighbour[here, move]
        seen.append(world.viewpoint_ids[int(viewpoint_of(here))])
    assert "".join(dict.fromkeys(seen)) in ("AM", "SAM")
    assert float(teacher.distance(torch.tensor([start * VIEWS]), goal)) == pytest.approx(
        6
    )  # for scoring nothing changes


def test_lessons_begin_at_poses() -> None:
    """Who stands at viewpoint v and faces view w begins at pose 36 v + w; goals stay viewpoints."""
    batch = lesson(toy.corridor(), "ABD", "DCA")
    (moved,) = lessons_in_poses(Lessons((batch,))).batches
    assert moved.viewpoint.tolist() == [36 * v + NORTH for v in batch.viewpoint.tolist()]
    assert torch.equal(moved.goal, batch.goal) and torch.equal(moved.tokens, batch.tokens)


def test_rollouts_end_where_the_teacher_leads() -> None:
    """All rows reach their goals, and sampled rows learn without a fault."""
    world = toy.corridor()
    agent = small_agent("seq2seq", world)
    (batch,) = lessons_in_poses(Lessons((lesson(world, "ABD", "DCA"),))).batches
    nobody = torch.zeros(3, dtype=torch.bool)
    taught = rollout(agent, teacher_of(world), batch, sampled=nobody, steps=12)
    assert float(taught.reached) == 3 and float(taught.progress_loss) == 0
    # Facing north in a corridor from west to east: A and B turn right twice (60 degrees), then B lies ahead.
    assert float(taught.steps) == (2 + 3 + 1) + (2 + 1 + 1) + (2 + 3 + 1)
    alone = replace(batch, **{name: getattr(batch, name)[:1] for name in vars(batch)})
    sampled = rollout(agent, teacher_of(world), alone, sampled=~nobody[:1], steps=4)
    assert float(sampled.steps) <= 4
