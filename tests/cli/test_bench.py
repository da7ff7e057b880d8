"""Benchmarks from the command line; what they measure is tested beside them."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.training.small import write_training_data


@pytest.fixture(autouse=True)
def few(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second house to train on, and samples of few episodes."""
    from fastnav.studies import bench_search

    write_training_data(data)
    monkeypatch.setattr(bench_search, "SAMPLES", (4, 2))


def test_search(fastnav: Command) -> None:
    """It says who searches, and prints a table or JSON."""
    tiny = ("--set", "width=16", "--iterations", "1", "--batch", "2", "--out", "run")
    assert fastnav("train", "smna", "--data", "data", "--features", "none", *tiny).code == 0
    ran = fastnav("bench", "search", "run", "--data", "data", "--json")
    assert ran.code == 0 and "searching with smna of run/seed-1/checkpoint.safetensors" in ran.err
    assert json.loads(ran.out)[0]["unit"] == "seconds"
    ran = fastnav("bench", "search", "--data", "data", "--features", "none")
    assert ran.code == 0 and "search on val_unseen, with an untrained network of the default" in ran.out


def test_train(fastnav: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row a precision, each faster than nothing."""
    from fastnav.studies import bench_train

    monkeypatch.setattr(bench_train, "ROUNDS", 1)
    ran = fastnav("bench", "train", "--data", "data", "--features", "none", "--batch", 2, "--json")
    assert ran.code == 0, ran.err
    rows = json.loads(ran.out)
    assert rows[-1]["name"] == "agent steps, batch 2, cpu, float32"
    assert all(row["fast"] > 0 and row["plain"] > 0 for row in rows)
    assert "cannot be used" in fastnav("bench", "train", "--data", "data", "--device", "cuba").err
