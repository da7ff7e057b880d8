"""A speaker: from a path through a building to the sentence that describes it.

After Speaker-Follower (Fried et al. 2018) and EnvDrop (Tan et al. 2019): a two-way LSTM reads the actions
with what is seen on the way; another LSTM writes the words, and attends to the path.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import TensorRows
from fastnav.agents.layers import PAD, TwoWay
from fastnav.agents.learned import LearnedNetwork
from fastnav.agents.panorama import Panorama
from fastnav.agents.sight import Sight
from fastnav.data.vocabulary import BEGIN, END, SPECIAL_WORDS, UNKNOWN, Vocabulary
from fastnav.world.graph import World

#: Hidden and cell state of the writer, as torch's LSTM takes them.
Memory = tuple[Tensor, Tensor]

_BEGIN, _END, _UNKNOWN = (SPECIAL_WORDS.index(word) for word in (BEGIN, END, UNKNOWN))


@dataclass(frozen=True)
class SpeakerConfig:
    """Sizes, and what training switches off at random."""

    words: int
    features: int  # of an action, geometry included
    geometry: int  # of these, the last ones: never dropped
    word_width: int = 256
    width: int = 512
    dropout: float = 0.5
    feature_dropout: float = 0.4


@dataclass(frozen=True)
class Paths(TensorRows):
    """What was done on the way, STOP included; `taken` says which steps there are, the rest is padding."""

    place: Int[Tensor, "batch step"]
    view: Int[Tensor, "batch step"]  # faced before the action
    slot: Int[Tensor, "batch step"]
    taken: Bool[Tensor, "batch step"]


@dataclass(frozen=True)
class Tale(TensorRows):
    """An encoded path."""

    context: Float[Tensor, "batch step width"]
    mask: Bool[Tensor, "batch step"]
    hidden: Float[Tensor, "batch width"]


class SpeakerNetwork(LearnedNetwork):
    """The weights, apart from any world."""

    def __init__(self, config: SpeakerConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.action = nn.Sequential(
            nn.Linear(config.features, width), nn.LayerNorm(width), nn.ReLU(), nn.Dropout(config.dropout)
        )
        self.panorama = Panorama(config.features - config.geometry, width)
        self.reader = TwoWay(2 * width, width)
        self.begin = nn.Linear(width, width)
        self.embedding = nn.Embedding(config.words, config.word_width, padding_idx=PAD)
        self.writer = nn.LSTM(config.word_width, width, batch_first=True)
        self.look = nn.Linear(width, width, bias=False)
        self.ground = nn.Linear(2 * width, width)
        self.choose = nn.Linear(width, config.words)
        self.dropout = nn.Dropout(config.dropout)
        self.matcher = None

    def word_vectors(self) -> nn.Embedding:
        """Where words enter the network."""
        return self.embedding

    def read(
        self,
        actions: Float[Tensor, "batch step feature"],
        around: Float[Tensor, "batch step view seen"],
        taken: Bool[Tensor, "batch step"],
    ) -> Tale:
        """Encode paths."""
        keep = self._kept(len(actions), actions.device)
        done = self.action(actions * keep[:, None])
        seen = keep[:, : self.config.features - self.config.geometry].repeat_interleave(taken.shape[1], dim=0)
        looked = self.panorama(done.flatten(0, 1), around.flatten(0, 1), seen).view_as(done)
        context, summary = self.reader(torch.cat([done, self.dropout(looked)], dim=-1), taken.sum(dim=1))
        return Tale(self.dropout(context), taken, torch.tanh(self.begin(summary)))

    def forward(
        self,
        tale: Tale,
        words: Int[Tensor, "batch token"],
        memory: Memory | None = None,
    ) -> tuple[Float[Tensor, "batch token word"], Memory]:
        """After each of the words so far, the logits of the next one; and the writer's memory."""
        if memory is None:
            memory = tale.hidden[None].contiguous(), torch.zeros_like(tale.hidden[None])
        hidden, memory = self.writer(self.dropout(self.embedding(words)), memory)
        hidden = self.dropout(hidden)
        scores = torch.einsum("btw,bsw->bts", self.look(hidden), tale.context)
        weights = scores.masked_fill(~tale.mask[:, None], float("-inf")).softmax(dim=-1)
        read = torch.einsum("bts,bsw->btw", weights, tale.context)
        grounded = self.dropout(torch.tanh(self.ground(torch.cat([read, hidden], dim=-1))))
        return self.choose(grounded), memory

    def _kept(self, rows: int, device: torch.device) -> Float[Tensor, "batch feature"]:
        """One mask for a path: a feature that is gone is gone all along it."""
        config = self.config
        seen = torch.ones(rows, config.features - config.geometry, device=device)
        dropped = nn.functional.dropout(seen, config.feature_dropout, self.training)
        return torch.cat([dropped, torch.ones(rows, config.geometry, device=device)], dim=1)


class Speaker:
    """The network in a world."""

    def __init__(self, network: SpeakerNetwork, world: World, sight: Sight, vocabulary: Vocabulary) -> None:
        self.network, self.world, self.sight = network, world, sight
        self.vocabulary = vocabulary

    def read(self, paths: Paths) -> Tale:
        """Look back along paths."""
        return self.network.read(
            self.sight.taken(self.world, paths.place, paths.view, paths.slot),
            self.sight.around(paths.place, paths.view),
            paths.taken,
        )

    def surprise(
        self, paths: Paths, sentences: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, " batch"], Int[Tensor, " batch"]]:
        """How unlikely each sentence is for its path, summed over words and end mark; and its length."""
        first = torch.full_like(sentences[:, :1], _BEGIN)
        logits, _ = self.network(self.read(paths), torch.cat([first, sentences[:, :-1]], dim=1))
        each = nn.functional.cross_entropy(logits.transpose(1, 2), sentences, reduction="none")
        said = sentences != PAD
        return (each * said).sum(dim=1), said.sum(dim=1)

    def write(self, paths: Paths, longest: int, temperature: float) -> Int[Tensor, "batch token"]:
        """A sentence for each path, drawn at random; at temperature 0 always the likeliest next word."""
        tale = self.read(paths)
        word = torch.full_like(paths.place[:, :1], _BEGIN)
        memory, written = None, []
        never = torch.tensor([PAD, _UNKNOWN, _BEGIN], device=word.device)
        ended = torch.zeros_like(word, dtype=torch.bool)
        for _ in range(longest):
            logits, memory = self.network(tale, word, memory)
            word = _draw(logits[:, -1].index_fill(1, never, -torch.inf), temperature).masked_fill(ended, PAD)
            written.append(word)
            ended = ended | (word == _END)
        sentences = torch.cat(written, dim=1)
        # What has not ended by now is ended.
        sentences[:, -1:] = torch.where(ended, sentences[:, -1:], _END)
        return sentences


def _draw(logits: Float[Tensor, "batch word"], temperature: float) -> Int[Tensor, "batch 1"]:
    if not temperature:
        return logits.argmax(dim=1, keepdim=True)
    return torch.multinomial((logits / temperature).softmax(dim=1), 1)
