"""The manifest that ships with the package, and what a broken one is told."""

import json
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pytest
from made_up_sources import manifest_value

from fastnav.data.sources import check, load_manifest, published
from fastnav.errors import MalformedFile, UnknownName

GROUPS = ("r2r", "connectivity", "captions", "objects")


def test_shipped_manifest_lists_the_whole_benchmark():
    groups = {group.name: group for group in published().groups}
    assert tuple(groups) == GROUPS
    assert {file.name for file in groups["r2r"].files} == {
        f"R2R_{split}.json" for split in ("train", "val_seen", "val_unseen", "test")
    }
    connectivity = {file.name for file in groups["connectivity"].files}
    scans = {name.removesuffix("_connectivity.json") for name in connectivity - {"scans.txt"}}
    assert len(scans) == 90
    assert {file.name for file in groups["captions"].files} == {f"{scan}.json" for scan in scans}
    assert groups["objects"].bundle is not None and groups["objects"].bundle.count == 10_567


def test_shipped_paths_digests_and_urls_are_sane():
    files = [file for group in published().groups for file in group.files]
    for file in files:
        path = PurePosixPath(file.path)
        assert not path.is_absolute() and ".." not in path.parts
        assert len(file.sha256) == 64 and int(file.sha256, 16) and file.size > 0
        assert file.urls and all(urlsplit(url).scheme == "https" and "{" not in url for url in file.urls)
        assert file.cost
    assert len({file.path for file in files}) == len({file.sha256 for file in files}) == len(files)


def test_every_group_tells_its_terms_and_a_way_to_get_it():
    for group in published().groups:
        assert group.licence and group.cost and group.homepage.startswith("https://")
        assert all(file.urls for file in group.files) or group.archive
        assert group.bundle is None or group.archive


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("path", "../outside.json", "does not stay inside"),
        ("path", "/etc/hosts", "does not stay inside"),
        ("path", "r2r\\R2R_train.json", "does not stay inside"),
        ("sha256", "12ab", "64 hexadecimal digits"),
        ("size", "large", "whole number"),
    ],
)
def test_a_broken_manifest_is_refused(tmp_path: Path, field: str, value: str, problem: str):
    manifest = manifest_value("http://127.0.0.1:9")
    manifest["groups"][0]["files"][0][field] = value
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest))
    with pytest.raises(MalformedFile, match=problem):
        load_manifest(path)


def test_an_unknown_group_names_the_nearest():
    with pytest.raises(UnknownName, match="captions"):
        published().select(["caption"])


def test_groups_come_in_their_own_order():
    assert [group.name for group in published().select(["objects", "r2r"])] == ["r2r", "objects"]


def test_the_real_data_is_whole(real_data: Path):
    report = check(real_data)
    assert report.whole, "\n".join(report.lines())
