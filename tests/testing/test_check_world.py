"""Sound worlds pass; each planted fault is named."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from fastnav.errors import UsageError
from fastnav.testing import check_world
from fastnav.world import toy
from fastnav.world.graph import World, build_world
from fastnav.world.loading import load_world
from tests.world.worlds import House, graphs_of, houses


@pytest.mark.parametrize(
    "make", [toy.corridor, toy.crossroads, toy.loop_and_arm, toy.shortcut, toy.stairs, toy.two_buildings]
)
def test_toy_worlds_pass(make: Any) -> None:
    check_world(make())
    check_world(make().to("cpu"))


@given(drawn=houses())
def test_random_worlds_pass(drawn: list[House]) -> None:
    check_world(build_world(graphs_of(drawn)))


def test_the_real_buildings_pass(real_data: Path) -> None:
    check_world(load_world(real_data))


def spoil(name: str, where: Any, value: Any) -> World:
    """The crossroads X N E S W with one number changed."""
    world = toy.crossroads()
    table = np.array(getattr(world, name))
    table[where] = value
    return replace(world, **{name: table})


def narrow_corridor() -> World:
    """A table of another shape; the shape checks of the tests would refuse it before."""
    world = toy.corridor()
    object.__setattr__(world, "distance", np.zeros((4, 2)))
    return world


@pytest.mark.parametrize(
    ("world", "message"),
    [
        (spoil("scan", 2, 3), r"viewpoint 'E' \(number 2\) belongs to no building of the world"),
        (spoil("neighbour", (1, 1), 9), "'N' .* has a neighbour that does not exist in slot 1"),
        (spoil("view", (0, 3), 36), "'X' .* is seen in a view that does not exist in slot 3"),
        (spoil("mask", (4, 0), False), "'W' .* does not allow STOP"),
        (spoil("neighbour", (1, 3), 0), "'N' .* has a STOP or masked slot that leads away in slot 3"),
        (spoil("neighbour", (0, 0), 1), "'X' .* has a STOP or masked slot that leads away in slot 0"),
        (spoil("neighbour", (0, 2), 0), "'X' .* has a step that leads to itself in slot 2"),
        (spoil("neighbour", (0, 2), 1), "'X' .* has two slots to one neighbour"),
        (spoil("neighbour", (1, 1), 2), "'X' .* has a step that does not lead back in slot 1"),
        (spoil("distance", (0, 1), 2.5), "'X' .* has a distance that is not that of the positions in slot 1"),
        (spoil("distance", (0, 1), np.nan), "'X' .* has a distance that is not that of the positions"),
        (spoil("heading", (2, 1), 0.0), "'E' .* has a heading that does not point to the neighbour"),
        (spoil("elevation", (2, 1), 1.0), "'E' .* has an elevation that does not point to the neighbour"),
        (spoil("view", (2, 1), 3), "'E' .* is not seen in the nearest view in slot 1"),
        (spoil("position", (3, 2), np.inf), "'S' .* has positions that are not numbers"),
        (replace(toy.corridor(), viewpoint_ids=("A", "B", "A", "D")), "'A' .* has the name of another"),
        (
            narrow_corridor(),
            r"table 'distance' has shape \(4, 2\); give it \(4, 3\) \(viewpoint action\)",
        ),
    ],
)
def test_faults_are_named(world: World, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_world(world)


def test_a_step_between_buildings_is_none() -> None:
    world = toy.two_buildings()
    neighbour = np.array(world.neighbour)
    neighbour[0, 1], neighbour[2, 1] = 2, 0
    with pytest.raises(UsageError, match=r"'A' \(number 0\) has a step into another building in slot 1"):
        check_world(replace(world, neighbour=neighbour))
