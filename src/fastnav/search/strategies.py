"""Strategy: the parts with which `search()` becomes greedy decoding, a beam, or FAST.

    should we backtrack?                `backtrack`   explore, exploit, never, RollBack, or your own
    where to?                           `score`       over the open nodes; the `width` best are gone to
    which visited node is the goal?     `goal`        over the candidates
    when do we stop?                    `budget`      STOPs, expansions, metres, or your own

Each part may be a callable of the tree, so a new strategy is a new value, not a new loop.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from fastnav.errors import UsageError
from fastnav.search.backtracking import Backtrack
from fastnav.search.growth import Growth
from fastnav.search.tree import Score, SearchTree, best_node
from fastnav.search.walking import Walking

#: Expansions of the paper's FAST.
EXPANSIONS = 40


@dataclass(frozen=True)
class Budget:
    """When a row ends: whichever comes first. A row ends, too, when nothing is open to it."""

    expansions: int = EXPANSIONS  # how often the agent may look around
    stops: int | None = None  # how many final nodes may be popped; popping one costs no expansion
    metres: float | None = None  # no pop is made that needs a longer walk; the return at the end is on top
    until: Callable[[SearchTree], Bool[Tensor, " batch"]] | None = None  # rows for which this is true end

    def __post_init__(self) -> None:
        if self.expansions < 1:
            raise UsageError(f"a budget of {self.expansions} expansions; an agent looks around at least once")
        if self.stops is not None and self.stops < 1:
            raise UsageError(f"a budget of {self.stops} stops; give 1 or more, or None")
        if self.metres is not None and not self.metres >= 0:
            raise UsageError(f"a budget of {self.metres} metres; give 0 or more, or None")

    def is_spent(self, tree: SearchTree) -> Bool[Tensor, " batch"]:
        """Which rows have ended; metres are counted by the loop."""
        spent = torch.zeros(len(tree), dtype=torch.bool)
        if self.stops is not None:
            spent = tree.finals_popped >= self.stops
        return spent if self.until is None else spent | self.until(tree)


@dataclass(frozen=True)
class Goal:
    """Which of the candidates is the goal."""

    score: Score
    among: Literal["all", "popped"] = "all"  # "popped": those that search went to, or all if there are none

    def choose(self, tree: SearchTree) -> Int[Tensor, " batch"]:
        """The goal of each row; where there is no candidate, the node popped last."""
        candidates, score = tree.candidates, self.score(tree)
        chosen = best_node(score, candidates)
        if self.among == "popped":
            popped = best_node(score, candidates & (tree.popped_at != SearchTree.NOT_POPPED))
            chosen = torch.where(popped != SearchTree.NO_NODE, popped, chosen)
        # Of several that were popped last, the one created last: the end of the walk.
        last = tree.popped_at.shape[1] - 1 - tree.popped_at.flip(1).argmax(dim=1)
        return torch.where(chosen != SearchTree.NO_NODE, chosen, last)


@dataclass(frozen=True)
class Strategy:
    """How to search; a plain value, passed to `search()`."""

    name: str
    backtrack: Backtrack
    score: Score
    goal: Goal
    budget: Budget
    growth: Growth = field(default_factory=Growth)
    walking: Walking = field(default_factory=Walking)
    width: int = 1  # how many nodes are popped together
    stops_compete: bool = True  # whether STOP children may be popped; else they are candidates only
    merge_poses: bool = False  # of all ways to one pose, only the best is open

    def __post_init__(self) -> None:
        if self.width < 1:
            raise UsageError(f"strategy {self.name} has width {self.width}; give 1 or more")
