"""The panoramic action space: known walks, what is refused, and rows that know nothing of each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.errors import UsageError
from fastnav.world import toy
from fastnav.world.graph import World, build_world
from fastnav.world.simulator import Observation, Pose, observe, reset, step
from tests.world import slow
from tests.world.worlds import House, graphs_of, houses, random_walkers, tables

SEEDS = st.integers(0, 2**32 - 1)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def pose_of(pose: Pose) -> list[tuple[int, int, bool]]:
    return list(zip(pose.viewpoint.tolist(), pose.view.tolist(), pose.finished.tolist(), strict=True))


def seen(observation: Observation) -> dict[str, list]:
    return {name: value.tolist() for name, value in vars(observation).items()}


# ---- known walks


def test_an_episode_starts_level_and_snapped() -> None:
    pose = reset(ints(2, 0, 1), np.radians([0.0, 100.0, -20.0]))
    assert pose_of(pose) == [(2, 12, False), (0, 15, False), (1, 23, False)]


def test_a_walk_over_the_crossroads() -> None:
    #       N
    #   W - X - E      one goes from X to the east, back to the west, and on; X's slots are N E S W
    #       S
    world = toy.crossroads()
    pose = reset(ints(0), np.array([0.0]))
    walked = []
    for action in (2, 1, 4, 0):
        pose = step(world, pose, ints(action))
        walked.append(pose_of(pose)[0])
    assert walked == [(2, 15, False), (0, 21, False), (4, 21, False), (4, 21, True)]


def test_one_arrives_looking_up_or_down_as_one_left() -> None:
    # A --- B ---' U --- V: the flight rises 45 degrees to the east.
    world = toy.stairs()
    pose = reset(ints(0), np.array([0.0]))
    views = []
    for target in (1, 2, 3, 2, 1):
        slot = world.slot(int(pose.viewpoint[0]), target)
        pose = step(world, pose, ints(slot))
        views.append(int(pose.view[0]))
    east, west = 3, 9
    assert views == [12 + east, 24 + east, 12 + east, 12 + west, 0 + west]


def test_what_one_sees_at_the_crossroads() -> None:
    world = toy.crossroads()
    view = observe(world, reset(ints(0, 2), np.radians([90.0, 180.0])))
    assert view.viewpoint.tolist() == [0, 2]
    assert view.view.tolist() == [15, 18]
    assert view.mask.tolist() == [[True] * 5, [True, True, False, False, False]]
    assert view.neighbour.tolist() == [[0, 1, 2, 3, 4], [2, 0, 2, 2, 2]]
    assert view.action_view[0, 1:].tolist() == [12, 15, 18, 21]
    assert view.action_view[1, 1] == 21
    # STOP and padding lead nowhere, so no turn leads there.
    assert np.degrees(view.turn).tolist() == [
        pytest.approx([0, -90, 0, 90, 180]),
        pytest.approx([0, 90, 0, 0, 0]),
    ]
    assert not view.elevation.any()
    assert view.distance.tolist() == [[0, 2, 2, 2, 2], [0, 2, 0, 0, 0]]


# ---- the slow rules


@given(drawn=houses(), batch=st.integers(1, 5), seed=SEEDS)
def test_poses_and_turns_are_those_of_the_slow_rules(drawn: list[House], batch: int, seed: int) -> None:
    world, plain = build_world(graphs_of(drawn)), slow.SlowMap.of(graphs_of(drawn))
    starts, headings, actions = random_walkers(world, batch, 6, seed)
    pose = reset(starts, headings)
    expected = [slow.start(int(place), heading) for place, heading in zip(starts, headings, strict=True)]
    for action in actions:
        assert pose_of(pose) == [(row.place, row.view, row.finished) for row in expected]
        turn = observe(world, pose).turn
        for row, one in enumerate(expected):
            known = slow.turns(plain, one)
            assert turn[row, 1 : 1 + len(known)].tolist() == pytest.approx(known)
        legal = world.mask[pose.viewpoint, action]  # rows that have stopped stay, their actions may not fit
        action = np.where(legal, action, World.STOP)
        pose = step(world, pose, action)
        expected = [slow.step(plain, one, int(taken)) for one, taken in zip(expected, action, strict=True)]


# ---- rows


@given(drawn=houses(), seed=SEEDS, order=st.permutations(range(5)))
def test_a_row_is_the_same_alone_in_company_and_in_any_order(
    drawn: list[House], seed: int, order: list[int]
) -> None:
    world = build_world(graphs_of(drawn))
    starts, headings, actions = random_walkers(world, 5, 4, seed)

    def run(rows: list[int]) -> list[list]:
        """The poses and observations of these rows, by row and then step."""
        pose = reset(starts[rows], headings[rows])
        history = []
        for action in actions:
            legal = world.mask[pose.viewpoint, action[rows]]
            pose = step(world, pose, np.where(legal, action[rows], World.STOP))
            view = seen(observe(world, pose))
            history.append(
                [(pose_of(pose)[k], {name: view[name][k] for name in view}) for k in range(len(rows))]
            )
        return [list(of_row) for of_row in zip(*history, strict=True)]

    together = run(list(range(5)))
    assert [run([row])[0] for row in range(5)] == together
    assert run(list(order)) == [together[row] for row in order]


@pytest.mark.parametrize("action", [0, 1, 2, -1, 99])
def test_a_row_that_has_stopped_stays_whatever_its_action(action: int) -> None:
    world = toy.corridor()
    pose = step(world, reset(ints(0, 1), np.array([0.0, 0.0])), ints(0, 2))
    after = step(world, pose, ints(action, 1))
    assert pose_of(after) == [(0, 12, True), (1, 21, False)]


def test_an_empty_batch_steps() -> None:
    world = toy.corridor()
    pose = step(world, reset(ints(), np.zeros(0)), ints())
    assert pose_of(pose) == []
    assert observe(world, pose).turn.shape == (0, world.actions)


def test_a_step_changes_neither_the_pose_nor_the_world() -> None:
    world = toy.crossroads()
    before = tables(world)
    pose = reset(ints(0, 1), np.array([1.0, 2.0]))
    stood = pose_of(pose)
    step(world, pose, ints(0, 1))
    observe(world, pose)
    assert pose_of(pose) == stood
    assert tables(world) == before


# ---- what is refused


@pytest.mark.parametrize(
    ("world", "place", "action"),
    [
        (toy.corridor(), 0, 2),  # padding
        (toy.corridor(), 1, 3),  # beyond the table
        (toy.corridor(), 1, 10**9),
        (toy.corridor(), 0, -1),
        (toy.crossroads(), 0, -1),  # counted from the end, this slot of the centre would be legal
    ],
)
@pytest.mark.parametrize("device", ["numpy", "torch"])
def test_an_illegal_action_is_one_error_that_names_the_row(
    world: World, place: int, action: int, device: str
) -> None:
    places, headings, actions = ints(place, place, place), np.zeros(3), ints(1, action, action)
    if device == "torch":
        torch = pytest.importorskip("torch")
        world = world.to("cpu")
        places, headings, actions = (torch.as_tensor(array) for array in (places, headings, actions))
    with pytest.raises(UsageError) as caught:
        step(world, reset(places, headings), actions)
    assert str(caught.value) == (
        f"row 1 of the batch took action {action} at viewpoint {place}, where it is not legal; "
        "choose only actions that the observation's mask allows"
    )


# ---- torch


@given(drawn=houses(), seed=SEEDS)
def test_torch_gives_the_same_as_numpy(drawn: list[House], seed: int) -> None:
    torch = pytest.importorskip("torch")
    world = build_world(graphs_of(drawn))
    moved = world.to("cpu")
    starts, headings, actions = random_walkers(world, 4, 4, seed)
    pose = reset(starts, headings)
    tensors = reset(torch.as_tensor(starts), torch.as_tensor(headings))
    for action in actions:
        action = np.where(world.mask[pose.viewpoint, action], action, World.STOP)
        pose, tensors = step(world, pose, action), step(moved, tensors, torch.as_tensor(action))
        assert pose_of(tensors) == pose_of(pose)
        ours, theirs = observe(world, pose), observe(moved, tensors)
        for name, value in vars(theirs).items():
            assert isinstance(value, torch.Tensor)
            np.testing.assert_allclose(value.numpy(), getattr(ours, name), rtol=1e-5, atol=1e-5)


def test_the_turn_straight_back_is_the_same_on_torch() -> None:
    torch = pytest.importorskip("torch")
    world = toy.corridor()
    back = observe(world.to("cpu"), reset(torch.tensor([1]), torch.tensor([math.pi / 2]))).turn[0, 1]
    assert float(back) == pytest.approx(math.pi)
