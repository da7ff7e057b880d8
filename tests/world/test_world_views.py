"""Directions and the 36 views."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fastnav.world.views import (
    heading_of,
    nearest_view,
    snapped_view,
    turn_between,
    view_elevation,
    view_heading,
)
from tests.world import slow

ANGLES = st.floats(-50, 50)


def one(value: float) -> np.ndarray:
    return np.array([value], dtype=float)


@pytest.mark.parametrize(
    ("view", "heading", "elevation"),
    [(0, 0, -30), (11, 330, -30), (12, 0, 0), (15, 90, 0), (24, 0, 30), (35, 330, 30)],
)
def test_views_by_number(view: int, heading: float, elevation: float) -> None:
    assert np.degrees(view_heading(np.array(view))) == pytest.approx(heading)
    assert np.degrees(view_elevation(np.array(view))) == pytest.approx(elevation)


def test_each_view_is_nearest_to_its_own_centre() -> None:
    views = np.arange(36)
    assert nearest_view(view_heading(views), view_elevation(views)).tolist() == views.tolist()


@pytest.mark.parametrize(
    ("east", "north", "degrees"),
    [(0, 1, 0), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (1, 1, 45), (-1, 1, 315)],
)
def test_headings_are_clockwise_from_north(east: float, north: float, degrees: float) -> None:
    assert np.degrees(heading_of(one(east), one(north)))[0] == pytest.approx(degrees)


@given(st.floats(-9, 9), st.floats(-9, 9))
def test_headings_are_below_a_full_turn(east: float, north: float) -> None:
    heading = heading_of(one(east), one(north))[0]
    assert 0 <= heading < math.tau


@given(st.tuples(*[st.floats(-9, 9)] * 3))
def test_the_nearest_view_is_the_one_that_the_sweep_finds(there: tuple[float, float, float]) -> None:
    here = (0.0, 0.0, 0.0)
    assume(not slow.close_call(here, there))
    level = math.hypot(there[0], there[1])
    heading = heading_of(one(there[0]), one(there[1]))
    elevation = one(math.atan2(there[2], level))
    assert nearest_view(heading, elevation)[0] == slow.swept_view(here, there)


@pytest.mark.parametrize(("heading", "column"), [(14.99, 0), (15.01, 1), (344.99, 11), (345.01, 0)])
@pytest.mark.parametrize(
    ("elevation", "row"),
    [(-90, 0), (-15.01, 0), (-14.99, 1), (14.99, 1), (15.01, 2), (44, 2), (46, 2), (90, 2)],
)
def test_views_meet_halfway_between_their_centres(
    heading: float, column: int, elevation: float, row: int
) -> None:
    assert nearest_view(np.radians(one(heading)), np.radians(one(elevation))).tolist() == [12 * row + column]


@pytest.mark.parametrize(
    ("degrees", "view"),
    [
        (0, 12),
        (14.9, 12),
        (15.1, 13),
        (345.1, 12),
        (344.9, 23),
        (-15.1, 23),
        (15, 13),
        (725, 12),
        (-1e-9, 12),
        (359.999, 12),
    ],
)
def test_a_heading_is_snapped_to_the_nearest_level_view(degrees: float, view: int) -> None:
    assert snapped_view(np.radians(one(degrees)))[0] == view


@given(ANGLES)
def test_snapping_is_that_of_the_slow_rule(heading: float) -> None:
    assume(abs(heading / slow.STEP - 0.5 - round(heading / slow.STEP - 0.5)) > 1e-9)
    assert snapped_view(one(heading))[0] == slow.start(0, heading).view


@given(ANGLES, ANGLES)
def test_a_turn_is_the_short_way_round(target: float, current: float) -> None:
    turn = turn_between(one(target), one(current))[0]
    assert -math.pi < turn <= math.pi
    assert math.remainder(current + turn - target, math.tau) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_half_a_turn_is_to_the_right_to_the_last_bit(dtype: type) -> None:
    # Around half a turn, rounding must not give half a turn to the left: it would be the same turn twice.
    current = np.repeat(np.arange(12) * (math.pi / 6), 3).astype(dtype)
    opposite = (current + dtype(math.pi)) % dtype(math.tau)
    towards = np.tile(np.array([-9, 0, 9], dtype=dtype), 12)
    target = np.where(towards == 0, opposite, np.nextafter(opposite, towards))
    turn = turn_between(target, current)
    assert (turn > -dtype(math.pi)).all()
    assert (turn <= dtype(math.pi)).all()
    assert np.abs(turn) == pytest.approx(np.full(36, math.pi), abs=1e-5)


def test_torch_gives_the_same_views_and_turns() -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    heading, elevation = rng.uniform(0, math.tau, 500), rng.uniform(-1.5, 1.5, 500)
    view = nearest_view(heading, elevation)
    there, up = torch.as_tensor(heading), torch.as_tensor(elevation)
    assert nearest_view(there, up).tolist() == view.tolist()
    assert nearest_view(there, up).dtype == torch.int64
    assert snapped_view(there).tolist() == snapped_view(heading).tolist()
    turn = turn_between(there, view_heading(torch.as_tensor(view)))
    np.testing.assert_allclose(turn.numpy(), turn_between(heading, view_heading(view)), atol=1e-6)
    assert heading_of(torch.tensor([-1e-300]).double(), torch.tensor([1.0]).double())[0] < math.tau
