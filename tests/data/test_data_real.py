"""The real files: counts that are public knowledge, and digests of what is derived from them."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from fastnav.data.captions import captions_path, read_captions
from fastnav.data.connectivity import connectivity_path, read_connectivity, read_scan_names
from fastnav.data.splits import load_split
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary


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


def test_all_viewpoints_have_captions_and_only_they(real_data: Path) -> None:
    scans = read_scan_names(real_data)
    assert len(scans) == 90
    viewpoints = 0
    for scan in scans:
        graph = read_connectivity(connectivity_path(real_data, scan), scan)
        assert set(read_captions(captions_path(real_data, scan))) == set(graph.viewpoint_ids)
        viewpoints += len(graph.viewpoint_ids)
    assert viewpoints == 10_567


COUNT_OBJECTS = """
import sys
from pathlib import Path
from fastnav.data.objects import read_objects
entries = list(read_objects(Path(sys.argv[1])))
print(len(entries), sum(not e.objects for e in entries), sum(len(e.objects) for e in entries))
print(*sorted({e.scan for e in entries}))
"""


def test_all_objects_are_readable(real_data: Path) -> None:
    # In a process of its own: the shape checks of these tests make so many records eight times slower.
    run = [sys.executable, "-c", COUNT_OBJECTS, str(real_data)]
    counts, scans = subprocess.run(run, capture_output=True, check=True, text=True).stdout.splitlines()
    assert counts == "10567 2385 38293"
    assert tuple(scans.split()) == tuple(sorted(read_scan_names(real_data)))
