"""Reading and scoring result files for `evaluate` and `compare`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fastnav.cli.console import warn
from fastnav.cli.options import checked
from fastnav.data.sources import State, is_procedural, published_state
from fastnav.data.splits import SPLITS, Split, split_path
from fastnav.errors import UsageError
from fastnav.evaluation.results import Result, load_split_for, read_result, refuse_split
from fastnav.evaluation.scoring import Scorer, Scores
from fastnav.world.of_split import load_world_of


@dataclass(frozen=True)
class Scored:
    """One result file and its scores."""

    result: Result
    scores: Scores


def score_files(paths: Sequence[Path], data: Path, split_name: str | None) -> tuple[Split, list[Scored]]:
    """Score result files on one split: the one named, or else the one that the records name."""
    if split_name is not None:
        checked("split", split_name, SPLITS)
    results = [read_result(path) for path in paths]
    _refuse_other_splits(results, split_name)
    split = load_split_for(results[0], data, split_name)
    warn_if_edited(data, split)
    scorer = Scorer(load_world_of(data, split), split)
    scored = [Scored(r, scorer.score(r.trajectories, str(r.path))) for r in results]
    for each in scored:
        _warn_about(each, split)
    return split, scored


def _refuse_other_splits(results: Sequence[Result], chosen: str | None) -> None:
    wanted = chosen or results[0].split
    for result in results:
        if result.split is None and chosen is None:
            raise UsageError(f"{result.path}: the file does not say its split; name it with --split")
        if result.split not in (None, wanted):
            refuse_split(result, str(wanted))


def warn_if_edited(data: Path, split: Split) -> None:
    """A figure on an edited copy of the benchmark looks just like one on the real one, so say it."""
    state = None if is_procedural(data) else published_state(data, split_path(data, split.name))
    if state is not None and state.state is State.EDITED:
        warn(f"{state.path} is not the published file, so these figures cannot be set beside published ones")


def _warn_about(each: Scored, split: Split) -> None:
    scores, path = each.scores, each.result.path
    if scores.jumps:
        warn(
            f"{path}: {len(scores.jumps)} episodes go from one place to another that is not next to it "
            f"(first: {scores.jumps[0]}). Their length is that of the shortest way between; "
            "the leaderboard would refuse them"
        )
    if scores.extra:
        warn(f"{path}: {scores.extra} episodes are left out, as {split.name} does not score them")


def cluster_of(scores: Scores, cluster: str) -> np.ndarray:
    """The cluster number of each episode."""
    return scores.building if cluster == "building" else scores.path
