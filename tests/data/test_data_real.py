"""The real files: counts that are public knowledge, and digests of what is derived from them."""

import functools
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from fastnav.data.connectivity import read_scan_names
from fastnav.data.splits import Split
from fastnav.data.splits import load_split as read_split
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary


@functools.cache
def load_split(data: Path, name: str) -> Split:
    return read_split(data, name)


def digest(words: tuple[str, ...]) -> str:
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()


@pytest.mark.parametrize(
    ("name", "paths", "episodes", "scored", "scans"),
    [
        ("train", 4675, 14039, 14025, 61),
        ("val_seen", 340, 1021, 1020, 56),
        ("val_unseen", 783, 2349, 2349, 11),
        ("test", 1391, 4173, 4173, 18),
        ("dev_unseen", 729, None, 2187, 8),
        ("dev_train", 4675 - 729, None, 14025 - 2187, 61 - 8),
    ],
)
def test_counts_of_each_split(
    real_data: Path, name: str, paths: int, episodes: int | None, scored: int, scans: int
) -> None:
    split = load_split(real_data, name)
    assert len({episode.path_id for episode in split.episodes}) == paths
    assert len(split.scored) == scored
    assert len(split.scans) == scans
    assert episodes in (None, len(split.episodes))
    assert len(split.references) == (0 if name == "test" else paths)


def test_the_eight_houses_for_choosing_stay_the_same(real_data: Path) -> None:
    pinned = "06dcc9300565aef0605c2fad4e8ba2b3164a80aa5092cb718f991322182e3385"
    assert digest(load_split(real_data, "dev_unseen").scans) == pinned


def test_seen_and_unseen_are_what_they_say(real_data: Path) -> None:
    train, seen, unseen, test = (
        set(load_split(real_data, name).scans) for name in ("train", "val_seen", "val_unseen", "test")
    )
    assert seen <= train
    assert not train & unseen
    assert not (train | unseen) & test
    assert train | unseen | test == set(read_scan_names(real_data))


def test_the_vocabulary_is_the_published_word_list(real_data: Path) -> None:
    # 988 words: the list that the published agents ship with, compared once word by word, and pinned here.
    vocabulary = Vocabulary.build(episode.instruction for episode in load_split(real_data, "train").episodes)
    assert len(vocabulary) == len(SPECIAL_WORDS) + 988
    assert digest(vocabulary.words) == "fcbbe0c24f08b7c377ec2a21267843b43b048b2fa11fc90168583a49314ab758"


READ_ALL = """
import sys
from pathlib import Path
from fastnav.data.captions import captions_path, read_captions
from fastnav.data.connectivity import connectivity_path, read_connectivity, read_scan_names
from fastnav.data.objects import read_objects
data = Path(sys.argv[1])
graphs = [read_connectivity(connectivity_path(data, scan), scan) for scan in read_scan_names(data)]
words = [set(read_captions(captions_path(data, graph.scan))) for graph in graphs]
print(len(graphs), sum(map(len, words)), all(set(g.viewpoint_ids) == w for g, w in zip(graphs, words)))
things = list(read_objects(data))
print(len(things), sum(not t.objects for t in things), sum(len(t.objects) for t in things))
print({(t.scan, t.viewpoint_id) for t in things} == {(g.scan, v) for g in graphs for v in g.viewpoint_ids})
"""


def test_every_viewpoint_has_its_captions_and_its_objects(real_data: Path) -> None:
    # In a process of its own: the shape checks of these tests make so many records eight times slower.
    run = [sys.executable, "-c", READ_ALL, str(real_data)]
    captions, objects, same = subprocess.run(
        run, capture_output=True, check=True, text=True
    ).stdout.splitlines()
    assert captions == "90 10567 True"
    assert objects == "10567 2385 38293"
    assert same == "True"
