"""bfloat16 is chosen where the processor multiplies in it, and changes little."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.errors import UnknownName, UsageError
from fastnav.training import precision
from fastnav.training.loop import train
from fastnav.training.precision import settled
from tests.training.small import CONFIG, Notes, plan_of, write_training_data

CPU, GPU = torch.device("cpu"), torch.device("cuda")


@pytest.mark.parametrize(
    ("flags", "chosen"), [("flags : fma avx512_bf16 sse", "bfloat16"), ("flags : fma avx512f", "float32")]
)
def test_auto_asks_the_processor(
    flags: str, chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for one of them gets it on any."""
    (tmp_path / "cpuinfo").write_text(flags)
    monkeypatch.setattr(precision, "_PROCESSOR", tmp_path / "cpuinfo")
    assert settled("auto", CPU) == chosen
    assert [settled(name, CPU) for name in ("float32", "bfloat16")] == ["float32", "bfloat16"]
    assert settled("auto", GPU) == settled("float32", GPU) == "float32"
    monkeypatch.setattr(precision, "_PROCESSOR", tmp_path / "nothing")
    assert settled("auto", CPU) == "float32"


def test_mistakes() -> None:
    """A name that is not known, and halves on a GPU."""
    with pytest.raises(UnknownName, match="did you mean bfloat16"):
        settled("bfloat", CPU)
    with pytest.raises(UsageError, match="leave it out on cuda"):
        settled("bfloat16", GPU)


def test_halves_learn_about_the_same(tmp_path: Path) -> None:
    """Losses differ a little, which shows that the setting acts; the checkpoint says which it was."""
    data = write_training_data(tmp_path / "data")
    losses = {}
    for name in ("float32", "bfloat16"):
        notes = Notes()
        config = replace(CONFIG, iterations=5, validate_every=5)
        (path,) = train(plan_of(data, tmp_path / name, precision=name, config=config), notes)
        losses[name] = notes.rows[-1]["train"]["loss"]
        assert load_checkpoint(path).facts["trained"]["precision"] == name
    assert 0 < abs(losses["float32"] - losses["bfloat16"]) < 0.05
