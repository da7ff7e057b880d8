"""Greedy figures while training are those that search and scoring give."""

from pathlib import Path

import pytest
import torch

from fastnav.data.splits import load_split
from fastnav.evaluation.scoring import Scorer
from fastnav.evaluation.trajectories import trajectory_of
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.search.routes import walked_routes
from fastnav.training.exams import examine
from fastnav.training.lessons import Lessons
from fastnav.training.teacher import Teacher
from fastnav.world.geodesics import Geodesics
from fastnav.world.of_split import load_world_of
from fastnav.world.simulator import reset
from tests.agents.small import small_smna
from tests.training.small import write_training_data


@pytest.mark.parametrize("seed", range(2))
def test_figures_are_those_of_search(tmp_path: Path, seed: int) -> None:
    """SR, SPL and TL of random agents, by the loop for training and by search and the scorer."""
    data = write_training_data(tmp_path / "data")
    split = load_split(data, "train")
    world = load_world_of(data, split)
    agent = small_smna(world)
    with torch.no_grad():
        dice = torch.Generator().manual_seed(seed)
        for weight in agent.network.parameters():
            weight += 0.5 * torch.randn(weight.shape, generator=dice)
    before = torch.get_rng_state()
    figures = examine(
        agent,
        Teacher.of(world, Geodesics.of(world), "cpu"),
        Lessons.of(world, split, agent.vocabulary, "cpu"),
    )
    assert torch.equal(torch.get_rng_state(), before)

    episodes, strategy = split.scored, strategy_named("greedy")
    here = torch.tensor([world.index(e.scan, e.start) for e in episodes])
    starts = reset(here, torch.tensor([e.heading for e in episodes]))
    with torch.inference_mode():
        instruction = agent.encode([e.instruction for e in episodes])
    tree = search(agent, world, starts, instruction, strategy=strategy)
    routes = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
    walks = {e.instr_id: trajectory_of(world, route) for e, route in zip(episodes, routes, strict=True)}
    scores = Scorer(world, split).score(walks, "search")
    for name in ("SR", "SPL", "TL"):
        assert figures[name] == pytest.approx(scores.column(name).mean(), abs=1e-5)
