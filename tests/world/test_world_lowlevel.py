"""Turn, tilt, go forward, stop: against the slow rules, and by known answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.errors import UsageError
from fastnav.world import toy
from fastnav.world.graph import build_world
from fastnav.world.lowlevel import LowLevel, Move
from fastnav.world.simulator import Pose, reset
from tests.world import slow
from tests.world.worlds import House, graphs_of, houses


def start(place: int, degrees: float = 0.0) -> Pose:
    return reset(np.array([place]), np.radians([degrees]))


def after(world: LowLevel, pose: Pose, *moves: Move) -> tuple[int, int, bool]:
    for move in moves:
        pose = world.step(pose, np.array([int(move)]))
    return int(pose.viewpoint[0]), int(pose.view[0]), bool(pose.finished[0])


CROSSROADS = LowLevel.of(toy.crossroads())


@pytest.mark.parametrize(
    ("moves", "view"),
    [
        ([Move.RIGHT], 13),
        ([Move.LEFT], 23),
        ([Move.RIGHT] * 12, 12),
        ([Move.LEFT] * 13, 23),
        ([Move.UP], 24),
        ([Move.UP] * 3, 24),
        ([Move.DOWN], 0),
        ([Move.DOWN] * 3, 0),
        ([Move.DOWN] * 3 + [Move.UP], 12),
        ([Move.UP, Move.LEFT, Move.DOWN], 23),
    ],
)
def test_turns_wrap_and_tilts_end_at_the_edges(moves: list[Move], view: int) -> None:
    assert after(CROSSROADS, start(0), *moves) == (0, view, False)


def test_forward_keeps_the_view_and_stop_ends() -> None:
    assert after(CROSSROADS, start(0, 90), Move.UP, Move.FORWARD) == (2, 27, False)
    assert after(CROSSROADS, start(0, 90), Move.FORWARD, Move.STOP) == (2, 15, True)
    assert after(CROSSROADS, start(0, 90), Move.STOP, Move.FORWARD) == (0, 15, True)
    assert after(CROSSROADS, start(0, 90), Move.STOP, Move.LEFT) == (0, 15, True)


@pytest.mark.parametrize(("degrees", "place"), [(0, 1), (30, 1), (60, 2), (90, 2), (330, 1)])
def test_forward_leads_to_what_is_within_forty_degrees(degrees: float, place: int) -> None:
    assert after(CROSSROADS, start(0, degrees), Move.FORWARD)[0] == place


def test_forward_takes_the_nearest_to_the_image_centre_on_both_axes() -> None:
    # Seen from A: B is 10 degrees to the side and level; C is straight ahead, 35 degrees up.
    far = {
        "A": (0.0, 0.0, 0.0),
        "B": (np.tan(np.radians(10)), 1.0, 0.0),
        "C": (0.0, 1.0, np.tan(np.radians(35))),
    }
    world = LowLevel.of(toy.toy_world(far, "AB AC"))
    assert after(world, start(0), Move.FORWARD)[0] == 1
    assert after(world, start(0), Move.UP, Move.FORWARD)[0] == 2


def test_where_nothing_is_ahead_forward_is_illegal_and_refused() -> None:
    world = LowLevel.of(toy.corridor())  # A's only neighbour lies east
    pose = reset(np.array([0, 0]), np.radians([90.0, 180.0]))
    assert world.legal(pose).tolist() == [[True] * 6, [True, False, True, True, True, True]]
    with pytest.raises(UsageError, match="row 1 of the batch took action 1 at viewpoint 0"):
        world.step(pose, np.array([1, 1]))


@pytest.mark.parametrize("move", [-1, 6])
def test_a_move_that_is_none_is_refused_but_for_rows_that_have_stopped(move: int) -> None:
    with pytest.raises(UsageError, match=f"row 0 of the batch took action {move}"):
        CROSSROADS.step(start(0), np.array([move]))
    stopped = CROSSROADS.step(start(0), np.array([0]))
    assert CROSSROADS.step(stopped, np.array([move])).view.tolist() == [12]


@given(drawn=houses(), seed=st.integers(0, 2**32 - 1), device=st.sampled_from(["numpy", "torch"]))
def test_walks_are_those_of_the_slow_rules(drawn: list[House], seed: int, device: str) -> None:
    plain = slow.SlowMap.of(graphs_of(drawn))
    world = LowLevel.of(build_world(graphs_of(drawn)))
    rng = np.random.default_rng(seed)
    places, headings = rng.integers(len(plain.places), size=4), rng.uniform(-7, 7, 4)
    expected = [slow.start(int(place), heading) for place, heading in zip(places, headings, strict=True)]
    if device == "torch":
        torch = pytest.importorskip("torch")
        world, places, headings = world.to("cpu"), torch.as_tensor(places), torch.as_tensor(headings)
    pose = reset(places, headings)
    for _ in range(25):
        forward = [slow.ahead(plain, one) is not None for one in expected]
        assert world.legal(pose)[:, Move.FORWARD].tolist() == forward
        weights = [0.02, 0.5, 0.12, 0.12, 0.12, 0.12]
        moves = rng.choice(6, size=4, p=weights)
        moves = np.where((moves == Move.FORWARD) & ~np.array(forward), int(Move.RIGHT), moves)
        pose = world.step(pose, torch.as_tensor(moves) if device == "torch" else moves)
        expected = [
            slow.low_level_step(plain, one, Move(move).name.lower())
            for one, move in zip(expected, moves, strict=True)
        ]
        assert pose.viewpoint.tolist() == [one.place for one in expected]
        assert pose.view.tolist() == [one.view for one in expected]
        assert pose.finished.tolist() == [one.finished for one in expected]
