"""Where a camera stood, and between which places one can walk.

A viewpoint about every two metres, clear of furniture, more in doorways and on the stairs. Two are joined
where a walker can go straight from one to the other: through doors, not through walls or over a bed.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.sparse.csgraph import connected_components

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.geometry import CLEARANCE, hidden, walls_of
from fastnav.data.houses.plan import EYE, STOREY, Door, House, Point, Room

SPACING = 1.95
#: From the walls to the outermost viewpoints of a room.
MARGIN = 0.45
#: A doorway gets a viewpoint of its own this often; the others are stepped through.
DOORWAY = 0.35
#: How far inside the room the viewpoint of a doorway stands.
INSIDE = 0.3
LONGEST_EDGE = 3.9
#: A detour by a place between, if shorter than this share of the direct way, replaces the direct way.
DETOUR = 1.02
CLOSEST = 0.9
#: To keep a house in one piece, the nearest places in sight of each other are joined, however far.
FARTHEST_JOIN = 8.0
TRIES = 10
#: One camera in so many was left out of the graph, as in the real files: its graph edges are not walked.
EXCLUDED = 0.02


@dataclass(frozen=True)
class Viewpoints:
    """All viewpoints of a house, floor by floor, and the graph over them.

    `room` is the index of a room; `floor` the one whose walls surround the place; `on_stairs` marks those
    between two floors.
    """

    names: tuple[str, ...]
    position: Float[np.ndarray, "viewpoint 3"]
    room: Int[np.ndarray, " viewpoint"]
    floor: Int[np.ndarray, " viewpoint"]
    on_stairs: Bool[np.ndarray, " viewpoint"]
    included: Bool[np.ndarray, " viewpoint"]
    visible: Bool[np.ndarray, "viewpoint viewpoint"]
    unobstructed: Bool[np.ndarray, "viewpoint viewpoint"]
    height: Float[np.ndarray, " viewpoint"]  # of the camera above the ground it stands on

    @property
    def length(self) -> Float[np.ndarray, "viewpoint viewpoint"]:
        """Metres between places joined to each other, 0 elsewhere; excluded ones are joined to none."""
        walked = self.unobstructed & self.included[:, None] & self.included[None, :]
        apart = np.linalg.norm(self.position[:, None] - self.position[None, :], axis=-1)
        return np.where(walked, apart, 0.0)


@dataclass
class _Spot:
    """One viewpoint in the making; `height` is that of the camera above the floor, `eye` above the ground."""

    point: Point
    height: float
    room: int
    floor: int
    eye: float
    stairs: str = ""  # foot, landing or head of a flight


def place_viewpoints(dice: Dice, house: House) -> Viewpoints:
    """Viewpoints and graph of a furnished house; the graph over the included ones is in one piece."""
    spots: list[_Spot] = []
    joined: set[tuple[int, int]] = set()
    for floor in range(house.floors):
        on_floor = _spots_of_rooms(dice, house, floor)
        on_floor += _spots_of_stairs(dice, house, floor)
        pairs = _join_floor(dice, house, floor, on_floor)
        joined |= {(len(spots) + i, len(spots) + j) for i, j in pairs}
        spots += on_floor
    joined |= _join_stairs(spots)
    return _finish(dice, house, spots, joined)


def _spots_of_rooms(dice: Dice, house: House, floor: int) -> list[_Spot]:
    spots = _spots_before_stairs(dice, house, floor)
    for room in house.rooms_on(floor):
        if room.kind == "stairs":
            continue
        before = [spot.point for spot in spots if spot.room == room.index]
        points = _grid_points(dice, house, room, before)
        spots += [_on_floor(dice, point, room.index, floor) for point in points]
    for door in house.doors:
        if door.floor == floor and not door.to_stairs and dice.chance(DOORWAY):
            spot = _doorway(dice, house, door)
            if all(math.dist(spot.point, other.point) > CLOSEST for other in spots):
                spots.append(spot)
    return spots


def _eye(dice: Dice) -> float:
    return dice.between(EYE - 0.08, EYE + 0.08)


def _on_floor(dice: Dice, point: Point, room: int, floor: int) -> _Spot:
    eye = _eye(dice)
    return _Spot(point, eye, room, floor, eye)


def _spots_before_stairs(dice: Dice, house: House, floor: int) -> list[_Spot]:
    """One in the hall before each flight: a flight is too narrow to be seen from just anywhere."""
    spots = []
    for door in house.doors:
        if door.floor == floor and door.to_stairs:
            hall = next(house.rooms[i] for i in door.rooms if house.rooms[i].kind != "stairs")
            spots.append(_on_floor(dice, _inside(hall, door, 0.7), hall.index, floor))
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


def _doorway(dice: Dice, house: House, door: Door) -> _Spot:
    room = house.rooms[dice.pick(door.rooms)]
    return _on_floor(dice, _inside(room, door, INSIDE), room.index, door.floor)


def _spots_of_stairs(dice: Dice, house: House, floor: int) -> list[_Spot]:
    """Those seen from this floor: the lower run and landing of stairs up, the upper run of stairs from below."""
    shaft = next((room.index for room in house.rooms_on(floor) if room.kind == "stairs"), -1)
    spots = []
    for flight in house.flights:
        eye = _eye(dice)
        if flight.floor == floor:
            spots.append(_Spot(flight.foot, STOREY / 4 + eye, shaft, floor, eye, "foot"))
            spots.append(_Spot(flight.landing, STOREY / 2 + eye, shaft, floor, eye, "landing"))
        if flight.floor == floor - 1:
            spots.append(_Spot(flight.head, eye - STOREY / 4, shaft, floor, eye, "head"))
    return spots


def _join_stairs(spots: list[_Spot]) -> set[tuple[int, int]]:
    """Foot to landing to head, for each flight: they come in this order."""
    chain = [i for i, spot in enumerate(spots) if spot.stairs]
    landings = [i for i in chain if spots[i].stairs == "landing"]
    pairs = set()
    for landing in landings:
        head = next(
            i for i in chain if spots[i].floor == spots[landing].floor + 1 and spots[i].stairs == "head"
        )
        pairs |= {(landing - 1, landing), (landing, head)}
    return pairs


def _join_floor(dice: Dice, house: House, floor: int, spots: list[_Spot]) -> set[tuple[int, int]]:
    """Pairs of places to walk between; places in doorways are added to `spots` until the floor hangs together."""
    pairs = _straight_ways(house, floor, spots)
    doors = [door for door in house.doors if door.floor == floor and not door.to_stairs]
    short = [door for door in doors if not any(_passes(spots, pair, door) for pair in pairs)]
    if short:
        spots += [_doorway(dice, house, door) for door in short]
        pairs = _straight_ways(house, floor, spots)
    return pairs | _mend(house, floor, spots, pairs)


def _passes(spots: list[_Spot], pair: tuple[int, int], door: Door) -> bool:
    return {spots[pair[0]].room, spots[pair[1]].room} == set(door.rooms)


def _points(spots: list[_Spot]) -> Float[np.ndarray, "spot 2"]:
    return np.array([spot.point for spot in spots], dtype=np.float64).reshape(-1, 2)


def _straight_ways(house: House, floor: int, spots: list[_Spot]) -> set[tuple[int, int]]:
    points = _points(spots)
    stairs = np.array([bool(spot.stairs) for spot in spots])
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=-1)
    close = (apart < LONGEST_EDGE) & ~(stairs[:, None] & stairs[None, :]) & ~np.eye(len(spots), dtype=bool)
    landing = np.array([spot.stairs == "landing" for spot in spots])
    close &= ~(landing[:, None] | landing[None, :])
    close &= ~hidden(points, points, walls_of(house, floor, CLEARANCE))
    pairs = np.argwhere(np.triu(close | close.T))
    pairs = pairs[~_over_furniture(house, floor, points[pairs[:, 0]], points[pairs[:, 1]])]
    linked = np.zeros_like(close)
    linked[pairs[:, 0], pairs[:, 1]] = linked[pairs[:, 1], pairs[:, 0]] = True
    way = np.where(linked, apart, np.inf)
    detour = (way[:, :, None] + way[None, :, :]).min(axis=1)
    return {(int(i), int(j)) for i, j in pairs if detour[i, j] > DETOUR * apart[i, j]}


def _over_furniture(
    house: House, floor: int, start: Float[np.ndarray, "pair 2"], end: Float[np.ndarray, "pair 2"]
) -> Bool[np.ndarray, " pair"]:
    """Whether the straight way leads over something solid: probed every few centimetres."""
    boxes = [thing.rect for thing in house.things if thing.floor == floor and thing.blocks]
    if not boxes:
        return np.zeros(len(start), dtype=bool)
    low = np.array([(box.x0, box.y0) for box in boxes])
    high = np.array([(box.x1, box.y1) for box in boxes])
    share = np.linspace(0.0, 1.0, 24)[None, :, None]
    probes = (start[:, None] + share * (end - start)[:, None])[:, :, None, :]
    inside = ((probes > low) & (probes < high)).all(axis=-1)
    return np.asarray(inside.any(axis=(1, 2)))


def _mend(house: House, floor: int, spots: list[_Spot], pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Further pairs, the shortest that are in sight of each other, until the floor is in one piece."""
    points = _points(spots)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=-1)
    apart[hidden(points, points, walls_of(house, floor))] = np.inf
    landings = [i for i, spot in enumerate(spots) if spot.stairs == "landing"]
    stairs = [i for i, spot in enumerate(spots) if spot.stairs]
    apart[landings, :] = apart[:, landings] = np.inf  # a landing is reached by its stairs alone
    apart[np.ix_(stairs, stairs)] = np.inf
    linked = np.zeros(apart.shape, dtype=bool)
    for i, j in pairs:
        linked[i, j] = True
    added: set[tuple[int, int]] = set()
    while True:
        _, piece = connected_components(linked, directed=False)
        options = np.where(piece[:, None] != piece[None, :], apart, np.inf)
        i, j = divmod(int(np.argmin(options)), len(options))
        if options[i, j] > FARTHEST_JOIN:
            return added
        added.add((i, j))
        linked[i, j] = True


