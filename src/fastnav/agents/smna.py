"""SMNA: a follower that attends to words and actions, and estimates how much of the way is done.

The Self-Monitoring Navigation Agent (Ma et al. 2019), with changes: the sentence is encoded both ways, and
read after the present view has been seen; STOP is seen as the place itself; the places passed on the
present path are remembered; and words are compared with views in the space that both have a place in.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import Arrival, StepOutput, TensorRows
from fastnav.agents.layers import PAD, Dropout, SentenceEncoder, attend, dots, of_legal
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.matching import Matcher
from fastnav.agents.sight import nothing_passed, passed_among, with_passed
from fastnav.world.simulator import Observation


@dataclass(frozen=True)
class SMNAConfig:
    """Sizes, and what training switches off at random."""

    words: int
    features: int  # of an action, geometry included
    geometry: int  # of these, the last ones: never dropped
    word_width: int = 256
    width: int = 512
    dropout: float = 0.5
    feature_dropout: float = 0.4
    readings: int = 4  # of the sentence, each compared with what is seen (`agents.matching`); 0 for none
    published: int = 0  # 1: the network as it was published (`agents.published`)


@dataclass(frozen=True)
class SMNAInstruction(TensorRows):
    """Encoded sentences."""

    context: Float[Tensor, "batch token width"]
    mask: Bool[Tensor, "batch token"]
    tokens: Int[Tensor, "batch token"]
    hidden: Float[Tensor, "batch width"]
    keep: Float[Tensor, "batch feature"]  # which features this episode shows, while training


@dataclass(frozen=True)
class SMNAState(TensorRows):
    """What a row remembers."""

    hidden: Float[Tensor, "batch width"]
    cell: Float[Tensor, "batch width"]
    passed: Int[Tensor, "batch passed"]


class SMNANetwork(LearnedNetwork):
    """The weights, apart from any world."""

    def __init__(self, config: SMNAConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.encoder = SentenceEncoder(config.words, config.word_width, width, config.dropout)
        self.begin = nn.Linear(width, width)
        self.action = nn.Sequential(
            nn.Linear(config.features, width), nn.LayerNorm(width), nn.ReLU(), Dropout(config.dropout)
        )
        self.look = nn.Linear(width, width, bias=False)
        self.cell = nn.LSTMCell(2 * width, width)
        self.read = nn.Linear(width, width, bias=False)
        self.ground = nn.Linear(2 * width, width)
        self.choose = nn.Linear(width, width, bias=False)
        self.progress = nn.Sequential(nn.Linear(2 * width + 2, 128), nn.ReLU(), nn.Linear(128, 1))
        self.matcher = _matcher(config)
        self.dropout = Dropout(config.dropout)

    def encode(self, tokens: Int[Tensor, "batch token"]) -> SMNAInstruction:
        """Read the sentences."""
        context, summary = self.encoder(tokens)
        keep = self.kept_features(len(tokens), tokens.device)
        return SMNAInstruction(context, tokens != PAD, tokens, torch.tanh(self.begin(summary)), keep)

    def forward(
        self,
        instruction: SMNAInstruction,
        state: SMNAState,
        seen: tuple[Float[Tensor, "batch action feature"], Bool[Tensor, "batch action"]],
        arrival: Float[Tensor, "batch feature"],
    ) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"], StepOutput]:
        """One step: the new hidden and cell state, and what is thought of each action."""
        features, mask = seen
        shown = features * instruction.keep[:, None]
        actions = of_legal(self.action, shown, mask)
        previous = self.action(arrival * instruction.keep)
        looked, _ = attend(self.look(state.hidden), actions, mask)
        hidden, cell = self.cell(torch.cat([previous, looked], dim=-1), (state.hidden, state.cell))
        dropped = self.dropout(hidden)
        read, weights = attend(self.read(dropped), instruction.context, instruction.mask)
        grounded = self.dropout(torch.tanh(self.ground(torch.cat([read, dropped], dim=-1))))
        logits = dots(self.choose(grounded), actions)
        if self.matcher is not None:
            sentence = (instruction.context, instruction.mask, instruction.tokens)
            logits = logits + self.matcher(dropped, sentence, shown)
        progress = self.progress(torch.cat([read, dropped, _reading(weights, instruction.mask)], dim=-1))
        return hidden, cell, StepOutput(logits, torch.tanh(progress.squeeze(-1)))


def _matcher(config: SMNAConfig) -> Matcher | None:
    if not config.readings or config.features == config.geometry:
        return None  # nothing is wanted, or there is nothing to compare with
    return Matcher(config.words, config.features, config.geometry, config.width, readings=config.readings)


def _reading(
    weights: Float[Tensor, "batch token"], mask: Bool[Tensor, "batch token"]
) -> Float[Tensor, "batch 2"]:
    """Where in its sentence a row reads (0 at the beginning, 1 at the end), and how widely."""
    length = mask.sum(dim=1, keepdim=True).clamp(min=1)
    position = torch.arange(weights.shape[1], device=weights.device)[None, :] / length
    mean = (weights * position).sum(dim=1, keepdim=True)
    spread = (weights * (position - mean) ** 2).sum(dim=1, keepdim=True)
    return torch.cat([mean, spread], dim=1)


class SMNA(Learned[SMNAInstruction, SMNAState]):
    """The network in a world, with eyes and a word list."""

    estimates_progress: ClassVar[bool] = True

    def read(self, tokens: Int[Tensor, "batch token"]) -> SMNAInstruction:
        """Encode sentences that are word numbers already."""
        return self.network.encode(tokens)

    def begin(self, instruction: SMNAInstruction) -> SMNAState:
        """The state before the first step."""
        rows = len(instruction.hidden)
        passed = nothing_passed(rows, instruction.hidden.device)
        return SMNAState(instruction.hidden, torch.zeros_like(instruction.hidden), passed)

    def step(
        self, instruction: SMNAInstruction, state: SMNAState, observation: Observation, arrival: Arrival
    ) -> tuple[SMNAState, StepOutput]:
        """Look around and score the actions."""
        seen = self.sight.actions(observation, passed_among(state.passed, observation.neighbour))
        hidden, cell, output = self.network(
            instruction, state, (seen, observation.mask), self.sight.arrival(self.world, arrival)
        )
        return SMNAState(hidden, cell, with_passed(state.passed, observation.viewpoint)), output
