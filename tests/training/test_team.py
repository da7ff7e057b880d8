"""Processes that train together learn what one would, and resume, each with its own dice."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fastnav.errors import UsageError
from fastnav.training import loop
from fastnav.training.course import Course, load_course
from fastnav.training.learner import Learner
from fastnav.training.loop import train
from fastnav.training.team import Team, own_device
from tests.training.small import CONFIG, Notes, plan_of, write_training_data

#: Without anything random in a batch, so that it does not matter who rolls the dice.
SURE = replace(CONFIG, iterations=6, batch=5, dropout=0.0, feature_dropout=0.0, sampled=0.0, validate_every=3)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_training_data(tmp_path_factory.mktemp("team") / "data")


def test_two_processes_learn_what_one_would(data: Path, tmp_path: Path) -> None:
    """With five rows for two, and saving meanwhile: the same curves; one prints and writes."""
    settings = {name: value for name, value in vars(SURE).items() if value != getattr(type(SURE)(), name)}
    launcher = "--standalone --nproc-per-node 2 -m fastnav train smna --features none --precision float32"
    command = [sys.executable, "-m", "torch.distributed.run", *launcher.split(), "--data", data]
    command += ["--out", tmp_path / "two", *(f"--set={name}={value}" for name, value in settings.items())]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env=environment, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"{tmp_path}/two/seed-1/checkpoint.safetensors\n"
    assert ran.stderr.count("seed 1: begins") == 1
    train(plan_of(data, tmp_path / "one", config=SURE, precision="float32"), Notes())
    one, two = (
        [json.loads(line) for line in (tmp_path / name / "seed-1/curves.jsonl").read_text().splitlines()]
        for name in ("one", "two")
    )
    for alone, together in zip(one, two, strict=True):
        for split in ("train", "dev_unseen", "val_seen"):
            assert together[split] == pytest.approx(alone[split], rel=1e-4)
    names = {path.name for path in (tmp_path / "two/seed-1").iterdir()}
    assert names == {path.name for path in (tmp_path / "one/seed-1").iterdir()}


class Stub(Team):
    """One of two, whose other holds the same but for the dice given."""

    others = torch.empty(0)

    def summed(self, tensor: Tensor) -> Tensor:
        return 2 * tensor

    def gathered(self, tensor: Tensor) -> list[Tensor]:
        pair = [tensor, self.others]
        return pair if self.rank == 0 else pair[::-1]


def test_each_goes_on_with_its_own_dice(data: Path) -> None:
    """Both begin with the same weights and other dice; the state has the dice of both."""
    course = load_course(data, "train", "none", torch.device("cpu"))
    state: dict[str, Tensor] = {}
    dice: list[Tensor] = []
    for rank in (1, 0):
        learner = _learner(course, Stub(rank, 2))
        learner.step(0)
        dice.append(torch.get_rng_state())
        Stub.others = dice[0]
        state = learner.state()
    assert not torch.equal(*dice)
    begun = [_learner(course, Stub(rank, 2)).average.state_dict() for rank in (0, 1)]
    assert all(torch.equal(begun[0][name], begun[1][name]) for name in begun[0])
    assert torch.equal(state["dice.1"], dice[0]) and torch.equal(state["dice.0"], dice[1])
    for rank in (0, 1):
        _learner(course, Stub(rank, 2)).restore(state)
        assert torch.equal(torch.get_rng_state(), state[f"dice.{rank}"])
    for wrong in (Team(), Stub(0, 3)):
        with pytest.raises(ValueError, match="was not saved by"):
            _learner(course, wrong).restore(state)


def _learner(course: Course, team: Team) -> Learner:
    return Learner("smna", CONFIG, course, 1, team=team)


def test_shares() -> None:
    """All rows, each once."""
    rows = torch.arange(7)
    shares = [Team(rank, 3).rows(rows).tolist() for rank in range(3)]
    assert shares == [[0, 3, 6], [1, 4], [2, 5]]
    assert Team().rows(rows).tolist() == rows.tolist()


def test_each_process_has_its_own_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless another is asked for."""
    assert own_device("cuda") == "cuda"
    monkeypatch.setenv("LOCAL_RANK", "3")
    assert [own_device(name) for name in ("cuda", "cuda:1", "cpu")] == ["cuda:3", "cuda:1", "cpu"]


def test_nobody_is_left_without_a_row(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More processes than rows of a batch are refused before anything is written."""
    monkeypatch.setattr(loop, "gather_team", lambda device: Team(0, 5))
    with pytest.raises(UsageError, match="a batch of 4 for 5 processes; give --batch 5"):
        train(plan_of(data, tmp_path / "run"), Notes())
    assert not (tmp_path / "run").exists()
