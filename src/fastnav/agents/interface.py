"""The contract between an agent and search: three methods, and states that are held by rows.

    encode(sentences)                                -> Instruction          once an episode
    begin(instruction)                               -> AgentState           before the first step
    step(instruction, state, observation, arrival)   -> AgentState, StepOutput

Search touches hidden state through `take` and `join` alone, so beams, frontiers and jumps all share it,
and an agent may hold what it likes: tensors, or for a policy behind an API, the text of a conversation.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Generic, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fastnav.world.simulator import Observation

#: A kind of rows. Not typing.Self: the shape checker cannot read it on the methods of a plain class.
RowsT = TypeVar("RowsT", bound="Rows")
TensorRowsT = TypeVar("TensorRowsT", bound="TensorRows")


class Rows(ABC):
    """Something held for each row of a batch; rows can be gathered and joined."""

    @abstractmethod
    def take(self: RowsT, rows: Int[Tensor, " row"]) -> RowsT:
        """The given rows, in that order; a row may be taken several times."""

    @classmethod
    @abstractmethod
    def join(cls: type[RowsT], parts: Sequence[RowsT]) -> RowsT:
        """The rows of all parts, one part after the other."""


@dataclass(frozen=True)
class TensorRows(Rows):
    """Rows of a dataclass whose fields are tensors, each with the row as its first axis."""

    def take(self: TensorRowsT, rows: Int[Tensor, " row"]) -> TensorRowsT:
        """The given rows of every field."""
        held = (getattr(self, field.name) for field in fields(self))
        return type(self)(*(tensor.index_select(0, rows.to(tensor.device)) for tensor in held))

    @classmethod
    def join(cls: type[TensorRowsT], parts: Sequence[TensorRowsT]) -> TensorRowsT:
        """The rows of all parts, field by field."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(torch.cat([getattr(part, field.name) for part in parts]) for field in fields(cls)))


@dataclass(frozen=True)
class Arrival(TensorRows):
    """The action that led here: where it was taken, the view faced there, and the slot chosen."""

    START: ClassVar[int] = -1  # the slot of a row that has not moved yet

    viewpoint: Int[Tensor, " batch"]
    view: Int[Tensor, " batch"]
    slot: Int[Tensor, " batch"]

    @classmethod
    def at_start(cls, viewpoint: Int[Tensor, " batch"], view: Int[Tensor, " batch"]) -> "Arrival":
        """No action yet: all rows stand where they begin."""
        return cls(viewpoint, view, torch.full_like(viewpoint, cls.START))


@dataclass(frozen=True)
class StepOutput:
    """What an agent says of each action where it stands."""

    logits: Float[Tensor, "batch action"]  # slot 0 is STOP; values of masked slots are ignored
    progress: Float[Tensor, " batch"] | None = None  # how much of the way is done, if it estimates that


InstructionT = TypeVar("InstructionT", bound=Rows)
StateT = TypeVar("StateT", bound=Rows)


class Agent(ABC, Generic[InstructionT, StateT]):
    """A policy that search can drive."""

    @abstractmethod
    def encode(self, sentences: Sequence[str]) -> InstructionT:
        """Read the instructions, a row each."""

    @abstractmethod
    def begin(self, instruction: InstructionT) -> StateT:
        """The state before the first step, a row for each instruction."""

    @abstractmethod
    def step(
        self, instruction: InstructionT, state: StateT, observation: Observation, arrival: Arrival
    ) -> tuple[StateT, StepOutput]:
        """Look around and score the actions. A row's answer must not depend on the others in the batch."""
