"""Rollouts whose walks and losses one can tell by hand."""

import itertools
import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fastnav.agents.interface import Arrival, StepOutput
from fastnav.agents.layers import with_padding
from fastnav.agents.learned import tokenised
from fastnav.agents.smna import SMNA, SMNAInstruction, SMNAState
from fastnav.training import imitation
from fastnav.training.imitation import Batch, Rollout, rollout
from fastnav.training.teacher import Teacher
from fastnav.world import toy
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.simulator import Observation
from tests.agents.small import SENTENCES, VOCABULARY, small_smna

#: Where thirty episodes start, and where they end.
LESSON = ("BASCGABSCG" * 3, "GGGGGSABSC" * 3)


class Watched(SMNA):
    """Notes where its rows stood, how they came there, and may say fixed logits."""

    fixed: float | None = None

    def watch(self) -> list[tuple[Observation, Arrival]]:
        self.seen: list[tuple[Observation, Arrival]] = []
        return self.seen

    def step(
        self, instruction: SMNAInstruction, state: SMNAState, observation: Observation, arrival: Arrival
    ) -> tuple[SMNAState, StepOutput]:
        self.seen.append((observation, arrival))
        state, output = super().step(instruction, state, observation, arrival)
        if self.fixed is None:
            return state, output
        progress = torch.full((len(arrival.slot),), self.fixed)
        return state, StepOutput(torch.zeros_like(output.logits), progress)


def watched(world: World) -> Watched:
    agent = small_smna(world)
    return Watched(agent.network, agent.world, agent.sight, agent.vocabulary)


def lesson(world: World, starts: str, goals: str) -> Batch:
    """Episodes by the letters of their places, facing north."""
    places = [torch.tensor([world.index("toy", name) for name in names]) for names in (starts, goals)]
    tokens = tokenised(VOCABULARY, [SENTENCES[k % 3] for k in range(len(starts))], 80)
    return Batch(tokens, places[0], torch.full_like(places[0], 12), places[1])


def run(agent: SMNA, world: World, batch: Batch, sampled: Tensor, steps: int = 6) -> Rollout:
    teacher = Teacher.of(world, Geodesics.of(world), "cpu")
    return rollout(agent, teacher, batch, sampled=sampled, steps=steps)


def test_rows_that_follow_the_teacher_walk_the_shortest_path() -> None:
    """From B to G by S and C, from A to G likewise, then STOP: 4 decisions each, and both arrive."""
    world = toy.loop_and_arm()
    agent = watched(world)
    seen = agent.watch()
    with with_padding():  # nobody is left behind, so each row keeps its place
        result = run(agent, world, lesson(world, "BA", "GG"), torch.tensor([False, False]))
    walked = ["".join(world.viewpoint_ids[int(o.viewpoint[row])] for o, _ in seen) for row in (0, 1)]
    assert walked == ["BSCGGG", "ASCGGG"]
    assert float(result.steps) == 8
    assert float(result.reached) == 2
    assert (seen[0][1].slot == Arrival.START).all()
    assert seen[1][1].viewpoint.tolist() == seen[0][0].viewpoint.tolist()


def test_losses_of_an_agent_that_knows_nothing() -> None:
    """Equal logits lose log(number of actions) at each place; progress 0 loses the square of what is done."""
    # A --- B --- C --- D, 2 m apart: from A the goal D is 6 m off.
    world = toy.corridor()
    agent = watched(world)
    agent.watch()
    agent.fixed = 0.0
    result = run(agent, world, lesson(world, "A", "D"), torch.tensor([False]))
    # A and D have 2 actions, B and C have 3; done: 0 at A, 1/3 at B, and 1 at C, within the radius, and at D.
    assert float(result.action_loss) == pytest.approx(2 * math.log(2) + 2 * math.log(3))
    assert float(result.progress_loss) == pytest.approx((1 / 3) ** 2 + 1 + 1)
    assert float(result.steps) == 4


def test_sampled_rows_stay_legal_and_stop_for_good() -> None:
    """A thousand sampled walks take only legal actions, of each kind; a row that stopped stays."""
    world = toy.crossroads()
    agent = watched(world)
    seen = agent.watch()
    torch.manual_seed(3)
    everybody = torch.ones(1000, dtype=torch.bool)
    with with_padding():  # nobody is left behind, so each row keeps its place
        result = run(agent, world, lesson(world, "X" * 1000, "N" * 1000), everybody, 5)
    # Where a row has stopped its draws count for nothing, so only those before are looked at.
    stopped = torch.zeros(1000, dtype=torch.bool)
    for (before, _), (after, arrival) in itertools.pairwise(seen):
        assert before.mask.gather(1, arrival.slot[:, None]).all()
        assert (after.viewpoint == before.viewpoint)[stopped].all()
        stopped |= arrival.slot == World.STOP
    first = seen[1][1].slot
    assert set(first.tolist()) == {0, 1, 2, 3, 4}
    assert 1000 < float(result.steps) < 5000


