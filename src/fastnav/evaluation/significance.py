"""How sure a figure is: bootstrap intervals and paired tests over whole clusters.

Three instructions share a path and hundreds share a building, so episodes are not independent. Resampling
whole clusters (all the episodes of a path, or of a building) keeps what they share together.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

RESAMPLES = 10_000
LEVEL = 0.95
#: Up to this many clusters every assignment of signs is tried, so that the p-value is exact.
_EXACT_CLUSTERS = 13
#: Resamples are drawn in blocks of about this many cluster draws, to bound the memory.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Interval:
    """A mean and its confidence interval; the limits are NaN where there are fewer than two clusters."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """One system minus another on the same episodes, and how likely so large a difference is by chance."""

    mean: float
    low: float
    high: float
    p_value: float


def intervals(
    values: Float[np.ndarray, "episode metric"],
    cluster: Int[np.ndarray, " episode"],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> list[Interval]:
    """The mean of each metric, with the percentile interval over resampled clusters."""
    sums, counts = _per_cluster(values, cluster)
    means = values.mean(axis=0)
    if len(counts) < 2:
        return [Interval(float(mean), math.nan, math.nan) for mean in means]
    low, high = _limits(_resampled_means(sums, counts, resamples, seed), level)
    return [Interval(float(m), float(a), float(b)) for m, a, b in zip(means, low, high, strict=True)]


def differences(
    values: Float[np.ndarray, "episode metric"],
    baseline: Float[np.ndarray, "episode metric"],
    cluster: Int[np.ndarray, " episode"],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> list[Difference]:
    """Each metric's paired difference, with its interval and the p-value of a sign-flip permutation test."""
    delta = values - baseline
    means = intervals(delta, cluster, resamples=resamples, level=level, seed=seed)
    p_values = _sign_flip(_per_cluster(delta, cluster)[0], resamples, seed)
    return [Difference(i.mean, i.low, i.high, float(p)) for i, p in zip(means, p_values, strict=True)]


def _per_cluster(
    values: Float[np.ndarray, "episode metric"], cluster: Int[np.ndarray, " episode"]
) -> tuple[Float[np.ndarray, "cluster metric"], Int[np.ndarray, " cluster"]]:
    names, number = np.unique(cluster, return_inverse=True)
    sums = np.zeros((len(names), values.shape[1]))
    np.add.at(sums, number, values)
    return sums, np.bincount(number)


def _resampled_means(
    sums: Float[np.ndarray, "cluster metric"], counts: Int[np.ndarray, " cluster"], resamples: int, seed: int
) -> Float[np.ndarray, "resample metric"]:
    """The mean over as many clusters as there are, drawn with replacement, `resamples` times."""
    rng = np.random.default_rng(seed)
    clusters = len(counts)
    means = []
    for block in _blocks(resamples, clusters):
        drawn = rng.integers(clusters, size=(block, clusters))
        drawn += np.arange(block)[:, None] * clusters
        times = np.bincount(drawn.ravel(), minlength=block * clusters).reshape(block, clusters).astype(float)
        means.append(times @ sums / (times @ counts)[:, None])
    return np.concatenate(means)


def _limits(means: Float[np.ndarray, "resample metric"], level: float) -> Float[np.ndarray, "2 metric"]:
    tail = (1 - level) / 2
    return np.quantile(means, [tail, 1 - tail], axis=0)


def _sign_flip(
    sums: Float[np.ndarray, "cluster metric"], resamples: int, seed: int
) -> Float[np.ndarray, " metric"]:
    """If neither system were better, each cluster's difference could as well have had the other sign."""
    clusters = len(sums)
    # Sums of the same numbers in another order differ in their last digits; they must count as equal.
    observed = np.abs(sums.sum(axis=0)) * (1 - 1e-9)
    if clusters <= _EXACT_CLUSTERS:
        bits = np.arange(2**clusters)[:, None] >> np.arange(clusters)
        return (np.abs((1.0 - 2.0 * (bits & 1)) @ sums) >= observed).mean(axis=0)
    rng = np.random.default_rng(seed)
    reached = np.zeros(sums.shape[1])
    for block in _blocks(resamples, clusters):
        signs = 1.0 - 2.0 * rng.integers(2, size=(block, clusters), dtype=np.int8)
        reached += (np.abs(signs @ sums) >= observed).sum(axis=0)
    return (reached + 1) / (resamples + 1)


def _blocks(resamples: int, clusters: int) -> list[int]:
    """`resamples` cut into blocks that fit in memory."""
    size = max(1, min(resamples, _BLOCK // clusters))
    whole, rest = divmod(resamples, size)
    return [size] * whole + ([rest] if rest else [])
