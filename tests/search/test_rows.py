"""Rows know nothing of each other, and an agent may hold its state as it likes."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxtyping import Int
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival, StepOutput, TensorRows
from fastnav.agents.scripted import Lines, Says, ScriptedAgent, TableAgent
from fastnav.search import named
from fastnav.search.loop import search
from fastnav.search.strategies import Strategy
from fastnav.world.graph import World
from fastnav.world.simulator import Observation
from tests.search.playground import PLAYS, Told, outcomes, poses, run, with_expansions, world_and_agent

Play = tuple[int, float, int, int]
NAMES = ["greedy", "beam-3", "state-factored-4", "progress-inference-3", "fast-short", "fast-long"]
PRIME = 10_007


def said(seed: int, memory: int, actions: int) -> tuple[list[float], float]:
    """Logits and progress that depend on all the way walked."""
    values = [float((memory * (slot + 3) + seed) % 7) for slot in range(actions)]
    return values, ((memory + seed) % 9) / 4 - 1


def remember(memory: int, place: int) -> int:
    return (memory * 31 + place + 1) % PRIME


def scripted(actions: int) -> ScriptedAgent:
    """An agent whose memory is the way itself, in Python."""

    def script(sentence: str, way: tuple[int, ...]) -> Says:
        memory = 0
        for place in way:
            memory = remember(memory, place)
        return Says(*said(int(sentence), memory, actions))

    return ScriptedAgent(script)


@dataclass(frozen=True)
class Seeds(TensorRows):
    seed: Int[Tensor, " batch"]


@dataclass(frozen=True)
class Memory(TensorRows):
    """The same memory, in the corner of a larger state."""

    other: Int[Tensor, "batch 2 3"]
    memory: Int[Tensor, "batch 1"]


@dataclass(frozen=True)
class Rememberer(Agent[Seeds, Memory]):
    """The same agent with its memory in tensors."""

    actions: int

    def encode(self, sentences: Sequence[str]) -> Seeds:
        return Seeds(torch.tensor([int(sentence) for sentence in sentences], dtype=torch.int64))

    def begin(self, instruction: Seeds) -> Memory:
        batch = len(instruction.seed)
        return Memory(torch.zeros(batch, 2, 3, dtype=torch.int64), torch.zeros(batch, 1, dtype=torch.int64))

    def step(
        self, instruction: Seeds, state: Memory, observation: Observation, arrival: Arrival
    ) -> tuple[Memory, StepOutput]:
        memory = (state.memory * 31 + observation.viewpoint[:, None] + 1) % PRIME
        pairs = zip(instruction.seed.tolist(), memory.ravel().tolist(), strict=True)
        answers = [said(seed, value, self.actions) for seed, value in pairs]
        logits = torch.tensor([logits for logits, _ in answers]).reshape(-1, self.actions)
        output = StepOutput(logits, torch.tensor([progress for _, progress in answers]))
        return Memory(state.other + 1, memory), output


Found = list[tuple[Told, object]]


def find(world: World, agent: Agent, strategy: Strategy, tasks: list[tuple[int, int]]) -> Found:  # type: ignore[type-arg]
    """What is found from each start with each seed, all in one batch."""
    instruction = agent.encode([str(seed) for _, seed in tasks])
    tree = search(agent, world, poses([start for start, _ in tasks]), instruction, strategy=strategy)
    return outcomes(tree, world, strategy)


def strategy_of(name: str) -> Strategy:
    return with_expansions(named.strategy_named(name), 15)


@pytest.mark.parametrize("name", NAMES)
@given(play=PLAYS, order=st.randoms(use_true_random=False))
@settings(max_examples=4)
def test_alone_in_a_batch_and_permuted(name: str, play: Play, order: Random) -> None:
    world, _ = world_and_agent(play)
    strategy, agent = strategy_of(name), Rememberer(world.actions)
    tasks = [(start, seed) for start in range(len(world)) for seed in (5, 11)]
    together = find(world, agent, strategy, tasks)
    for task, found in zip(tasks, together, strict=True):
        assert find(world, agent, strategy, [task]) == [found]
    shuffled = list(range(len(tasks)))
    order.shuffle(shuffled)
    assert find(world, agent, strategy, [tasks[k] for k in shuffled]) == [together[k] for k in shuffled]


@pytest.mark.parametrize("name", NAMES)
@given(play=PLAYS)
@settings(max_examples=4)
def test_the_state_may_be_anything(name: str, play: Play) -> None:
    world, _ = world_and_agent(play)
    strategy = strategy_of(name)
    tasks = [(start, seed) for start in range(len(world)) for seed in (5, 11)]
    in_python = find(world, scripted(world.actions), strategy, tasks)
    assert in_python == find(world, Rememberer(world.actions), strategy, tasks)


def test_an_agent_is_told_how_it_came() -> None:
    world, _ = world_and_agent((7, 0.5, 3, 4))
    seen: list[tuple[int, int, int, int, int]] = []

    class Watching(ScriptedAgent):
        def step(
            self, instruction: Lines, state: Lines, observation: Observation, arrival: Arrival
        ) -> tuple[Lines, StepOutput]:
            parts = (
                arrival.viewpoint,
                arrival.view,
                arrival.slot,
                observation.viewpoint,
                observation.view,
            )
            seen.extend(zip(*(part.tolist() for part in parts), strict=True))
            for way, left in zip(state.values, arrival.viewpoint.tolist(), strict=True):
                assert not way or way[-1] == left
            return super().step(instruction, state, observation, arrival)

    agent = Watching(scripted(world.actions).script)
    tasks = [(start, 3) for start in range(len(world))]
    find(world, agent, named.fast_long(), tasks)
    first, later = seen[: len(world)], seen[len(world) :]
    assert [(here, facing) for *_, here, facing in first] == [(start, 12) for start, _ in tasks]
    assert all(slot == Arrival.START and left == here for left, _, slot, here, _ in first)
    assert len(later) > len(world)
    for left, _, slot, here, facing in later:
        assert (here, facing) == (world.neighbour[left, slot], world.view[left, slot])


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no accelerator")
@pytest.mark.parametrize("name", NAMES)
def test_an_agent_on_an_accelerator_finds_the_same(name: str) -> None:
    world, agent = world_and_agent((8, 0.5, 3, 7))
    strategy, starts = strategy_of(name), list(range(len(world)))
    progress = agent.progress.cuda() if agent.progress is not None else None
    there = TableAgent(agent.logits.cuda(), progress)
    tree = search(
        there, world.to("cuda"), poses(starts), there.encode(["go"] * len(world)), strategy=strategy
    )
    assert tree.viewpoint.device.type == "cpu"
    assert outcomes(tree, world, strategy) == outcomes(run(world, agent, strategy), world, strategy)
