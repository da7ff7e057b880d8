"""What must hold of every search, whatever the world and the agent."""

import functools
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.agents.scripted import Says, ScriptedAgent, TableAgent
from fastnav.data.splits import load_split
from fastnav.search import named
from fastnav.search.growth import Growth
from fastnav.search.loop import search
from fastnav.search.routes import clean_routes, walked_routes
from fastnav.search.scoring import score_named
from fastnav.search.tree import SearchTree
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.loading import load_world
from fastnav.world.simulator import reset
from tests.search.playground import PLAYS, outcomes, poses, run, told, with_expansions, world_and_agent

Play = tuple[int, float, int, int]
FAST = [name for name in named.strategy_names() if "fast" in name]
ALL = ["greedy", "beam-3", "state-factored-3", "progress-inference", *FAST]


@pytest.mark.parametrize("name", ALL)
@given(play=PLAYS)
@settings(max_examples=10)
def test_every_step_leads_next_door_and_the_walk_ends_at_the_goal(name: str, play: Play) -> None:
    world, agent = world_and_agent(play)
    strategy = with_expansions(named.strategy_named(name), 20)
    tree = run(world, agent, strategy)
    goal = strategy.goal.choose(tree)
    for row, (walked, clean) in enumerate(
        zip(walked_routes(tree, world, goal, strategy.walking), clean_routes(tree, world, goal), strict=True)
    ):
        for route in (walked, clean):
            steps = zip(route.viewpoints, route.viewpoints[1:], strict=False)
            assert all(world.slot(source, target) is not None for source, target in steps)
            assert route.viewpoints[0] == row
            assert route.end == int(tree.viewpoint[row, goal[row]])
        assert walked.length(world) >= clean.length(world) - 1e-9


@pytest.mark.parametrize("name", FAST)
@given(play=PLAYS, expansions=st.integers(1, 12))
@settings(max_examples=6)
def test_counts_and_loops(name: str, play: Play, expansions: int) -> None:
    world, agent = world_and_agent(play)
    tree = run(world, agent, with_expansions(named.strategy_named(name), expansions))
    assert (tree.candidates.sum(dim=1) <= tree.expansions).all()
    assert (tree.expansions <= expansions).all()
    for row in range(len(tree)):
        for node in tree.exists[row].nonzero().ravel().tolist():
            path = tree.path(row, node)
            places = tree.viewpoint[row, path[:-1] if tree.is_stop[node] else path].tolist()
            assert len(set(places)) == len(places)


@given(play=PLAYS, expansions=st.integers(1, 12))
@settings(max_examples=20)
def test_a_larger_budget_only_adds(play: Play, expansions: int) -> None:
    # So the success rate of an oracle that may choose among all places seen never falls.
    world, agent = world_and_agent(play)
    less, more = (
        told(run(world, agent, strategy), strategy)
        for strategy in (named.fast_long(expansions=expansions), named.fast_long(expansions=expansions + 3))
    )
    for short, long in zip(less, more, strict=True):
        assert long.expanded[: len(short.expanded)] == short.expanded
        assert short.candidates.items() <= long.candidates.items()


@given(play=PLAYS)
@settings(max_examples=15)
def test_the_mean_of_one_action_is_its_sum(play: Play) -> None:
    world, agent = world_and_agent(play)
    tree = run(world, agent, named.fast_long(expansions=3))
    first = (tree.depth == 1) & tree.exists
    for evidence in ("logit", "logp"):
        total, mean = (score_named(f"{how}-{evidence}")(tree) for how in ("sum", "mean"))
        assert torch.equal(total[first], mean[first])


@given(play=PLAYS, name=st.sampled_from(FAST))
@settings(max_examples=15)
def test_keeping_as_many_actions_as_there_are_is_keeping_all(play: Play, name: str) -> None:
    world, agent = world_and_agent(play)
    strategy = replace(with_expansions(named.strategy_named(name), 10), growth=Growth())
    enough = replace(strategy, growth=Growth(top_k=world.actions))
    assert outcomes(run(world, agent, strategy), world, strategy) == outcomes(
        run(world, agent, enough), world, enough
    )


