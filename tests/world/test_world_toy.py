"""The toy worlds are what their drawings show."""

import itertools
import math

import pytest

from fastnav.world import toy
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World

DEGREES = {"north": 0, "east": 90, "south": 180, "west": 270}


def edges(world: World) -> set[str]:
    """The edges by their ends' letters, each in both directions."""
    name = world.viewpoint_ids
    return {
        name[a] + name[b]
        for a in range(len(world))
        for b in range(len(world))
        if world.slot(a, b) is not None
    }


def both_ways(text: str) -> set[str]:
    return {pair for edge in text.split() for pair in (edge, edge[::-1])}


def heading(world: World, edge: str) -> float:
    """The heading of an edge in degrees."""
    source, target = (world.viewpoint_ids.index(letter) for letter in edge)
    slot = world.slot(source, target)
    assert slot is not None
    return math.degrees(world.heading[source, slot])


def metres(world: World, way: str) -> float:
    """The length of the walk through places named by their letters."""
    place = [world.position[world.viewpoint_ids.index(letter)].tolist() for letter in way]
    return sum(math.dist(a, b) for a, b in itertools.pairwise(place))


@pytest.mark.parametrize(
    ("world", "places", "joined"),
    [
        (toy.corridor(), "ABCD", "AB BC CD"),
        (toy.crossroads(), "XNESW", "XN XE XS XW"),
        (toy.loop_and_arm(), "SABCG", "SA AB BS SC CG"),
        (toy.shortcut(), "ABCDX", "AB BC CD AX XD"),
        (toy.stairs(), "ABUV", "AB BU UV"),
    ],
)
def test_places_and_edges(world: World, places: str, joined: str) -> None:
    assert "".join(world.viewpoint_ids) == places
    assert edges(world) == both_ways(joined)


def test_the_corridor_leads_east_in_steps_of_two_metres() -> None:
    world = toy.corridor()
    assert [heading(world, edge) for edge in ("AB", "BC", "CD", "DC")] == pytest.approx([90, 90, 90, 270])
    assert [metres(world, edge) for edge in ("AB", "BC", "CD")] == [2, 2, 2]


@pytest.mark.parametrize(("arm", "side"), [("N", "north"), ("E", "east"), ("S", "south"), ("W", "west")])
def test_the_crossroads_has_an_arm_on_each_side(arm: str, side: str) -> None:
    world = toy.crossroads()
    assert heading(world, "X" + arm) == pytest.approx(DEGREES[side])
    assert heading(world, arm + "X") == pytest.approx((DEGREES[side] + 180) % 360)
    assert metres(world, "X" + arm) == 2


def test_the_loop_lies_left_and_above_the_arm() -> None:
    world = toy.loop_and_arm()
    assert heading(world, "SA") == pytest.approx(270)
    assert heading(world, "SC") == heading(world, "CG") == pytest.approx(90)
    assert 270 < heading(world, "SB") < 360
    assert metres(world, "SA") == metres(world, "SC") == 2
    assert metres(world, "SCG") == 4


def test_the_shortcut_is_fewer_moves_and_more_metres() -> None:
    world = toy.shortcut()
    assert metres(world, "ABCD") == 3
    assert metres(world, "AXD") > 8
    a, d = (world.index("toy", letter) for letter in "AD")
    assert [world.viewpoint_ids[k] for k in Geodesics.of(world).path(a, d)] == list("ABCD")


def test_the_stairs_climb_three_metres_between_b_and_u() -> None:
    world = toy.stairs()
    assert world.position[:, 2].tolist() == [0, 0, 3, 3]
    b, u = world.index("toy", "B"), world.index("toy", "U")
    up, down = world.slot(b, u), world.slot(u, b)
    assert math.degrees(world.elevation[b, up]) == pytest.approx(45)
    assert math.degrees(world.elevation[u, down]) == pytest.approx(-45)


def test_two_buildings_share_names_and_no_edge() -> None:
    world = toy.two_buildings()
    assert world.scans == ("first", "second")
    assert world.viewpoint_ids == ("A", "B", "A", "B", "C")
    assert world.scan.tolist() == [0, 0, 1, 1, 1]
    first, second = world.index("first", "A"), world.index("second", "A")
    assert (first, second) == (0, 2)
    assert world.slot(first, second + 1) is None
