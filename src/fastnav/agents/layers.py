"""Encoders and attentions. Padding is masked everywhere, so that no row depends on its neighbours."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

PAD = 0


class SentenceEncoder(nn.Module):
    """Word vectors and a two-way LSTM, with static shapes: padding stays at the right and is never read.

    The backward direction reads each sentence reversed within its own length, instead of packing sequences,
    so that a whole training step can be recorded once and replayed.
    """

    def __init__(self, words: int, word_width: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, word_width, padding_idx=PAD)
        self.forwards = nn.LSTM(word_width, width // 2, batch_first=True)
        self.backwards = nn.LSTM(word_width, width // 2, batch_first=True)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, tokens: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, "batch token width"], Float[Tensor, "batch width"]]:
        """The context of each token, and a summary of each sentence."""
        length = (tokens != PAD).sum(dim=1)
        embedded = self.dropout(self.embedding(tokens))
        back = _reversed_within(length, tokens.shape[1])
        ahead, _ = self.forwards(embedded)
        behind, _ = self.backwards(_gather(embedded, back))
        last = (length - 1).clamp(min=0)[:, None]
        summary = torch.cat([_gather(ahead, last), _gather(behind, last)], dim=-1).squeeze(1)
        context = torch.cat([ahead, _gather(behind, back)], dim=-1)
        return self.dropout(context), summary


class OneWayEncoder(nn.Module):
    """Word vectors and an LSTM that reads from the last word to the first; so lies its context, too."""

    def __init__(self, words: int, word_width: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, word_width, padding_idx=PAD)
        self.backwards = nn.LSTM(word_width, width, batch_first=True)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, tokens: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, "batch token width"], Float[Tensor, "batch width"]]:
        """The context of each token, and a summary of each sentence."""
        length = (tokens != PAD).sum(dim=1)
        back = tokens.gather(1, _reversed_within(length, tokens.shape[1]))
        context, _ = self.backwards(self.dropout(self.embedding(back)))
        last = (length - 1).clamp(min=0)[:, None]
        return context, _gather(context, last).squeeze(1)


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
