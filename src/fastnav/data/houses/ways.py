"""Between which viewpoints one can walk: straight through doors, not through walls or over a bed."""

import numpy as np
from jaxtyping import Bool, Float
from scipy.sparse.csgraph import connected_components

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.geometry import CLEARANCE, hidden, walls_of
from fastnav.data.houses.plan import Door, House
from fastnav.data.houses.spots import Spot, doorway

LONGEST_EDGE = 4.1
#: A detour by a place between, if shorter than this share of the direct way, replaces the direct way.
DETOUR = 1.012
#: To keep a floor in one piece, the nearest places in sight of each other are joined, however far.
FARTHEST_JOIN = 8.0
#: Points probed along a straight way for furniture in it.
PROBES = 24


def join_stairs(spots: list[Spot]) -> set[tuple[int, int]]:
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


def join_floor(dice: Dice, house: House, floor: int, spots: list[Spot]) -> set[tuple[int, int]]:
    """Pairs of places to walk between; `spots` grows by one in each doorway that none leads through yet."""
    pairs = _straight_ways(house, floor, spots)
    doors = [door for door in house.doors if door.floor == floor and not door.to_stairs]
    short = [door for door in doors if not any(_passes(spots, pair, door) for pair in pairs)]
    if short:
        spots += [doorway(dice, house, door) for door in short]
        pairs = _straight_ways(house, floor, spots)
    return pairs | _mend(house, floor, spots, pairs)


def _passes(spots: list[Spot], pair: tuple[int, int], door: Door) -> bool:
    return {spots[pair[0]].room, spots[pair[1]].room} == set(door.rooms)


def ground(spots: list[Spot]) -> Float[np.ndarray, "spot 2"]:
    return np.array([spot.point for spot in spots], dtype=np.float64).reshape(-1, 2)


def _straight_ways(house: House, floor: int, spots: list[Spot]) -> set[tuple[int, int]]:
    points = ground(spots)
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
    share = np.linspace(0.0, 1.0, PROBES)[None, :, None]
    probes = (start[:, None] + share * (end - start)[:, None])[:, :, None, :]
    inside = ((probes > low) & (probes < high)).all(axis=-1)
    return np.asarray(inside.any(axis=(1, 2)))


def _mend(house: House, floor: int, spots: list[Spot], pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Further pairs, the shortest that are in sight of each other, until the floor is in one piece."""
    points = ground(spots)
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
