"""Scores, goals, budgets and names of strategies."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fastnav.agents.scripted import TableAgent
from fastnav.errors import UnknownName, UsageError
from fastnav.search import named
from fastnav.search.backtracking import RollBack
from fastnav.search.growth import Growth
from fastnav.search.loop import search
from fastnav.search.scoring import LOCAL_SCORES, score_named
from fastnav.search.strategies import Budget, Goal
from fastnav.search.tree import SearchTree, best_node
from fastnav.world import toy
from tests.search.playground import NORTH, poses, run, told, world_and_agent

# ---- scores by hand


def on_the_corridor() -> SearchTree:
    """A --- B --- C --- D, explored from A: STOP 1, back 2, onwards 3; progress -1/2, 0, 1/2, 1."""
    world = toy.corridor()
    logits = torch.zeros(world.mask.shape)
    for place in range(4):
        logits[place, 0] = 1.0
        for target, logit in ((place - 1, 2.0), (place + 1, 3.0)):
            if 0 <= target < 4:
                logits[place, world.slot(place, target)] = logit
    agent = TableAgent(logits, torch.tensor([-0.5, 0.0, 0.5, 1.0]))
    return run(world, agent, named.fast_long(), [0])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum-logit", 3 + 3 + 1.0),
        ("mean-logit", 7 / 3),
        ("sum-logit-times-progress", 7 * 0.75),
        ("mean-logit-times-progress", 7 / 3 * 0.75),
        ("sum-logit-over-progress", 7 / 0.75),
        ("mean-logit-over-progress", 7 / 3 / 0.75),
        ("sum-logp", -2.94217),
        ("mean-logp", -2.94217 / 3),
        ("sum-logp-times-progress", -2.94217 * 0.75),
        ("sum-logp-over-progress", -2.94217 / 0.75),
        ("mean-logp-over-progress", -2.94217 / 3 / 0.75),
    ],
)
def test_scores_of_stopping_at_c(name: str, expected: float) -> None:
    # log-probabilities: 3 of {1, 3} at A: -0.12693; 3 of {1, 2, 3} at B: -0.40761; 1 of them at C: -2.40761.
    tree = on_the_corridor()
    stop_at_c = int(((tree.viewpoint[0] == 2) & tree.is_stop).nonzero()[0])
    assert float(score_named(name)(tree)[0, stop_at_c]) == pytest.approx(expected, abs=1e-4)


def test_dividing_by_no_progress_stays_finite() -> None:
    world, agent = world_and_agent((4, 0.8, 3, 1))
    hopeless = TableAgent(agent.logits, torch.full((4,), -1.0))
    tree = run(world, hopeless, named.fast_short(score_named("sum-logit-over-progress")))
    assert score_named("sum-logit-over-progress")(tree)[tree.candidates].isfinite().all()


def test_names_of_scores() -> None:
    assert {score_named(name).name for name in LOCAL_SCORES} == set(LOCAL_SCORES)
    assert len(LOCAL_SCORES) == 12
    with pytest.raises(UnknownName, match="unknown score 'sum-logits'; did you mean sum-logit"):
        score_named("sum-logits")


def test_the_first_of_equals_wins() -> None:
    score = torch.tensor([[1.0, 5.0, 5.0, 9.0]])
    assert best_node(score, torch.tensor([[True, True, True, False]])).tolist() == [1]
    assert best_node(score, torch.zeros(1, 4, dtype=torch.bool)).tolist() == [SearchTree.NO_NODE]
    lowest = torch.full((1, 4), -torch.inf)
    assert best_node(lowest, torch.tensor([[False, False, True, True]])).tolist() == [2]


# ---- the tree


def test_what_a_tree_says_of_its_nodes() -> None:
    tree = on_the_corridor()
    assert expanded_order(tree) == ["A", "B", "C", "D"]
    assert tree.expanded_at[0, tree.expanded[0, :4]].tolist() == [0, 1, 2, 3]
    assert tree.popped_at[0, tree.expanded[0, :4]].tolist() == [0, 1, 2, 3]
    assert tree.depth[0, tree.expanded[0, :4]].tolist() == [0, 1, 2, 3]
    assert tree.expansions.tolist() == [4]
    assert int(tree.candidates.sum()) == 4
    assert int(tree.view[0, 0]) == NORTH
    # What is left of the frontier: the STOPs, for all other ways lead back.
    assert tree.frontier[0].nonzero().ravel().tolist() == tree.candidates[0].nonzero().ravel().tolist()
    assert tree.take(torch.tensor([0, 0])).viewpoint.shape == (2, tree.viewpoint.shape[1])


def expanded_order(tree: SearchTree) -> list[str]:
    return ["ABCD"[tree.viewpoint[0, node]] for node in tree.expanded[0].tolist() if node >= 0]


# ---- strategies by name


@pytest.mark.parametrize("name", named.strategy_names())
def test_every_name_is_a_strategy(name: str) -> None:
    assert named.strategy_named(name).name.startswith(name)


def test_sizes_in_names() -> None:
    assert named.strategy_named("beam-5").width == 5
    assert named.strategy_named("state-factored-7").budget.stops == 7
    assert named.strategy_named("progress-inference-2").backtrack == RollBack(2)
    assert named.strategy_named("beam").width == named.BEAM


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fast-shrt", "unknown strategy 'fast-shrt'; did you mean fast-short"),
        ("beam-x", "did you mean beam-N"),
        ("greedy-3", "did you mean greedy"),
        ("beam-0", "strategy 'beam-0' ends in 0; give a number of 1 or more, as in beam-5"),
        ("progress-inference-0", "ends in 0"),
        ("beam-1001", "ends in 1001; give a number of 1 or more, as in beam-5, and 1000 at most"),
        ("state-factored-" + "9" * 5000, "1000 at most"),
    ],
)
def test_names_that_are_none(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        named.strategy_named(name)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Budget(expansions=0), "0 expansions"),
        (lambda: Budget(stops=0), "0 stops"),
        (lambda: Budget(metres=-1.0), "-1.0 metres"),
        (lambda: Budget(metres=float("nan")), "nan metres"),
        (lambda: Growth(top_k=0), "top_k is 0"),
        (lambda: Growth(depth=0), "depth is 0"),
        (lambda: RollBack(0), "progress inference with 0 tries"),
        (lambda: replace(named.greedy(), width=0), "strategy greedy has width 0"),
    ],
)
def test_parts_that_cannot_be_meant(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=message):
        make()


# ---- one's own parts


def test_ones_own_rule_score_goal_and_end() -> None:
    world, agent = world_and_agent((8, 0.4, 3, 6))

    def shallow(tree: SearchTree, open_nodes: Tensor) -> Tensor:
        """Only nodes next to the start."""
        return open_nodes & (tree.depth == 1)

    def by_place(tree: SearchTree) -> Tensor:
        """The highest-numbered viewpoint, such as a learned score might prefer it."""
        return tree.viewpoint.double()

    own = replace(named.fast_long(by_place, by_place), backtrack=shallow)
    row = told(run(world, agent, own, [0]), own)[0]
    degree = int(world.mask[0].sum()) - 1
    assert row.expanded == [(), *((slot,) for slot in range(degree, 0, -1))]
    assert row.goal == (degree, 0)

    tree = run(world, agent, replace(own, budget=Budget(until=lambda tree: tree.expansions >= 2)), [0])
    assert tree.expansions.tolist() == [2]


def test_a_score_that_is_no_number() -> None:
    world, agent = world_and_agent((4, 0.8, 3, 1))
    strategy = named.fast_long(lambda tree: tree.sum_logit * torch.nan)
    with pytest.raises(UsageError, match="the score of strategy fast-long is not a number"):
        run(world, agent, strategy)


def test_a_budget_replaces_that_of_the_strategy() -> None:
    world, agent = world_and_agent((8, 0.6, 3, 6))
    tree = search(
        agent,
        world,
        poses([0]),
        agent.encode(["go"]),
        strategy=named.fast_long(),
        budget=Budget(expansions=3),
    )
    assert tree.expansions.tolist() == [3]
    assert tree.viewpoint.shape[1] == 1 + 3 * world.actions


def test_without_candidates_the_goal_is_where_search_ended() -> None:
    # A --- B --- C --- D; only the best action is kept, and it is never STOP.
    world = toy.corridor()
    logits = torch.zeros(world.mask.shape)
    for place in range(3):
        logits[place, world.slot(place, place + 1)] = 5.0
    strategy = replace(named.fast_short(), growth=Growth(top_k=1), budget=Budget(expansions=3, stops=1))
    tree = run(world, TableAgent(logits), strategy, [0])
    assert not tree.candidates.any()
    assert int(tree.viewpoint[0, strategy.goal.choose(tree)[0]]) == 2


def test_the_goal_among_all_or_among_the_popped() -> None:
    world, agent = world_and_agent((8, 0.5, 3, 9))
    strategy = named.fast_short()
    tree = run(world, agent, strategy)
    popped = Goal(score_named("sum-logit"), among="popped").choose(tree)
    best = Goal(score_named("sum-logit")).choose(tree)
    rows = torch.arange(len(tree))
    stopped = tree.finals_popped > 0
    assert (tree.popped_at[rows, popped] >= 0)[stopped].all()
    assert (tree.sum_logit[rows, best] >= tree.sum_logit[rows, popped]).all()
    assert torch.equal(popped[~stopped], best[~stopped])


def test_strategies_for_longer_walks() -> None:
    """Who takes up to twenty steps may take twenty, and a beam and FAST look around more."""
    greedy, beam = (named.for_walks_of(named.strategy_named(name), 20) for name in ("greedy", "beam-7"))
    assert (greedy.growth.depth, greedy.budget.expansions, greedy.budget.stops) == (20, 20, 1)
    assert (beam.growth.depth, beam.budget.expansions) == (20, 1 + 19 * 7)
    fast = named.for_walks_of(named.fast_short(), 20)
    assert (fast.growth.depth, fast.budget.expansions, fast.budget.stops) == (None, 84, 1)
    for name in named.strategy_names():
        plain = named.strategy_named(name)
        assert named.for_walks_of(plain, named.LONGEST).budget == plain.budget
