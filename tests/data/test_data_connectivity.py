"""Connectivity files -> graphs of the included viewpoints."""

import json
from pathlib import Path

import numpy as np
import pytest

from fastnav.data.connectivity import connectivity_path, read_connectivity, read_scan_names
from fastnav.errors import MalformedFile, MissingFile
from tests.data import samples


def test_the_graph_of_the_sample(tmp_path: Path) -> None:
    graph = read_connectivity(samples.house(tmp_path), "house")
    assert graph.scan == "house"
    assert graph.viewpoint_ids == ("a1", "b2", "c3")
    assert graph.position.tolist() == [[0.0, 0.0, 0.5], [3.0, 0.0, 0.5], [3.0, 4.0, 1.0]]
    assert graph.edges.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


def test_an_excluded_viewpoint_in_the_middle_shifts_no_edge(tmp_path: Path) -> None:
    value = samples.connectivity()
    value[1]["included"] = False
    value[3]["included"] = True
    path = tmp_path / "house_connectivity.json"
    path.write_text(json.dumps(value))
    graph = read_connectivity(path, "house")
    assert graph.viewpoint_ids == ("a1", "c3", "gone")
    assert graph.edges.tolist() == [[1, 2], [2, 1]]
    assert graph.position[1].tolist() == [3.0, 4.0, 1.0]


def test_a_single_viewpoint_is_a_building(tmp_path: Path) -> None:
    value = [{**samples.connectivity()[0], "unobstructed": [False]}]
    path = tmp_path / "hut_connectivity.json"
    path.write_text(json.dumps(value))
    graph = read_connectivity(path, "hut")
    assert graph.viewpoint_ids == ("a1",)
    assert graph.edges.shape == (0, 2)
    assert np.issubdtype(graph.edges.dtype, np.integer)


def test_fields_that_are_not_used_may_be_absent(tmp_path: Path) -> None:
    value = [
        {key: entry[key] for key in ("image_id", "pose", "included", "unobstructed")}
        for entry in samples.connectivity()
    ]
    path = tmp_path / "house_connectivity.json"
    path.write_text(json.dumps(value))
    assert len(read_connectivity(path, "house").viewpoint_ids) == 3


def test_scan_names_are_listed_in_order(tmp_path: Path) -> None:
    path = connectivity_path(tmp_path, "any").with_name("scans.txt")
    path.parent.mkdir()
    path.write_text("zeta\n\n  alpha-1_b \n")
    assert read_scan_names(tmp_path) == ("zeta", "alpha-1_b")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no building is listed"),
        ("\n \n", "no building is listed"),
        ("a\nb\na\n", "a building is listed twice"),
        ("../etc\n", "'../etc' is no building's name"),
        ("a b\n", "'a b' is no building's name"),
    ],
)
def test_a_wrong_scan_list_is_told(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "connectivity" / "scans.txt"
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(MalformedFile) as caught:
        read_scan_names(tmp_path)
    assert str(caught.value) == f"{path}: {problem}; one name a line" + (
        ", each once" if "twice" in problem else ""
    )


def test_an_absent_scan_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"scans\.txt: no such file"):
        read_scan_names(tmp_path)
