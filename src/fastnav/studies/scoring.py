"""A local score is learnt for an agent, from its own searches in houses whose goals are known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

import fastnav
from fastnav.data.episodes import Episode
from fastnav.errors import UsageError
from fastnav.evaluation.metrics import SUCCESS_RADIUS
from fastnav.search.named import for_walks_of
from fastnav.search.tree import SearchTree
from fastnav.studies.trained import Ground, batches, grown, load_traveller
from fastnav.training.rundir import best_checkpoint
from fastnav.training.score import examined, joined, learnt_score, outcomes, rehearsals
from fastnav.training.scorefile import save_score
from fastnav.world.geodesics import Geodesics


@dataclass(frozen=True)
class ScoreLessons:
    """Whose searches a score is learnt from, and where it goes."""

    run: Path
    data: Path
    split: str
    out: Path
    device: str = "cpu"


def train_score(
    plan: ScoreLessons, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, float]:
    """Learn a score and write it; how well it tells outcomes in houses that it was not learnt from."""
    ground = Ground.of(plan.data, plan.split)
    if not ground.split.references:
        raise UsageError(f"split {plan.split} has no public goals; learn from dev_unseen or val_seen")
    path = best_checkpoint(plan.run)
    traveller = load_traveller(path, ground, plan.device)
    told, goals = [], _Goals(ground)
    strategies = list(rehearsals())
    for number, strategy in enumerate(strategies):
        for _, episodes in batches(ground.split.scored):
            tree = grown(traveller, episodes, for_walks_of(strategy, traveller.longest))
            told.append(outcomes(tree, *goals.of(tree, episodes)))
        progress(number + 1, len(strategies))
    lessons = joined(told)
    figures = examined(lessons)
    facts = {
        "fastnav": fastnav.__version__,
        "agent": traveller.kind,
        "checkpoint": dict(traveller.facts),
        "split": plan.split,
        "outcomes": len(lessons.succeeded),
        "figures": figures,
    }
    save_score(plan.out, learnt_score(lessons), facts)
    return figures


class _Goals:
    """What search may not know."""

    def __init__(self, ground: Ground) -> None:
        self._world, self._split = ground.world, ground.split
        self._geodesics = Geodesics.of(ground.world)

    def of(
        self, tree: SearchTree, episodes: Sequence[Episode]
    ) -> tuple[Bool[Tensor, "batch node"], Int[Tensor, " batch"]]:
        """Which nodes lie near enough to the goal, and the number of each row's building."""
        world, references = self._world, self._split.references
        goal = np.array([world.index(each.scan, references[each.path_id].goal) for each in episodes])
        metres = self._geodesics.distance(tree.viewpoint.numpy(), goal[:, None])
        return torch.as_tensor(metres < SUCCESS_RADIUS), torch.as_tensor(world.scan[goal])
