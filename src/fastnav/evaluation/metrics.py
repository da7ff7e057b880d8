"""The metrics of Room-to-Room, one pure function each, batched over episodes.

Axes: `episode`; `step`, the places of a walk, padded by repeating its last place (which changes neither its
length nor its nearest place); `node`, the places of the annotated path, padded likewise. Distances are
geodesic metres. A rate is a fraction, or 0 and 1.
"""

import numpy as np
from jaxtyping import Bool, Float, Int

#: A walk succeeds when it ends closer to the goal than this many metres (3.0 itself fails).
SUCCESS_RADIUS = 3.0

Values = Float[np.ndarray, " episode"]


def trajectory_length(moves: Float[np.ndarray, "episode move"]) -> Values:
    """TL: metres walked, from the distance between each place and the next."""
    return _total(moves)


def navigation_error(to_goal: Float[np.ndarray, "episode step"]) -> Values:
    """NE: metres from the last place to the goal."""
    return to_goal[:, -1]


def success(to_goal: Float[np.ndarray, "episode step"]) -> Values:
    """SR: whether the walk ends within the success radius."""
    return (to_goal[:, -1] < SUCCESS_RADIUS).astype(float)


def oracle_success(to_goal: Float[np.ndarray, "episode step"]) -> Values:
    """OSR: whether any place of the walk lies within the success radius."""
    return (to_goal.min(axis=1) < SUCCESS_RADIUS).astype(float)


def success_by_path_length(succeeded: Values, shortest: Values, walked: Values) -> Values:
    """SPL: success, times the shortest distance over the metres walked where they are more."""
    longer = np.maximum(shortest, walked)
    return succeeded * np.divide(shortest, longer, out=np.ones_like(longer), where=longer > 0)


def normalised_dtw(
    between: Float[np.ndarray, "episode step node"],
    steps: Int[np.ndarray, " episode"],
    nodes: Int[np.ndarray, " episode"],
) -> Values:
    """nDTW: exp(-DTW / (nodes x radius)), DTW the cost of the cheapest warping of the walk onto the path.

    `between` holds the distance from each place of the walk to each of the path's; `steps` and `nodes` are
    the true numbers of places, beyond which `between` is padding.
    """
    episodes, width = between.shape[0], between.shape[2]
    unreachable = np.full(episodes, np.inf)
    cost = unreachable
    above = np.full((episodes, width), np.inf)
    for step in range(between.shape[1]):
        row = np.empty_like(above)
        # Both sequences begin together: only the very first cell has nothing before it.
        diagonal = unreachable if step else np.zeros(episodes)
        left = unreachable
        for node in range(width):
            left = between[:, step, node] + np.minimum(np.minimum(above[:, node], left), diagonal)
            row[:, node] = left
            diagonal = above[:, node]
        above = row
        cost = np.where(step == steps - 1, row[np.arange(episodes), nodes - 1], cost)
    return np.exp(-cost / (nodes * SUCCESS_RADIUS))


def success_weighted_dtw(succeeded: Values, ndtw: Values) -> Values:
    """SDTW: nDTW where the walk succeeds, else 0."""
    return succeeded * ndtw


def coverage_by_length(
    between: Float[np.ndarray, "episode step node"],
    real_node: Bool[np.ndarray, "episode node"],
    path_length: Values,
    walked: Values,
) -> Values:
    """CLS: how well the walk covers the path, times how well its length fits that coverage."""
    nearest = between.min(axis=1)  # [episode, node]
    covered = np.where(real_node, np.exp(-nearest / SUCCESS_RADIUS), 0.0)
    coverage = _total(covered) / real_node.sum(axis=1)
    expected = coverage * path_length
    # A walk that stays where it should stay has the right length, zero.
    scale = expected + np.abs(expected - walked)
    fit = np.divide(expected, scale, out=np.ones_like(scale), where=scale > 0)
    return coverage * fit


def _total(parts: Float[np.ndarray, "episode part"]) -> Values:
    """Sums taken part by part, so that padding with zeros does not change even their last digits."""
    total = np.zeros(len(parts))
    for part in parts.T:
        total = total + part
    return total
