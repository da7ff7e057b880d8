"""The first R2R agent: it turns and walks in low-level steps, and sees only the view that it faces.

Anderson et al. 2018, with changes: the sentence is encoded both ways, training hides features for a whole
episode, and a tilt that would lead nowhere is not offered.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import Arrival, StepOutput, TensorRows
from fastnav.agents.layers import PAD, SentenceEncoder, attend
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.world.lowlevel import Move
from fastnav.world.poses import viewpoint_of
from fastnav.world.simulator import Observation

#: Width of what is kept of the move made last.
_MOVE_WIDTH = 32


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Sizes, and what training switches off at random."""

    words: int
    features: int  # of an action, geometry included
    geometry: int  # of these, the last ones: not seen
    word_width: int = 256
    width: int = 512
    dropout: float = 0.5
    feature_dropout: float = 0.4


@dataclass(frozen=True)
class Seq2SeqInstruction(TensorRows):
    """Encoded sentences."""

    context: Float[Tensor, "batch token width"]
    mask: Bool[Tensor, "batch token"]
    hidden: Float[Tensor, "batch width"]
    cell: Float[Tensor, "batch width"]
    keep: Float[Tensor, "batch feature"]  # which features this episode shows, while training


@dataclass(frozen=True)
class Seq2SeqState(TensorRows):
    """What a row remembers."""

    hidden: Float[Tensor, "batch width"]
    cell: Float[Tensor, "batch width"]


class Seq2SeqNetwork(LearnedNetwork):
    """The weights, apart from any world."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        width, seen = config.width, config.features - config.geometry
        self.encoder = SentenceEncoder(config.words, config.word_width, width, config.dropout)
        self.begin = nn.Linear(width, 2 * width)
        self.move = nn.Embedding(1 + len(Move), _MOVE_WIDTH)  # the first for who has not moved yet
        self.cell = nn.LSTMCell(_MOVE_WIDTH + seen, width)
        self.read = nn.Linear(width, width, bias=False)
        self.ground = nn.Linear(2 * width, width, bias=False)
        self.choose = nn.Linear(width, len(Move))
        self.matcher = None
        self.dropout = nn.Dropout(config.dropout)

    def encode(self, tokens: Int[Tensor, "batch token"]) -> Seq2SeqInstruction:
        """Read the sentences."""
        context, summary = self.encoder(tokens)
        hidden, cell = torch.tanh(self.begin(summary)).chunk(2, dim=1)
        keep = self.kept_features(len(tokens), tokens.device)
        return Seq2SeqInstruction(context, tokens != PAD, hidden, cell, keep)

    def forward(
        self,
        instruction: Seq2SeqInstruction,
        state: Seq2SeqState,
        seen: Float[Tensor, "batch seen"],
        slot: Int[Tensor, " batch"],
    ) -> tuple[Seq2SeqState, StepOutput]:
        """One step, after the move `slot`: the new state, and what is thought of each move."""
        shown = seen * instruction.keep[:, : seen.shape[1]]
        moved = self.dropout(self.move(slot - Arrival.START))
        hidden, cell = self.cell(torch.cat([moved, shown], dim=-1), (state.hidden, state.cell))
        dropped = self.dropout(hidden)
        read, _ = attend(self.read(dropped), instruction.context, instruction.mask)
        grounded = torch.tanh(self.ground(torch.cat([read, dropped], dim=-1)))
        return Seq2SeqState(hidden, cell), StepOutput(self.choose(grounded))


class Seq2Seq(Learned[Seq2SeqInstruction, Seq2SeqState]):
    """The network in a world of poses, with eyes and a word list."""

    network: Seq2SeqNetwork
    low_level: ClassVar[bool] = True
    longest: ClassVar[int] = 20

    def read(self, tokens: Int[Tensor, "batch token"]) -> Seq2SeqInstruction:
        """Encode sentences that are word numbers already."""
        return self.network.encode(tokens)

    def begin(self, instruction: Seq2SeqInstruction) -> Seq2SeqState:
        """The state before the first step."""
        return Seq2SeqState(instruction.hidden, instruction.cell)

    def step(
        self, instruction: Seq2SeqInstruction, state: Seq2SeqState, observation: Observation, arrival: Arrival
    ) -> tuple[Seq2SeqState, StepOutput]:
        """Look ahead and score the moves."""
        seen = self.sight.views[viewpoint_of(observation.viewpoint), observation.view]
        return self.network(instruction, state, seen.float(), arrival.slot)
