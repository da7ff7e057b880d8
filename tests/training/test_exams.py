"""Greedy figures while training are those that search and scoring give."""

from pathlib import Path
from typing import Any

import pytest
import torch

from fastnav.agents.kinds import KINDS
from fastnav.agents.learned import Learned
from fastnav.data.splits import load_split
from fastnav.evaluation.scoring import Scorer
from fastnav.evaluation.trajectories import trajectory_of
from fastnav.search.named import for_walks_of, strategy_named
from fastnav.studies.trained import Ground, Traveller, walked
from fastnav.training.exams import examine
from fastnav.training.lessons import Lessons
from fastnav.training.poses import PoseTeacher, lessons_in_poses
from fastnav.training.teacher import Teacher
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.of_split import load_world_of
from tests.agents.small import small_agent
from tests.training.small import write_training_data


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_figures_are_those_of_search(tmp_path: Path, kind: str, seed: int) -> None:
    """SR, SPL and TL of random agents, by the loop for training and by search and the scorer."""
    data = write_training_data(tmp_path / "data")
    split = load_split(data, "train")
    world = load_world_of(data, split)
    agent = small_agent(kind, world)
    with torch.no_grad():
        dice = torch.Generator().manual_seed(seed)
        for weight in agent.network.parameters():
            weight += 0.5 * torch.randn(weight.shape, generator=dice)
    before = torch.get_rng_state()
    figures = examine(agent, *taught(agent, world, Lessons.of(world, split, agent.vocabulary, "cpu")))
    assert torch.equal(torch.get_rng_state(), before)

    strategy = for_walks_of(strategy_named("greedy"), agent.longest)
    ground = Ground(data, split, world, "")
    traveller = Traveller(agent, kind, ground, agent.world, {}, agent.longest, agent.low_level)
    found = walked(traveller, split.scored, strategy)
    walks = {episode.instr_id: trajectory_of(world, route) for episode, route in found}
    scores = Scorer(world, split).score(walks, "search")
    assert figures["TL"] > 0
    for name in ("SR", "SPL", "TL"):
        assert figures[name] == pytest.approx(scores.column(name).mean(), abs=1e-5)


def taught(agent: Learned[Any, Any], world: World, lessons: Lessons) -> tuple[Teacher, Lessons]:
    """The agent's teacher and lessons, in its action space."""
    teacher = Teacher.of(world, Geodesics.of(world), "cpu")
    if not agent.low_level:
        return teacher, lessons
    return PoseTeacher.among_poses(teacher, world, "cpu"), lessons_in_poses(lessons)
