"""What a learned score reads of a tree, against plain Python; and what it makes of it."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.search.learned import LearnedScore
from fastnav.search.named import fast_long, fast_short, scored_by, strategy_named
from fastnav.search.scoring import score_named
from fastnav.search.signals import SIGNALS, signals
from fastnav.search.tree import SearchTree
from tests.search.playground import PLAYS, run, told, world_and_agent


def random_score(seed: int) -> LearnedScore:
    """A network of random weights."""
    dice = torch.Generator().manual_seed(seed)
    count, hidden = len(SIGNALS), 5
    shapes = ((count,), (count,), (count, hidden), (hidden,), (hidden,), ())
    centre, scale, *rest = (torch.randn(shape, generator=dice, dtype=torch.float64) for shape in shapes)
    return LearnedScore(centre, scale.abs() + 0.5, *rest)


def slow_signals(tree: SearchTree, row: int, node: int) -> dict[str, float]:
    """All of one node, told action by action."""
    path = tree.path(row, node)[1:]
    chances = []
    for each in path:
        first = 1 + (each - 1) // tree.actions * tree.actions
        logits = [x for x in tree.logit[row, first : first + tree.actions].tolist() if x > -math.inf]
        total = math.log(sum(math.exp(x) for x in logits))
        logps = [x - total for x in logits]
        mine = float(tree.logit[row, each]) - total
        chances.append((mine, -sum(math.exp(x) * x for x in logps), logps[0]))
    progress = [float(tree.progress_before[row, each]) for each in path]
    last = path[-1]
    before = float(tree.progress_before[row, path[-2]]) if len(path) > 1 else 0.0
    logits = [float(tree.logit[row, each]) for each in path]
    logps = [mine for mine, _, _ in chances]
    return {
        "stops": float(tree.is_stop[last]),
        "follows": float(tree.is_greedy[row, last]),
        "depth": len(path),
        "logit": logits[-1],
        "sum-logit": sum(logits),
        "mean-logit": sum(logits) / len(path),
        "logp": logps[-1],
        "sum-logp": sum(logps),
        "mean-logp": sum(logps) / len(path),
        "least-logp": min(logps),
        "stop-logp": chances[-1][2],
        "doubt": chances[-1][1],
        "sum-doubt": sum(doubt for _, doubt, _ in chances),
        "progress": progress[-1],
        "gain": progress[-1] - before,
        "most-progress": max(progress),
    }


@settings(deadline=None, max_examples=40)
@given(PLAYS)
def test_signals_are_what_they_are_called(play: tuple[int, float, int, int]) -> None:
    """Each signal of each node equals what a walk along its path tells; logits here stay above the floor."""
    world, agent = world_and_agent(play)
    tree = run(world, agent, fast_long(expansions=6)).trimmed()
    found = signals(tree)
    for row, node in tree.exists.nonzero().tolist():
        if node == SearchTree.ROOT:
            continue
        expected = {
            name: max(value, -12.0) if name in ("logp", "least-logp", "stop-logp") else value
            for name, value in slow_signals(tree, row, node).items()
        }
        assert dict(zip(SIGNALS, found[row, node].tolist(), strict=True)) == pytest.approx(expected)
    assert not found[~tree.exists].any()


@settings(deadline=None, max_examples=25)
@given(PLAYS, st.integers(0, 99), st.sampled_from(["fast-short", "fast-thrifty", "fast-long"]))
def test_no_row_depends_on_the_others(play: tuple[int, float, int, int], seed: int, name: str) -> None:
    """Searches by a learned score end alike alone, together and in another order."""
    world, agent = world_and_agent(play)
    strategy = scored_by(strategy_named(name), random_score(seed))
    together = told(run(world, agent, strategy), strategy)
    starts = list(reversed(range(len(world))))
    backwards = told(run(world, agent, strategy, starts), strategy)
    alone = [told(run(world, agent, strategy, [start]), strategy)[0] for start in starts]
    assert together[::-1] == backwards == alone


def test_an_agent_without_progress_is_read_too() -> None:
    """What it does not estimate counts as none."""
    world, agent = world_and_agent((6, 0.5, 3, 1))
    silent = type(agent)(agent.logits)
    tree = run(world, silent, fast_short())
    names = [SIGNALS.index(name) for name in ("progress", "gain", "most-progress")]
    assert not signals(tree)[:, :, names].any()
    assert random_score(1)(tree).isfinite().all()


def test_a_network_by_hand() -> None:
    """One hidden unit that reads the depth: 2 tanh((depth - 1) / 4) - 1."""
    into = torch.zeros(len(SIGNALS), 1, dtype=torch.float64)
    into[SIGNALS.index("depth")] = 0.5
    one = torch.ones(len(SIGNALS), dtype=torch.float64)
    score = LearnedScore(
        one, 2 * one, into, torch.zeros(1).double(), torch.tensor([2.0]).double(), torch.tensor(-1.0).double()
    )
    seen = torch.zeros(3, len(SIGNALS), dtype=torch.float64)
    seen[:, SIGNALS.index("depth")] = torch.tensor([1.0, 3.0, 5.0])
    expected = [2 * math.tanh((depth - 1) / 4) - 1 for depth in (1, 3, 5)]
    assert score.odds(seen).tolist() == pytest.approx(expected)


def test_another_score_chooses_the_goal_too() -> None:
    """Where the strategy's own score did; a goal by another one stays."""
    new = score_named("mean-logp")
    changed = scored_by(strategy_named("fast-short"), new)
    assert (changed.score, changed.goal.score, changed.goal.among) == (new, new, "popped")
    apart = scored_by(fast_long(goal=score_named("sum-logp")), new)
    assert (apart.score, apart.goal.score) == (new, score_named("sum-logp"))
