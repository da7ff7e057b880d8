"""Puts furniture into rooms: first what a room must have, then what it may."""

from collections import Counter
from dataclasses import replace

from fastnav.data.houses.catalogue import ESSENTIALS, ITEMS, ROOMS
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.placing import SIDES, Furnished, clear_zone, place, place_surely
from fastnav.data.houses.plan import STOREY, House, Point, Rect, Room, Thing

#: Nothing is put on the walls of the stairs below this, so that it clears the steps.
STAIRS_CLEAR = 0.4
#: What becomes of a room without space for what it must have.
SPARE_ROOM = "closet"


def furnish(dice: Dice, house: House) -> House:
    """The same house with things in it."""
    rooms: list[Room] = []
    things: list[Thing] = []
    for room in house.rooms:
        state = _with_essentials(dice, house, room)
        _add_the_usual(dice, state)
        rooms.append(state.room)
        things += state.things
    numbered = tuple(replace(thing, index=i) for i, thing in enumerate(things))
    return replace(house, rooms=tuple(rooms), things=numbered)


def _with_essentials(dice: Dice, house: House, room: Room) -> Furnished:
    """A room with what it must have; another kind of room if that cannot be."""
    state = _empty(house, room)
    for name in ESSENTIALS.get(room.kind, ()):
        rect = place_surely(dice, state, ITEMS[name])
        if rect is None:
            return _empty(house, replace(room, kind=SPARE_ROOM))
        _add(dice, state, name, rect)
    return state


def _empty(house: House, room: Room) -> Furnished:
    doors = [door for door in house.doors if room.index in door.rooms]
    state = Furnished(room, doors, _outer_sides(house, room))
    state.taken += [clear_zone(door) for door in doors]
    if room.kind == "stairs":
        state.taken.append(room.rect)  # steps: nothing stands on them, though walls may be hung
    return state


def _add_the_usual(dice: Dice, state: Furnished) -> None:
    there = Counter(thing.name for thing in state.things)
    for name, wanted in ROOMS[state.room.kind]:
        for _ in range(_count(dice, state.room, wanted) - there[name]):
            rect = place(dice, state, ITEMS[name])
            if rect is not None:
                _add(dice, state, name, rect)


def _count(dice: Dice, room: Room, wanted: float) -> int:
    """How many of a thing: more in long halls and large rooms."""
    if wanted > 1 and room.kind != "dining room":
        wanted *= min(1.6, max(0.6, room.rect.width * room.rect.depth / 18.0))
    return int(wanted) + dice.chance(wanted % 1)


def _add(dice: Dice, state: Furnished, name: str, rect: Rect) -> None:
    item = ITEMS[name]
    same = [thing.look for thing in state.things if thing.name == name and item.way == "around"]
    look = same[0] if same else dice.pick(item.looks)  # chairs around one table match
    room = state.room
    bottom, top = item.bottom, item.top
    if room.kind == "stairs" and item.way == "hung":
        bottom, top = bottom + STAIRS_CLEAR, min(top + STAIRS_CLEAR, STOREY - 0.1)
    state.things.append(Thing(0, name, room.index, room.floor, rect, bottom, top, look, item.blocks))
    if item.way in {"wall", "centre", "beside", "front", "around"}:
        state.taken.append(rect)


def _outer_sides(house: House, room: Room) -> frozenset[str]:
    """The walls that have the open air behind them for most of their length."""
    if room.outdoors:
        return frozenset()
    others = [other.rect for other in house.rooms_on(room.floor) if other.index != room.index]
    box = room.rect
    outer = set()
    for side in SIDES:
        probes = [_side_point(box, side, share, -0.3) for share in (0.25, 0.5, 0.75)]
        if not any(other.holds(probe) for other in others for probe in probes):
            outer.add(side)
    return frozenset(outer)


def _side_point(box: Rect, side: str, share: float, inward: float) -> Point:
    if side in ("south", "north"):
        y = box.y0 + inward if side == "south" else box.y1 - inward
        return box.x0 + share * box.width, y
    x = box.x0 + inward if side == "west" else box.x1 - inward
    return x, box.y0 + share * box.depth
