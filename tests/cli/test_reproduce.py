"""The paper's tables and figures, from the command line."""

import importlib.util
import json
from pathlib import Path

import pytest
import torch

from fastnav.studies.reproduce.registry import STUDIES
from fastnav.training.loop import train
from tests.cli.conftest import Command
from tests.training.small import Notes, plan_of, write_training_data


@pytest.fixture(autouse=True)
def run(data: Path) -> Path:
    """A run of two seeds."""
    torch.set_num_threads(1)
    write_training_data(data)
    train(plan_of(data, Path("run"), seeds=(1, 2)), Notes())
    return Path("run")


def test_each_study_prints_and_keeps_what_it_found(fastnav: Command) -> None:
    """Tables and JSON on stdout, files in the folder, and records that the other commands read."""
    for study in STUDIES:
        ran = fastnav("reproduce", study.name, "run", "--data", "data")
        assert ran.code == 0, ran.err
        assert "smna" in ran.out
        endings = (".json", ".svg", ".png") if study.draws else (".json",)
        assert all(Path("reproduced", study.name + ending).exists() for ending in endings)
        again = fastnav("reproduce", study.name, "run", "--data", "data", "--json")
        assert "walked before" in again.err and "walking" not in again.err
        assert json.loads(again.out) == json.loads(Path("reproduced", f"{study.name}.json").read_text())
    records = sorted(Path("reproduced", "records").iterdir())
    assert fastnav("compare", *records[:3], "--data", "data").code == 0


def test_mistakes(fastnav: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is told before anything is walked."""
    for arguments, code, said in (
        (("table2", "nowhere", "--data", "data"), 3, "nowhere"),
        (("table2", "run", "run/seed-1", "--data", "data"), 2, "name each agent once"),
        (("table2", "run", "--data", "data", "--split", "test"), 4, "no public goals"),
        (("table2", "run", "--data", "data", "--device", "cuba"), 2, "device 'cuba' cannot be used"),
        (("table2", "--data", "data"), 2, "Missing argument"),
    ):
        ran = fastnav("reproduce", *arguments)
        assert ran.code == code, ran.err
        assert said in " ".join(ran.err.split())
    assert not Path("reproduced").exists()
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "matplotlib" else found(name)
    )
    ran = fastnav("reproduce", "figure-budget", "run", "--data", "data")
    assert ran.code == 2 and "pip install 'fastnav[report]'" in ran.err
