"""Episodes as tensors: nothing is lost between the widths, and draws are as many as there are episodes."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fastnav.agents.layers import PAD
from fastnav.data.splits import Split, load_split
from fastnav.data.vocabulary import Vocabulary
from fastnav.training.lessons import WIDTHS, Lessons
from fastnav.world.graph import World
from fastnav.world.of_split import load_world_of
from fastnav.world.simulator import reset
from tests.toy_data import write_toy_data

#: Tokens of the made-up sentences, the end mark not counted: at the edges of the widths, and beyond them.
LENGTHS = (1, 23, 24, 31, 32, 47, 60, 79, 80, 200)


@pytest.fixture
def split(tmp_path: Path) -> Split:
    split = load_split(write_toy_data(tmp_path / "data"), "train")
    episodes = (split.episodes[k % len(split.episodes)] for k in range(len(LENGTHS)))
    spoken = [replace(e, instruction=" go" * n) for e, n in zip(episodes, LENGTHS, strict=True)]
    return replace(split, episodes=tuple(spoken))


@pytest.fixture
def world(tmp_path: Path, split: Split) -> World:
    return load_world_of(tmp_path / "data", split)


VOCABULARY = Vocabulary.build([" go" * 9])


def test_each_episode_stands_in_the_narrowest_width(split: Split, world: World) -> None:
    """With its end mark a sentence of 23 words is 24 wide; what is too long is cut to the widest."""
    lessons = Lessons.of(world, split, VOCABULARY, "cpu")
    assert len(lessons) == len(LENGTHS)
    found = {batch.tokens.shape[1]: (batch.tokens != PAD).sum(dim=1).tolist() for batch in lessons.batches}
    assert found == {24: [2, 24], 32: [25, 32], 48: [33, 48], 80: [61, 80, 80, 80]}
    assert tuple(found) == WIDTHS


def test_starts_headings_and_goals_are_those_of_the_split(split: Split, world: World) -> None:
    """Each row is one episode: where it starts, the view faced there, and where it ends."""
    lessons = Lessons.of(world, split, VOCABULARY, "cpu")
    rows = [
        row
        for b in lessons.batches
        for row in zip(b.viewpoint.tolist(), b.view.tolist(), b.goal.tolist(), strict=True)
    ]
    expected = []
    for episode in split.episodes:
        start = world.index(episode.scan, episode.start)
        pose = reset(torch.tensor([start]), torch.tensor([episode.heading]))
        goal = world.index(episode.scan, split.references[episode.path_id].goal)
        expected.append((start, int(pose.view), goal))
    assert rows == expected


def test_draws(split: Split, world: World) -> None:
    """Each draw is of one width; over many draws every episode comes up about as often."""
    lessons = Lessons.of(world, split, VOCABULARY, "cpu")
    dice = torch.Generator().manual_seed(0)
    counts = dict.fromkeys(WIDTHS, 0)
    for _ in range(400):
        batch = lessons.draw(6, dice)
        assert batch.tokens.shape[0] == len(batch.goal) == 6
        counts[batch.tokens.shape[1]] += 1
    assert counts[80] == pytest.approx(160, abs=40) and counts[24] == pytest.approx(80, abs=30)


def test_draws_repeat_with_their_generator(split: Split, world: World) -> None:
    """The same state of the generator gives the same batch."""
    lessons = Lessons.of(world, split, VOCABULARY, "cpu")
    one, other = (lessons.draw(5, torch.Generator().manual_seed(7)) for _ in range(2))
    assert torch.equal(one.tokens, other.tokens) and torch.equal(one.goal, other.goal)
