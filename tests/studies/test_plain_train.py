"""The plain way of training, which the library's is measured against, learns the same."""

from dataclasses import replace
from pathlib import Path

import torch

from fastnav.studies.plain_train import PlainLearner
from fastnav.training.course import load_course
from fastnav.training.learner import Learner
from tests.training.small import CONFIG, write_training_data


def test_the_same_losses_on_the_same_batches(tmp_path: Path) -> None:
    """Without dropout and samples both compute the same sums, batch after batch."""
    course = load_course(write_training_data(tmp_path), "train", "none", torch.device("cpu"))
    config = replace(CONFIG, dropout=0.0, feature_dropout=0.0, sampled=0.0, rate=1e-9, steps=6, smoothing=0.0)
    learner = Learner("smna", config, course, seed=1)
    plain = PlainLearner("smna", config, course, seed=1)
    draws = torch.Generator().manual_seed(1)
    for _ in range(3):
        expected = learner.step(0)
        action_loss, progress_loss, steps = plain.losses(course.lessons.draw(config.batch, draws))
        found = torch.stack([action_loss, progress_loss, torch.tensor(float(steps))])
        torch.testing.assert_close(found.detach(), expected)
    assert plain.step() == int(Learner("smna", config, course, seed=1).step(0)[2])


def test_it_learns(tmp_path: Path) -> None:
    """Half of each batch follows its own samples; the loss falls."""
    course = load_course(write_training_data(tmp_path), "train", "none", torch.device("cpu"))
    plain = PlainLearner("smna", replace(CONFIG, batch=16, rate=1e-2), course, seed=1)
    draws = torch.Generator().manual_seed(5)
    batch = course.lessons.draw(64, draws)

    def loss() -> float:
        action_loss, _, steps = plain.losses(batch)
        return float(action_loss.detach()) / steps

    before = loss()
    for _ in range(15):
        plain.step()
    assert loss() < 0.9 * before
