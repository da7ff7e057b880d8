"""check_world: whether the tables of a world agree with each other."""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool

from fastnav.errors import UsageError
from fastnav.world.graph import World
from fastnav.world.views import TURN, VIEWS, heading_of, nearest_view

#: Metres and radians that float32 tables may be off.
_TOLERANCE = 1e-3

_SHAPES = {
    "scan": "viewpoint",
    "position": "viewpoint 3",
    "neighbour": "viewpoint action",
    "mask": "viewpoint action",
    "heading": "viewpoint action",
    "elevation": "viewpoint action",
    "distance": "viewpoint action",
    "view": "viewpoint action",
}


def check_world(world: World) -> None:
    """Raise a `UsageError` that names the table, the viewpoint and the slot that are wrong; else return."""
    tables = {name: _as_numpy(getattr(world, name)) for name in _SHAPES}
    sizes = {"viewpoint": len(world), "action": tables["neighbour"].shape[-1], "3": 3}
    for name, axes in _SHAPES.items():
        expected = tuple(sizes[axis] for axis in axes.split())
        if tables[name].shape != expected:
            raise UsageError(
                f"the world's table {name!r} has shape {tables[name].shape}; give it {expected} ({axes})"
            )
    # Names and indices first: the other questions look things up with them.
    for questions in (_names, _slots, _geometry):
        for problem, wrong in questions(world, tables):
            _refuse(world, problem, wrong)


def _names(world: World, tables: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    scan, neighbour = tables["scan"], tables["neighbour"]
    yield "belongs to no building of the world", (scan < 0) | (scan >= len(world.scans))
    names = list(zip(scan.tolist(), world.viewpoint_ids, strict=True))
    first = {name: k for k, name in reversed(list(enumerate(names)))}
    yield "has the name of another viewpoint", np.array([first[name] != k for k, name in enumerate(names)])
    yield "has a neighbour that does not exist", (neighbour < 0) | (neighbour >= len(world))
    yield "is seen in a view that does not exist", (tables["view"] < 0) | (tables["view"] >= VIEWS)


def _slots(world: World, tables: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    neighbour, mask = tables["neighbour"], tables["mask"]
    here = np.arange(len(world))[:, None]
    moves = mask.copy()
    moves[:, World.STOP] = False
    yield "does not allow STOP", ~mask[:, World.STOP]
    yield "has a STOP or masked slot that leads away", ~moves & (neighbour != here)
    yield "has a step that leads to itself", moves & (neighbour == here)
    yield "has a step into another building", moves & (tables["scan"][neighbour] != tables["scan"][:, None])
    edges = [
        {(source, target) for target in row[legal].tolist()}
        for source, (row, legal) in enumerate(zip(neighbour, moves, strict=True))
    ]
    yield "has two slots to one neighbour", np.array([len(e) for e in edges]) < moves.sum(axis=1)
    known = set().union(*edges)
    back = np.array([[(target, k) in known for target in row.tolist()] for k, row in enumerate(neighbour)])
    yield "has a step that does not lead back", moves & ~back.reshape(moves.shape)


def _geometry(world: World, tables: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    yield "has positions that are not numbers", ~np.isfinite(tables["position"]).all(axis=1)
    mask = tables["mask"].copy()
    mask[:, World.STOP] = False
    step = tables["position"][tables["neighbour"]] - tables["position"][:, None, :]
    heading = heading_of(step[..., 0], step[..., 1])
    elevation = np.arctan2(step[..., 2], np.hypot(step[..., 0], step[..., 1]))
    yield (
        "has a distance that is not that of the positions",
        mask & _off(tables["distance"], np.sqrt((step**2).sum(axis=-1))),
    )
    around = np.abs(tables["heading"] - heading) % TURN
    yield (
        "has a heading that does not point to the neighbour",
        mask & (np.minimum(around, TURN - around) > _TOLERANCE),
    )
    yield "has an elevation that does not point to the neighbour", mask & _off(tables["elevation"], elevation)
    nearest = nearest_view(tables["heading"], tables["elevation"])
    yield "is not seen in the nearest view", mask & (tables["view"] != nearest)


def _off(one: np.ndarray, other: np.ndarray) -> Bool[np.ndarray, "..."]:
    return ~(np.abs(one - other) <= _TOLERANCE)  # not a number is off, too


def _refuse(world: World, problem: str, wrong: np.ndarray) -> None:
    if not wrong.any():
        return
    place = [int(k) for k in np.argwhere(wrong)[0]]
    name = f"viewpoint {world.viewpoint_ids[place[0]]!r} (number {place[0]})"
    slot = f" in slot {place[1]}" if len(place) > 1 else ""
    raise UsageError(f"{name} {problem}{slot}; build worlds with build_world() or mend that table")


def _as_numpy(table: object) -> np.ndarray:
    return table if isinstance(table, np.ndarray) else table.cpu().numpy()  # type: ignore[attr-defined]
