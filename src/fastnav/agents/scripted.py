"""Agents without weights that say what they are told to: for tests, examples and bug reports.

TableAgent      logits and progress looked up by viewpoint; remembers nothing
ScriptedAgent   a function of the instruction and of the way walked so far; its state is plain Python
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival, Rows, StepOutput, TensorRows
from fastnav.errors import UsageError
from fastnav.world.simulator import Observation


@dataclass(frozen=True)
class Numbered(TensorRows):
    """Rows that hold nothing but their number."""

    number: Int[Tensor, " batch"]


@dataclass(frozen=True)
class TableAgent(Agent[Numbered, Numbered]):
    """An agent that scores the actions of a viewpoint always alike."""

    logits: Float[Tensor, "viewpoint action"]
    progress: Float[Tensor, " viewpoint"] | None = None

    def encode(self, sentences: Sequence[str]) -> Numbered:
        """Sentences are not read."""
        return Numbered(torch.arange(len(sentences), device=self.logits.device))

    def begin(self, instruction: Numbered) -> Numbered:
        """There is nothing to remember."""
        return instruction

    def step(
        self, instruction: Numbered, state: Numbered, observation: Observation, arrival: Arrival
    ) -> tuple[Numbered, StepOutput]:
        """Look the numbers up."""
        here = observation.viewpoint
        return state, StepOutput(self.logits[here], None if self.progress is None else self.progress[here])


@dataclass(frozen=True)
class Says:
    """A scripted answer: a logit for each slot that matters (the others get none), and perhaps progress."""

    logits: Sequence[int | float]
    progress: int | float | None = None


@dataclass(frozen=True)
class Lines(Rows):
    """Any Python values, one for each row."""

    values: tuple[object, ...]

    def take(self, rows: Int[Tensor, " row"]) -> "Lines":
        """The given rows."""
        return Lines(tuple(self.values[row] for row in rows.tolist()))

    @classmethod
    def join(cls, parts: Sequence["Lines"]) -> "Lines":
        """The rows of all parts."""
        return cls(tuple(value for part in parts for value in part.values))


#: From the instruction and the viewpoints walked so far, this one last, to what the agent says.
Script = Callable[[str, tuple[int, ...]], Says]


@dataclass(frozen=True)
class ScriptedAgent(Agent[Lines, Lines]):
    """An agent that remembers its way, and answers as a function tells it to."""

    script: Script

    def encode(self, sentences: Sequence[str]) -> Lines:
        """Keep the sentences."""
        return Lines(tuple(sentences))

    def begin(self, instruction: Lines) -> Lines:
        """No place has been passed yet."""
        return Lines(tuple(() for _ in instruction.values))

    def step(
        self, instruction: Lines, state: Lines, observation: Observation, arrival: Arrival
    ) -> tuple[Lines, StepOutput]:
        """Ask the script, row by row."""
        here = observation.viewpoint.tolist()
        ways = tuple((*way, place) for way, place in zip(state.values, here, strict=True))  # type: ignore[misc]
        said = [self.script(line, way) for line, way in zip(instruction.values, ways, strict=True)]  # type: ignore[arg-type]
        logits = torch.zeros(observation.mask.shape, device=observation.mask.device)
        for row, answer in enumerate(said):
            if len(answer.logits) > logits.shape[1]:
                raise UsageError(
                    f"the script gives {len(answer.logits)} logits at viewpoint {here[row]}, "
                    f"but there are {logits.shape[1]} action slots"
                )
            logits[row, : len(answer.logits)] = torch.tensor(answer.logits, dtype=logits.dtype)
        return Lines(ways), StepOutput(logits, _progress(said, logits.device))


def _progress(said: Sequence[Says], device: torch.device) -> Float[Tensor, " batch"] | None:
    """The estimates of all rows; none unless every row has one."""
    given = [answer.progress for answer in said if answer.progress is not None]
    if given and len(given) < len(said):
        raise UsageError("the script gives progress at some places only; give it always or never")
    return torch.tensor(given, dtype=torch.float32, device=device) if given else None
