"""What `check` says of directories in every state."""

import json
from pathlib import Path

import pytest
from made_up_sources import BUNDLE, FILES, MEMBERS, write_tree

from fastnav.data.sources import CheckReport, Manifest, State, check
from fastnav.data.sources.bundle import write_packed
from fastnav.errors import MissingFile

R2R_TEST = "r2r/R2R_test.json"


def states(report: CheckReport) -> dict[str, State]:
    return {file.path: file.state for group in report.groups for file in group.files}


def detail(report: CheckReport, path: str) -> str:
    return next(file.detail for group in report.groups for file in group.files if file.path == path)


def test_a_whole_directory(whole_dir: Path, manifest: Manifest):
    report = check(whole_dir, manifest=manifest)
    assert report.whole and not report.procedural
    assert set(states(report).values()) == {State.WHOLE}
    assert "  captions: 2 whole (title of captions)" in report.lines()
    assert not any("cost" in line for line in report.lines() if "title" not in line)


def test_an_empty_directory_costs_everything(data_dir: Path, manifest: Manifest):
    report = check(data_dir, manifest=manifest)
    assert not report.whole and set(states(report).values()) == {State.MISSING}
    lines = report.lines()
    for group in manifest.groups:
        assert f"    cost: cost of {group.name}" in lines
    assert any("fastnav data fetch" in line and "fastnav data import" in line for line in lines)


def test_edited_and_unreadable_files_are_told_apart(whole_dir: Path, manifest: Manifest):
    (whole_dir / R2R_TEST).write_bytes(FILES[R2R_TEST] + b" ")
    (whole_dir / "captions/alpha.json").unlink()
    (whole_dir / "captions/alpha.json").mkdir()
    report = check(whole_dir, manifest=manifest)
    found = {path: state for path, state in states(report).items() if state is not State.WHOLE}
    assert found == {R2R_TEST: State.EDITED, "captions/alpha.json": State.UNREADABLE}
    assert detail(report, R2R_TEST).startswith("41 bytes, sha256 ")
    assert "published 40 bytes" in detail(report, R2R_TEST)
    assert report.groups[0].costs == ("an edited file gives other numbers than the published ones",)


def test_many_missing_files_are_counted(data_dir: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fastnav.data.sources.checking._NAMED", 1)
    assert "    missing: and 2 more" in check(data_dir, manifest=manifest).lines()


@pytest.mark.parametrize("packed", [True, False])
def test_objects_are_whole_packed_or_not(data_dir: Path, manifest: Manifest, packed: bool):
    if packed:
        write_packed(data_dir / BUNDLE, MEMBERS)
    else:
        write_tree(data_dir / "objects/BBox", {**MEMBERS, ".DS_Store": b"clutter"})
    assert check(data_dir, manifest=manifest).groups[3].whole


def test_the_folder_of_objects_counts_before_the_archive(data_dir: Path, manifest: Manifest):
    write_packed(data_dir / BUNDLE, MEMBERS)
    write_tree(data_dir / "objects/BBox", {"alpha_a0.json": b"{}"})
    (state,) = check(data_dir, manifest=manifest).groups[3].files
    assert state.path == "objects/BBox" and state.state is State.EDITED
    assert state.detail.startswith("1 of 3 files; remove this folder")


def test_edited_and_damaged_objects(data_dir: Path, manifest: Manifest):
    write_packed(data_dir / BUNDLE, MEMBERS | {"beta_b0.json": b"{}"})
    (state,) = check(data_dir, manifest=manifest).groups[3].files
    assert state.state is State.EDITED and "not the published ones" in state.detail
    content = (data_dir / BUNDLE).read_bytes()
    (data_dir / BUNDLE).write_bytes(content[: len(content) // 2])
    (state,) = check(data_dir, manifest=manifest).groups[3].files
    assert state.state is State.UNREADABLE and "not a readable" in state.detail


def test_the_report_is_json(data_dir: Path, manifest: Manifest):
    value = json.loads(json.dumps(check(data_dir, manifest=manifest).as_dict()))
    assert value["whole"] is False and value["groups"][0]["files"][0]["state"] == "missing"


def test_no_such_directory(tmp_path: Path, manifest: Manifest):
    with pytest.raises(MissingFile, match="fastnav data fetch"):
        check(tmp_path / "nowhere", manifest=manifest)


ENTRY = {"scan": "house1", "path_id": 1, "path": ["v1"], "heading": 0.5, "instructions": ["Stay."]}
ALONE = {"image_id": "v1", "pose": [0.0] * 16, "included": True, "unobstructed": [False]}


def test_procedural_houses_are_read_in_earnest(data_dir: Path, manifest: Manifest):
    write_tree(
        data_dir,
        {
            "houses.json": b"{}",
            "r2r/R2R_train.json": json.dumps([ENTRY]).encode(),
            "r2r/R2R_test.json": json.dumps([{**ENTRY, "heading": "north"}]).encode(),
            "connectivity/scans.txt": b"house1\nhouse2\nhouse3\n",
            "connectivity/house1_connectivity.json": json.dumps([ALONE]).encode(),
            "connectivity/house3_connectivity.json": json.dumps([{**ALONE, "unobstructed": [True]}]).encode(),
            "captions/house1.json": b"{}",
            "captions/house2.json": b'{"v1": ["a room"]}',
            "captions/house3.json": b"{",
            "objects/BBox/house1_v1.json": b"{}",
        },
    )
    report = check(data_dir, manifest=manifest)
    assert report.procedural and report.lines()[0].endswith("procedural houses")
    assert states(report) == {
        "r2r/R2R_train.json": State.WHOLE,
        "r2r/R2R_test.json": State.UNREADABLE,
        "connectivity/scans.txt": State.WHOLE,
        "connectivity/house1_connectivity.json": State.WHOLE,
        "connectivity/house2_connectivity.json": State.MISSING,
        "connectivity/house3_connectivity.json": State.UNREADABLE,
        "captions/house1.json": State.WHOLE,
        "captions/house2.json": State.UNREADABLE,
        "captions/house3.json": State.UNREADABLE,
        "objects/BBox": State.WHOLE,
    }
    assert "fastnav data houses" in report.groups[0].remedy


def test_procedural_houses_without_their_parts(data_dir: Path, manifest: Manifest):
    write_tree(data_dir, {"houses.json": b"{}", BUNDLE: b"not packed"})
    found = states(check(data_dir, manifest=manifest))
    assert found["connectivity/scans.txt"] is State.MISSING and found[BUNDLE] is State.UNREADABLE
