"""Intervals and paired tests: slow loops, closed forms, and simulations of what they promise."""

import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, kstest

from fastnav.evaluation import significance
from fastnav.evaluation.significance import Interval, differences, intervals
from tests.evaluation import slow


def column(values: object) -> np.ndarray:
    """One metric of many episodes."""
    return np.asarray(values, dtype=float)[:, None]


def paired(values: np.ndarray, cluster: np.ndarray, **options: int) -> significance.Difference:
    """The difference of one metric from a baseline of zeros."""
    return differences(column(values), column(np.zeros(len(values))), cluster, **options)[0]


def test_the_interval_equals_a_slow_loop_over_the_same_draws() -> None:
    rng = np.random.default_rng(5)
    cluster = np.array([7, 3, 3, 9, 7, 7, 1, 9, 3, 12])
    values = rng.normal(size=(10, 2))
    draws = np.random.default_rng(11).integers(5, size=(400, 5)).tolist()
    for metric, found in enumerate(intervals(values, cluster, resamples=400, level=0.9, seed=11)):
        means = slow.resampled_means(values[:, metric].tolist(), cluster.tolist(), draws)
        assert found.mean == pytest.approx(values[:, metric].mean(), rel=1e-12)
        assert found.low == pytest.approx(slow.quantile(means, 0.05), rel=1e-12)
        assert found.high == pytest.approx(slow.quantile(means, 0.95), rel=1e-12)


def test_with_one_episode_a_cluster_the_interval_is_scipy_s() -> None:
    values = np.random.default_rng(2).exponential(size=80)
    found = intervals(column(values), np.arange(80))[0]
    theirs = bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(3)
    ).confidence_interval
    error = values.std() / math.sqrt(80)
    assert found.low == pytest.approx(theirs.low, abs=0.1 * error)
    assert found.high == pytest.approx(theirs.high, abs=0.1 * error)


def test_the_level_widens_the_interval() -> None:
    values = np.random.default_rng(4).normal(size=50)
    narrow, wide = (intervals(column(values), np.arange(50), level=level)[0] for level in (0.5, 0.99))
    error = values.std() / math.sqrt(50)
    assert (narrow.high - narrow.low) / error == pytest.approx(2 * 0.674, rel=0.1)
    assert (wide.high - wide.low) / error == pytest.approx(2 * 2.576, rel=0.1)


def simulated(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """30 clusters of 3 episodes that share most of what moves them; the true mean is 1."""
    shared = np.repeat(rng.normal(size=30), 3)
    return 1 + shared + 0.3 * rng.normal(size=90), np.repeat(np.arange(30), 3)


def test_intervals_cover_the_truth_as_often_as_they_say_and_only_by_whole_clusters() -> None:
    rng = np.random.default_rng(0)
    covered = np.zeros(2)
    for _ in range(300):
        values, cluster = simulated(rng)
        for k, groups in enumerate((cluster, np.arange(90))):
            found = intervals(column(values), groups, resamples=400)[0]
            covered[k] += found.low <= 1 <= found.high
    by_cluster, as_if_independent = covered / 300
    assert 0.89 <= by_cluster <= 0.98
    assert as_if_independent < 0.85


def test_repeating_every_episode_of_a_cluster_tells_nothing_new() -> None:
    values = np.random.default_rng(6).normal(size=40)
    cluster = np.arange(40)
    once = intervals(column(values), cluster)[0]
    twice = intervals(column(np.tile(values, 2)), np.tile(cluster, 2))[0]
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high), rel=1e-12)
    naive = intervals(column(np.tile(values, 2)), np.arange(80))[0]
    assert naive.high - naive.low < 0.8 * (once.high - once.low)


@pytest.mark.parametrize("cluster", [[5, 5, 5], [5]])
def test_the_limits_of_a_single_cluster_cannot_be_told(cluster: list[int]) -> None:
    values = np.arange(len(cluster), dtype=float)
    found = intervals(column(values), np.array(cluster))[0]
    assert found.mean == values.mean()
    assert math.isnan(found.low) and math.isnan(found.high)
    assert paired(values + 1, np.array(cluster)).p_value == 1


def test_a_constant_has_an_interval_of_no_width() -> None:
    assert intervals(column([2.0] * 9), np.arange(9) // 2)[0] == Interval(2.0, 2.0, 2.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-5, 5)), min_size=1, max_size=20))
def test_the_exact_p_value_equals_brute_force(episodes: list[tuple[int, int]]) -> None:
    cluster, values = (np.array(part) for part in zip(*episodes, strict=True))
    sums = [float(values[cluster == name].sum()) for name in sorted(set(cluster.tolist()))]
    assert paired(values, cluster, resamples=2).p_value == slow.sign_flip_p(sums)


def test_drawn_signs_agree_with_all_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(8).normal(0.4, 1, size=12)
    exact = paired(values, np.arange(12)).p_value
    monkeypatch.setattr(significance, "_EXACT_CLUSTERS", 0)
    drawn = paired(values, np.arange(12)).p_value
    assert 0.02 < exact < 0.98
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 10_000))


