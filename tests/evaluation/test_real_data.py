"""The figures of Room-to-Room's own files: whoever finds others scores something else."""

from pathlib import Path

import numpy as np
import pytest

from fastnav.data.splits import Split, load_split
from fastnav.evaluation.scoring import Scorer, Scores
from fastnav.evaluation.significance import intervals
from fastnav.evaluation.submission import check_submission, write_submission
from fastnav.evaluation.trajectories import Trajectory
from fastnav.world.graph import World
from fastnav.world.loading import load_world
from tests.evaluation.cases import trajectory

#: Split -> scored episodes, paths, buildings, mean length of the annotated paths, NE of stopping at once.
FIGURES = {
    "val_seen": (1020, 340, 56, 10.1854, 10.1854),
    "val_unseen": (2349, 783, 11, 9.5046, 9.4797),
}

Loaded = tuple[World, Split, Scorer]


@pytest.fixture(scope="module", params=FIGURES)
def loaded(request: pytest.FixtureRequest, real_data: Path) -> Loaded:
    split = load_split(real_data, request.param)
    world = load_world(real_data, split.scans, cache=False)
    return world, split, Scorer(world, split)


def annotated(split: Split) -> dict[str, Trajectory]:
    return {e.instr_id: trajectory(split.references[e.path_id].path) for e in split.episodes}


def mean(scores: Scores, metric: str) -> float:
    return float(scores.column(metric).mean())


def test_as_many_episodes_are_scored_as_published(loaded: Loaded) -> None:
    _, split, scorer = loaded
    scores = scorer.score(annotated(split), "annotated")
    counts = (len(scores.instr_ids), len(np.unique(scores.path)), len(np.unique(scores.building)))
    assert counts == FIGURES[split.name][:3]
    assert scores.extra == (1 if split.name == "val_seen" else 0)
    assert scores.jumps == ()


def test_stopping_at_once(loaded: Loaded) -> None:
    _, split, scorer = loaded
    scores = scorer.score({e.instr_id: trajectory([e.start]) for e in split.episodes}, "stop")
    assert mean(scores, "NE") == pytest.approx(FIGURES[split.name][4], abs=5e-5)
    for metric in ("TL", "SR", "OSR", "SPL", "SDTW"):
        assert mean(scores, metric) == 0


def test_walking_the_annotated_paths(loaded: Loaded) -> None:
    _, split, scorer = loaded
    scores = scorer.score(annotated(split), "annotated")
    assert mean(scores, "TL") == pytest.approx(FIGURES[split.name][3], abs=5e-5)
    assert mean(scores, "SPL") == pytest.approx(1.0 if split.name == "val_seen" else 0.9984, abs=5e-5)
    for metric in ("SR", "OSR", "nDTW", "SDTW", "CLS"):
        np.testing.assert_allclose(scores.column(metric), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(scores.column("NE"), 0)


def test_intervals_are_wider_by_building_than_by_path(loaded: Loaded) -> None:
    _, split, scorer = loaded
    scores = scorer.score({e.instr_id: trajectory([e.start]) for e in split.episodes}, "stop")
    column = scores.values[:, [1]]
    by_path, by_building = intervals(column, scores.path)[0], intervals(column, scores.building)[0]
    assert by_path.low < by_path.mean < by_path.high
    assert by_building.low < by_path.low and by_path.high < by_building.high


def test_the_leaderboard_s_split_can_be_written_though_it_has_no_goals(
    real_data: Path, tmp_path: Path
) -> None:
    split = load_split(real_data, "test")
    world = load_world(real_data, split.scans, cache=False)
    out = tmp_path / "submission.json"
    walks = {e.instr_id: trajectory([e.start]) for e in split.episodes}
    assert write_submission(out, walks, split, world, source=Path("stop.json")) == 4173
    assert check_submission(out, split, world) == 4173
