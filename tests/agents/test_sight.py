"""What an action looks like: known answers on a crossroads."""

import math

import pytest
import torch

from fastnav.agents.interface import Arrival
from fastnav.agents.sight import (
    GEOMETRY,
    REMEMBERED,
    Sight,
    nothing_passed,
    passed_among,
    with_passed,
)
from fastnav.world import toy
from fastnav.world.simulator import Pose, observe
from tests.agents.small import FEATURES, random_views

#       N
#       |
# W --- X --- E        all arms 2 m; slot k of X leads to N, E, S, W in this order
#       |
#       S
NUMPY_WORLD = toy.crossroads()
WORLD = NUMPY_WORLD.to("cpu")
X, N, E, S, W = (NUMPY_WORLD.index("toy", name) for name in "XNESW")
NORTH, EAST = 12, 15  # level views


@pytest.fixture
def sight() -> Sight:
    return Sight.of(random_views(NUMPY_WORLD))


def pose(viewpoint: int, view: int) -> Pose:
    return Pose(torch.tensor([viewpoint]), torch.tensor([view]), torch.tensor([False]))


def test_an_action_is_its_view_and_the_way_there(sight: Sight) -> None:
    """Facing east, north is a quarter turn to the left, 2 m off, and seen in the north view of X."""
    seen = observe(WORLD, pose(X, EAST))
    actions = sight.actions(seen, torch.zeros_like(seen.mask))
    assert actions.shape == (1, 5, FEATURES + GEOMETRY) and sight.width == FEATURES + GEOMETRY
    slot = NUMPY_WORLD.slot(X, N)
    torch.testing.assert_close(actions[0, slot, :FEATURES], sight.views[X, NORTH])
    expected = torch.tensor([-1.0, 0.0, 0.0, 1.0, 2.0 / 2.5, 0.0, 0.0])
    torch.testing.assert_close(actions[0, slot, FEATURES:], expected, atol=1e-6, rtol=0)


def test_stop_is_the_place_itself(sight: Sight) -> None:
    """STOP shows the mean of all views here, no turn and no way, and its own mark."""
    seen = observe(WORLD, pose(X, EAST))
    stop = sight.actions(seen, torch.zeros_like(seen.mask))[0, 0]
    torch.testing.assert_close(stop[:FEATURES], sight.views[X].mean(dim=0))
    torch.testing.assert_close(stop[FEATURES:], torch.tensor([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]))


def test_passed_places_are_marked(sight: Sight) -> None:
    """Only the slot that leads to a place of the path has the last mark."""
    passed = with_passed(
        with_passed(nothing_passed(1, torch.device("cpu")), torch.tensor([N])), torch.tensor([S])
    )
    seen = observe(WORLD, pose(X, EAST))
    actions = sight.actions(seen, passed_among(passed, seen.neighbour))
    marked = [NUMPY_WORLD.neighbour[X, slot] for slot in range(1, 5) if actions[0, slot, -1] == 1.0]
    assert marked == [N, S]


def test_the_oldest_place_is_forgotten() -> None:
    """The list keeps its width, and its last places."""
    passed = nothing_passed(1, torch.device("cpu"))
    for place in range(REMEMBERED + 3):
        passed = with_passed(passed, torch.tensor([place]))
    assert passed.tolist() == [list(range(3, REMEMBERED + 3))]


def test_arrival_is_the_action_taken(sight: Sight) -> None:
    """Going east from X while facing north: the east view of X, a quarter turn to the right, 2 m."""
    slot = torch.tensor([NUMPY_WORLD.slot(X, E)])
    came = sight.arrival(WORLD, Arrival(torch.tensor([X]), torch.tensor([NORTH]), slot))
    torch.testing.assert_close(came[0, :FEATURES], sight.views[X, EAST])
    expected = torch.tensor([math.sin(math.pi / 2), 0.0, 0.0, 1.0, 0.8, 0.0, 0.0])
    torch.testing.assert_close(came[0, FEATURES:], expected, atol=1e-6, rtol=0)


def test_nothing_has_led_to_the_start(sight: Sight) -> None:
    """Zeros, geometry included."""
    came = sight.arrival(WORLD, Arrival.at_start(torch.tensor([X, N]), torch.tensor([EAST, NORTH])))
    assert not came.any()


def test_no_features_at_all() -> None:
    """Without features only the geometry is left: the blind control."""
    blind = Sight.of(random_views(NUMPY_WORLD, width=0))
    seen = observe(WORLD, pose(X, EAST))
    assert blind.actions(seen, torch.zeros_like(seen.mask)).shape == (1, 5, GEOMETRY)
    assert blind.actions(seen, torch.zeros_like(seen.mask)).isfinite().all()
