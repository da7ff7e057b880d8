"""The benchmark of search runs on any data, trained or not, and refuses to compare different walks."""

from pathlib import Path

import pytest

from fastnav.studies import bench_search as bench
from tests.training.small import write_training_data


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two toy houses, and a sample of few episodes."""
    monkeypatch.setattr(bench, "SAMPLES", (4, 2))
    return write_training_data(tmp_path / "data")


def test_figures(data: Path) -> None:
    """A ratio for each search and plain way; a tree's memory grows no faster than its nodes."""
    arena = bench.arena_of(None, data, "val_unseen", "none")
    told: list[tuple[int, int]] = []
    rows = bench.bench_search(arena, lambda done, total: told.append((done, total)))
    assert [row.speedup is not None for row in rows] == [True, True, False] * 2 + [False] * 4
    assert all(row.fast > 0 for row in rows)
    assert told == [(0, 2), (1, 2)]
    memory = [row.fast for row in rows if row.unit == "bytes"]
    assert 50 < memory[-1] < 1.1 * memory[0]


def test_other_walks_are_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain way that does something else is no baseline."""
    arena = bench.arena_of(None, data, "val_unseen", "none")
    monkeypatch.setattr(bench, "plain_fast", lambda agent, slots, starts, *_, **__: [[] for _ in starts])
    with pytest.raises(AssertionError, match="fast-short and its plain way walk differently in 3 of 3"):
        bench.bench_search(arena)
