"""Strategies that have a name pass; each planted fault is named."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from fastnav.errors import UsageError
from fastnav.search import named
from fastnav.search.strategies import Budget, Goal, Strategy
from fastnav.search.tree import SearchTree
from fastnav.testing import check_strategy

FAST = named.fast_long()


@pytest.mark.parametrize(
    "name",
    [
        *("greedy", "beam-3", "state-factored-3", "progress-inference"),
        *("fast-short", "fast-long", "compat-fast-short", "compat-fast-long-exploit"),
    ],
)
def test_named_strategies_pass(name: str) -> None:
    check_strategy(named.strategy_named(name))


def test_a_part_of_ones_own_passes() -> None:
    check_strategy(replace(FAST, budget=Budget(until=lambda tree: tree.expansions > 3)))


def writes(tree: SearchTree) -> Any:
    tree.sum_logit.mul_(1.01)
    return tree.sum_logit


def with_goal(score: Any) -> Strategy:
    return replace(FAST, goal=Goal(score))


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (
            with_goal(lambda tree: tree.sum_logit - tree.sum_logit[tree.exists].mean() * tree.depth),
            "the goal of a row depends on the others in the batch",
        ),
        (
            replace(
                FAST, score=lambda tree: tree.sum_logit * (1 + torch.arange(len(tree))[:, None] % 2 * -2)
            ),
            "a row of a batch is searched otherwise than alone",
        ),
        (
            with_goal(lambda tree: tree.sum_logit[:, 0]),
            r"the goal's score returns \(5,\), not a tensor",
        ),
        (with_goal(lambda tree: tree.depth), "the goal's score is of torch.int64; return floating-point"),
        (with_goal(lambda tree: 3.0), "the goal's score returns an object of float"),
        (
            replace(FAST, backtrack=lambda tree, nodes: nodes.int()),
            "the backtrack rule returns torch.int32; return which nodes",
        ),
        (
            replace(FAST, backtrack=lambda tree, nodes: torch.ones_like(nodes)),
            "the backtrack rule allows nodes that are not open",
        ),
        (replace(FAST, score=lambda tree: tree.sum_logit * torch.nan), "not a number"),
        (replace(FAST, score=lambda tree: tree.nothing), "a part fails with AttributeError"),
        (with_goal(writes), "a part of it writes into the tree's sum_logit; it may only read"),
    ],
)
def test_faults_are_named(strategy: Strategy, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_strategy(strategy)
