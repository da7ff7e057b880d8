"""Several seeds as one result."""

import numpy as np
import pytest

from fastnav.studies.reproduce.seeds import paired, summaries

CLUSTER = np.array([0, 0, 1, 1])


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def test_mean_and_spread_are_over_seeds_and_the_interval_over_paths() -> None:
    (summary,) = summaries([column(0, 0, 1, 1), column(1, 0, 1, 1)], CLUSTER)
    assert summary.per_seed == (0.5, 0.75)
    assert summary.interval.mean == 0.625
    assert summary.spread == pytest.approx(0.25 / 2**0.5)
    # Of each episode's mean over seeds, the first path has 0.25 on average and the second 1.
    assert (summary.interval.low, summary.interval.high) == (0.25, 1.0)
    assert summary.to_json()["seeds"] == [0.5, 0.75]
    assert summary.shown("SR") == "62.5 ±17.7 [25.0, 100.0]"


def test_a_single_seed_has_no_spread() -> None:
    (summary,) = summaries([column(0, 0, 1, 1)], CLUSTER)
    assert summary.to_json() == {"mean": 0.5, "low": 0.0, "high": 1.0, "spread": None, "seeds": [0.5]}
    assert summary.shown("TL") == "0.50 [0.00, 1.00]"


def test_differences_are_paired_over_seeds() -> None:
    (gain,) = paired([column(1, 1, 1, 1), column(1, 0, 1, 1)], [column(0, 0, 1, 1)] * 2, CLUSTER)
    assert gain.mean == pytest.approx(0.375)
    assert gain.p_value == 1.0  # one path gains, the other does not: either sign is as likely
