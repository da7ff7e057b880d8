"""One long search cut to smaller budgets: what each single signal would have chosen, and how far one walks.

Trees only ever grow, so the search with fewer expansions is the beginning of the one with more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from fastnav.evaluation.metrics import SUCCESS_RADIUS, success_by_path_length
from fastnav.evaluation.trace import Trace, TreeRecord
from fastnav.search.named import fast_long
from fastnav.search.walking import Lengths, Walker
from fastnav.studies.trained import Ground
from fastnav.world.geodesics import Geodesics

#: The value of a candidate by one signal of the agent; the best is the goal, the first of those that tie.
Signal = Callable[[TreeRecord, int], float]


def _depth(tree: TreeRecord, node: int) -> int:
    return len(tree.path(node)) - 1


def _progress(tree: TreeRecord, node: int) -> float:
    """The estimate where the candidate's last action was chosen."""
    if tree.progress is None:
        raise ValueError("an agent without an estimate of progress has no such signal")
    return tree.progress[tree.expanded.index(tree.parent[node])]


_PROGRESS = "progress"
SIGNALS: Mapping[str, Signal] = {
    "sum-logit": lambda tree, node: tree.sum_logit[node],
    "mean-logit": lambda tree, node: tree.sum_logit[node] / _depth(tree, node),
    "sum-logp": lambda tree, node: tree.sum_logp[node],
    "mean-logp": lambda tree, node: tree.sum_logp[node] / _depth(tree, node),
    _PROGRESS: _progress,
}


@dataclass(frozen=True, eq=False)
class CutSearches:
    """All scored episodes, in the split's order, at all budgets."""

    signals: tuple[str, ...]  # those of SIGNALS that the agent gives
    seen: Bool[np.ndarray, "episode budget"]  # whether some place visited lies within the success radius
    succeeded: Bool[np.ndarray, "episode budget signal"]
    by_length: Float[np.ndarray, "episode budget signal"]  # SPL
    walked: Float[np.ndarray, "episode budget signal"]  # metres, the return to the goal included

    def figures(self, signal: int) -> Float[np.ndarray, "episode budget 3"]:
        """SR, SPL and TL where that signal chooses the goal."""
        tables = (self.succeeded.astype(float), self.by_length, self.walked)
        return np.stack([table[:, :, signal] for table in tables], axis=2)


@dataclass(frozen=True)
class Cut:
    """One search at one budget."""

    visited: tuple[int, ...]  # the viewpoints of the nodes popped
    ends: tuple[int, ...]  # where each signal's goal is
    metres: tuple[float, ...]  # what is walked with each


def cut_searches(trace: Trace, ground: Ground, budgets: Sequence[int]) -> CutSearches:
    """Cut recorded searches of FAST-long to `budgets`, which rise, and score them."""
    signals = _signals(trace)
    geodesics, lengths = Geodesics.of(ground.world), Lengths(ground.world)
    places = {
        scan: [ground.world.index(scan, name) for name in plan.viewpoints]
        for scan, plan in trace.plans.items()
    }
    seen, reached, walked, shortest = [], [], [], []
    for episode in ground.split.scored:
        search = trace.searches[episode.instr_id]
        there = [places[search.building][viewpoint] for viewpoint in search.tree.viewpoint]
        goal = np.array(ground.world.index(episode.scan, ground.split.references[episode.path_id].goal))
        cuts = list(_cuts(search.tree, there, lengths, budgets, signals))
        seen.append([geodesics.distance(np.array(cut.visited), goal).min() for cut in cuts])
        reached.append(geodesics.distance(np.array([cut.ends for cut in cuts]), goal))
        walked.append([cut.metres for cut in cuts])
        shortest.append(float(geodesics.distance(np.array(there[TreeRecord.ROOT]), goal)))
    succeeded = np.array(reached) < SUCCESS_RADIUS
    by_length = _by_length(succeeded, np.array(shortest), np.array(walked))
    return CutSearches(signals, np.array(seen) < SUCCESS_RADIUS, succeeded, by_length, np.array(walked))


def _signals(trace: Trace) -> tuple[str, ...]:
    """What the agent gives; not all estimate their progress."""
    progress = all(search.tree.progress is not None for search in trace.searches.values())
    return tuple(name for name in SIGNALS if progress or name != _PROGRESS)


def _cuts(
    tree: TreeRecord, place: Sequence[int], lengths: Lengths, budgets: Sequence[int], signals: Sequence[str]
) -> Iterator[Cut]:
    """One search at each budget; `place` is the viewpoint of each node. It is walked once for all of them."""
    walker = Walker(lengths, place[TreeRecord.ROOT], fast_long().walking)
    popped = 0
    for budget in budgets:
        cut = tree.within(budget)
        for node in cut.popped[popped:]:
            walker.follow(walker.leg(place[max(tree.parent[node], TreeRecord.ROOT)], place[node]))
        popped = len(cut.popped)
        goals = [_best(cut, signal) for signal in signals]
        home = {goal: walker.home(place[tree.parent[goal]], place[goal]) for goal in set(goals)}
        yield Cut(
            visited=tuple(place[node] for node in cut.popped),
            ends=tuple(place[goal] for goal in goals),
            metres=tuple(walker.metres + walker.length(home[goal]) for goal in goals),
        )


def _best(tree: TreeRecord, signal: str) -> int:
    return max(tree.candidates, key=lambda node: SIGNALS[signal](tree, node))


def _by_length(
    succeeded: Bool[np.ndarray, "episode budget signal"],
    shortest: Float[np.ndarray, " episode"],
    walked: Float[np.ndarray, "episode budget signal"],
) -> Float[np.ndarray, "episode budget signal"]:
    """SPL of each."""
    each = np.broadcast_to(shortest[:, None, None], walked.shape)
    flat = success_by_path_length(succeeded.astype(float).ravel(), each.ravel(), walked.ravel())
    return flat.reshape(walked.shape)
