"""Teaching a local score: which open nodes lead to the goal, learnt from searches whose outcomes are known.

The agent is followed past every stop: wherever search jumps, it walks greedily until it would stop or walk in
a circle. So each node that was gone to has an outcome: whether the stop where this ended was a success.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from fastnav.search.backtracking import exploit
from fastnav.search.learned import LearnedScore
from fastnav.search.named import fast_long
from fastnav.search.scoring import score_named
from fastnav.search.signals import SIGNALS, signals
from fastnav.search.strategies import Strategy
from fastnav.search.tree import SearchTree, children

#: Which jumps are rehearsed: those of several scores, for a learned one will make others than any of them.
_REHEARSED = ("sum-logit", "mean-logit", "mean-logp")
_EXPANSIONS = 36
#: Parts of the houses: each is judged by a score that was learnt from the others.
_PARTS = 4

_HIDDEN = 32
_STEPS = 1200
_BATCH = 2048
_RATE = 5e-3
_LEAST_SPREAD = 1e-3


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Nodes that search went to, or where it could have stopped, and what became of them."""

    seen: Float[Tensor, "node signal"]
    succeeded: Float[Tensor, " node"]
    house: Int[Tensor, " node"]

    def where(self, chosen: Bool[Tensor, " node"]) -> "Outcomes":
        """Some of them."""
        return Outcomes(self.seen[chosen], self.succeeded[chosen], self.house[chosen])


def rehearsals() -> Iterator[Strategy]:
    """The searches whose trees are learnt from."""
    for name in _REHEARSED:
        yield replace(fast_long(score_named(name), expansions=_EXPANSIONS), backtrack=exploit)


def outcomes(tree: SearchTree, near: Bool[Tensor, "batch node"], house: Int[Tensor, " batch"]) -> Outcomes:
    """What can be learnt from a tree; `near` says which nodes lie within the success radius."""
    tree = tree.trimmed()
    near = near[:, : tree.viewpoint.shape[1]]
    stops = tree.is_stop.expand_as(tree.exists)
    became = torch.where(stops, near.double(), _greedy_ends(tree, near))
    known = tree.exists & became.isfinite()
    known[:, SearchTree.ROOT] = False
    of_house = house[:, None].expand_as(known)
    return Outcomes(signals(tree)[known].float(), became[known].float(), of_house[known])


def _greedy_ends(tree: SearchTree, near: Bool[Tensor, "batch node"]) -> Float[Tensor, "batch node"]:
    """For each expanded node whether following the agent from it ends in success; nan where that was cut."""
    became = torch.full(near.shape, torch.nan, dtype=torch.float64)
    rows = torch.arange(len(tree))
    # The last expansion first: what a node becomes is what its favourite child became.
    for expansion in reversed(range(tree.expanded.shape[1])):
        node = tree.expanded[:, expansion]
        mine = children(tree, torch.full_like(node, expansion))
        favourite = mine[rows, tree.is_greedy.gather(1, mine).int().argmax(dim=1)]
        stops, leads_on = tree.is_stop[favourite], tree.exists[rows, favourite]
        ended = torch.where(leads_on, became[rows, favourite], 0.0)  # a circle leads nowhere
        ended = torch.where(stops, near[rows, favourite].double(), ended)
        real = node != SearchTree.NO_NODE
        became[rows[real], node[real]] = ended[real]
    return became


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """All of them together."""
    return Outcomes(
        torch.cat([part.seen for part in parts]),
        torch.cat([part.succeeded for part in parts]),
        torch.cat([part.house for part in parts]),
    )


def learnt_score(told: Outcomes, *, seed: int = 1) -> LearnedScore:
    """The score that explains the outcomes."""
    dice = torch.Generator().manual_seed(seed)
    centre, scale = told.seen.mean(dim=0), told.seen.std(dim=0).clamp(min=_LEAST_SPREAD)
    into = torch.randn(len(SIGNALS), _HIDDEN, generator=dice) / len(SIGNALS) ** 0.5
    out = torch.randn(_HIDDEN, generator=dice) / _HIDDEN**0.5
    weights = [nn.Parameter(part) for part in (into, torch.zeros(_HIDDEN), out, torch.zeros(()))]
    score = LearnedScore(centre, scale, weights[0], weights[1], weights[2], weights[3])
    optimizer = torch.optim.AdamW(weights, lr=_RATE, weight_decay=1e-3)
    fading = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, _STEPS)
    for _ in range(_STEPS):
        rows = torch.randint(len(told.seen), (_BATCH,), generator=dice)
        loss = binary_cross_entropy_with_logits(score.odds(told.seen[rows]), told.succeeded[rows])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        fading.step()
    into, bias, out, level = (weight.detach().double() for weight in weights)
    return LearnedScore(centre.double(), scale.double(), into, bias, out, level)


def surprise(score: LearnedScore, told: Outcomes) -> float:
    """The mean cross entropy of outcomes."""
    return float(binary_cross_entropy_with_logits(score.odds(told.seen.double()), told.succeeded.double()))


def examined(told: Outcomes) -> dict[str, float]:
    """How surprising outcomes in houses held out are; and to one who knows only how many succeed."""
    learnt, guessed = [], []
    for part in range(_PARTS):
        held = told.house % _PARTS == part
        if not bool(held.any()) or bool(held.all()):
            continue
        others, here = told.where(~held), told.where(held)
        learnt.append(surprise(learnt_score(others), here))
        share = others.succeeded.mean().clamp(1e-6, 1 - 1e-6)
        guess = here.succeeded * share.log() + (1 - here.succeeded) * (1 - share).log()
        guessed.append(-float(guess.mean()))
    if not learnt:
        return {}  # one building, or buildings of one part: nothing could be held out
    return {"surprise": sum(learnt) / len(learnt), "surprise of a guess": sum(guessed) / len(learnt)}
