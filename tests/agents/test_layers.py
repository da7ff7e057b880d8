"""The sentence encoder against torch's own, sentence by sentence; attention with known answers."""

import math
from contextlib import nullcontext

import pytest
import torch
from torch import Tensor, nn

from fastnav.agents import layers
from fastnav.agents.layers import (
    PAD,
    Dropout,
    OneWayEncoder,
    SentenceEncoder,
    attend,
    dots,
    of_legal,
    with_padding,
)

WORDS, WORD_WIDTH, WIDTH = 30, 6, 10
LENGTHS = (7, 1, 4, 12)


@pytest.fixture
def encoder() -> SentenceEncoder:
    torch.manual_seed(1)
    return SentenceEncoder(WORDS, WORD_WIDTH, WIDTH, dropout=0.5).eval()


def sentences(width: int = max(LENGTHS)) -> Tensor:
    """Random words, padded at the right."""
    dice = torch.Generator().manual_seed(2)
    tokens = torch.randint(1, WORDS, (len(LENGTHS), width), generator=dice)
    return torch.where(torch.arange(width)[None, :] < torch.tensor(LENGTHS)[:, None], tokens, PAD)


def both_ways(encoder: SentenceEncoder) -> nn.LSTM:
    """Torch's own two-way LSTM with the encoder's weights."""
    reference = nn.LSTM(WORD_WIDTH, WIDTH // 2, batch_first=True, bidirectional=True)
    ahead = encoder.forwards.state_dict()
    behind = {f"{name}_reverse": value for name, value in encoder.backwards.state_dict().items()}
    reference.load_state_dict({**ahead, **behind})
    return reference.eval()


def test_each_sentence_is_read_both_ways(encoder: SentenceEncoder) -> None:
    """Context and summary are those of torch's two-way LSTM on each sentence alone."""
    tokens, reference = sentences(), both_ways(encoder)
    context, summary = encoder(tokens)
    for row, length in enumerate(LENGTHS):
        alone, (last, _) = reference(encoder.embedding(tokens[row : row + 1, :length]))
        torch.testing.assert_close(context[row, :length], alone[0])
        torch.testing.assert_close(summary[row], last[:, 0].flatten())


def test_padding_and_company_do_not_matter(encoder: SentenceEncoder) -> None:
    """More padding, other rows and another order change nothing of what a sentence means."""
    tokens = sentences()
    context, summary = encoder(tokens)
    wider = nn.functional.pad(tokens, (0, 5), value=PAD)
    order = torch.tensor([2, 0, 3, 1])
    longer_context, longer_summary = encoder(wider[order])
    torch.testing.assert_close(longer_summary, summary[order])
    for place, row in enumerate(order.tolist()):
        length = LENGTHS[row]
        torch.testing.assert_close(longer_context[place, :length], context[row, :length])


@pytest.mark.parametrize("together", [1, 2, 64])
def test_how_many_are_read_together_does_not_matter(
    encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    """Neither to what is said of each word, nor to what is learned from it."""
    tokens = sentences()
    real = tokens != PAD
    reference = both_ways(encoder)
    monkeypatch.setattr(layers, "_SENTENCES", together)
    context, summary = encoder(tokens)
    weigh = torch.linspace(-1, 1, WIDTH)
    ((context * weigh).sum(dim=2)[real].sum() + summary.sum()).backward()
    expected = torch.zeros(())
    for row, length in enumerate(LENGTHS):
        alone, (last, _) = reference(encoder.embedding(tokens[row : row + 1, :length]).detach())
        expected = expected + (alone * weigh).sum() + last.sum()
    expected.backward()
    torch.testing.assert_close(encoder.forwards.weight_hh_l0.grad, reference.weight_hh_l0.grad)
    torch.testing.assert_close(encoder.backwards.weight_ih_l0.grad, reference.weight_ih_l0_reverse.grad)


def test_one_way_reads_from_the_last_word() -> None:
    """Context and summary are those of torch's LSTM on each sentence alone, turned round."""
    torch.manual_seed(1)
    encoder = OneWayEncoder(WORDS, WORD_WIDTH, WIDTH, dropout=0.5).eval()
    tokens = sentences()
    context, summary = encoder(tokens)
    for row, length in enumerate(LENGTHS):
        turned = tokens[row : row + 1, :length].flip(1)
        alone, (last, _) = encoder.backwards(encoder.embedding(turned))
        torch.testing.assert_close(context[row, :length], alone[0])
        torch.testing.assert_close(summary[row], last[0, 0])


def test_attention_is_the_weighted_mean() -> None:
    """Scores log 3 and log 1 weigh 3 to 1; what is masked weighs nothing, whatever it holds."""
    keys = torch.tensor([[[math.log(3.0), 4.0], [0.0, 8.0], [99.0, 99.0]]])
    mean, weights = attend(torch.tensor([[1.0, 0.0]]), keys, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(weights, torch.tensor([[0.75, 0.25, 0.0]]))
    torch.testing.assert_close(mean, torch.tensor([[0.75 * math.log(3.0), 5.0]]))


def test_the_gradient_of_attention() -> None:
    """It is that of the plain formula, of keys, query and weights alike."""
    dice = torch.Generator().manual_seed(3)
    query, keys = torch.randn(3, 4, generator=dice), torch.randn(3, 5, 4, generator=dice)
    mask = torch.arange(5)[None, :] < torch.tensor([5, 1, 3])[:, None]
    found = []
    for context in (nullcontext(), with_padding()):
        query, keys = query.detach().requires_grad_(), keys.detach().requires_grad_()
        with context:
            mean, weights = attend(query, keys, mask)
        (mean.pow(2).sum() + weights[:, 0].exp().sum()).backward()
        found.append((query.grad, keys.grad))
    torch.testing.assert_close(found[0], found[1])


def test_only_legal_actions_are_looked_at() -> None:
    """Others are zeros and reach no gradient, whatever their features hold."""
    layer = nn.Linear(2, 3)
    features = torch.tensor([[[1.0, 2.0], [math.nan, 1.0]], [[0.0, 1.0], [2.0, 0.0]]])
    mask = torch.tensor([[True, False], [True, True]])
    seen = of_legal(layer, features, mask)
    torch.testing.assert_close(seen[mask], layer(features[mask]))
    assert (seen[~mask] == 0).all()
    seen.sum().backward()
    assert layer.weight.grad is not None
    torch.testing.assert_close(layer.weight.grad, torch.tensor([[3.0, 3.0]]).expand(3, 2))


@pytest.mark.parametrize("part", [0.1, 0.5, 0.75])
def test_dropout(part: float) -> None:
    """So large a part is zero, evenly, the rest larger by what is missing; none in evaluation."""
    torch.manual_seed(4)
    dropout, values = Dropout(part), torch.ones(101, 1003, requires_grad=True)
    dropped = dropout(values)
    kept = dropped != 0
    assert float(kept.float().mean()) == pytest.approx(1 - part, abs=0.005)
    for place in range(4):  # of the values that share a random number
        assert float(kept.flatten()[place::4].float().mean()) == pytest.approx(1 - part, abs=0.01)
    torch.testing.assert_close(
        dropped[kept], torch.full_like(dropped[kept], 1 / (1 - part)), atol=1e-4, rtol=0
    )
    dropped.sum().backward()
    torch.testing.assert_close(values.grad, dropped.detach())
    assert not torch.equal(dropout(values), dropped)
    torch.manual_seed(4)
    assert torch.equal(dropout(values), dropped)
    assert torch.equal(dropout.eval()(values), values)
    assert torch.equal(Dropout(0.0)(values), values)


def test_dot_products_of_halves_are_whole() -> None:
    """A query with keys in bfloat16 is summed in float32: 256 and 1 stay apart."""
    query, keys = torch.ones(1, 2), torch.tensor([[[256.0, 1.0], [2.0, 3.0]]])
    for kind in (torch.float32, torch.bfloat16):
        found = dots(query.to(kind), keys.to(kind))
        torch.testing.assert_close(found, torch.tensor([[257.0, 5.0]]))
