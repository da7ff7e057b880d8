"""The tables: slots, padding, directions, and looking things up by name."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given

from fastnav.errors import UnknownName, UsageError
from fastnav.world import toy
from fastnav.world.graph import World, build_world
from tests.world.slow import SlowMap
from tests.world.worlds import TABLES, House, graphs_of, houses, tables

ORIGIN = (0.0, 0.0, 0.0)


def test_slots_of_the_corridor() -> None:
    # A --- B --- C --- D; two neighbours at most, so three slots, of which the first is STOP.
    world = toy.corridor()
    assert world.actions == 3
    assert world.neighbour.tolist() == [[0, 1, 0], [1, 0, 2], [2, 1, 3], [3, 2, 3]]
    assert world.mask.tolist() == [[True, True, False], [True] * 3, [True] * 3, [True, True, False]]
    assert world.distance.tolist() == [[0, 2, 0], [0, 2, 2], [0, 2, 2], [0, 2, 0]]
    east, west = math.pi / 2, 3 * math.pi / 2
    assert world.heading[1].tolist() == pytest.approx([0, west, east])
    assert world.view[1, 1:].tolist() == [12 + 9, 12 + 3]


def test_the_flight_of_stairs_is_seen_looking_up_and_down() -> None:
    # A (0, 0, 0) --- B (2, 0, 0) ---' U (5, 0, 3) --- V (7, 0, 3): from B, U lies 3 m east and 3 m up.
    world = toy.stairs()
    b, u = 1, 2
    assert world.view[b, world.slot(b, u)] == 24 + 3
    assert world.view[u, world.slot(u, b)] == 0 + 9
    assert world.distance[b, world.slot(b, u)] == pytest.approx(math.sqrt(18))


def test_two_buildings_follow_each_other() -> None:
    world = toy.two_buildings()
    assert world.neighbour.tolist() == [[0, 1, 0], [1, 0, 1], [2, 3, 2], [3, 2, 4], [4, 3, 4]]


def test_a_place_joined_to_none_has_stop_alone() -> None:
    world = toy.toy_world({"A": ORIGIN, "B": (1.0, 0.0, 0.0), "C": (2.0, 0.0, 0.0)}, "AB")
    assert world.mask.tolist() == [[True, True], [True, True], [True, False]]
    assert toy.toy_world({"A": ORIGIN}, "").neighbour.tolist() == [[0]]


@given(houses())
def test_tables_hold_the_graph_and_its_directions(drawn: list[House]) -> None:
    world, slow = build_world(graphs_of(drawn)), SlowMap.of(graphs_of(drawn))
    assert len(world) == len(slow.places)
    assert world.actions == 1 + max(len(row) for row in slow.joined)
    for here, joined in enumerate(slow.joined):
        count = len(joined)
        assert world.neighbour[here].tolist() == [here, *joined] + [here] * (world.actions - 1 - count)
        assert world.mask[here].tolist() == [True] * (1 + count) + [False] * (world.actions - 1 - count)
        for slot, there in enumerate(joined, start=1):
            x, y, z = (q - p for p, q in zip(slow.places[here], slow.places[there], strict=True))
            assert world.heading[here, slot] == pytest.approx((math.pi / 2 - math.atan2(y, x)) % math.tau)
            assert world.elevation[here, slot] == pytest.approx(math.asin(z / slow.metres(here, there)))
            assert world.distance[here, slot] == pytest.approx(slow.metres(here, there))
            assert world.slot(here, there) == slot


@given(houses())
def test_neighbours_are_mutual_and_padding_is_neutral(drawn: list[House]) -> None:
    world = build_world(graphs_of(drawn))
    here = np.arange(len(world))[:, None]
    leads = world.neighbour != here
    assert (leads == (world.mask & (np.arange(world.actions) != World.STOP))).all()
    for source, slot in np.argwhere(leads):
        back = world.slot(int(world.neighbour[source, slot]), int(source))
        assert back is not None
        assert world.distance[world.neighbour[source, slot], back] == world.distance[source, slot]
        assert world.scan[world.neighbour[source, slot]] == world.scan[source]
    for table in (world.heading, world.elevation, world.distance):
        assert not table[~leads].any()
    assert ((world.heading >= 0) & (world.heading < math.tau)).all()
    assert ((world.view >= 0) & (world.view < 36)).all()


def test_a_neighbour_a_hair_west_of_north_has_a_heading_below_a_full_turn() -> None:
    world = toy.toy_world({"A": ORIGIN, "B": (-1e-300, 1.0, 0.0)}, "AB")
    assert 0 <= world.heading[0, 1] < math.tau


def test_names_and_indices() -> None:
    world = toy.two_buildings()
    assert [world.index("first", "B"), world.index("second", "A"), world.index("second", "C")] == [1, 2, 4]
    assert world.find("second", "C") == 4
    assert world.find("first", "C") is None
    assert world.find("third", "A") is None
    assert world.slot(2, 3) == 1
    assert world.slot(2, 4) is None
    assert world.slot(2, 2) is None  # STOP leads nowhere
    assert world.slot(0, 99) is None


def test_unknown_names_are_told() -> None:
    world = toy.two_buildings()
    with pytest.raises(UnknownName, match="unknown building 'frist'; did you mean first"):
        world.index("frist", "A")
    with pytest.raises(UsageError, match="building first has no viewpoint 'C'"):
        world.index("first", "C")


@pytest.mark.parametrize("scans", [[], ["same", "same"]])
def test_a_world_is_made_of_different_buildings(scans: list[str]) -> None:
    drawn = [toy.toy_graph({"A": ORIGIN}, "", scan=scan) for scan in scans]
    with pytest.raises(UsageError, match="one or more different buildings"):
        build_world(drawn)


def test_a_world_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        toy.corridor().scans = ()  # type: ignore[misc]


def test_a_world_on_torch_holds_the_same() -> None:
    torch = pytest.importorskip("torch")
    world = toy.two_buildings()
    moved = world.to("cpu")
    for name in TABLES:
        table = getattr(moved, name)
        assert isinstance(table, torch.Tensor)
        expected = {"f": torch.float32, "i": torch.int64, "b": torch.bool}[getattr(world, name).dtype.kind]
        assert table.dtype == expected
        np.testing.assert_allclose(table.numpy(), getattr(world, name), rtol=1e-6)
    assert moved.index("second", "C") == 4
    assert moved.slot(3, 4) == world.slot(3, 4)
    assert tables(moved.to("cpu")) == tables(moved)


def test_tables_cannot_be_changed() -> None:
    """One world serves everybody, and its copy on another device is a copy."""
    world = toy.corridor()
    with pytest.raises(ValueError, match="read-only"):
        world.neighbour[0, 0] = 1
    moved = world.to("cpu")
    moved.neighbour[0, 0] = 1
    assert world.neighbour[0, 0] == 0
