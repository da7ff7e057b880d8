"""Features by expression, in the order of a world's viewpoints.

captions+objects              one after another
none                          no features at all: the blind control
shuffled:captions+objects     each viewpoint has those of another one of its building: the control that
                              keeps everything but the place
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float16

from fastnav.data.features.expressions import SHUFFLED, tables_of
from fastnav.data.features.table import FeatureTable, open_table
from fastnav.data.features.views import VIEWS
from fastnav.data.features.workshop import Place
from fastnav.errors import UsageError

#: Changes which viewpoint of its building each one is given by `shuffled:`.
_SHUFFLE_SEED = 1


def load_features(
    data: Path, expression: str, viewpoints: Sequence[Place], *, width: int | None = None
) -> Float16[np.ndarray, "viewpoint view feature"]:
    """The features of the viewpoints, in their order; if `width` is given, they must be so wide.

    `[(world.scans[k], name) for k, name in zip(world.scan, world.viewpoint_ids)]` are a world's viewpoints.
    """
    tables = open_tables(data, expression)
    found = sum(table.width for table in tables)
    if width is not None and found != width:
        raise UsageError(
            f"features {expression!r} in {data} are {found} wide, where {width} are needed; name the "
            "expression, and build the tables with the options, that the weights were trained with"
        )
    places = shuffled(viewpoints) if expression.startswith(SHUFFLED) else list(viewpoints)
    features = np.empty((len(places), VIEWS, found), dtype=np.float16)
    start = 0
    for table in tables:
        features[..., start : start + table.width] = table.dense(places)
        start += table.width
    return features


def open_tables(data: Path, expression: str) -> list[FeatureTable]:
    """The tables that an expression names, in its order; those of `none` are no tables."""
    return [open_table(data, name) for name in tables_of(expression)]


def shuffled(viewpoints: Sequence[Place]) -> list[Place]:
    """For each viewpoint another one of its building (itself only where it is alone there).

    What a building's viewpoints are given depends on that building alone, not on what else is loaded.
    """
    by_scan: dict[str, list[str]] = defaultdict(list)
    for scan, viewpoint in sorted(set(viewpoints)):
        by_scan[scan].append(viewpoint)
    given: dict[Place, Place] = {}
    for scan, names in by_scan.items():
        seed = int.from_bytes(hashlib.sha256(f"{_SHUFFLE_SEED} {scan}".encode()).digest()[:8])
        order = np.random.default_rng(seed).permutation(len(names)).tolist()
        # Each is given the next one's of one random cycle, so that none keeps its own.
        for place, other in zip(order, order[1:] + order[:1], strict=True):
            given[scan, names[place]] = (scan, names[other])
    return [given[place] for place in viewpoints]
