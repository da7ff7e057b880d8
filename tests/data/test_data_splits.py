"""R2R files -> episodes; which are scored; and the houses held out for choosing."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data.episodes import Episode
from fastnav.data.references import Reference
from fastnav.data.splits import DEV_HOUSES, dev_houses, load_split, read_r2r, split_path
from fastnav.errors import MalformedFile, MissingFile, UnknownName
from tests.data import samples


def test_an_episode_is_one_instruction(tmp_path: Path) -> None:
    split = read_r2r(samples.split_file(tmp_path, samples.r2r()), "train")
    assert split.episodes[1] == Episode("7_1", 7, "house", "a1", 1.25, "Go to the yellow lamp.")
    assert [episode.instr_id for episode in split.episodes] == [
        "7_0",
        "7_1",
        "7_2",
        "8_0",
        "8_1",
        "8_2",
        "8_3",
    ]
    assert split.scans == ("house",)


def test_the_first_three_instructions_of_a_path_are_scored(tmp_path: Path) -> None:
    split = read_r2r(samples.split_file(tmp_path, samples.r2r()), "train")
    assert [episode.instr_id for episode in split.scored] == ["7_0", "7_1", "7_2", "8_0", "8_1", "8_2"]


def test_a_reference_is_the_path_and_ends_at_the_goal(tmp_path: Path) -> None:
    split = read_r2r(samples.split_file(tmp_path, samples.r2r()), "train")
    assert split.references == {
        7: Reference(7, "house", ("a1", "b2", "c3")),
        8: Reference(8, "house", ("c3", "b2", "a1")),
    }
    assert split.references[7].goal == "c3"


def test_the_test_split_has_starts_and_no_references(tmp_path: Path) -> None:
    records = samples.r2r()
    for record in records:
        record["path"] = record["path"][:1]
        del record["distance"]
    samples.split_file(tmp_path, records, "test")
    split = load_split(tmp_path, "test")
    assert split.references == {}
    assert [episode.start for episode in split.episodes] == ["a1"] * 3 + ["c3"] * 4


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("train", "R2R_train.json"),
        ("val_seen", "R2R_val_seen.json"),
        ("val_unseen", "R2R_val_unseen.json"),
        ("test", "R2R_test.json"),
        ("dev_train", "R2R_train.json"),
        ("dev_unseen", "R2R_train.json"),
    ],
)
def test_each_split_has_its_file(tmp_path: Path, name: str, file: str) -> None:
    assert split_path(tmp_path, name) == tmp_path / "r2r" / file
    with pytest.raises(MissingFile, match=file):
        load_split(tmp_path, name)


def test_an_unknown_split_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"unknown split 'val_unsen'; did you mean val_unseen"):
        load_split(tmp_path, "val_unsen")


# ---- dev_unseen and dev_train


def records_of(paths_per_scan: dict[str, int]) -> list[dict[str, Any]]:
    """So many paths in each building, with two instructions each."""
    scans = [scan for scan, paths in paths_per_scan.items() for _ in range(paths)]
    return [
        {"path_id": k, "scan": scan, "heading": 0.0, "path": ["a", "b"], "instructions": ["Go.", "Stop."]}
        for k, scan in enumerate(scans)
    ]


HOUSES = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=4), st.integers(1, 9), min_size=2, max_size=50
)


@given(paths=HOUSES, order=st.randoms(use_true_random=False))
def test_derived_splits_part_train_by_building_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory, paths: dict[str, int], order: random.Random
) -> None:
    data = tmp_path_factory.getbasetemp() / "derived"
    records = records_of(paths)
    samples.split_file(data, records)
    unseen, rest = load_split(data, "dev_unseen"), load_split(data, "dev_train")
    assert (unseen.name, rest.name) == ("dev_unseen", "dev_train")
    assert not set(unseen.scans) & set(rest.scans)
    train = load_split(data, "train")
    assert sorted(unseen.episodes + rest.episodes, key=repr) == sorted(train.episodes, key=repr)
    assert {**unseen.references, **rest.references} == train.references
    for split in (unseen, rest):
        assert {reference.scan for reference in split.references.values()} == set(split.scans)

    order.shuffle(records)
    samples.split_file(data, records)
    again = load_split(data, "dev_unseen")
    assert again.scans == unseen.scans
    assert set(again.episodes) == set(unseen.episodes)


@pytest.mark.parametrize(("houses", "held_out"), [(1, 1), (3, 1), (8, 2), (12, 3), (31, 7), (32, 8), (61, 8)])
def test_at_most_a_quarter_and_at_most_eight_are_held_out(houses: int, held_out: int) -> None:
    chosen = dev_houses({f"house{k}": 10 for k in range(houses)})
    assert len(chosen) == held_out <= DEV_HOUSES


def test_a_single_building_leaves_nothing_to_train_on(tmp_path: Path) -> None:
    samples.split_file(tmp_path, samples.r2r())
    assert load_split(tmp_path, "dev_unseen").scans == ("house",)
    with pytest.raises(MalformedFile, match=r"R2R_train\.json.*single building.*dev_train is empty"):
        load_split(tmp_path, "dev_train")


def test_houses_with_few_paths_are_passed_over() -> None:
    paths = {f"large{k}": 10 for k in range(30)} | {f"small{k}": 4 for k in range(20)}
    assert all(scan.startswith("large") for scan in dev_houses(paths))
    assert len(dev_houses(paths)) == DEV_HOUSES


def test_the_rule_never_changes() -> None:
    # A run made today must be comparable with one made before: the houses are pinned.
    assert dev_houses({f"house{k}": 10 for k in range(12)}) == {"house4", "house5", "house11"}


def test_the_choice_is_as_good_as_random() -> None:
    # A prefix of the names in spelling or file order would be no random choice.
    scans = [f"house{k:03d}" for k in range(100)]
    chosen = dev_houses(dict.fromkeys(scans, 10))
    assert len(chosen & set(scans[:50])) in range(1, DEV_HOUSES)


def test_files_are_read_as_they_are_written(tmp_path: Path) -> None:
    records = samples.r2r()
    records[0]["instructions"][0] = "Gehe über die Brücke\u2028links.  "
    path = samples.split_file(tmp_path, records)
    assert read_r2r(path, "train").episodes[0].instruction == records[0]["instructions"][0]
    assert json.loads(path.read_text()) == records
