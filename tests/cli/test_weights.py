"""Agents that come with fastnav, and the tables that an agent can see through, from the command line."""

import json
from pathlib import Path

import pytest
import torch

from fastnav.agents.shipped import shipped_agents
from fastnav.data.features import open_table
from tests.cli.conftest import Command
from tests.data.features.samples import write_data
from tests.training.small import write_training_data

TINY = ("--set", "width=16", "--set", "word_width=8", "--set", "steps=3", "--batch", "4", "--iterations", "1")


def test_they_are_listed(fastnav: Command) -> None:
    """A line each, JSON for machines, a card for people."""
    ran = fastnav("weights")
    told = json.loads(fastnav("weights", "--json").out)
    assert [agent["name"] for agent in told] == list(shipped_agents())
    for agent in told:
        assert agent["name"] in ran.out and agent["about"] in ran.out
        assert fastnav("weights", agent["name"]).out.startswith(f"# {agent['name']}\n")
    assert "fastnav navigate" in ran.err or "navigate" in ran.err
    unknown = fastnav("weights", "smna-r2")
    assert unknown.code == 2 and "did you mean smna-r2r" in unknown.err
    assert fastnav("weights", "smna-r2r", "--json").code == 2


def test_names_are_taken_where_runs_are(fastnav: Command, data: Path) -> None:
    """Up to the tables, which each message says how to build; a slip is met with the name."""
    for command in (("navigate", "smna-r2r"), ("reproduce", "table2", "smna-r2r")):
        ran = fastnav(*command, "--data", data)
        assert ran.code == 3
        assert "features build captions --like smna-r2r" in " ".join(ran.err.split())
    ran = fastnav("navigate", "smna-r2", "--data", data)
    assert ran.code == 2 and "did you mean smna-r2r" in " ".join(ran.err.split())
    ran = fastnav("reproduce", "table2", "smna-r2", "--data", data)
    assert ran.code == 3 and "comes with fastnav: follower-r2r, smna-r2r" in " ".join(ran.err.split())


@pytest.fixture
def other(data: Path, tmp_path: Path) -> Path:
    """Another data directory, with captions of other things, beside one to learn from."""
    torch.set_num_threads(1)
    write_data(data)
    write_training_data(data)
    folder = write_data(tmp_path / "other")
    for path in (folder / "captions").iterdir():
        path.write_text(path.read_text().replace("floor", "carpet").replace("wall", "window"))
    return folder


def test_an_agent_sees_only_what_it_learnt_to_see(fastnav: Command, data: Path, other: Path) -> None:
    """In another directory it walks by tables in its own spaces; others are refused with what to do."""
    build, words = ("features", "build", "captions", "--data"), ("--encoder", "words")
    assert fastnav(*build, data, *words, "--width", 6).code == 0
    assert fastnav("train", "smna", "--data", data, "--features", "captions", *TINY).code == 0
    walk = ("navigate", "run", "--data", other, "--out", "walk.json")
    assert "features build captions --like run/seed-1/checkpoint.safetensors" in flat(fastnav(*walk).err)
    assert fastnav(*build, other, *words, "--width", 6).code == 0
    refused = fastnav(*walk)
    assert refused.code == 3 and "it would understand nothing; run `fastnav" in flat(refused.err)
    built = fastnav(*build, other, "--like", "run")
    assert built.code == 0 and "encoder words" in built.err
    assert open_table(other, "captions").space().is_same_as(open_table(data, "captions").space())
    assert fastnav(*walk).code == 0


def test_mistakes_with_like(fastnav: Command, data: Path, other: Path) -> None:
    """What the agent says already, a table that it does not know, and who is no agent."""
    fastnav("train", "smna", "--data", data, "--features", "none", *TINY)
    build = ("features", "build", "captions", "--data", other, "--like")
    for arguments, code, said in (
        ((*build, "run"), 2, "knows no space of the table 'captions' (it knows: none)"),
        ((*build, "run", "--width", 6), 2, "--width 6: the agent of --like says how wide"),
        ((*build, "smna-r2r", "--encoder", "words"), 2, "is one of 'all-MiniLM-L6-v2'"),
        ((*build, "nobody"), 3, "an agent that comes with fastnav: follower-r2r, smna-r2r"),
    ):
        ran = fastnav(*arguments)
        assert ran.code == code and said in flat(ran.err), ran.err


def flat(text: str) -> str:
    """Without the folds of a terminal."""
    return " ".join(text.split())
