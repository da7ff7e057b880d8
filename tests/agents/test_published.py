"""SMNA as published: the contract, and what it does otherwise than ours."""

import math

import torch

from fastnav.agents.learned import tokenised
from fastnav.agents.published import PublishedSMNANetwork, positions
from fastnav.agents.sight import GEOMETRY
from fastnav.agents.smna import SMNAState
from fastnav.testing import check_agent
from fastnav.world import toy
from tests.agents.small import FEATURES, SENTENCES, VOCABULARY, small_smna

WORLD = toy.crossroads()


def network() -> PublishedSMNANetwork:
    made = small_smna(WORLD, published=1).network
    assert isinstance(made, PublishedSMNANetwork)
    return made


def test_contract() -> None:
    """As any agent, with features and without."""
    for width in (FEATURES, 0):
        check_agent(small_smna(WORLD, width, published=1), WORLD)


def test_places_of_words_by_hand() -> None:
    """Of width 4: sin and cos of the place itself, then of a hundredth of it."""
    expected = [[f(k / wave) for wave in (1, 100) for f in (math.sin, math.cos)] for k in range(3)]
    torch.testing.assert_close(positions(3, torch.zeros(1, 3, 4)), torch.tensor(expected))


def step(change: tuple[int, int] | None = None, look: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """What is said of three actions, one feature of which may be another, and the new hidden state."""
    made = network()
    instruction = made.encode(tokenised(VOCABULARY, SENTENCES[:1], 80))
    dice = torch.Generator().manual_seed(4)
    features = torch.randn(1, 3, FEATURES + GEOMETRY, generator=dice) + look
    if change is not None:
        features[0, change[0], change[1]] += 5.0
    mask = torch.ones(1, 3, dtype=torch.bool)
    state = SMNAState(instruction.hidden, torch.zeros(1, 16), torch.zeros(1, 1, dtype=torch.int64))
    hidden, _, output = made(instruction, state, (features, mask), torch.zeros(1, FEATURES + GEOMETRY))
    return output.logits, hidden


def test_what_is_seen() -> None:
    """Looks and directions of the actions; nothing of STOP, and neither lengths, marks nor places passed."""
    plain = step()[0]
    for seen in (0, FEATURES - 1, FEATURES, FEATURES + 3):
        assert not torch.equal(step((1, seen))[0], plain), seen
        assert torch.equal(step((0, seen))[0], plain), seen
    for unseen in range(FEATURES + 4, FEATURES + GEOMETRY):
        assert torch.equal(step((1, unseen))[0], plain), unseen


def test_progress_depends_on_where_it_reads() -> None:
    """The attention over words enters the estimate: with other weights for early words it is another."""
    made = network()
    tokens = tokenised(VOCABULARY, SENTENCES, 80)
    instruction = made.encode(tokens)
    state = SMNAState(instruction.hidden, torch.zeros(3, 16), torch.zeros(3, 1, dtype=torch.int64))
    features, mask = torch.ones(3, 2, FEATURES + GEOMETRY), torch.ones(3, 2, dtype=torch.bool)
    arrival = torch.zeros(3, FEATURES + GEOMETRY)
    before = made(instruction, state, (features, mask), arrival)[2].progress
    with torch.no_grad():
        made.progress.weight[:, :2] += 1.0
    after = made(instruction, state, (features, mask), arrival)[2].progress
    assert before is not None and (after > before).all() and (after < 1).all()
