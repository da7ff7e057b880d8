"""Boxes in views -> where each object stands in its building.

The middle of a box gives a ray from the viewpoint. An object seen from two viewpoints or more is put where
its rays come nearest to each other (least squares). One that is seen from a single viewpoint, or whose rays
run nearly side by side or miss each other, is put on its ray at the median distance of the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from fastnav.data.features.views import off_centre, ray
from fastnav.data.objects import ViewpointObjects

#: Metres by which the rays may miss the place, in the mean.
LARGEST_MISS = 0.5
#: Boxes are drawn on objects within 3 m or so; what would be farther than this is a mistake.
LARGEST_DISTANCE = 6.0
#: Of the mean matrix that projects onto the planes across the rays; 0.005 = rays some 8 degrees apart.
LEAST_SPREAD = 0.005
#: Where no object of a data directory could be triangulated.
USUAL_DISTANCE = 1.7


@dataclass(frozen=True, eq=False)
class Rays:
    """One ray for each object and viewpoint that it was annotated at, sorted by object."""

    thing: Int[np.ndarray, " ray"]  # index of the object
    viewpoint: Int[np.ndarray, " ray"]
    direction: Float[np.ndarray, "ray 3"]
    names: tuple[str, ...]  # of the objects


@dataclass(frozen=True, eq=False)
class Placed:
    """Where the objects stand."""

    position: Float[np.ndarray, "thing 3"]  # metres
    triangulated: Bool[np.ndarray, " thing"]
    miss: Float[np.ndarray, " thing"]  # metres between the place and its rays, in the mean
    usual: float  # the distance at which the others were put


def collect_rays(found: list[ViewpointObjects], rows: Mapping[tuple[str, str], int]) -> Rays:
    """The rays of all objects at the viewpoints of `rows`, each from the view that shows it best."""
    things: dict[tuple[str, str], int] = {}
    names: list[str] = []
    sightings: list[tuple[int, int, int, float, float]] = []
    for place in found:
        row = rows.get((place.scan, place.viewpoint_id))
        for seen in place.objects if row is not None else ():
            if not seen.sightings:
                continue
            thing = things.setdefault((place.scan, seen.object_id), len(things))
            names += [seen.name] * (len(things) - len(names))
            for sighting in seen.sightings:
                x, y, width, height = sighting.box
                sightings.append((thing, row or 0, sighting.view, x + width / 2, y + height / 2))
    table = np.array(sightings, dtype=np.float64).reshape(-1, 5)
    return _best(table, tuple(names))


def _best(table: Float[np.ndarray, "sighting 5"], names: tuple[str, ...]) -> Rays:
    """One sighting a viewpoint: a box that a view's edge cuts has its middle in the wrong place."""
    thing, viewpoint, view = (table[:, k].astype(np.int64) for k in range(3))
    direction = ray(view, table[:, 3:])
    across, upward = off_centre(direction)
    here = np.arange(len(table))
    outward = np.maximum(across[here, view], upward[here, view])
    order = np.lexsort((view, outward, viewpoint, thing))  # the last key counts most
    pair = np.stack([thing, viewpoint], axis=1)[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (pair[1:] != pair[:-1]).any(axis=1)
    kept = order[first]
    return Rays(thing[kept], viewpoint[kept], direction[kept], names)


def place_objects(rays: Rays, viewpoints: Float[np.ndarray, "viewpoint 3"]) -> Placed:
    """Where the objects stand, given where the viewpoints do."""
    things = len(rays.names)
    origin = viewpoints[rays.viewpoint]
    across = np.eye(3) - rays.direction[:, :, None] * rays.direction[:, None, :]
    count = np.maximum(np.bincount(rays.thing, minlength=things), 1)
    matrix, vector = np.zeros((things, 3, 3)), np.zeros((things, 3))
    np.add.at(matrix, rays.thing, across)
    np.add.at(vector, rays.thing, np.einsum("rab,rb->ra", across, origin))
    matrix, vector = matrix / count[:, None, None], vector / count[:, None]
    spread = np.linalg.eigvalsh(matrix)[:, 0] > LEAST_SPREAD
    matrix[~spread] = np.eye(3)
    position = np.linalg.solve(matrix, vector[..., None])[..., 0]
    step = position[rays.thing] - origin
    along = (step * rays.direction).sum(1)
    apart = np.linalg.norm(step - along[:, None] * rays.direction, axis=1)
    miss = np.bincount(rays.thing, apart, minlength=things) / count
    wrong = np.bincount(rays.thing, (along <= 0) | (along > LARGEST_DISTANCE), minlength=things) > 0
    good = spread & ~wrong & (miss <= LARGEST_MISS)
    usual = float(np.median(along[good[rays.thing]])) if good.any() else USUAL_DISTANCE
    _put_on_rays(position, rays, origin, good, usual)
    return Placed(position, good, miss, usual)


def _put_on_rays(
    position: Float[np.ndarray, "thing 3"],
    rays: Rays,
    origin: Float[np.ndarray, "ray 3"],
    good: Bool[np.ndarray, " thing"],
    usual: float,
) -> None:
    """Put the other objects at the usual distance, in the mean over their rays."""
    count = np.maximum(np.bincount(rays.thing, minlength=len(position)), 1)
    total = np.zeros_like(position)
    np.add.at(total, rays.thing, origin + usual * rays.direction)
    position[~good] = (total / count[:, None])[~good]
