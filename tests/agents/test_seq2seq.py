"""What the low-level agent sees: the view that it faces, and the move that it made last; nothing else."""

import torch

from fastnav.agents.interface import Arrival
from fastnav.agents.learned import tokenised
from fastnav.world import toy
from fastnav.world.lowlevel import Move
from fastnav.world.simulator import Pose, observe
from fastnav.world.views import VIEWS
from tests.agents.small import SENTENCES, VOCABULARY, small_agent

PLACE, VIEW = 1, 14


def said(slot: int = Arrival.START, change: tuple[int, int] | None = None) -> torch.Tensor:
    """What it says at PLACE facing VIEW, after a move, when some view of some place looks otherwise."""
    agent = small_agent("seq2seq", toy.corridor())
    if change is not None:
        agent.sight.views[change] += 1.0
    here = torch.tensor([PLACE * VIEWS + VIEW])
    pose = Pose(here, torch.tensor([VIEW]), torch.tensor([False]))
    instruction = agent.read(tokenised(VOCABULARY, SENTENCES[:1], 80))
    arrival = Arrival(here, pose.view, torch.tensor([slot]))
    output = agent.step(instruction, agent.begin(instruction), observe(agent.world, pose), arrival)[1]
    assert output.logits.shape == (1, len(Move)) and output.progress is None
    return output.logits


def test_only_the_faced_view_is_seen() -> None:
    """A change there changes what is said; a change of any other view or place does not."""
    assert not torch.equal(said(), said(change=(PLACE, VIEW)))
    for other in ((PLACE, VIEW + 1), (PLACE, VIEW - 12), (PLACE + 1, VIEW)):
        assert torch.equal(said(), said(change=other))


def test_each_last_move_is_told_apart() -> None:
    """The start and the six moves give seven different answers."""
    answers = [said(slot) for slot in (Arrival.START, *Move)]
    assert len({tuple(answer[0].tolist()) for answer in answers}) == 7
