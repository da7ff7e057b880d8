"""The tensor search and the slow one agree on random worlds, node for node, with many ties."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.search import named
from fastnav.search.scoring import LOCAL_SCORES
from fastnav.search.tree import SearchTree
from fastnav.search.walking import Skip, Walking
from fastnav.world.route import Measure
from tests.search import reference
from tests.search.playground import PLAYS, Told, outcomes, run, task, told, with_expansions, world_and_agent

Play = tuple[int, float, int, int]
SCORES = sorted(LOCAL_SCORES)
BUDGETS = st.sampled_from([1, 2, 5, 12, 12, 40])
WALKINGS = st.tuples(
    st.sampled_from(["metres", "hops"]), st.sampled_from(["nothing", "last-step", "edge", "viewpoint"])
)


def agree(row: Told, found: reference.Found) -> None:
    """The same expansions, pops and goal; the same candidates with the same sums, to the last digit."""
    assert row.expanded == found.expanded
    assert row.popped == [item.slots for item in found.popped]
    for item in found.candidates:
        assert row.candidates[item.slots] == (item.logit, item.logp, item.progress)
    assert row.goal == found.goal.slots


# ---- FAST: every score, exploit and explore, stops in the frontier or not


@pytest.mark.parametrize("score", SCORES)
@given(play=PLAYS, expansions=BUDGETS, walking=WALKINGS)
@settings(max_examples=8)
def test_fast(score: str, play: Play, expansions: int, walking: tuple[Measure, Skip]) -> None:
    world, agent = world_and_agent(play)
    local = LOCAL_SCORES[score]
    for made, exploit, stops in (
        (named.fast_short(local, expansions), True, True),
        (named.fast_long(local, expansions=expansions), False, False),
    ):
        strategy = replace(made, walking=Walking(*walking))
        rows = outcomes(run(world, agent, strategy), world, strategy)
        for start in range(len(world)):
            episode = task(world, agent, start)
            found = reference.fast(episode, score=score, exploit=exploit, stops=stops, expansions=expansions)
            row, route = rows[start]
            agree(row, found)
            assert set(row.candidates) == {item.slots for item in found.candidates}
            assert list(route.viewpoints) == reference.walk(episode, found, by=walking[0], skip=walking[1])


@pytest.mark.parametrize("score", ["sum-logit", "mean-logit", "sum-logp", "mean-logp"])
@given(play=PLAYS, expansions=BUDGETS)
@settings(max_examples=10)
def test_the_released_code(score: str, play: Play, expansions: int) -> None:
    # There, items are created in the order of their local logits, and greedy stops are infinitely good.
    world, agent = world_and_agent(play)
    local = LOCAL_SCORES[score]
    for made, exploit, stops in (
        (named.compat_fast_short(local), True, True),
        (named.compat_fast_long(local), False, False),
        (named.compat_fast_long_exploit(local), True, False),
    ):
        strategy = with_expansions(made, expansions)
        rows = outcomes(run(world, agent, strategy), world, strategy)
        for start in range(len(world)):
            episode = task(world, agent, start)
            found = reference.fast(
                episode, score=score, exploit=exploit, stops=stops, expansions=expansions, by_rank=True
            )
            found.goal = found.compat_goal
            row, route = rows[start]
            agree(row, found)
            assert list(route.viewpoints) == reference.walk(episode, found, by="hops", skip="last-step")


# ---- the others


@given(play=PLAYS)
@settings(max_examples=15)
def test_greedy_is_a_plain_loop(play: Play) -> None:
    world, agent = world_and_agent(play)
    for strategy in (named.greedy(), named.beam(1)):
        rows = outcomes(run(world, agent, strategy), world, strategy)
        for start in range(len(world)):
            item = reference.greedy(task(world, agent, start))
            row, route = rows[start]
            assert row.goal == item.slots
            assert route.viewpoints == (item.places[:-1] if item.slots[-1] == 0 else item.places)


@given(play=PLAYS, width=st.integers(1, 7))
@settings(max_examples=30)
def test_beams(play: Play, width: int) -> None:
    world, agent = world_and_agent(play)
    strategy = named.beam(width)
    rows = told(run(world, agent, strategy), strategy)
    for start in range(len(world)):
        found = reference.beam(task(world, agent, start), width)
        agree(rows[start], found)


@given(play=PLAYS, completions=st.integers(1, 9))
@settings(max_examples=20)
def test_state_factored_search(play: Play, completions: int) -> None:
    world, agent = world_and_agent(play)
    strategy = with_expansions(named.state_factored(completions), 120)
    rows = told(run(world, agent, strategy), strategy)
    for start in range(len(world)):
        found = reference.state_factored(task(world, agent, start), completions)
        agree(rows[start], found)


@given(play=PLAYS, tries=st.integers(1, 5))
def test_progress_inference(play: Play, tries: int) -> None:
    world, agent = world_and_agent(play)
    strategy = named.progress_inference(tries)
    rows = told(run(world, agent, strategy), strategy)
    for start in range(len(world)):
        found = reference.progress_inference(task(world, agent, start), tries)
        agree(rows[start], found)


# ---- FAST with nothing to go back to is greedy


@given(play=PLAYS)
@settings(max_examples=8)
def test_fast_with_one_child_each_is_greedy(play: Play) -> None:
    world, agent = world_and_agent(play)
    greedy = named.greedy()
    for fast in (named.fast_short(), replace(named.fast_long(), stops_compete=True)):
        narrow = replace(fast, growth=greedy.growth, budget=greedy.budget)
        assert fields_of(run(world, agent, narrow)) == fields_of(run(world, agent, greedy))


def fields_of(tree: SearchTree) -> list[str]:
    """All that a tree holds, as text: nan does not equal itself."""
    return [str(value.tolist()) for value in vars(tree).values() if isinstance(value, torch.Tensor)]
