"""Which objects can be seen from where, beyond the few metres within which they were annotated.

A viewpoint is taken to see an object that
- lies within `RADIUS`, and within `BAND` of the eye's height, so on the same floor; and
- was annotated at the viewpoint itself, or at one to which the way on foot is at most `DETOUR` times the
  straight line: where one can walk straight to a place, no wall stands between.
"""

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from fastnav.data.connectivity import ScanGraph

#: Metres.
RADIUS = 8.0
BAND = 2.0
DETOUR = 1.1


def straight_ways(graph: ScanGraph) -> Bool[np.ndarray, "viewpoint viewpoint"]:
    """From where one can walk (nearly) straight to where; every place to itself."""
    count = len(graph.viewpoint_ids)
    source, target = graph.edges.T
    length = np.linalg.norm(graph.position[source] - graph.position[target], axis=1)
    # No object is seen through a viewpoint that lies farther off than this.
    limit = DETOUR * 2 * RADIUS
    walked = dijkstra(csr_matrix((length, (source, target)), shape=(count, count)), limit=limit)
    straight = np.linalg.norm(graph.position[:, None] - graph.position[None], axis=2)
    return walked <= DETOUR * straight + 1e-9


def visible_pairs(
    graph: ScanGraph,
    position: Float[np.ndarray, "thing 3"],
    annotated: Bool[np.ndarray, "viewpoint thing"],
) -> tuple[Int[np.ndarray, " pair"], Int[np.ndarray, " pair"]]:
    """The viewpoints and objects of one building that see and are seen."""
    step = position[None] - graph.position[:, None]
    near = (np.linalg.norm(step, axis=2) <= RADIUS) & (np.abs(step[..., 2]) <= BAND)
    # As numbers, for booleans have no fast product.
    open_way = straight_ways(graph).astype(np.float32) @ annotated.astype(np.float32) > 0
    viewpoint, thing = np.nonzero(annotated | (near & open_way))
    return viewpoint, thing
