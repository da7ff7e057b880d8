"""Plans: a hall from end to end of each floor, rooms to both sides of it, one staircase through all floors.

The plan is drawn with the hall along x and turned to a compass direction last. Lengths are multiples of 5 cm.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from fastnav.data.houses import programme
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.draft import CORNER, Draft, on_grid, shared_border
from fastnav.data.houses.plan import WALL_THICKNESS, Door, Flight, House, Point, Rect, Room
from fastnav.data.houses.programme import NARROW, Programme

#: Square metres a viewpoint, as it comes out; from it the wanted number of viewpoints gives the floor area.
AREA_OF_VIEWPOINT = 3.95
#: The staircase: two runs side by side.
SHAFT_WIDTH = 2.4
LANDING_DEPTH = 1.2
NARROWEST_ROOM = 1.9


@dataclass(frozen=True)
class Shape:
    """The outline that all floors share."""

    floors: int
    length: float
    south: float  # depth of the rooms to the south of the hall
    hall: float
    north: float
    shaft: float  # where the staircase begins, in the northern strip
    great: float  # length of the room across the eastern end; 0 if the hall runs on to the wall
    inset_west: float  # how much shorter the southern strip is, at its western end: an L-shaped house
    inset_north: float  # the same of the northern strip

    @property
    def hall_end(self) -> float:
        """Where the hall stops in the east."""
        return self.length - self.great

    @property
    def hall_top(self) -> float:
        """The northern wall of the hall."""
        return self.south + self.hall

    @property
    def shaft_end(self) -> float:
        """Where the staircase ends in the east."""
        return self.shaft + SHAFT_WIDTH

    @property
    def depth(self) -> float:
        """From the southern to the northern wall."""
        return self.south + self.hall + self.north


def lay_out(dice: Dice, scan: str, viewpoints: float) -> House:
    """An empty house large enough for about so many viewpoints."""
    shape = _shape(dice, viewpoints)
    draft, plan = Draft(dice), Programme(dice, shape.floors)
    for floor in range(shape.floors):
        _lay_floor(draft, plan, shape, floor)
    flights = tuple(_flight(shape, floor) for floor in range(shape.floors - 1))
    house = House(scan, shape.floors, tuple(draft.rooms), tuple(draft.doors), flights)
    return _facing(house, shape, mirrored=dice.chance(0.5), across=dice.chance(0.5))


def _shape(dice: Dice, viewpoints: float) -> Shape:
    area = viewpoints * AREA_OF_VIEWPOINT
    south, north = on_grid(dice.between(3.8, 5.6)), on_grid(dice.between(4.0, 5.4))
    hall = on_grid(dice.between(1.5, 2.1))
    depth = south + hall + north
    floors = max(1, min(4, round(area / (depth * dice.between(9.0, 15.0)))))
    length = on_grid(max(10.0, area / floors / depth))
    great = on_grid(dice.between(4.6, 6.2)) if length > 13.5 and dice.chance(0.7) else 0.0
    shaft = on_grid(dice.between(0.15, 0.75) * (length - great - SHAFT_WIDTH))
    inset_west = on_grid(dice.between(1.5, 0.25 * length)) if dice.chance(0.4) else 0.0
    inset_north = on_grid(dice.between(1.5, 0.6 * shaft)) if shaft > 5.0 and dice.chance(0.3) else 0.0
    return Shape(floors, length, south, hall, north, shaft, great, inset_west, inset_north)


def _lay_floor(draft: Draft, plan: Programme, shape: Shape, floor: int) -> None:
    strips = _strips(draft.dice, shape)
    begin = min(slot.x0 for strip in strips for slot in strip)
    if shape.floors > 1:
        begin = min(begin, shape.shaft)
    halls = _lay_halls(draft, shape, floor, begin)
    great = _lay_great(draft, plan, shape, floor, halls[-1])
    _fill(draft, plan, strips, halls, great)
    if shape.floors > 1:
        rect = Rect(shape.shaft, shape.hall_top, shape.shaft_end, shape.depth)
        _open_shaft(draft, shape, draft.add_room("stairs", floor, rect), halls)
    if draft.dice.chance(0.55):
        _lay_terrace(draft, shape, floor)


def _strips(dice: Dice, shape: Shape) -> list[list[Rect]]:
    """The slots to the south of the hall, and to its north on either side of the staircase."""
    north = [(shape.inset_north, shape.shaft), (shape.shaft_end, shape.hall_end)]
    if shape.floors == 1:
        north = [(shape.inset_north, shape.hall_end)]
    strips = [[Rect(a, 0.0, b, shape.south) for a, b in _split(dice, shape.inset_west, shape.hall_end)]]
    for low, high in north:
        strips.append([Rect(a, shape.hall_top, b, shape.depth) for a, b in _split(dice, low, high)])
    if all(slot.width >= NARROW for strip in strips for slot in strip):
        _make_one_narrow(dice, strips)
    return strips


def _make_one_narrow(dice: Dice, strips: list[list[Rect]]) -> None:
    """Cut the widest slot, or move a wall: a bathroom need not be as large as a bedroom."""
    strip = max(strips, key=lambda strip: max((slot.width for slot in strip), default=0.0))
    column, left = on_grid(dice.between(2.0, 2.4)), dice.chance(0.5)
    i = max(range(len(strip)), key=lambda i: strip[i].width)
    if strip[i].width - column >= NARROW:
        strip[i : i + 1] = _cut_column(strip[i], column, left=left)
    elif len(strip) > 1:
        i = dice.whole(0, len(strip) - 2)
        strip[i : i + 2] = _cut_column(replace(strip[i], x1=strip[i + 1].x1), column, left=left)


def _cut_column(slot: Rect, width: float, *, left: bool) -> tuple[Rect, Rect]:
    """A slot in two parts from west to east, the one at the given end so wide."""
    at = slot.x0 + width if left else slot.x1 - width
    return replace(slot, x1=at), replace(slot, x0=at)


def _lay_halls(draft: Draft, shape: Shape, floor: int, begin: float) -> list[Room]:
    """The hall along all rooms, in two parts with an archway between them if it is long."""
    low, high, end = shape.south, shape.hall_top, shape.hall_end
    if end - begin < 13.0 or draft.dice.chance(0.4):
        return [draft.add_room("hallway", floor, Rect(begin, low, end, high))]
    cut = on_grid(begin + (end - begin) * draft.dice.between(0.4, 0.6))
    if shape.floors > 1 and abs(cut - shape.shaft - SHAFT_WIDTH / 2) < SHAFT_WIDTH:
        cut = on_grid(shape.shaft_end + 0.6)  # no archway in front of the stairs
    west = draft.add_room("hallway", floor, Rect(begin, low, cut, high))
    east = draft.add_room("hallway", floor, Rect(cut, low, end, high))
    draft.add_door(west, east, "archway", shape.hall - 2 * CORNER)
    return [west, east]


def _lay_great(draft: Draft, plan: Programme, shape: Shape, floor: int, hall: Room) -> list[Room]:
    """The rooms across the eastern end: one large, or two with an opening between them."""
    if not shape.great:
        return []
    kinds = plan.great_rooms(floor)
    box = Rect(shape.hall_end, 0.0, shape.length, shape.depth)
    if len(kinds) == 1:
        rooms = [draft.add_room(kinds[0], floor, box)]
    else:
        # The hall ends at the first, so that nobody walks through a bathroom to a bedroom.
        rects = [replace(box, y1=shape.hall_top), replace(box, y0=shape.hall_top)]
        if draft.dice.chance(0.5):
            rects = [replace(box, y0=shape.south), replace(box, y1=shape.south)]
        rooms = [draft.add_room(kind, floor, rect) for kind, rect in zip(kinds, rects, strict=True)]
        draft.add_door(rooms[0], rooms[1], *programme.passage(draft.dice, kinds[0], kinds[1]))
    for room in rooms:
        draft.add_door(hall, room, *programme.passage(draft.dice, "hallway", room.kind))
    return rooms


def _fill(
    draft: Draft, plan: Programme, strips: list[list[Rect]], halls: list[Room], great: list[Room]
) -> None:
    """Rooms for the slots of each strip, with doors to the hall and to some of their neighbours."""
    floor, widths = halls[0].floor, [slot.width for strip in strips for slot in strip]
    kinds = iter(plan.assign(widths, floor, tuple(room.kind for room in great)))
    for strip in strips:
        placed = [_lay_room(draft, next(kinds), slot, floor, halls) for slot in strip]
        row = placed + [room for room in great if placed and shared_border(placed[-1].rect, room.rect)]
        for one, two in pairwise(row):
            if draft.dice.chance(programme.side_door(one.kind, two.kind)):
                draft.add_door(one, two, *programme.passage(draft.dice, one.kind, two.kind))


def _lay_room(draft: Draft, kind: str, slot: Rect, floor: int, halls: list[Room]) -> Room:
    """One slot; a wide bedroom gives up a column for its own bathroom and closet."""
    column = on_grid(draft.dice.between(2.0, 2.4))
    own = kind in programme.WITH_BATH and slot.width - column > 3.1 and draft.dice.chance(0.75)
    left = draft.dice.chance(0.5)
    west, east = _cut_column(slot, column, left=left)
    rect, side = (east, west) if left else (west, east)
    room = draft.add_room(kind, floor, rect if own else slot)
    hall = max(halls, key=lambda hall: _overlap(hall.rect, room.rect))
    draft.add_door(hall, room, *programme.passage(draft.dice, "hallway", kind))
    if own:
        _lay_bath(draft, room, side, hall)
    return room


def _lay_bath(draft: Draft, bedroom: Room, side: Rect, hall: Room) -> None:
    """The bathroom and closet beside a bedroom, the closet next to the hall."""
    depth = on_grid(draft.dice.between(1.5, 1.9))
    hall_is_north = side.y1 <= hall.rect.y0 + 1e-6
    cut = side.y1 - depth if hall_is_north else side.y0 + depth
    lower, upper = replace(side, y1=cut), replace(side, y0=cut)
    away, near = (lower, upper) if hall_is_north else (upper, lower)
    bath = draft.add_room("bathroom", bedroom.floor, away)
    closet = draft.add_room("closet", bedroom.floor, near)
    draft.add_door(bedroom, bath, "door")
    if not (draft.dice.chance(0.3) and draft.add_door(hall, closet, "door")):
        draft.add_door(bedroom, closet, "door")


def _lay_terrace(draft: Draft, shape: Shape, floor: int) -> None:
    """A patio or balcony along a stretch of the southern wall."""
    kind = programme.terrace(draft.dice, floor)
    behind = [
        room
        for room in draft.rooms
        if room.floor == floor and room.rect.y0 == 0.0 and programme.opens_outside(room.kind)
    ]
    if not behind:
        return
    room = draft.dice.pick(behind)
    reach = on_grid(draft.dice.between(0.0, 1.5))
    rect = Rect(
        max(shape.inset_west, room.rect.x0 - reach),
        -on_grid(draft.dice.between(2.2, 3.2)),
        min(shape.length, room.rect.x1 + reach),
        0.0,
    )
    draft.add_door(room, draft.add_room(kind, floor, rect), "glass door", 1.4)


def _open_shaft(draft: Draft, shape: Shape, shaft: Room, halls: list[Room]) -> None:
    """Openings to the runs that begin or end on this floor: up on the left, from below on the right."""
    y, middle = shaft.rect.y0, shaft.rect.x0 + SHAFT_WIDTH / 2
    hall = max(halls, key=lambda hall: _overlap(hall.rect, shaft.rect))
    margin = WALL_THICKNESS / 2
    openings = []
    if shaft.floor < shape.floors - 1:
        openings.append((shaft.rect.x0 + margin, middle - margin, "stairs up"))
    if shaft.floor > 0:
        openings.append((middle + margin, shaft.rect.x1 - margin, "stairs down"))
    for low, high, kind in openings:
        ends = ((low, y), (high, y))
        draft.doors.append(Door((hall.index, shaft.index), shaft.floor, *ends, kind, "wooden"))


def _flight(shape: Shape, floor: int) -> Flight:
    x, y, end = shape.shaft, shape.south + shape.hall, shape.depth
    middle = x + SHAFT_WIDTH / 2
    half_run = y + (end - y - LANDING_DEPTH) / 2
    return Flight(
        floor,
        (x + SHAFT_WIDTH / 4, half_run),
        (middle, end - LANDING_DEPTH / 2),
        (x + 3 * SHAFT_WIDTH / 4, half_run),
        ((middle, y), (middle, end - LANDING_DEPTH)),
    )


def _split(dice: Dice, low: float, high: float) -> list[tuple[float, float]]:
    """Slots of uneven width that fill an interval."""
    if high - low < NARROWEST_ROOM:
        return []
    count = max(1, round((high - low) / dice.between(3.3, 4.5)))
    weights = [dice.between(0.5, 1.5) for _ in range(count)]
    spare = high - low - count * NARROWEST_ROOM
    if spare < 0:
        return [(low, high)]
    cuts = [low]
    for weight in weights[:-1]:
        cuts.append(on_grid(cuts[-1] + NARROWEST_ROOM + spare * weight / sum(weights)))
    return list(zip(cuts, [*cuts[1:], high], strict=True))


def _overlap(one: Rect, two: Rect) -> float:
    return min(one.x1, two.x1) - max(one.x0, two.x0)


def _facing(house: House, shape: Shape, *, mirrored: bool, across: bool) -> House:
    """The house mirrored, and with its hall along y instead of x; the middle of the house is the origin."""
    middle, half = shape.length / 2, shape.depth / 2

    def moved(point: Point) -> Point:
        x, y = point[0] - middle, point[1] - half
        x = -x if mirrored else x
        x, y = (y, x) if across else (x, y)
        return round(x, 3), round(y, 3)

    def moved_rect(rect: Rect) -> Rect:
        (xa, ya), (xb, yb) = moved((rect.x0, rect.y0)), moved((rect.x1, rect.y1))
        return Rect(min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb))

    rooms = tuple(replace(room, rect=moved_rect(room.rect)) for room in house.rooms)
    doors = tuple(replace(door, start=moved(door.start), end=moved(door.end)) for door in house.doors)
    flights = tuple(
        Flight(
            flight.floor,
            moved(flight.foot),
            moved(flight.landing),
            moved(flight.head),
            (moved(flight.divider[0]), moved(flight.divider[1])),
        )
        for flight in house.flights
    )
    return replace(house, rooms=rooms, doors=doors, flights=flights)
