"""The example of an own policy runs, is small, and keeps the contract."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from examples import own_policy
from fastnav.data.houses import HousesConfig
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary
from fastnav.search.loop import search
from fastnav.search.routes import walked_routes
from fastnav.testing import check_agent, check_strategy
from fastnav.testing.agents import SENTENCES
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.simulator import reset
from tests.examples.shown import regions

FEW = HousesConfig(
    houses=3,
    val_unseen_houses=1,
    test_houses=1,
    viewpoints_per_house=25.0,
    train_routes_per_house=4,
    val_seen_routes_per_house=1,
    unseen_routes_per_house=3,
)


@pytest.fixture(autouse=True)
def own_dice() -> Iterator[None]:
    """The example seeds torch; nobody else is to notice. What is so small is quickest on one core."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng():
        yield
    torch.set_num_threads(threads)


def untrained(world: World) -> own_policy.PolicyAgent:
    torch.manual_seed(0)
    words = sorted({word for line in SENTENCES for word in line.lower().split()})
    vocabulary = Vocabulary((*SPECIAL_WORDS, *words))
    return own_policy.PolicyAgent(own_policy.Policy(len(vocabulary)).eval(), vocabulary, world.actions)


def test_it_keeps_the_contract() -> None:
    check_agent(untrained(toy.crossroads()), toy.crossroads())
    check_agent(untrained(toy.corridor()), toy.corridor(), sentences=["", "Walk on.", "..."])


def test_the_adapter_is_short() -> None:
    adapter = regions(Path(own_policy.__file__))["adapter"]
    assert "class PolicyAgent" in adapter and "def features" in adapter
    assert len(adapter.splitlines()) < 50


def test_its_strategy_keeps_the_contract() -> None:
    check_strategy(own_policy.own_strategy())


def test_its_strategy_keeps_its_budget() -> None:
    world, strategy = toy.loop_and_arm(), own_policy.own_strategy()
    agent, starts = untrained(world), torch.arange(len(world))
    instruction = agent.encode(SENTENCES)
    tree = search(agent, world, reset(starts, torch.zeros(5)), instruction, strategy=strategy)
    ended = own_policy.has_stopped_twice(tree)
    assert bool((ended | ~(tree.frontier & ~tree.is_stop).any(dim=1)).all())
    for route in walked_routes(tree, world, tree.popped_at.argmax(dim=1), strategy.walking):
        assert route.length(world) <= 60.0


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    own_policy.main(FEW, epochs=1)
    head, columns, *rows = capsys.readouterr().out.splitlines()
    assert head == "9 instructions in 1 houses never seen"
    assert columns.split("  ")[-1].strip() == "TL (m)"
    assert [row.split()[0] for row in rows] == ["greedy", "fast-short", "my-own"]
    cell = r"\d+\.\d \[\d+\.\d, \d+\.\d\]"
    assert all(re.fullmatch(rf"\S+ +{cell} +{cell} +{cell}", row) for row in rows)


def test_it_learns() -> None:
    """Led along two ways of the crossroads, it soon tells them apart by their words."""
    from fastnav.data.episodes import Episode
    from fastnav.data.references import Reference
    from fastnav.data.splits import Split

    said = (("Go left.", ("S", "X", "W")), ("Go right.", ("S", "X", "E")))
    episodes = tuple(Episode(f"{k}_0", k, "toy", "S", 0.0, line) for k, (line, _) in enumerate(said))
    references = {k: Reference(k, "toy", path) for k, (_, path) in enumerate(said)}
    split = Split("train", episodes * 5, references)  # often enough for each word to count
    world = toy.crossroads()
    agent = own_policy.own_agent(world.to("cpu"), split, epochs=20, seed=1)
    walked = own_policy.navigate(agent, world, episodes, own_policy.greedy())
    assert [walk.viewpoints for walk in walked.values()] == [path for _, path in said]
