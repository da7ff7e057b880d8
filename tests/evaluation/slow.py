"""The metrics and tests of significance, written straight from their definitions: no numpy, no batch."""

import itertools
import math
from collections.abc import Sequence
from functools import cache

from fastnav.world.graph import World

RADIUS = 3.0

Distances = dict[int, dict[int, float]]


def all_distances(world: World) -> Distances:
    """Metres between all viewpoints (Floyd and Warshall), from positions and the edges alone."""
    places = range(len(world))
    metres = {u: {v: 0.0 if u == v else math.inf for v in places} for u in places}
    for u in places:
        for slot in range(1, world.actions):
            if world.mask[u, slot]:
                v = int(world.neighbour[u, slot])
                metres[u][v] = math.dist(world.position[u].tolist(), world.position[v].tolist())
    for k, u, v in itertools.product(places, places, places):
        metres[u][v] = min(metres[u][v], metres[u][k] + metres[k][v])
    return metres


def all_metrics(metres: Distances, walk: Sequence[int], path: Sequence[int]) -> dict[str, float]:
    """The eight metrics of one walk, against one annotated path."""
    succeeded = 1.0 if metres[walk[-1]][path[-1]] < RADIUS else 0.0
    similar = ndtw(metres, walk, path)
    return {
        "TL": length(metres, walk),
        "NE": metres[walk[-1]][path[-1]],
        "SR": succeeded,
        "OSR": 1.0 if any(metres[place][path[-1]] < RADIUS for place in walk) else 0.0,
        "SPL": succeeded * efficiency(metres[path[0]][path[-1]], length(metres, walk)),
        "nDTW": similar,
        "SDTW": succeeded * similar,
        "CLS": cls(metres, walk, path),
    }


def length(metres: Distances, places: Sequence[int]) -> float:
    """Metres from each place to the next."""
    return sum(metres[u][v] for u, v in itertools.pairwise(places))


def efficiency(shortest: float, walked: float) -> float:
    """The part of the way walked that was needed; all of it where none was."""
    return 1.0 if walked <= shortest else shortest / walked


def ndtw(metres: Distances, walk: Sequence[int], path: Sequence[int]) -> float:
    """exp(-cost / (nodes x 3 m)), with the cheapest of all warpings, counted from its end."""

    @cache
    def cost(step: int, node: int) -> float:
        here = metres[walk[step]][path[node]]
        onward = [
            cost(s, n)
            for s, n in ((step + 1, node), (step, node + 1), (step + 1, node + 1))
            if s < len(walk) and n < len(path)
        ]
        return here + min(onward, default=0.0)

    return math.exp(-cost(0, 0) / (len(path) * RADIUS))


def cls(metres: Distances, walk: Sequence[int], path: Sequence[int]) -> float:
    """Path coverage times length score, as Jain et al. define them."""
    nearest = [min(metres[node][place] for place in walk) for node in path]
    coverage = sum(math.exp(-metre / RADIUS) for metre in nearest) / len(path)
    expected = coverage * length(metres, path)
    off = abs(expected - length(metres, walk))
    return coverage * (1.0 if expected + off == 0 else expected / (expected + off))


def resampled_means(
    values: Sequence[float], cluster: Sequence[int], draws: Sequence[Sequence[int]]
) -> list[float]:
    """The mean of all episodes of the clusters drawn, for each draw; clusters are numbered in order."""
    pairs = list(zip(values, cluster, strict=True))
    members = [[value for value, c in pairs if c == name] for name in sorted(set(cluster))]
    means = []
    for draw in draws:
        drawn = [value for number in draw for value in members[number]]
        means.append(math.fsum(drawn) / len(drawn))
    return means


def quantile(values: Sequence[float], part: float) -> float:
    """The quantile, interpolated between the two values around it."""
    ranked = sorted(values)
    place = part * (len(ranked) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])


def sign_flip_p(sums: Sequence[float]) -> float:
    """The share of all assignments of signs whose total is as far from zero as the one observed."""
    observed = abs(sum(sums))
    totals = [
        abs(sum(sign * value for sign, value in zip(signs, sums, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    return sum(total >= observed for total in totals) / len(totals)
