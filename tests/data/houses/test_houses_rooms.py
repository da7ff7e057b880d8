"""Are these houses that somebody could live in? Rooms with what makes them so, and all rooms one needs."""

import math

import pytest

from fastnav.data.houses import HousesConfig
from fastnav.data.houses.catalogue import ESSENTIALS, ITEMS
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.furnish import furnish
from fastnav.data.houses.layout import lay_out
from fastnav.data.houses.placing import Furnished, place_surely
from fastnav.data.houses.plan import House, Rect, Room

#: Spelled out here, apart from the catalogue: the least that anybody expects of a room.
EXPECTED = {
    "bedroom": "bed",
    "master bedroom": "bed",
    "kitchen": "oven",
    "bathroom": "toilet",
    "master bathroom": "toilet",
    "dining room": "dining table",
    "living room": "couch",
    "office": "desk",
}


@pytest.fixture(scope="module", params=[1, 2, 3])
def several(request: pytest.FixtureRequest) -> list[House]:
    """Furnished houses of all sizes from one seed."""
    built = []
    for config, step in ((HousesConfig.small(request.param), 2), (HousesConfig.full(request.param), 9)):
        for number in range(0, config.houses, step):
            dice = Dice(config.seed, number, "rooms")
            viewpoints = config.viewpoints_per_house * math.exp(dice.between(-1.2, 1.0))
            built.append(furnish(dice, lay_out(dice, "houseAbcdef", viewpoints)))
    return built


def test_each_bedroom_has_a_bed_and_each_room_its_like(several: list[House]) -> None:
    counted = 0
    for house in several:
        for room in house.rooms:
            if room.kind in EXPECTED:
                names = {thing.name for thing in house.things if thing.room == room.index}
                assert EXPECTED[room.kind] in names, room
                counted += 1
    assert counted > 100


def test_each_house_has_the_rooms_that_a_house_needs(several: list[House]) -> None:
    for house in several:
        kinds = {room.kind for room in house.rooms}
        assert kinds >= {"kitchen", "living room", "bathroom"}
        assert kinds & {"bedroom", "master bedroom"}


def test_no_house_has_too_many_of_a_kind(several: list[House]) -> None:
    once = ("kitchen", "living room", "dining room", "laundry room", "garage", "foyer", "master bedroom")
    for house in several:
        kinds = [room.kind for room in house.rooms]
        assert all(kinds.count(kind) <= 1 for kind in once)


def test_no_hall_sticks_out_beyond_the_rooms(several: list[House]) -> None:
    for house in several:
        for floor in range(house.floors):
            halls = [room.rect for room in house.rooms_on(floor) if room.kind == "hallway"]
            rooms = [
                room.rect for room in house.rooms_on(floor) if not room.outdoors and room.rect not in halls
            ]
            assert min(box.x0 for box in halls) >= min(box.x0 for box in rooms) - 1e-6
            assert max(box.x1 for box in halls) <= max(box.x1 for box in rooms) + 1e-6
            assert min(box.y0 for box in halls) >= min(box.y0 for box in rooms) - 1e-6
            assert max(box.y1 for box in halls) <= max(box.y1 for box in rooms) + 1e-6


def test_every_room_has_a_door(several: list[House]) -> None:
    for house in several:
        behind_doors = {index for door in house.doors for index in door.rooms}
        assert behind_doors == {room.index for room in house.rooms}


@pytest.mark.parametrize("name", sorted({name for names in ESSENTIALS.values() for name in names}))
def test_an_essential_finds_the_last_free_place(name: str) -> None:
    room = Room(0, "bedroom", 0, Rect(0.0, 0.0, 6.0, 5.0), "white", "carpet")
    state = Furnished(room, [], frozenset())
    state.taken = [Rect(0.0, 0.0, 6.0, 2.0), Rect(0.0, 2.0, 3.2, 5.0)]
    free = Rect(3.2, 2.0, 6.0, 5.0)
    for seed in range(5):
        rect = place_surely(Dice(seed, 0, "test"), state, ITEMS[name])
        assert rect is not None and rect.within(free)


def test_an_essential_shrinks_before_it_is_given_up() -> None:
    room = Room(0, "bedroom", 0, Rect(0.0, 0.0, 1.3, 3.0), "white", "carpet")
    state = Furnished(room, [], frozenset())
    rect = place_surely(Dice(1, 0, "test"), state, ITEMS["bed"])
    assert rect is not None and rect.width < ITEMS["bed"].width
    state.taken = [room.rect]
    assert place_surely(Dice(1, 0, "test"), state, ITEMS["bed"]) is None


def test_a_room_without_space_for_what_it_must_have_becomes_a_closet() -> None:
    room = Room(0, "bedroom", 0, Rect(0.0, 0.0, 1.2, 1.2), "white", "carpet")
    furnished = furnish(Dice(1, 0, "test"), House("houseAbcdef", 1, (room,), (), ()))
    assert furnished.rooms[0].kind == "closet"
    assert "bed" not in {thing.name for thing in furnished.things}
