"""Words against views: the comparison is what its formula says, and its words begin where captions lie."""

import pytest
import torch

from fastnav.agents.matching import Matcher

WORDS, SEEN, GEOMETRY, WIDTH = 7, 5, 2, 6


def matcher(readings: int = 3) -> Matcher:
    """Random weights and meanings."""
    torch.manual_seed(0)
    made = Matcher(WORDS, SEEN + GEOMETRY, GEOMETRY, WIDTH, readings=readings).eval()
    made.meanings.copy_(torch.randn(WORDS, SEEN))
    return made


def sentences(seed: int = 1):  # type: ignore[no-untyped-def]
    """Hidden state, context, mask, tokens and actions of three rows; the last sentence has two words."""
    dice = torch.Generator().manual_seed(seed)
    mask = torch.tensor([[True] * 4, [True] * 4, [True, True, False, False]])
    tokens = torch.tensor([[3, 4, 3, 2], [1, 6, 5, 2], [4, 2, 0, 0]])
    hidden = torch.randn(3, WIDTH, generator=dice)
    context = torch.randn(3, 4, WIDTH, generator=dice)
    actions = torch.randn(3, 5, SEEN + GEOMETRY, generator=dice)
    return hidden, (context, mask, tokens), actions


@torch.no_grad()
def test_against_plain_loops() -> None:
    """Row by row, reading by reading: attention over words, their meanings, products with what is seen."""
    made = matcher()
    hidden, (context, mask, tokens), actions = sentences()
    found = made(hidden, (context, mask, tokens), actions)
    for row in range(3):
        length = int(mask[row].sum())
        sought = []
        for asked in made.ask(hidden[row]).view(made.readings, WIDTH):
            weight = (context[row, :length] @ asked / WIDTH**0.5).softmax(dim=0)
            sought.append(weight @ made.meanings[tokens[row, :length]])
        for slot in range(actions.shape[1]):
            seen, geometry = actions[row, slot, :SEEN], actions[row, slot, SEEN:]
            compared = [(meant * weigh * seen).sum() / SEEN**0.5 for meant in sought for weigh in made.weigh]
            expected = made.judge(torch.cat([torch.stack(compared), geometry]))
            torch.testing.assert_close(found[row, slot], expected[0])


@torch.no_grad()
def test_padding_and_company_do_not_count() -> None:
    """A row says the same alone, and whatever lies behind the end of its sentence."""
    made = matcher()
    hidden, (context, mask, tokens), actions = sentences()
    together = made(hidden, (context, mask, tokens), actions)
    context = torch.where(mask[:, :, None], context, 99.0)
    padded = made(hidden, (context, mask, torch.where(mask, tokens, 6)), actions)
    torch.testing.assert_close(padded, together)
    short = made(hidden[2:], (context[2:, :2], mask[2:, :2], tokens[2:, :2]), actions[2:])
    torch.testing.assert_close(short, together[2:])


@torch.no_grad()
def test_words_without_meaning_tell_geometry_alone() -> None:
    """Where no word has a place, what is seen does not matter."""
    made = matcher()
    made.meanings.zero_()
    hidden, sentence, actions = sentences()
    other = actions.clone()
    other[..., :SEEN] += 1
    torch.testing.assert_close(made(hidden, sentence, actions), made(hidden, sentence, other))


@pytest.mark.parametrize("readings", [1, 4])
def test_meanings_are_kept_with_the_weights(readings: int) -> None:
    """They are part of the state, so that a checkpoint needs no table; and no gradient moves them."""
    made = matcher(readings)
    assert "meanings" in made.state_dict()
    assert all(weight is not made.meanings for weight in made.parameters())
