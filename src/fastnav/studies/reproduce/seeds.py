"""Several seeds of one agent as one result: the mean, its spread over seeds, and its interval over paths.

The interval is that of the episodes' means over seeds, so it says how the figure would move with other paths;
the spread says how it moves with other seeds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from fastnav.evaluation.significance import Difference, Interval, differences, intervals
from fastnav.evaluation.wording import interval_json, shown, shown_interval

Values = Float[np.ndarray, "episode metric"]


@dataclass(frozen=True)
class Summary:
    """One metric of one system over seeds."""

    interval: Interval  # over paths
    per_seed: tuple[float, ...]

    @property
    def spread(self) -> float:
        """The standard deviation over seeds; NaN for a single one."""
        return float(np.std(self.per_seed, ddof=1)) if len(self.per_seed) > 1 else math.nan

    def to_json(self) -> dict[str, Any]:
        """For machines; what cannot be told is null."""
        spread = None if math.isnan(self.spread) else self.spread
        return {**interval_json(self.interval), "spread": spread, "seeds": list(self.per_seed)}

    def shown(self, metric: str) -> str:
        """For people: "47.1 ±0.8 [45.0, 49.1]"."""
        spread = "" if math.isnan(self.spread) else f"±{shown(metric, self.spread)} "
        low, high = self.interval.low, self.interval.high
        return f"{shown(metric, self.interval.mean)} {spread}{shown_interval(metric, low, high)}"


def summaries(per_seed: Sequence[Values], cluster: Int[np.ndarray, " episode"]) -> list[Summary]:
    """Each metric of a system that walked the same episodes once with each seed."""
    means = np.array([values.mean(axis=0) for values in per_seed])
    sure = intervals(np.mean(per_seed, axis=0), cluster)
    return [Summary(interval, tuple(means[:, k].tolist())) for k, interval in enumerate(sure)]


def paired(
    per_seed: Sequence[Values], baseline: Sequence[Values], cluster: Int[np.ndarray, " episode"]
) -> list[Difference]:
    """The difference of two systems, each episode's mean over seeds against the other's."""
    return differences(np.mean(per_seed, axis=0), np.mean(baseline, axis=0), cluster)