def test_each_row_follows_its_own_rule() -> None:
    """In a mixed batch the rows that follow the teacher do so, whatever the others do."""
    world = toy.loop_and_arm()
    agent = watched(world)
    seen = agent.watch()
    sampled = torch.tensor([True, False, True, False])
    with with_padding():  # nobody is left behind, so each row keeps its place
        run(agent, world, lesson(world, "BBAA", "GGGG"), sampled)
    for row, path in ((1, "BSCG"), (3, "ASCG")):
        assert "".join(world.viewpoint_ids[int(o.viewpoint[row])] for o, _ in seen[:4]) == path


@pytest.mark.parametrize("worth", [0.01, 0.125, 0.5, 2.0])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_leaving_out_padding_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, smoothing: float, worth: float
) -> None:
    """Losses, steps, arrivals and gradients are those of the masked computation, whoever is left behind."""
    monkeypatch.setattr(imitation, "_WORTH_LEAVING", worth)
    thrifty = learnt_from(smoothing)
    with with_padding():
        masked = learnt_from(smoothing)
    assert 30 < float(masked[0][2]) < 30 * 6 and 0 < float(masked[0][3]) < 30
    torch.testing.assert_close(thrifty, masked)


def learnt_from(smoothing: float) -> list[Tensor]:
    """The figures of a rollout without dropout, half of it sampled, and all gradients."""
    world = toy.loop_and_arm()
    agent = small_smna(world, dropout=0.0)
    teacher = replace(Teacher.of(world, Geodesics.of(world), "cpu"), steered=1 if smoothing else 0)
    batch = lesson(world, *LESSON)
    torch.manual_seed(1)
    sampled = torch.arange(30) % 2 == 0
    result = rollout(agent, teacher, batch, sampled=sampled, steps=6, smoothing=smoothing)
    (result.action_loss + result.progress_loss).backward()
    figures = torch.stack([result.action_loss, result.progress_loss, result.steps, result.reached])
    gradients = [weight.grad for weight in agent.network.parameters() if weight.grad is not None]
    assert len(gradients) == len(list(agent.network.parameters()))
    return [figures.detach(), *gradients]


def test_rows_that_have_stopped_cost_nothing() -> None:
    """A row leaves when it stops, and when all have, nobody looks around any more."""
    world = toy.corridor()
    agent = watched(world)
    seen = agent.watch()
    run(agent, world, lesson(world, "ABCD", "DDDD"), torch.zeros(4, dtype=torch.bool), steps=9)
    assert [len(observation.viewpoint) for observation, _ in seen] == [4, 3, 2, 1]


def test_who_samples_is_led_back_to_the_way() -> None:
    """From B to G the place A is off the way: there a row that is steered takes the teacher's action."""
    world = toy.loop_and_arm()
    slots = {}
    for steered in (0, 1):
        agent = watched(world)
        seen = agent.watch()
        torch.manual_seed(2)
        teacher = replace(Teacher.of(world, Geodesics.of(world), "cpu"), steered=steered)
        batch = lesson(world, "B" * 200, "G" * 200)
        with with_padding():  # nobody is left behind, so each row keeps its place
            rollout(agent, teacher, batch, sampled=torch.ones(200, dtype=torch.bool), steps=5)
        taken = [(o.viewpoint, after.slot) for (o, _), (_, after) in itertools.pairwise(seen)]
        slots[steered] = {
            name: {int(slot) for place, slots in taken for slot in slots[place == world.index("toy", name)]}
            for name in "ABS"
        }
    assert slots[0]["A"] == {0, 1, 2} and slots[1]["A"] == {world.slot(*map(world.viewpoint_ids.index, "AS"))}
    assert slots[0]["B"] == slots[1]["B"] == {0, 1, 2} and len(slots[1]["S"]) == 4


def test_learning_a_corridor() -> None:
    """Some steps of gradient descent lower the loss: gradients reach all weights but unused words."""
    world = toy.corridor()
    agent = small_smna(world)
    agent.network.train()
    batch = lesson(world, "AD" * 8, "DA" * 8)
    sampled = torch.arange(16) < 8
    optimizer = torch.optim.Adam(agent.network.parameters(), lr=1e-2)
    torch.manual_seed(0)
    losses = []
    for _ in range(25):
        result = run(agent, world, batch, sampled)
        loss = (result.action_loss + result.progress_loss) / result.steps
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert all(weight.grad is not None for weight in agent.network.parameters())
    assert sum(losses[-5:]) < 0.7 * sum(losses[:5])


def test_batches_compare_by_identity() -> None:
    """Tensors have no single truth value, so batches are equal only to themselves."""
    batch = lesson(toy.corridor(), "A", "D")
    assert batch != replace(batch)
