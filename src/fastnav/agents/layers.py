"""Encoders and attentions. Padding is masked everywhere, so that no row depends on its neighbours."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.data.vocabulary import SPECIAL_WORDS, UNKNOWN

PAD = 0
_UNKNOWN = SPECIAL_WORDS.index(UNKNOWN)


class TwoWay(nn.Module):
    """A two-way LSTM with static shapes: padding stays at the right and is never read.

    The backward direction reads each sequence reversed within its own length, instead of packing sequences,
    so that a whole training step can be recorded once and replayed.
    """

    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(features, width // 2, batch_first=True)
        self.backwards = nn.LSTM(features, width // 2, batch_first=True)

    def forward(
        self, sequence: Float[Tensor, "batch item feature"], length: Int[Tensor, " batch"]
    ) -> tuple[Float[Tensor, "batch item width"], Float[Tensor, "batch width"]]:
        """The context of each item, and a summary of each sequence."""
        back = _reversed_within(length, sequence.shape[1])
        ahead, _ = self.forwards(sequence)
        behind, _ = self.backwards(_gather(sequence, back))
        last = (length - 1).clamp(min=0)[:, None]
        summary = torch.cat([_gather(ahead, last), _gather(behind, last)], dim=-1).squeeze(1)
        return torch.cat([ahead, _gather(behind, back)], dim=-1), summary


class SentenceEncoder(nn.Module):
    """Word vectors, read both ways."""

    def __init__(
        self, words: int, word_width: int, width: int, dropout: float, *, word_dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.word_dropout = word_dropout
        self.embedding = nn.Embedding(words, word_width, padding_idx=PAD)
        self.reader = TwoWay(word_width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, tokens: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, "batch token width"], Float[Tensor, "batch width"]]:
        """The context of each token, and a summary of each sentence."""
        embedded = self.dropout(self.embedding(self._some_forgotten(tokens)))
        context, summary = self.reader(embedded, (tokens != PAD).sum(dim=1))
        return self.dropout(context), summary

    def _some_forgotten(self, tokens: Int[Tensor, "batch token"]) -> Int[Tensor, "batch token"]:
        """While training, words at random become unknown ones."""
        if not (self.training and self.word_dropout):
            return tokens
        forgotten = torch.rand(tokens.shape, device=tokens.device) < self.word_dropout
        return torch.where(forgotten & (tokens != PAD), _UNKNOWN, tokens)


def _reversed_within(length: Int[Tensor, " batch"], tokens: int) -> Int[Tensor, "batch token"]:
    """Positions that reverse each sentence and leave its padding where it is."""
    position = torch.arange(tokens, device=length.device)[None, :]
    mirrored = length[:, None] - 1 - position
    return torch.where(mirrored >= 0, mirrored, position)


def _gather(
    sequence: Float[Tensor, "batch token width"], position: Int[Tensor, "batch chosen"]
) -> Float[Tensor, "batch chosen width"]:
    index = position[:, :, None].expand(-1, -1, sequence.shape[2])
    return sequence.gather(1, index)


def attend(
    query: Float[Tensor, "batch width"],
    keys: Float[Tensor, "batch item width"],
    mask: Bool[Tensor, "batch item"],
) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch item"]]:
    """Dot-product attention: the weighted mean of the keys, and the weights."""
    scores = torch.einsum("bw,biw->bi", query, keys)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.einsum("bi,biw->bw", weights, keys), weights
