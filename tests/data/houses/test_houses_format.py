"""What is on disk: the keys, types and ranges of the real files, readable by the code that reads those."""

import itertools
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components, dijkstra

from fastnav.data.captions import captions_path, read_captions
from fastnav.data.connectivity import connectivity_path, read_connectivity, read_scan_names
from fastnav.data.objects import read_objects

SPLITS = ("train", "val_seen", "val_unseen", "test")


def records(houses: Path, split: str) -> list[dict[str, Any]]:
    """The raw records of a split."""
    return list(json.loads((houses / "r2r" / f"R2R_{split}.json").read_text()))


def graph(houses: Path, scan: str) -> tuple[list[str], np.ndarray]:
    """The included viewpoints of a scan, and metres along each edge (0: none), read with plain code."""
    rows = json.loads((houses / "connectivity" / f"{scan}_connectivity.json").read_text())
    kept = [i for i, row in enumerate(rows) if row["included"]]
    position = np.array([[rows[i]["pose"][k] for k in (3, 7, 11)] for i in kept])
    ways = np.array([[rows[i]["unobstructed"][j] for j in kept] for i in kept])
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)
    return [rows[i]["image_id"] for i in kept], np.where(ways, apart, 0.0)


def scans(houses: Path) -> list[str]:
    """All scans of the folder."""
    return (houses / "connectivity" / "scans.txt").read_text().split()


def test_the_layout_is_that_of_a_data_directory(houses: Path) -> None:
    names = scans(houses)
    assert len(names) == 5 and all(len(name) == 11 and name.startswith("house") for name in names)
    assert {path.name for path in (houses / "r2r").iterdir()} == {f"R2R_{split}.json" for split in SPLITS}
    for folder, suffix in (("connectivity", "_connectivity.json"), ("captions", ".json"), ("plans", ".json")):
        written = {path.name for path in (houses / folder).glob("*.json")}
        assert written == {f"{name}{suffix}" for name in names}


def test_connectivity_has_all_six_keys_and_symmetric_edges(houses: Path) -> None:
    for scan in scans(houses):
        rows = json.loads((houses / "connectivity" / f"{scan}_connectivity.json").read_text())
        for row in rows:
            assert set(row) == {"image_id", "pose", "included", "visible", "unobstructed", "height"}
            assert len(row["image_id"]) == 32 and int(row["image_id"], 16) >= 0
            assert len(row["pose"]) == 16 and len(row["visible"]) == len(row["unobstructed"]) == len(rows)
            assert 1.3 < row["height"] < 1.7
        ways = np.array([row["unobstructed"] for row in rows])
        assert (ways == ways.T).all() and not ways.diagonal().any()
        assert (np.array([row["visible"] for row in rows]) | ~ways).all()


def test_each_house_is_in_one_piece_over_all_its_floors(houses: Path) -> None:
    heights = []
    for scan in scans(houses):
        names, metres = graph(houses, scan)
        assert connected_components(metres)[0] == 1
        assert len(set(names)) == len(names) and ((metres > 0).sum(axis=1) > 0).all()
        assert metres.max() < 8.5
        heights.append(len(json.loads((houses / "plans" / f"{scan}.json").read_text())["house"]["flights"]))
    assert max(heights) > 0  # at least one of these houses has stairs


def test_captions_have_eight_headings_of_three_lines(houses: Path) -> None:
    for scan in scans(houses):
        rows = json.loads((houses / "connectivity" / f"{scan}_connectivity.json").read_text())
        captions = json.loads((houses / "captions" / f"{scan}.json").read_text())
        assert set(captions) == {row["image_id"] for row in rows}
        for texts in captions.values():
            assert len(texts) == 8
            for text in texts:
                lines = text.split("\n")
                assert [line.partition(": ")[0] for line in lines] == ["down", "middle", "top"]
                assert all(len(line.split()) > 1 for line in lines)


def test_object_boxes_lie_inside_their_views(houses: Path) -> None:
    known: dict[tuple[str, str], str] = {}
    with tarfile.open(houses / "objects" / "REVERIE_BBox.tar.gz") as archive:
        files = [entry for entry in archive if entry.isfile()]
        for entry in files:
            stream = archive.extractfile(entry)
            assert stream is not None
            ((viewpoint, found),) = json.load(stream).items()
            scan = entry.name.removeprefix("BBox/").split("_")[0]
            assert entry.name == f"BBox/{scan}_{viewpoint}.json"
            for identity, thing in found.items():
                assert (
                    known.setdefault((scan, identity), thing["name"]) == thing["name"]
                    and " " not in thing["name"]
                )
                assert len(thing["visible_pos"]) == len(thing["bbox2d"]) > 0
                for view, (x, y, width, height) in zip(thing["visible_pos"], thing["bbox2d"], strict=True):
                    assert 0 <= view < 36 and width > 0 and height > 0
                    assert x >= 0 and x + width <= 640 and y >= 0 and y + height <= 480
    assert len(files) == sum(len(json.loads(path.read_text())) for path in (houses / "captions").iterdir())
    assert len(known) > 100


@pytest.mark.parametrize("split", SPLITS)
def test_episodes_have_the_fields_of_their_split(houses: Path, split: str) -> None:
    shared = {"scan", "path_id", "path", "heading", "instructions"}
    for record in records(houses, split):
        assert set(record) == shared | ({"distance"} if split != "test" else set())
        assert 3 <= len(record["instructions"]) <= 4 and all(map(str.strip, record["instructions"]))
        assert 0 <= record["heading"] < 6.284
        assert split != "test" or len(record["path"]) == 1


def test_routes_are_shortest_paths_of_a_fair_length(houses: Path) -> None:
    for split in SPLITS[:3]:
        for record in records(houses, split):
            names, metres = graph(houses, record["scan"])
            path = [names.index(name) for name in record["path"]]
            length = sum(metres[i, j] for i, j in itertools.pairwise(path))
            best = dijkstra(metres, indices=path[0])[path[-1]]
            assert length == pytest.approx(best) and abs(record["distance"] - length) < 0.006
            assert 4 <= len(path) <= 7 and 5.0 <= length <= 20.0
            assert all(metres[i, j] > 0 for i, j in itertools.pairwise(path))


def test_unseen_splits_have_houses_and_all_splits_have_paths_of_their_own(houses: Path) -> None:
    of = {split: {record["scan"] for record in records(houses, split)} for split in SPLITS}
    assert of["val_seen"] <= of["train"]
    assert not of["train"] & of["val_unseen"] and not (of["train"] | of["val_unseen"]) & of["test"]
    paths = [tuple(r["path"]) for split in SPLITS[:3] for r in records(houses, split)]
    assert len(set(paths)) == len(paths)
    numbers = [r["path_id"] for split in SPLITS for r in records(houses, split)]
    assert len(set(numbers)) == len(numbers)


def test_the_code_for_the_real_files_reads_these(houses: Path) -> None:
    count = 0
    for scan in read_scan_names(houses):
        read_connectivity(connectivity_path(houses, scan), scan)
        count += len(read_captions(captions_path(houses, scan)))
    assert len(list(read_objects(houses))) == count
