"""check_strategy: whether a strategy with parts of one's own keeps to what search relies on."""

from dataclasses import fields, replace

import numpy as np
import torch
from torch import Tensor

from fastnav.agents.scripted import TableAgent
from fastnav.errors import FastnavError, UsageError
from fastnav.search.backtracking import explore
from fastnav.search.loop import search
from fastnav.search.routes import clean_routes, walked_routes
from fastnav.search.scoring import score_named
from fastnav.search.strategies import Goal, Strategy
from fastnav.search.tree import SearchTree
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.simulator import Pose

#: Enough to come back from somewhere; a suite is run often.
_EXPANSIONS = 12
_SEEDS = 2


def check_strategy(strategy: Strategy) -> None:
    """Raise a `UsageError` that says which part of `strategy` is wrong, and how; return if all is well.

    It searches small worlds with agents that know nothing, from all places together and from each alone.
    """
    small = replace(
        strategy, budget=replace(strategy.budget, expansions=min(strategy.budget.expansions, _EXPANSIONS))
    )
    for world in (toy.loop_and_arm(), toy.two_buildings()):
        for seed in range(_SEEDS):
            try:
                _check_in(small, world, _random_agent(world, seed))
            except FastnavError:
                raise
            except Exception as error:
                raise _fault(strategy, f"a part fails with {type(error).__name__}: {error}") from error


def _check_in(strategy: Strategy, world: World, agent: TableAgent) -> None:
    everywhere = list(range(len(world)))
    # First on a tree that others grew, so that a fault is told as a part's own and not as the search's.
    _check_parts(strategy, _search(_sound(strategy), world, agent, everywhere))
    tree = _search(strategy, world, agent, everywhere)
    goal = strategy.goal.choose(tree)
    _check_goal(strategy, tree, goal)
    walked_routes(tree, world, goal, strategy.walking)
    clean_routes(tree, world, goal)
    for row in range(len(world)):
        alone = _search(strategy, world, agent, [row])
        for field in fields(tree):
            one, other = getattr(alone, field.name), getattr(tree, field.name)
            if isinstance(one, Tensor) and not torch.equal(one[0].nan_to_num(), other[row].nan_to_num()):
                raise _fault(
                    strategy,
                    f"a row of a batch is searched otherwise than alone (its {field.name} differs); "
                    "every part must answer for each row by that row only",
                )
        if int(strategy.goal.choose(alone)[0]) != int(goal[row]):
            raise _fault(strategy, "the goal of a row depends on the others in the batch; score it by itself")


def _sound(strategy: Strategy) -> Strategy:
    """The same with parts that are known to be right."""
    score = score_named("sum-logit")
    budget = replace(strategy.budget, until=None)
    return replace(strategy, backtrack=explore, score=score, goal=Goal(score), budget=budget)


def _check_parts(strategy: Strategy, tree: SearchTree) -> None:
    """Call each part once more on a finished tree, to see what it returns and that it writes nothing."""
    before = tree.take(torch.arange(len(tree)))
    shape = tuple(tree.viewpoint.shape)
    for name, score in (("score", strategy.score(tree)), ("goal's score", strategy.goal.score(tree))):
        _check_tensor(strategy, name, score, shape)
        if not score.is_floating_point():
            raise _fault(strategy, f"the {name} is of {score.dtype}; return floating-point numbers")
    # Nodes that may not be open are asked for as well: a rule may only choose among those it is given.
    chosen = strategy.backtrack(tree, tree.frontier)
    _check_tensor(strategy, "backtrack rule", chosen, shape)
    if chosen.dtype != torch.bool:
        raise _fault(strategy, f"the backtrack rule returns {chosen.dtype}; return which nodes may be next")
    if bool((chosen & ~tree.frontier).any()):
        raise _fault(
            strategy, "the backtrack rule allows nodes that are not open; it may only leave some out"
        )
    if strategy.budget.until is not None:
        _check_tensor(strategy, "budget's until", strategy.budget.until(tree), shape[:1])
    for field in fields(tree):
        one, other = getattr(before, field.name), getattr(tree, field.name)
        if isinstance(one, Tensor) and not torch.equal(one.nan_to_num(), other.nan_to_num()):
            raise _fault(strategy, f"a part of it writes into the tree's {field.name}; it may only read")


def _check_goal(strategy: Strategy, tree: SearchTree, goal: Tensor) -> None:
    exists = tree.exists[torch.arange(len(tree)), goal]
    if not bool(exists.all()):
        raise _fault(strategy, "the goal is a node that does not exist; give numbers that can be compared")


def _check_tensor(strategy: Strategy, name: str, given: object, shape: tuple[int, ...]) -> None:
    found = tuple(given.shape) if isinstance(given, Tensor) else f"an object of {type(given).__name__}"
    if found != shape:
        raise _fault(
            strategy, f"the {name} returns {found}, not a tensor of shape {shape} for a tree of that shape"
        )


def _search(strategy: Strategy, world: World, agent: TableAgent, starts: list[int]) -> SearchTree:
    here = torch.tensor(starts)
    pose = Pose(here, torch.full_like(here, 12), torch.zeros_like(here, dtype=torch.bool))
    instruction = agent.encode(["go"] * len(starts))
    return search(agent, world, pose, instruction, strategy=strategy)


def _random_agent(world: World, seed: int) -> TableAgent:
    dice = np.random.default_rng(seed)
    logits = torch.tensor(dice.normal(scale=2.0, size=world.mask.shape))
    return TableAgent(logits, torch.tensor(dice.uniform(-1, 1, size=len(world))))


def _fault(strategy: Strategy, problem: str) -> UsageError:
    return UsageError(f"strategy {strategy.name}: {problem}")
