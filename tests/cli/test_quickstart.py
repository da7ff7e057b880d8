"""The quickstart runs whole, on few houses here."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.data.houses import HousesConfig
from fastnav.training import presets
from tests.cli.conftest import Command

FEW = HousesConfig(
    houses=3,
    val_unseen_houses=1,
    test_houses=1,
    viewpoints_per_house=20.0,
    train_routes_per_house=3,
    val_seen_routes_per_house=1,
    unseen_routes_per_house=3,
)


#: A training that takes a second.
SHORT = {"iterations": 2, "batch": 4, "width": 8, "word_width": 8, "steps": 3}


@pytest.fixture(autouse=True)
def few_houses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all sizes be a tiny one, and the training short."""
    for size in ("small", "medium"):
        monkeypatch.setattr(HousesConfig, size, classmethod(lambda cls, seed=1: replace(FEW, seed=seed)))
    monkeypatch.setitem(presets.PRESETS, "smna-quick", ("smna", SHORT))  # type: ignore[misc]


def test_quickstart(fastnav: Command) -> None:
    """It builds, trains, searches, scores and draws, and its next steps work; again, it need not train."""
    pytest.importorskip("matplotlib")
    ran = fastnav("quickstart", "--out", "quick")
    assert ran.code == 0, ran.err
    assert "9 instructions in houses never seen" in ran.out and "seed 1: begins" in ran.err
    rows = ("stop at the start", "random", "shortest (knows the goal)", "greedy", "FAST-short", "FAST-long")
    assert all(f"\n{row} " in ran.out for row in rows)
    for row in ("FAST-short minus greedy", "FAST-long minus greedy"):
        assert any(line.startswith(row) and "p=" in line for line in ran.out.splitlines())
    assert "<svg" in Path("quick/plan.svg").read_text()
    plot = Path("quick/success.svg").read_text()
    assert ">stop" not in plot and all(f">{row}</text>" in plot for row in rows[1:3])
    steps = [line.split() for line in ran.out.splitlines() if " compare " in line or " submit " in line]
    assert len(steps) == 2
    for step in steps:
        assert fastnav(*step[1:]).code == 0
    assert fastnav("data", "check", "--data", "quick/houses").code == 0
    again = fastnav("quickstart", "--out", "quick")
    assert again.out == ran.out and "begins" not in again.err
    by_hand = ("--train-split", "train", "--preset", "smna-quick", "--precision", "float32")
    assert fastnav("train", "smna", "--data", "quick/houses", *by_hand).code == 0
    made, quick = (Path(run, "seed-1", "checkpoint.safetensors") for run in ("run", "quick/agent-1"))
    assert load_checkpoint(made).facts == load_checkpoint(quick).facts


def test_without_torch_the_baselines_walk(fastnav: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what would train an agent is told."""
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    ran = fastnav("quickstart", "--out", "quick")
    assert ran.code == 0 and "shortest" in ran.out and "greedy" not in ran.out
    assert "pip install 'fastnav[train]'" in ran.err
    (step,) = (line.split() for line in ran.out.splitlines() if " compare " in line)
    assert fastnav(*step[1:]).code == 0


def test_houses_are_not_overwritten_unasked(fastnav: Command) -> None:
    """A folder in use is refused, and with --overwrite only houses of our own are replaced."""
    assert fastnav("data", "houses", "--out", "h").code == 0
    refused = fastnav("data", "houses", "--out", "h")
    assert refused.code == 6 and "--overwrite" in refused.err
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("")
    Path("mine/houses.json").write_text("{}")  # of somebody else's making
    assert fastnav("data", "houses", "--out", "mine", "--overwrite").code == 6
    assert Path("mine/thesis.tex").exists()
