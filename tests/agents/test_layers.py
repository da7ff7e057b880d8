"""The sentence encoder against torch's own, sentence by sentence; attention with known answers."""

import math

import pytest
import torch
from torch import Tensor, nn

from fastnav.agents.layers import PAD, OneWayEncoder, SentenceEncoder, attend

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
