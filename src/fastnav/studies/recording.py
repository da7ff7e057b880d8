"""Finished search trees become plain records, small enough to keep and free of torch."""

import math
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from fastnav.data.episodes import Episode
from fastnav.evaluation.trace import Manner, PlanRecord, SearchRecord, TreeRecord
from fastnav.search.learned import LearnedScore
from fastnav.search.routes import Walk, pops
from fastnav.search.scoring import LocalScore
from fastnav.search.strategies import Strategy
from fastnav.search.tree import Score, SearchTree
from fastnav.world.graph import World

#: Decimals that are kept: of the agent's numbers, and of metres.
_DIGITS, _MILLIMETRES = 4, 3


def manner_of(strategy: Strategy) -> Manner:
    """How a strategy searches."""
    return Manner(strategy.name, score_name(strategy.score), strategy.width, strategy.stops_compete)


def score_name(score: Score) -> str:
    """What a score is called; nothing where it is a function of somebody's own."""
    return score.name if isinstance(score, LocalScore | LearnedScore) else ""


def plans_of(world: World, scans: Iterable[str]) -> dict[str, PlanRecord]:
    """The graphs of some buildings of a world of numpy arrays."""
    return {scan: _plan(world, world.scans.index(scan)) for scan in sorted(set(scans))}


def record_searches(
    tree: SearchTree,
    world: World,
    episodes: Sequence[Episode],
    strategy: Strategy,
    goal: Int[Tensor, " batch"],
    walks: Sequence[Walk],
) -> list[SearchRecord]:
    """The searches of some episodes, a row of the tree each."""
    tree = tree.trimmed()
    score, goal_score = strategy.score(tree), strategy.goal.score(tree)
    popped = list(pops(tree))
    first = {scan: world.scan.tolist().index(k) for k, scan in enumerate(world.scans)}
    records = []
    for row, (episode, end, walk) in enumerate(zip(episodes, goal.tolist(), walks, strict=True)):
        exists = tree.exists[row]
        number = exists.cumsum(dim=0) - 1  # of each node that exists, in the record
        records.append(
            SearchRecord(
                building=episode.scan,
                instruction=episode.instruction,
                tree=_tree(
                    tree.take(torch.tensor([row])), score[row], popped[row], number, first[episode.scan]
                ),
                goal_score=_scores(goal_score[row], tree.candidates[row]),
                goal=int(number[end]),
                arrived=walk.arrived,
            )
        )
    return records


def _tree(
    tree: SearchTree, score: Tensor, popped: list[int], number: Int[Tensor, " node"], first: int
) -> TreeRecord:
    """The single row of a tree; `first` is the first viewpoint of its building."""
    exists = tree.exists[0]
    parent = tree.parent[0, exists]
    logit = tree.logit[0].masked_fill(torch.arange(len(exists)) == SearchTree.ROOT, 0.0)
    has_parent = parent != SearchTree.NO_NODE
    return TreeRecord(
        viewpoint=_whole(tree.viewpoint[0, exists] - first),
        view=_whole(tree.view[0, exists]),
        parent=_whole(torch.where(has_parent, number[parent], TreeRecord.NO_NODE)),
        slot=_whole(tree.slot[exists]),
        logit=_rounded(logit[exists]),
        sum_logit=_rounded(tree.sum_logit[0, exists]),
        sum_logp=_rounded(tree.sum_logp[0, exists]),
        score=_scores(score, exists),
        greedy=_whole(number[exists & tree.is_greedy[0]]),
        final=_whole(number[exists & tree.is_final[0]]),
        popped=_whole(number[popped]),
        round=_whole(tree.popped_at[0, popped] // tree.width),
        progress=_progress(tree),
    )


def _progress(tree: SearchTree) -> tuple[float, ...] | None:
    given = tree.progress[0, : int(tree.expansions[0])]
    return _rounded(given) if bool(given.isfinite().all()) else None


def _whole(values: Int[Tensor, " _"]) -> tuple[int, ...]:
    return tuple(values.tolist())


def _rounded(values: Tensor) -> tuple[float, ...]:
    # Adding zero turns -0.0, which rounding makes, into 0.0.
    return tuple(round(value, _DIGITS) + 0.0 for value in values.tolist())


def _scores(score: Tensor, among: Bool[Tensor, " node"]) -> tuple[float | None, ...]:
    return tuple(
        round(value, _DIGITS) + 0.0 if math.isfinite(value) else None for value in score[among].tolist()
    )


def _plan(world: World, scan: int) -> PlanRecord:
    (places,) = (world.scan == scan).nonzero()
    first = int(places[0])
    edges = [
        (place - first, int(target) - first)
        for place in places.tolist()
        for target in world.neighbour[place][world.mask[place]]
        if place < target
    ]
    return PlanRecord(
        viewpoints=tuple(world.viewpoint_ids[place] for place in places),
        position=tuple(
            tuple(round(value, _MILLIMETRES) + 0.0 for value in place)
            for place in world.position[places].tolist()
        ),
        edges=tuple(edges),
    )
