"""Encoders and attentions. Padding is masked everywhere, so that no row depends on its neighbours.

Shapes on a GPU are static, so that a whole training step can be recorded once and replayed. On the CPU what
is padding is left out instead, to the same result.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

PAD = 0
#: On the CPU so many sentences of about one length are read together.
_SENTENCES = 64
_padded = False  # whether the CPU computes padding, too


def is_thrifty(values: Tensor) -> bool:
    """Whether padding is left out of what is computed from `values`."""
    return values.is_cpu and not _padded


@contextmanager
def with_padding() -> Iterator[None]:
    """Let the CPU compute padding as a GPU does: to test its short cuts, and to measure against."""
    global _padded
    before, _padded = _padded, True
    try:
        yield
    finally:
        _padded = before


class Dropout(nn.Module):
    """torch's dropout. On the CPU, where that is slow, each random number decides on four values."""

    def __init__(self, part: float) -> None:
        super().__init__()
        self.part = part

    def forward(self, values: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """While training some values are zero, and the others larger for it."""
        if not (is_thrifty(values) and self.training and self.part):
            return nn.functional.dropout(values, self.part, self.training)
        dice = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
        rolled = dice.view(torch.int16)[: values.numel()].view_as(values)
        largest = 2**15 - 1 - round(self.part * 2**16)  # of those that keep a value
        scale = 2**16 / (largest + 1 + 2**15)
        return values * (rolled <= largest).to(values.dtype).mul_(scale)


class SentenceEncoder(nn.Module):
    """Word vectors and a two-way LSTM. Padding stays at the right and is never read.

    The backward direction reads each sentence reversed within its own length, instead of packing sequences.
    """

    def __init__(self, words: int, word_width: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, word_width, padding_idx=PAD)
        self.forwards = nn.LSTM(word_width, width // 2, batch_first=True)
        self.backwards = nn.LSTM(word_width, width // 2, batch_first=True)
        self.dropout = Dropout(dropout)

    def forward(
        self, tokens: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, "batch token width"], Float[Tensor, "batch width"]]:
        """The context of each token, and a summary of each sentence."""
        length = (tokens != PAD).sum(dim=1).clamp(min=1)
        embedded = self.dropout(self.embedding(tokens))
        onwards = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        back = _reversed_within(length, onwards)
        if is_thrifty(tokens):
            ahead = _read_by_length(self.forwards, embedded, onwards, length)
            behind = _read_by_length(self.backwards, embedded, back, length)
        else:
            ahead, _ = self.forwards(embedded)
            behind = _gather(self.backwards(_gather(embedded, back))[0], back)
        # The backward direction ends at the first word.
        summary = torch.cat([_gather(ahead, length[:, None] - 1).squeeze(1), behind[:, 0]], dim=-1)
        return self.dropout(torch.cat([ahead, behind], dim=-1)), summary


class OneWayEncoder(nn.Module):
    """Word vectors and an LSTM that reads from the last word to the first; so lies its context, too."""

    def __init__(self, words: int, word_width: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, word_width, padding_idx=PAD)
        self.backwards = nn.LSTM(word_width, width, batch_first=True)
        self.dropout = Dropout(dropout)

    def forward(
        self, tokens: Int[Tensor, "batch token"]
    ) -> tuple[Float[Tensor, "batch token width"], Float[Tensor, "batch width"]]:
        """The context of each token, and a summary of each sentence."""
        length = (tokens != PAD).sum(dim=1).clamp(min=1)
        onwards = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        embedded = self.dropout(self.embedding(tokens.gather(1, _reversed_within(length, onwards))))
        if is_thrifty(tokens):
            context = _read_by_length(self.backwards, embedded, onwards, length)
        else:
            context, _ = self.backwards(embedded)
        return context, _gather(context, length[:, None] - 1).squeeze(1)


def _read_by_length(
    lstm: nn.LSTM,
    words: Float[Tensor, "batch token wide"],
    position: Int[Tensor, "batch token"],
    length: Int[Tensor, " batch"],
) -> Float[Tensor, "batch token half"]:
    """Read each sentence in the order of `position`; those of about one length together, and no farther.

    What is said of a word stands in the word's place, and zeros where nothing was read.
    """
    batch, tokens = position.shape
    place = position + torch.arange(batch)[:, None] * tokens  # of each word among those of the whole batch
    alike = torch.split(length.argsort(stable=True), _SENTENCES)
    places = [place[rows, : int(length[rows[-1]])] for rows in alike]
    order = torch.cat([part.flatten() for part in places])
    parts = torch.split(words.flatten(0, 1).index_select(0, order), [part.numel() for part in places])
    said = [lstm(part.view(*at.shape, -1))[0].flatten(0, 1) for part, at in zip(parts, places, strict=True)]
    nothing = said[0].new_zeros(1, said[0].shape[1])
    where = torch.full((batch * tokens,), len(order)).index_copy(0, order, torch.arange(len(order)))
    return torch.cat([*said, nothing]).index_select(0, where).view(batch, tokens, -1)


def of_legal(
    layer: Callable[[Tensor], Tensor],
    features: Float[Tensor, "batch action feature"],
    mask: Bool[Tensor, "batch action"],
) -> Float[Tensor, "batch action width"]:
    """`layer` of each action's features; on the CPU of the legal ones alone, zeros for the others."""
    if not is_thrifty(features):
        return layer(features)
    legal = mask.flatten().nonzero().squeeze(1)
    seen = layer(features.flatten(0, 1).index_select(0, legal))
    padded = seen.new_zeros(mask.numel(), seen.shape[1]).index_copy(0, legal, seen)
    return padded.view(*mask.shape, -1)


def _reversed_within(
    length: Int[Tensor, " batch"], position: Int[Tensor, "batch token"]
) -> Int[Tensor, "batch token"]:
    """Positions that reverse each sentence and leave its padding where it is."""
    mirrored = length[:, None] - 1 - position
    return torch.where(mirrored >= 0, mirrored, position)


def _gather(
    sequence: Float[Tensor, "batch token width"], position: Int[Tensor, "batch chosen"]
) -> Float[Tensor, "batch chosen width"]:
    index = position[:, :, None].expand(-1, -1, sequence.shape[2])
    return sequence.gather(1, index)


def dots(
    query: Float[Tensor, "batch width"], keys: Float[Tensor, "batch item width"]
) -> Float[Tensor, "batch item"]:
    """The dot product of each row's query with its keys, in float32 whatever these come in."""
    if keys.dtype == torch.float32:
        return torch.einsum("bw,biw->bi", query, keys)
    return (query[:, None] * keys).sum(dim=-1, dtype=torch.float32)


def attend(
    query: Float[Tensor, "batch width"],
    keys: Float[Tensor, "batch item width"],
    mask: Bool[Tensor, "batch item"],
) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch item"]]:
    """Dot-product attention: the weighted mean of the keys, and the weights."""
    query = query.to(keys.dtype)
    if is_thrifty(keys) and keys.requires_grad:
        mean, weights = _Attention.apply(query, keys, mask)  # type: ignore[no-untyped-call]
        return mean, weights
    return _attended(query, keys, mask)


def _attended(query: Tensor, keys: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.einsum("bw,biw->bi", query, keys).float()
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.einsum("bi,biw->bw", weights.to(keys.dtype), keys), weights


class _Attention(torch.autograd.Function):
    """The same with its gradient by hand: on the CPU torch's own takes more than twice as long."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, keys: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The weighted mean of the keys, and the weights."""
        mean, weights = _attended(query, keys, mask)
        ctx.save_for_backward(query, keys, weights)
        return mean, weights

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        """The gradients of query and keys, from those of the mean and of the weights."""
        of_mean, of_weights = gradients
        query, keys, weights = ctx.saved_tensors
        weighed = of_weights + torch.einsum("bw,biw->bi", of_mean, keys)
        scored = (weights * (weighed - (weighed * weights).sum(dim=1, keepdim=True))).to(keys.dtype)
        of_keys = weights.to(keys.dtype)[:, :, None] * of_mean[:, None]
        of_keys.addcmul_(scored[:, :, None], query[:, None])
        return torch.einsum("bi,biw->bw", scored, keys), of_keys, None
