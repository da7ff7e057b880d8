"""A plan in the making: rooms, and doors in the walls that they share."""

from fastnav.data.houses import programme
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.plan import Door, Point, Rect, Room

DOOR_WIDTH = 0.9
NARROWEST_DOOR = 0.75
#: From a door post to the corner of the room.
CORNER = 0.3
#: The same where two rooms share too little wall for that.
TIGHT_CORNER = 0.05


class Draft:
    """A plan in the making: rooms and doors in the order in which they are found."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.rooms: list[Room] = []
        self.doors: list[Door] = []

    def add_room(self, kind: str, floor: int, rect: Rect) -> Room:
        """Append a room with its paint and flooring."""
        paint = self.dice.pick(programme.PAINTS)
        flooring = self.dice.pick(programme.FLOORINGS.get(kind, programme.USUAL_FLOORINGS))
        room = Room(len(self.rooms), kind, floor, rect, paint, flooring)
        self.rooms.append(room)
        return room

    def add_door(self, one: Room, two: Room, kind: str, width: float = DOOR_WIDTH) -> bool:
        """A gap somewhere in the wall that two rooms share; False if they share too little."""
        border = shared_border(one.rect, two.rect)
        if border is None:
            return False
        upright, at, low, high = border
        tight = high - low - 2 * CORNER < DOOR_WIDTH
        low, high = (low + TIGHT_CORNER, high - TIGHT_CORNER) if tight else (low + CORNER, high - CORNER)
        width = min(width, high - low)
        if width < NARROWEST_DOOR:
            return False
        start = on_grid(self.dice.between(low, high - width))
        end = start + on_grid(width)
        ends: tuple[Point, Point] = ((at, start), (at, end)) if upright else ((start, at), (end, at))
        colour = self.dice.pick(programme.DOOR_COLOURS)
        self.doors.append(Door((one.index, two.index), one.floor, *ends, kind, colour))
        return True


def shared_border(one: Rect, two: Rect) -> tuple[bool, float, float, float] | None:
    """The wall between two rooms: whether it runs along y, its position, its ends; None if they are apart."""
    for here, there in ((one, two), (two, one)):
        if abs(here.x1 - there.x0) < 1e-6:
            low, high = max(one.y0, two.y0), min(one.y1, two.y1)
            return (True, here.x1, low, high) if high > low else None
        if abs(here.y1 - there.y0) < 1e-6:
            low, high = max(one.x0, two.x0), min(one.x1, two.x1)
            return (False, here.y1, low, high) if high > low else None
    return None


def on_grid(length: float) -> float:
    """A length as a multiple of 5 cm, so that walls meet exactly."""
    return round(length * 20) / 20