@pytest.mark.parametrize("name", ALL)
def test_an_agent_that_stops_at_once_stays(name: str) -> None:
    world, agent = world_and_agent((6, 0.6, 3, 1))
    agent.logits[:, 0] = 100.0
    strategy = named.strategy_named(name)
    if not strategy.stops_compete:
        strategy = replace(strategy, goal=replace(strategy.goal, score=score_named("mean-logit")))
    routes = walked_routes(
        tree := run(world, agent, strategy), world, strategy.goal.choose(tree), strategy.walking
    )
    if strategy.budget.stops == 1:
        assert [route.viewpoints for route in routes] == [(start,) for start in range(len(world))]
    assert [route.end for route in routes] == list(range(len(world)))


def test_what_a_tree_tells_can_be_learned_from() -> None:
    world, agent = world_and_agent((5, 0.6, 3, 2))
    tree = run(world, agent, named.fast_long())
    weight = torch.ones((), dtype=torch.float64, requires_grad=True)
    (tree.sum_logp[tree.candidates] * weight).sum().backward()
    assert weight.grad is not None


def test_rows_that_end_early_cost_nothing() -> None:
    class Counting(TableAgent):
        def step(self, instruction, state, observation, arrival):  # type: ignore[no-untyped-def]
            batches.append(len(observation.viewpoint))
            return super().step(instruction, state, observation, arrival)

    batches: list[int] = []
    world, agent = world_and_agent((8, 0.5, 3, 3))
    agent.logits[:3, 0] = 100.0  # at three places the agent stops at once
    tree = run(world, Counting(agent.logits), named.fast_short())
    assert batches[0] == len(world)
    assert batches[1] == len(world) - 3
    assert sum(batches) == int(tree.expansions.sum())


def test_an_agent_that_knows_the_way_walks_the_shortest_paths(real_data: object) -> None:
    # The figures of R2R: 9.4797 m from start to goal on average in val_unseen.
    split = load_split(real_data, "val_unseen")
    world = load_world(real_data, sorted({episode.scan for episode in split.scored}))
    geodesics = Geodesics.of(world)
    goals = [world.index(e.scan, split.references[e.path_id].goal) for e in split.scored]

    path = functools.cache(geodesics.path)  # three instructions share a path

    def knows(goal: str, way: tuple[int, ...]) -> Says:
        following = path(way[0], int(goal))[len(way) :]
        slot = (world.slot(way[-1], following[0]) or 0) if following else World.STOP
        return Says([0.0] * slot + [50.0])

    starts = np.array([world.index(episode.scan, episode.start) for episode in split.scored])
    pose = reset(torch.tensor(starts), torch.tensor([episode.heading for episode in split.scored]))
    agent = ScriptedAgent(knows)
    strategy = named.fast_short()
    tree = search(agent, world, pose, agent.encode([str(goal) for goal in goals]), strategy=strategy)
    routes = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
    for route, start, goal in zip(routes, starts.tolist(), goals, strict=True):
        assert route.viewpoints == path(start, goal)
    assert np.mean([route.length(world) for route in routes]) == pytest.approx(9.4797, abs=5e-5)


def test_a_single_place_is_a_world_too() -> None:
    world, agent = world_and_agent((1, 0.5, 3, 0))
    for name in ALL:
        strategy = named.strategy_named(name)
        tree = run(world, agent, strategy)
        goal = strategy.goal.choose(tree)
        assert walked_routes(tree, world, goal, strategy.walking)[0].viewpoints == (0,)


def test_nobody_to_search_for() -> None:
    world, agent = world_and_agent((3, 0.5, 3, 0))
    tree = search(agent, world, poses([]), agent.encode([]), strategy=named.fast_short())
    assert len(tree) == 0
    assert isinstance(tree, SearchTree)
