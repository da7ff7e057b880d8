"""Sound agents pass; each planted fault is named, with what to do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival, StepOutput, TensorRows
from fastnav.agents.scripted import Lines, Says, ScriptedAgent, TableAgent
from fastnav.errors import AgentError
from fastnav.testing import check_agent
from fastnav.testing.agents import SENTENCES
from fastnav.world import toy
from fastnav.world.simulator import Observation

WORLD = toy.crossroads()
DIGITS = 97


@dataclass(frozen=True)
class Words(TensorRows):
    words: Int[Tensor, "batch token"]


@dataclass(frozen=True)
class Memory(TensorRows):
    memory: Float[Tensor, "batch 1"]


@dataclass
class Model(Agent[Words, Memory]):
    """A small agent with words, memory and attention over actions; each subclass breaks one thing."""

    steps: int = 0

    def encode(self, sentences: Sequence[str]) -> Words:
        lengths = [len(sentence) % DIGITS + 1 for sentence in sentences]
        words = torch.zeros(len(sentences), max(lengths), dtype=torch.int64)
        for row, length in enumerate(lengths):
            words[row, :length] = torch.arange(1, length + 1)
        return Words(words)

    def begin(self, instruction: Words) -> Memory:
        return Memory(instruction.words.sum(dim=1, keepdim=True).float() / 100)

    def step(
        self, instruction: Words, state: Memory, observation: Observation, arrival: Arrival
    ) -> tuple[Memory, StepOutput]:
        return self.answer(state, observation, arrival.slot.float()[:, None] / 10)

    def answer(self, state: Memory, observation: Observation, came: Tensor) -> tuple[Memory, StepOutput]:
        seen = (observation.turn * observation.mask).sum(dim=1, keepdim=True)
        memory = state.memory * 0.5 + seen + came
        return Memory(memory), StepOutput(torch.sin(observation.turn + memory), torch.tanh(memory[:, 0]))


def test_sound_agents_pass() -> None:
    check_agent(Model(), WORLD)
    check_agent(Model(), WORLD.to("cpu"))
    check_agent(TableAgent(torch.randn(WORLD.mask.shape)), WORLD)
    check_agent(ScriptedAgent(lambda sentence, way: Says([len(sentence), sum(way)], len(way) / 9)), WORLD)


class Dropout(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, replace(output, logits=torch.nn.functional.dropout(output.logits + 1, 0.5))


class ChangesItsState(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        state.memory.add_(1.0)
        return super().answer(state, observation, came)


class CentresTheBatch(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, replace(output, logits=output.logits - output.logits.mean(dim=0))


class SeesPaddingOfWords(Model):
    def begin(self, instruction: Words) -> Memory:
        return Memory(instruction.words.float().mean(dim=1, keepdim=True))


class NeedsTwoRows(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, replace(output, progress=output.progress[list(range(len(memory.memory.squeeze())))])


class KnowsItsPlace(Model):
    def encode(self, sentences: Sequence[str]) -> Words:
        words = super().encode(sentences)
        backwards = len(sentences) > 1 and sentences[0] == SENTENCES[-1]
        return Words(words.words + 5) if backwards else words


class SeesPaddingOfActions(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory = state.memory * 0.5 + observation.distance.mean(dim=1, keepdim=True) + came
        return Memory(memory), StepOutput(torch.sin(observation.turn + memory))


class SometimesProgress(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, output if len(output.logits) > 1 else replace(output, progress=None)


class Crashes(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        raise KeyError("weights")


class ShortLogits(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, replace(output, logits=output.logits[:, :-1])


class Unnumbered(Model):
    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return memory, replace(output, logits=output.logits / 0.0 * 0.0)


@dataclass(frozen=True)
class SortedMemory(Memory):
    def take(self, rows: Int[Tensor, " row"]) -> "SortedMemory":
        return SortedMemory(self.memory[rows.sort().values])


@dataclass(frozen=True)
class SetMemory(Memory):
    def take(self, rows: Int[Tensor, " row"]) -> "SetMemory":
        unique = list(dict.fromkeys(rows.tolist()))
        return SetMemory(self.memory[unique])


@dataclass(frozen=True)
class BackwardsMemory(Memory):
    @classmethod
    def join(cls, parts: Sequence["BackwardsMemory"]) -> "BackwardsMemory":
        return BackwardsMemory(torch.cat([part.memory for part in reversed(parts)]))


@dataclass
class OwnMemory(Model):
    kind: type[Memory] = Memory

    def begin(self, instruction: Words) -> Memory:
        return self.kind(super().begin(instruction).memory)

    def answer(self, state: Memory, observation: Observation, came: Tensor) -> Any:
        memory, output = super().answer(state, observation, came)
        return self.kind(memory.memory), output


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Dropout(), "Dropout: says something else when asked the same again; put it into evaluation mode"),
        (ChangesItsState(), r"ChangesItsState: says something else when step\(\) is called twice"),
        (CentresTheBatch(), "CentresTheBatch: says something else alone than in a batch; mask padding"),
        (SeesPaddingOfWords(), "SeesPaddingOfWords: says something else alone than in a batch"),
        (NeedsTwoRows(), "NeedsTwoRows: fails on a batch of one row with TypeError: "),
        (KnowsItsPlace(), "KnowsItsPlace: says something else when the rows are in another order"),
        (SeesPaddingOfActions(), "SeesPaddingOfActions: minds what stands in masked slots; mask them"),
        (SometimesProgress(), "SometimesProgress: gives progress at some times only"),
        (Crashes(), "Crashes: fails on a batch with KeyError: 'weights'"),
        (ShortLogits(), r"ShortLogits: logits has shape \(5, 4\), not \(5, 5\)"),
        (Unnumbered(), "Unnumbered: the logit of legal action 0 in row 0 is nan"),
        (
            OwnMemory(kind=SortedMemory),
            r"OwnMemory: says something else after take\(\); return",
        ),
        (OwnMemory(kind=SetMemory), "OwnMemory: .*(twice|has 5 rows|fails on rows that were taken twice)"),
        (OwnMemory(kind=BackwardsMemory), r"OwnMemory: says something else after join\(\); keep the order"),
    ],
)
def test_faults_are_named(agent: Model, message: str) -> None:
    with pytest.raises(AgentError, match="^" + message):
        check_agent(agent, WORLD)


def test_an_agent_that_counts_its_rows_is_found_out() -> None:
    class Numbers(ScriptedAgent):
        """The order of sentences matters: the first of each batch is another."""

        def encode(self, sentences: Sequence[str]) -> Lines:
            return Lines(tuple(f"{row}" for row in range(len(sentences))))

    with pytest.raises(AgentError, match="Numbers: says something else alone than in a batch"):
        check_agent(Numbers(lambda number, way: Says([float(number)])), WORLD)
