"""Checkpoints: what is written is read, and each fault is one message that says what to do."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, save
from torch import Tensor

from fastnav.agents.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from fastnav.agents.smna import SMNA
from fastnav.agents.tensorfile import read_tensors
from fastnav.agents.trained import agent_of, checkpoint_of
from fastnav.data.features import Space
from fastnav.errors import FastnavError
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.world import toy
from fastnav.world.simulator import reset
from tests.agents.small import FEATURES, SENTENCES, random_views, small_smna

WORLD = toy.loop_and_arm()
FACTS = {"trained": {"split": "dev_train", "seed": 1}, "chosen": None}


SPACE = Space(np.arange(4, dtype=np.float32), np.eye(4, 3, dtype=np.float32), "hash")


def made() -> Checkpoint:
    return checkpoint_of(small_smna(WORLD), features="captions", facts=FACTS, spaces={"captions": SPACE})


def logits(agent: SMNA) -> Tensor:
    """All that the agent says in a search."""
    starts = reset(torch.arange(3), torch.zeros(3))
    with torch.inference_mode():
        instruction = agent.encode(SENTENCES)
    return search(agent, WORLD, starts, instruction, strategy=strategy_named("fast-long")).logit


def test_an_agent_comes_back_as_it_was(tmp_path: Path) -> None:
    """Same weights, words and facts; in another world of the same features it stands as well."""
    path = tmp_path / "deep" / "agent.safetensors"
    save_checkpoint(path, made())
    read = load_checkpoint(path, agent="smna")
    assert (read.features, read.width, read.facts) == ("captions", FEATURES, FACTS)
    agent = agent_of(read, WORLD.to("cpu"), random_views(WORLD), path)
    assert not agent.network.training
    torch.testing.assert_close(logits(agent), logits(small_smna(WORLD)), rtol=0, atol=0)
    other = toy.stairs()
    agent_of(read, other.to("cpu"), random_views(other), path)


def test_the_same_agent_makes_the_same_bytes(tmp_path: Path) -> None:
    """Nothing of the moment goes into the file; it says what it was trained on."""
    one, other = tmp_path / "one", tmp_path / "other"
    save_checkpoint(one, made())
    save_checkpoint(other, made())
    assert one.read_bytes() == other.read_bytes()
    assert b"dev_train" in one.read_bytes()


@pytest.mark.parametrize("half", [False, True])
def test_it_knows_the_spaces_of_its_tables(tmp_path: Path, half: bool) -> None:
    """They come back, and are no weights; a file from before there were any has none."""
    path = tmp_path / "agent"
    save_checkpoint(path, made(), half=half)
    read = load_checkpoint(path)
    assert read.spaces["captions"].is_same_as(SPACE) and read.weights.keys() == made().weights.keys()
    save_checkpoint(path, replace(made(), spaces={}))
    rewrite(path, lambda tensors, description: description.pop("spaces"))
    assert load_checkpoint(path).spaces == {}


def test_half_precision_is_half_as_large(tmp_path: Path) -> None:
    """The weights are those rounded to float16, and are used in float32."""
    whole, half = tmp_path / "whole", tmp_path / "half"
    save_checkpoint(whole, made())
    save_checkpoint(half, made(), half=True)
    assert half.stat().st_size < 0.7 * whole.stat().st_size
    for name, weight in load_checkpoint(half).weights.items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, made().weights[name].half().float())


def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path) -> None:
    """What stood there before stays."""
    path = tmp_path / "agent"
    save_checkpoint(path, made())
    before = path.read_bytes()
    with pytest.raises(ValueError, match="JSON compliant"):
        save_checkpoint(path, replace(made(), facts={"loss": float("nan")}))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["agent"]


def rewrite(path: Path, change: Callable[[dict[str, Tensor], dict[str, Any]], None]) -> None:
    """Change a file's tensors and description."""
    tensors, description = read_tensors(path)
    change(tensors, description)
    path.write_bytes(save(tensors, metadata={"fastnav": json.dumps(description)}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t, d: d.update(version=2), "by a newer fastnav; upgrade to read it"),
        (lambda t, d: d.update(version="1"), "expected a version number, found text"),
        (lambda t, d: d.update(format="fastnav-run"), "not a trained agent, but 'fastnav-run'"),
        (lambda t, d: d.update(agent="follower"), "is an agent of kind 'follower', where one of kind 'smna'"),
        (
            lambda t, d: d.update(agent="speaker"),
            "an unknown kind of agent, 'speaker' (known: smna,",
        ),
        (lambda t, d: d.update(features="a+a"), "field 'features': features 'a+a' name a table twice"),
        (lambda t, d: d.update(features="../a"), "field 'features': a feature table cannot be called '../a'"),
        (lambda t, d: d.pop("features"), "field 'features': expected str, found nothing"),
        (lambda t, d: d.update(vocabulary=["a"]), "expected a word list"),
        (lambda t, d: d["vocabulary"].pop(), "'words' is 19, where 18 is needed"),
        (lambda t, d: d.update(width=4), "trained with features 'captions' that are 4 wide"),
        (lambda t, d: d["config"].update(widht=3), "unknown setting 'widht'; did you mean width"),
        (lambda t, d: d["config"].update(width="16"), "setting 'width': expected a whole number, found text"),
        (lambda t, d: d["config"].pop("words"), "setting 'words' is missing"),
        (lambda t, d: d["config"].update(width=-16), "no network has these sizes"),
        (lambda t, d: d["config"].update(width=32), "has shape"),
        (lambda t, d: d.update(spaces=["captions"]), "expected the name of an encoder for each table"),
        (lambda t, d: t.pop("space.captions.basis"), "the space of the table 'captions' is missing"),
        (lambda t, d: t.update({"space.captions.mean": torch.zeros(5)}), "or has another shape"),
        (lambda t, d: d.update(spaces={}), "tensor 'space.captions.basis' is not known"),
        (lambda t, d: t.pop("look.weight"), "tensor 'look.weight' is missing"),
        (lambda t, d: t.update(extra=torch.zeros(1)), "tensor 'extra' is not known"),
        (
            lambda t, d: t["look.weight"].fill_(float("inf")),
            "tensor 'look.weight' holds values that are no numbers",
        ),
    ],
)
def test_refusals(
    tmp_path: Path, change: Callable[[dict[str, Tensor], dict[str, Any]], None], said: str
) -> None:
    """Each wrong checkpoint is one message that begins with the file's name."""
    path = tmp_path / "agent.safetensors"
    save_checkpoint(path, made())
    rewrite(path, change)
    with pytest.raises(FastnavError) as refused:
        agent_of(load_checkpoint(path, agent="smna"), WORLD.to("cpu"), random_views(WORLD), path)
    assert str(refused.value).startswith(str(path)) and said in str(refused.value)


