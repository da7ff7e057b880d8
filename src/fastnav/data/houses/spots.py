"""Where cameras stood: on a grid in rooms, in some doorways, before and on the stairs."""

import math
from dataclasses import dataclass

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.plan import EYE, STOREY, Door, House, Point, Room

#: A room's grid comes as near to this as whole rows and columns allow; its points then wander a little. So
#: the nearest other viewpoint is about 1.6 m away, and a step along an edge 2.3 m long on average.
SPACING = 1.8
#: From the walls to the outermost viewpoints of a room.
MARGIN = 0.45
#: A doorway gets a viewpoint of its own this often; the others are stepped through.
DOORWAY = 0.35
#: How far inside the room the viewpoint of a doorway stands, how far from the stairs that before them.
INSIDE, BEFORE_STAIRS = 0.3, 0.7
CLOSEST = 0.9
TRIES = 10


@dataclass
class Spot:
    """One viewpoint in the making; `height` is that of the camera above the floor, `eye` above the ground."""

    point: Point
    height: float
    room: int
    floor: int
    eye: float
    stairs: str = ""  # foot, landing or head of a flight


def spots_of_rooms(dice: Dice, house: House, floor: int) -> list[Spot]:
    spots = _spots_before_stairs(dice, house, floor)
    for room in house.rooms_on(floor):
        if room.kind == "stairs":
            continue
        before = [spot.point for spot in spots if spot.room == room.index]
        points = _grid_points(dice, house, room, before)
        spots += [_on_floor(dice, point, room.index, floor) for point in points]
    for door in house.doors:
        if door.floor == floor and not door.to_stairs and dice.chance(DOORWAY):
            spot = doorway(dice, house, door)
            if all(math.dist(spot.point, other.point) > CLOSEST for other in spots):
                spots.append(spot)
    return spots


def _eye(dice: Dice) -> float:
    return dice.between(EYE - 0.08, EYE + 0.08)


def _on_floor(dice: Dice, point: Point, room: int, floor: int) -> Spot:
    eye = _eye(dice)
    return Spot(point, eye, room, floor, eye)


def _spots_before_stairs(dice: Dice, house: House, floor: int) -> list[Spot]:
    """One in the hall before each flight: a flight is too narrow to be seen from just anywhere."""
    spots = []
    for door in house.doors:
        if door.floor == floor and door.to_stairs:
            hall = next(house.rooms[i] for i in door.rooms if house.rooms[i].kind != "stairs")
            spots.append(_on_floor(dice, _inside(hall, door, BEFORE_STAIRS), hall.index, floor))
    return spots


def _grid_points(dice: Dice, house: House, room: Room, before: list[Point]) -> list[Point]:
    """A grid over the room, each point shifted off the furniture; at least one point in all."""
    box = room.rect
    columns = max(1, round((box.width - 0.2) / SPACING))
    rows = (
        1 if room.kind == "hallway" and box.width > box.depth else max(1, round((box.depth - 0.2) / SPACING))
    )
    if room.kind == "hallway" and box.depth > box.width:
        columns = 1
    blocks = [thing.rect for thing in house.things if thing.room == room.index and thing.blocks]
    points = list(before)
    for i in range(columns):
        for j in range(rows):
            cell = (box.width / columns, box.depth / rows)
            middle = (box.x0 + (i + 0.5) * cell[0], box.y0 + (j + 0.5) * cell[1])
            for k in range(TRIES):
                wander = 0.12 + 0.03 * k
                x = middle[0] + dice.between(-wander, wander) * cell[0]
                y = middle[1] + dice.between(-wander, wander) * cell[1]
                clear = not any(block.holds((x, y), -0.2) for block in blocks)
                if (
                    clear
                    and box.holds((x, y), MARGIN)
                    and all(math.dist((x, y), p) > CLOSEST for p in points)
                ):
                    points.append((x, y))
                    break
    return points[len(before) :] if points else [_best_corner(dice, house, room)]


def _best_corner(dice: Dice, house: House, room: Room) -> Point:
    """A place just inside some door, for rooms too full to stand elsewhere."""
    doors = [door for door in house.doors if room.index in door.rooms]
    return _inside(room, dice.pick(doors), 0.45)


def _inside(room: Room, door: Door, depth: float) -> Point:
    """A point `depth` metres behind a door, in the given room."""
    (x, y), box = door.centre, room.rect
    if door.start[0] == door.end[0]:
        return (x + depth, y) if x - box.x0 < box.x1 - x else (x - depth, y)
    return (x, y + depth) if y - box.y0 < box.y1 - y else (x, y - depth)


def doorway(dice: Dice, house: House, door: Door) -> Spot:
    room = house.rooms[dice.pick(door.rooms)]
    return _on_floor(dice, _inside(room, door, INSIDE), room.index, door.floor)


def spots_of_stairs(dice: Dice, house: House, floor: int) -> list[Spot]:
    """Those within the walls of this floor: half up a flight and its landing, half down another."""
    shaft = next((room.index for room in house.rooms_on(floor) if room.kind == "stairs"), -1)
    spots = []
    for flight in house.flights:
        eye = _eye(dice)
        if flight.floor == floor:
            spots.append(Spot(flight.foot, STOREY / 4 + eye, shaft, floor, eye, "foot"))
            spots.append(Spot(flight.landing, STOREY / 2 + eye, shaft, floor, eye, "landing"))
        if flight.floor == floor - 1:
            spots.append(Spot(flight.head, eye - STOREY / 4, shaft, floor, eye, "head"))
    return spots