def _finish(dice: Dice, house: House, spots: list[_Spot], joined: set[tuple[int, int]]) -> Viewpoints:
    points = _points(spots)
    floor = np.array([spot.floor for spot in spots])
    room = np.array([spot.room for spot in spots])
    height = floor * STOREY + np.array([spot.height for spot in spots])
    position = np.round(np.column_stack([points, height]), 5)
    unobstructed = np.zeros((len(spots), len(spots)), dtype=bool)
    for i, j in joined:
        unobstructed[i, j] = unobstructed[j, i] = True
    visible = unobstructed.copy()
    for level in range(house.floors):
        here = np.flatnonzero(floor == level)
        visible[np.ix_(here, here)] |= ~hidden(points[here], points[here], walls_of(house, level))
    np.fill_diagonal(visible, False)
    return Viewpoints(
        names=tuple(dice.digits("0123456789abcdef", 32) for _ in spots),
        position=position,
        room=room,
        floor=floor,
        on_stairs=np.array([bool(spot.stairs) for spot in spots]),
        included=_included(dice, unobstructed),
        visible=visible,
        unobstructed=unobstructed,
        height=np.round([spot.eye for spot in spots], 5),
    )


def _included(dice: Dice, linked: Bool[np.ndarray, "spot spot"]) -> Bool[np.ndarray, " spot"]:
    """All but a few, left out only where the rest stays in one piece."""
    included = np.ones(len(linked), dtype=bool)
    for i in range(len(linked)):
        if not dice.chance(EXCLUDED):
            continue
        included[i] = False
        rest = linked[np.ix_(included, included)]
        included[i] = connected_components(rest, directed=False)[0] > 1
    return included
