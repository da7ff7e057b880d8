"""The viewpoints of a house and the graph over them: about every two metres, clear of furniture."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.sparse.csgraph import connected_components

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.geometry import hidden, walls_of
from fastnav.data.houses.plan import STOREY, House
from fastnav.data.houses.spots import Spot, spots_of_rooms, spots_of_stairs
from fastnav.data.houses.ways import ground, join_floor, join_stairs

#: One camera in fifty was left out of the graph, as in the real files: no edge of it is walked.
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


def place_viewpoints(dice: Dice, house: House) -> Viewpoints:
    """Viewpoints and graph of a furnished house; the graph over the included ones is in one piece."""
    spots: list[Spot] = []
    joined: set[tuple[int, int]] = set()
    for floor in range(house.floors):
        on_floor = spots_of_rooms(dice, house, floor)
        on_floor += spots_of_stairs(dice, house, floor)
        pairs = join_floor(dice, house, floor, on_floor)
        joined |= {(len(spots) + i, len(spots) + j) for i, j in pairs}
        spots += on_floor
    joined |= join_stairs(spots)
    return _finish(dice, house, spots, joined)


def _finish(dice: Dice, house: House, spots: list[Spot], joined: set[tuple[int, int]]) -> Viewpoints:
    points = ground(spots)
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
