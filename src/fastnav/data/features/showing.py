"""Visible objects -> the views they lie in, and how much each of them counts there."""

import numpy as np
from jaxtyping import Float, Float16, Int, Int32

from fastnav.data.features.stores import NOTHING
from fastnav.data.features.views import VIEWS, off_centre

#: Objects that a view has room for: those that count most.
SHOWN = 8
#: How many objects there are and how near the nearest is: log(1 + n) and 1 / (1 + metres).
SCALARS = 2


def show(
    viewpoint: Int[np.ndarray, " pair"],
    step: Float[np.ndarray, "pair 3"],
    code: Int[np.ndarray, " pair"],
    viewpoints: int,
) -> tuple[
    Int32[np.ndarray, "viewpoint view part"],
    Float16[np.ndarray, "viewpoint view part"],
    Float16[np.ndarray, "viewpoint view scalar"],
]:
    """The index, weight and scalars of each view, given each object's place as seen from its viewpoint.

    An object counts 1 / (1 + metres / 2), times a factor that falls from 1 in the middle of the view to 1/4
    at its left and right edges, as the same object lies in two or three views side by side.
    """
    distance = np.linalg.norm(step, axis=1)
    across, upward = off_centre(step)
    pair, view = np.nonzero((across <= 1) & (upward <= 1))
    weight = 0.25 ** (across[pair, view] ** 2) / (1 + distance[pair] / 2)
    cell = viewpoint[pair] * VIEWS + view
    order = np.lexsort((code[pair], -weight, cell))
    cell, weight, pair = cell[order], weight[order], pair[order]
    start = np.searchsorted(cell, cell)
    rank = np.arange(len(cell)) - start
    index = np.full((viewpoints * VIEWS, SHOWN), NOTHING, dtype=np.int32)
    weights = np.zeros((viewpoints * VIEWS, SHOWN), dtype=np.float16)
    kept = rank < SHOWN
    index[cell[kept], rank[kept]] = code[pair[kept]]
    weights[cell[kept], rank[kept]] = weight[kept]
    scalars = _scalars(cell, distance[pair], viewpoints * VIEWS)
    shape = (viewpoints, VIEWS, -1)
    return index.reshape(shape), weights.reshape(shape), scalars.reshape(shape)


def _scalars(
    cell: Int[np.ndarray, " shown"], distance: Float[np.ndarray, " shown"], cells: int
) -> Float16[np.ndarray, "cell scalar"]:
    nearest = np.full(cells, np.inf)
    np.minimum.at(nearest, cell, distance)
    count = np.bincount(cell, minlength=cells)
    return np.stack([np.log1p(count), 1 / (1 + nearest)], axis=1).astype(np.float16)
