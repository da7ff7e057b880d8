"""Trees become records: nothing of what a replay or a smaller budget needs is lost."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from examples.worked_search import agent as worked_agent
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.agents.interface import Agent
from fastnav.agents.scripted import TableAgent
from fastnav.data.episodes import Episode
from fastnav.evaluation.trace import SearchRecord, Trace
from fastnav.evaluation.trace_reading import parse_trace
from fastnav.evaluation.trajectories import trajectory_of
from fastnav.search import named
from fastnav.search.loop import search
from fastnav.search.routes import clean_routes, walks
from fastnav.search.scoring import score_named
from fastnav.search.strategies import Strategy
from fastnav.search.tree import SearchTree
from fastnav.studies.recording import manner_of, plans_of, record_searches
from fastnav.world import toy
from fastnav.world.graph import World
from tests.evaluation.traced import SENTENCE, traced_record
from tests.search.playground import PLAYS, poses, run, told, with_expansions, world_and_agent

ALL = [
    *("greedy", "beam-3", "state-factored-3", "progress-inference"),
    *(name for name in named.strategy_names() if "fast" in name),
]
Play = tuple[int, float, int, int]


def recorded(
    world: World, agent: Agent, strategy: Strategy, starts: list[int]
) -> tuple[SearchTree, list[SearchRecord]]:
    """The tree and the records of a search from each of the starts."""
    instruction = agent.encode([SENTENCE] * len(starts))
    tree = search(agent, world, poses(starts), instruction, strategy=strategy)
    goal = strategy.goal.choose(tree)
    scan = world.scans[0]
    episodes = [
        Episode(f"{30 + k}_0", 30 + k, scan, world.viewpoint_ids[start], 0.0, SENTENCE)
        for k, start in enumerate(starts)
    ]
    walked = walks(tree, world, goal, strategy.walking)
    return tree, record_searches(tree, world, episodes, strategy, goal, walked)


def test_the_worked_example() -> None:
    """What is known by hand: the tree of FAST-short in docs/search.md, all of its columns."""
    world = toy.loop_and_arm()
    _, (made,) = recorded(world, worked_agent, named.fast_short(), [0])
    trace = Trace(manner_of(named.fast_short()), plans_of(world, ["toy"]), {"30_0": made})
    assert trace.to_json() == traced_record("toy")["trace"]


@pytest.mark.parametrize("name", ALL)
@given(play=PLAYS)
@settings(max_examples=8)
def test_all_that_search_saw_is_kept(name: str, play: Play) -> None:
    """Against the tree itself, by slots: nodes are numbered anew in records."""
    world, agent = world_and_agent(play)
    strategy = with_expansions(named.strategy_named(name), 12)
    starts = list(range(len(world)))
    tree, records = recorded(world, agent, strategy, starts)
    clean = clean_routes(tree, world, strategy.goal.choose(tree))
    for row, (known, made) in enumerate(zip(told(tree, strategy), records, strict=True)):
        kept = made.tree

        def slots(node: int, kept=kept) -> tuple[int, ...]:  # type: ignore[no-untyped-def]
            return tuple(kept.slot[passed] for passed in kept.path(node)[1:])

        assert [slots(node) for node in kept.popped] == known.popped
        assert [slots(node) for node in kept.expanded] == known.expanded
        assert [slots(node) for node in kept.candidates] == list(known.candidates)
        assert slots(made.goal) == known.goal
        assert len({slots(node) for node in range(len(kept))}) == len(kept) == int(tree.exists[row].sum())
        sums = [(kept.sum_logit[node], kept.sum_logp[node]) for node in kept.candidates]
        expected = [pytest.approx(both[:2], abs=1e-4) for both in known.candidates.values()]
        assert sums == expected
        assert made.clean_path == clean[row].viewpoints


@pytest.mark.parametrize("name", ALL)
@given(play=PLAYS)
@settings(max_examples=5)
def test_every_search_can_be_read_again(name: str, play: Play) -> None:
    """The reader's rules hold of all trees, and nothing changes on the way."""
    world, agent = world_and_agent(play)
    strategy = with_expansions(named.strategy_named(name), 12)
    starts = list(range(len(world)))
    tree, records = recorded(world, agent, strategy, starts)
    walked = walks(tree, world, strategy.goal.choose(tree), strategy.walking)
    trajectories = {f"{30 + k}_0": trajectory_of(world, walk.route) for k, walk in enumerate(walked)}
    searches = dict(zip(trajectories, records, strict=True))
    trace = Trace(manner_of(strategy), plans_of(world, world.scans), searches)
    assert parse_trace(trace.to_json(), Path("run.json"), trajectories) == trace


@given(play=PLAYS, expansions=st.integers(1, 12), name=st.sampled_from(["fast-long", "fast-short"]))
@settings(max_examples=15)
def test_a_smaller_budget_is_a_cut_tree(play: Play, expansions: int, name: str) -> None:
    """Searching with fewer expansions gives the very tree that cutting the larger one gives."""
    world, agent = world_and_agent(play)
    strategy = replace(named.strategy_named(name), score=score_named("mean-logp"))
    starts = list(range(len(world)))
    _, large = recorded(world, agent, with_expansions(strategy, 12), starts)
    _, small = recorded(world, agent, with_expansions(strategy, expansions), starts)
    assert [made.tree.within(expansions) for made in large] == [made.tree for made in small]


def test_the_walk_to_each_pop_is_told() -> None:
    """An agent that walks every step stands at each popped node when it has arrived there."""
    world = toy.loop_and_arm()
    strategy = replace(named.fast_long(), walking=named.greedy().walking)
    tree, (made,) = recorded(world, worked_agent, strategy, [0])
    (walk,) = walks(tree, world, strategy.goal.choose(tree), strategy.walking)
    stood = [walk.route.viewpoints[place] for place in made.arrived]
    assert stood == [made.tree.viewpoint[node] for node in made.tree.popped]


def test_numbers_that_are_none_are_told_as_such() -> None:
    """The released code prefers favourites by an infinite score; JSON has no such number."""
    _, (made,) = recorded(toy.loop_and_arm(), worked_agent, named.compat_fast_short(), [0])
    assert made.goal_score[-1] is None
    assert made.goal_score[0] == 0.0


def test_buildings_have_numbers_of_their_own() -> None:
    """A second building's viewpoints count from zero."""
    world = toy.two_buildings()
    plan = plans_of(world, ["second"])["second"]
    assert plan.viewpoints == ("A", "B", "C")
    assert plan.position == ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (4.0, 0.0, 0.0))
    assert plan.edges == ((0, 1), (1, 2))
    tree = run(world, eager(world), named.greedy(), [2])
    goal = named.greedy().goal.choose(tree)
    episode = Episode("30_0", 30, "second", "A", 0.0, "go")
    walked = walks(tree, world, goal, named.greedy().walking)
    (made,) = record_searches(tree, world, [episode], named.greedy(), goal, walked)
    assert set(made.tree.viewpoint) == {0, 1, 2}


def eager(world: World) -> TableAgent:
    """An agent that takes the highest slot everywhere."""
    return TableAgent(torch.arange(world.actions).float().expand(len(world), -1))