def test_files_cut_at_any_place_are_refused(tmp_path: Path) -> None:
    """Whatever is left of a file, it is one message."""
    path = tmp_path / "agent.safetensors"
    save_checkpoint(path, made())
    content = path.read_bytes()
    for length in (0, 3, 8, 9, 500, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(FastnavError, match=r"agent\.safetensors"):
            load_checkpoint(path)


def test_files_with_a_wrong_byte_never_crash(tmp_path: Path) -> None:
    """A changed byte is refused or changes a number; it is never another kind of error."""
    path = tmp_path / "agent.safetensors"
    save_checkpoint(path, made())
    content = path.read_bytes()
    dice = torch.Generator().manual_seed(0)
    for place in torch.randint(min(len(content), 4000), (60,), generator=dice).tolist():
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x15]) + content[place + 1 :])
        try:
            agent_of(load_checkpoint(path), WORLD.to("cpu"), random_views(WORLD), path)
        except FastnavError as error:
            assert str(error)


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Pickles and others' safetensors are not read as agents."""
    path = tmp_path / "weights.pt"
    torch.save({"weight": torch.zeros(2)}, path)
    with pytest.raises(FastnavError, match="not a whole safetensors file"):
        load_checkpoint(path)
    path.write_bytes(save({"weight": torch.zeros(2)}))
    assert load(path.read_bytes())
    with pytest.raises(FastnavError, match="without fastnav's description"):
        load_checkpoint(path)
    with pytest.raises(FastnavError, match="no such file"):
        load_checkpoint(tmp_path / "nothing")
