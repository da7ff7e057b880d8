"""Local scores: how promising a partial path is, from the agent's own numbers.

Each is a sum or mean, of logits or log-probabilities, over the actions of the path; as it is, or times or
over the agent's estimate of progress where the last action was chosen. The rows of the paper's Table 3 are
among these twelve (a log-probability times progress prefers paths that get nowhere; it is for completeness).

The estimate of progress is trained towards -1 .. 1, and its sign would turn a product round; the paper speaks
of a value normalised to 0 .. 1. It is taken as (progress + 1) / 2: half at the start, one at the goal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.errors import UnknownName, UsageError
from fastnav.search.tree import SearchTree

Total = Literal["sum", "mean"]
Evidence = Literal["logit", "logp"]
Progress = Literal["ignored", "times", "over"]

#: What progress is never below when it divides: an agent that says "nowhere" must not make scores infinite.
_LEAST_PROGRESS = 1e-6


@dataclass(frozen=True)
class LocalScore:
    """A score of each node by the path that leads to it."""

    total: Total
    evidence: Evidence
    progress: Progress = "ignored"

    @property
    def name(self) -> str:
        """What `score_named` knows it by."""
        suffix = "" if self.progress == "ignored" else f"-{self.progress}-progress"
        return f"{self.total}-{self.evidence}{suffix}"

    def __call__(self, tree: SearchTree) -> Float[Tensor, "batch node"]:
        """The score of every node."""
        score = tree.sum_logit if self.evidence == "logit" else tree.sum_logp
        if self.total == "mean":
            score = score / tree.depth.clamp(min=1)
        if self.progress == "ignored":
            return score
        done = normalised_progress(tree, f"the score {self.name}")
        return score * done if self.progress == "times" else score / done.clamp(min=_LEAST_PROGRESS)


@dataclass(frozen=True)
class GreedyFirst:
    """The released code's order of candidates: where the agent would have stopped, then by score."""

    otherwise: LocalScore

    def __call__(self, tree: SearchTree) -> Float[Tensor, "batch node"]:
        """Infinite for the best local action, the score for the others."""
        return self.otherwise(tree).masked_fill(tree.is_greedy, torch.inf)


def normalised_progress(tree: SearchTree, needed_by: str) -> Float[Tensor, "batch node"]:
    """Progress where each node's action was chosen, from 0 to 1; an error where the agent gives none."""
    before = tree.progress_before
    if bool((before.isnan() & (tree.parent != SearchTree.NO_NODE)).any()):
        raise UsageError(
            f"{needed_by} needs an estimate of progress, and this agent gives none; "
            "choose one without it, or an agent with a progress monitor"
        )
    return ((before + 1) / 2).clamp(0, 1)


#: Every local score by its name.
LOCAL_SCORES = {
    score.name: score
    for score in (
        LocalScore(total, evidence, progress)
        for evidence in ("logit", "logp")
        for total in ("sum", "mean")
        for progress in ("ignored", "times", "over")
    )
}


def score_named(name: str, *, others: Sequence[str] = ()) -> LocalScore:
    """A local score by its name, such as "mean-logp"; `others` are names that the caller knows besides."""
    if name not in LOCAL_SCORES:
        raise UnknownName("score", name, (*LOCAL_SCORES, *others))
    return LOCAL_SCORES[name]