def test_p_values_are_uniform_where_nothing_differs() -> None:
    rng = np.random.default_rng(1)
    null = [
        paired(np.repeat(rng.normal(size=20), 3), np.repeat(np.arange(20), 3), resamples=300).p_value
        for _ in range(300)
    ]
    assert kstest(null, "uniform").pvalue > 0.01


def test_correlated_episodes_taken_as_independent_would_cry_wolf() -> None:
    rng = np.random.default_rng(1)
    seen = {"cluster": 0, "episode": 0}
    for _ in range(200):
        values = np.repeat(rng.normal(size=20), 6)
        seen["cluster"] += paired(values, np.repeat(np.arange(20), 6), resamples=200).p_value < 0.05
        seen["episode"] += paired(values, np.arange(120), resamples=200).p_value < 0.05
    assert seen["cluster"] < 20 < 60 < seen["episode"]


def test_a_large_effect_has_the_smallest_p_value_there_is() -> None:
    values = np.random.default_rng(9).normal(3, 1, size=60)
    found = paired(values, np.arange(60), resamples=999)
    assert found.p_value == 1 / 1000
    assert 0 < found.low < found.mean < found.high
    assert paired(values[:10], np.arange(10)).p_value == 2 / 2**10  # all signs as they are, or all flipped


@pytest.mark.parametrize("clusters", [5, 40])
def test_identical_systems_do_not_differ(clusters: int) -> None:
    values = np.random.default_rng(3).normal(size=(80, 3))
    for found in differences(values, values.copy(), np.arange(80) % clusters, resamples=200):
        assert (found.mean, found.low, found.high, found.p_value) == (0, 0, 0, 1)


def test_swapping_the_systems_turns_the_difference_round() -> None:
    rng = np.random.default_rng(12)
    one, other = rng.normal(size=(2, 60, 1))
    cluster = np.arange(60) // 3
    there, back = differences(one, other, cluster)[0], differences(other, one, cluster)[0]
    assert (back.mean, back.low, back.high) == pytest.approx((-there.mean, -there.high, -there.low))
    assert back.p_value == there.p_value


def test_pairing_removes_what_both_systems_share() -> None:
    rng = np.random.default_rng(13)
    hardness = rng.normal(0, 10, size=60)
    one = column(hardness + rng.normal(0.5, 0.3, size=60))
    found = differences(one, column(hardness), np.arange(60))[0]
    assert found.p_value < 0.01
    alone = intervals(one, np.arange(60))[0]
    assert found.high - found.low < 0.2 * (alone.high - alone.low)


@pytest.mark.parametrize("clusters", [8, 30])
def test_the_order_of_episodes_does_not_matter(clusters: int) -> None:
    rng = np.random.default_rng(14)
    values, cluster = rng.normal(0.2, 1, size=90), np.arange(90) % clusters * 10
    order = rng.permutation(90)
    plain, shuffled = paired(values, cluster), paired(values[order], cluster[order])
    assert shuffled.p_value == plain.p_value
    assert (shuffled.mean, shuffled.low, shuffled.high) == pytest.approx(
        (plain.mean, plain.low, plain.high), rel=1e-9
    )


def test_the_seed_decides_everything() -> None:
    values, cluster = np.random.default_rng(15).normal(0.1, 1, size=60), np.arange(60) // 2
    one = paired(values, cluster, resamples=500, seed=1)
    assert paired(values, cluster, resamples=500, seed=1) == one
    other = paired(values, cluster, resamples=500, seed=2)
    assert (other.low, other.p_value) != (one.low, one.p_value)


@pytest.mark.parametrize("size", [1, 700, 10**9])
def test_intervals_do_not_depend_on_the_size_of_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values, cluster = np.random.default_rng(16).normal(size=60), np.arange(60) // 2
    plain = paired(values, cluster, resamples=501)
    monkeypatch.setattr(significance, "_BLOCK", size)
    again = paired(values, cluster, resamples=501)
    assert (again.low, again.high) == pytest.approx((plain.low, plain.high), rel=1e-12)
    assert again.p_value == pytest.approx(plain.p_value, abs=0.12)


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def test_the_size_of_val_unseen_is_far_quicker_than_a_plain_loop() -> None:
    rng = np.random.default_rng(17)
    values, cluster = rng.random((2349, 8)), np.repeat(np.arange(783), 3)
    fast = min(seconds(lambda: intervals(values, cluster)) for _ in range(2))
    draws = rng.integers(783, size=(4, 783)).tolist()
    plain = seconds(lambda: slow.resampled_means(values[:, 0].tolist(), cluster.tolist(), draws))
    assert fast < plain / 4 * 10_000 / 4, "10,000 resamples of 8 metrics took as long as a loop over one"
