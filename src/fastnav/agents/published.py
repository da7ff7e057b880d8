"""SMNA's network as it was published, as far as what is seen here allows: see docs/agents.md.

It reads before it looks; sentences are read once, from the last word to the first; and a gate tells progress.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import StepOutput
from fastnav.agents.layers import PAD, Dropout, OneWayEncoder, attend, dots, of_legal
from fastnav.agents.learned import LONGEST_SENTENCE, LearnedNetwork
from fastnav.agents.sight import DIRECTION
from fastnav.agents.smna import SMNAConfig, SMNAInstruction, SMNANetwork, SMNAState
from fastnav.world.graph import World

#: What is dropped of words whose places in the sentence have been added.
_POSITION_DROPOUT = 0.1


def smna_network(config: SMNAConfig) -> LearnedNetwork:
    """The network that a config asks for."""
    return PublishedSMNANetwork(config) if config.published else SMNANetwork(config)


class PublishedSMNANetwork(LearnedNetwork):
    """The weights, apart from any world."""

    def __init__(self, config: SMNAConfig) -> None:
        super().__init__()
        self.config = config
        width, looked = config.width, 2 * config.width
        self.encoder = OneWayEncoder(config.words, config.word_width, width, config.dropout)
        self.action = nn.Sequential(
            nn.Linear(self._seen, looked), nn.LayerNorm(looked), Dropout(config.dropout), nn.ReLU()
        )
        self.read = nn.Linear(width, width, bias=False)
        self.look = nn.Linear(width, looked, bias=False)
        self.cell = nn.LSTMCell(2 * looked + width, width)
        self.choose = nn.Linear(2 * width, looked, bias=False)
        self.gate = nn.Linear(width + looked, width)
        self.progress = nn.Linear(LONGEST_SENTENCE + width, 1)
        self.matcher = None
        self.dropout = Dropout(config.dropout)
        self.position_dropout = Dropout(_POSITION_DROPOUT)

    @property
    def _seen(self) -> int:
        """Of an action's features, what it looks like and where it lies: no lengths, no places passed."""
        return int(self.config.features - self.config.geometry + DIRECTION)

    def encode(self, tokens: Int[Tensor, "batch token"]) -> SMNAInstruction:
        """Read the sentences."""
        context, summary = self.encoder(tokens)
        context = self.position_dropout(context + positions(tokens.shape[1], context))
        keep = self.kept_features(len(tokens), tokens.device)
        return SMNAInstruction(context, tokens != PAD, tokens, summary, keep)

    def forward(
        self,
        instruction: SMNAInstruction,
        state: SMNAState,
        seen: tuple[Float[Tensor, "batch action feature"], Bool[Tensor, "batch action"]],
        arrival: Float[Tensor, "batch feature"],
    ) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"], StepOutput]:
        """One step: the new hidden and cell state, and what is thought of each action."""
        features, mask = seen
        shown = (features * instruction.keep[:, None])[..., : self._seen]
        shown[:, World.STOP] = 0.0  # STOP looks like nothing
        actions = of_legal(self.action, shown, mask)
        previous = self.action((arrival * instruction.keep)[:, : self._seen])
        read, weights = attend(self.read(state.hidden), instruction.context, instruction.mask)
        looked, _ = attend(self.look(state.hidden), actions, mask)
        hidden, cell = self.cell(torch.cat([previous, looked, read], dim=-1), (state.hidden, state.cell))
        chosen = self.choose(torch.cat([read, self.dropout(hidden)], dim=-1))
        logits = dots(chosen, actions)
        gate = torch.sigmoid(self.gate(torch.cat([state.hidden, looked], dim=-1)))
        monitor = self.dropout(gate * torch.tanh(cell))
        where = nn.functional.pad(weights, (0, LONGEST_SENTENCE - weights.shape[1]))
        progress = self.progress(torch.cat([where, monitor], dim=-1))
        return hidden, cell, StepOutput(logits, torch.tanh(progress.squeeze(-1)))


def positions(tokens: int, like: Float[Tensor, "..."]) -> Float[Tensor, "token width"]:
    """Sines and cosines of each place, from short waves to long ones."""
    width = like.shape[-1]
    wave = torch.arange(0, width, 2, device=like.device) / width
    angle = torch.arange(tokens, device=like.device)[:, None] / 10000.0**wave
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).to(like.dtype)
