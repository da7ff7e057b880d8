"""Loading a data directory, and the cache that must never be noticed but by its speed."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from fastnav.data.connectivity import connectivity_path
from fastnav.errors import MalformedFile, MissingFile, UnknownName
from fastnav.world import loading
from fastnav.world.graph import World
from fastnav.world.loading import cache_folder, load_world
from tests.data import samples
from tests.world.worlds import TABLES, tables


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with two buildings; the second has one edge less."""
    folder = tmp_path / "data"
    samples.house(folder, "alpha")
    value = samples.connectivity()
    value[1]["unobstructed"][2] = value[2]["unobstructed"][1] = False
    samples.house(folder, "beta").write_text(json.dumps(value))
    (folder / "connectivity" / "scans.txt").write_text("alpha\nbeta\n")
    return folder


def everything(world: World) -> tuple:
    kinds = [getattr(world, name).dtype for name in TABLES]
    return world.scans, world.viewpoint_ids, tables(world), kinds


def cached_file() -> Path:
    (path,) = (cache_folder() / "worlds").iterdir()
    return path


def forbid_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise AssertionError("parsed, though the cache should have served")

    monkeypatch.setattr(loading, "parse_connectivity", fail)


def test_all_listed_buildings_are_loaded_in_their_order(data: Path) -> None:
    world = load_world(data)
    assert world.scans == ("alpha", "beta")
    assert world.viewpoint_ids == ("a1", "b2", "c3") * 2
    assert world.neighbour.tolist() == [[0, 1, 0], [1, 0, 2], [2, 1, 2], [3, 4, 3], [4, 3, 4], [5, 5, 5]]
    assert world.distance[0, 1] == 3


@pytest.mark.parametrize("scans", [["beta"], ["beta", "alpha"], ["alpha", "alpha", "beta"]])
def test_chosen_buildings_come_in_the_chosen_order_each_once(data: Path, scans: list[str]) -> None:
    for _ in range(2):  # cold, then warm
        world = load_world(data, scans)
        assert world.scans == tuple(dict.fromkeys(scans))
        assert len(world) == 3 * len(world.scans)
        assert world.scan.max() == len(world.scans) - 1


def test_warm_is_the_same_as_cold_and_parses_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = load_world(data)
    uncached = load_world(data, cache=False)
    forbid_parsing(monkeypatch)
    assert everything(load_world(data)) == everything(cold) == everything(uncached)


def test_without_the_cache_none_is_written_or_read(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_world(data, cache=False)
    assert not cache_folder().exists()
    load_world(data)
    forbid_parsing(monkeypatch)
    with pytest.raises(AssertionError, match="parsed"):
        load_world(data, cache=False)


def test_an_edited_file_is_never_served_from_the_cache(data: Path) -> None:
    load_world(data)
    value = samples.connectivity()
    value[0]["pose"][3] = -1.0
    connectivity_path(data, "alpha").write_text(json.dumps(value))
    os.utime(connectivity_path(data, "alpha"), (0, 0))  # an old date must not deceive either
    assert load_world(data).distance[0, 1] == 4


def test_a_file_that_broke_is_told_though_the_cache_knows_it_whole(data: Path) -> None:
    load_world(data)
    connectivity_path(data, "beta").write_text("[]")
    with pytest.raises(MalformedFile, match=r"beta_connectivity\.json: no viewpoint is included"):
        load_world(data)


def test_the_same_files_under_other_names_are_another_world(data: Path) -> None:
    load_world(data, ["alpha"])
    shutil.copy(connectivity_path(data, "alpha"), connectivity_path(data, "gamma"))
    assert load_world(data, ["gamma"]).scans == ("gamma",)


def test_a_cache_damaged_anywhere_is_harmless(data: Path) -> None:
    expected = everything(load_world(data))
    path = cached_file()
    whole = path.read_bytes()
    assert everything(load_world(data)) == expected
    for place in range(0, len(whole), 11):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        world = loading._read_cached(path, ("alpha", "beta"))
        assert world is None or everything(world) == expected


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "flag", "directory"])
def test_a_damaged_cache_is_made_again(data: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    expected = everything(load_world(data))
    path = cached_file()
    whole = path.read_bytes()
    if damage == "empty":
        path.write_bytes(b"")
    elif damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "other":
        with path.open("wb") as stream:
            np.savez(stream, something=np.zeros(3))
    elif damage == "flag":
        with zipfile.ZipFile(path) as archive:
            start = archive.start_dir
        path.write_bytes(whole[: start + 8] + b"\1" + whole[start + 9 :])  # says that it is encrypted
    else:
        path.unlink()
        path.mkdir()
    assert everything(load_world(data)) == expected
    if damage != "directory":
        forbid_parsing(monkeypatch)
        assert everything(load_world(data)) == expected


def test_a_cache_that_cannot_be_written_is_harmless(data: Path, own_cache: Path) -> None:
    own_cache.write_text("a file stands where the folder should be")
    assert load_world(data).scans == ("alpha", "beta")
    assert own_cache.read_text().startswith("a file")


def test_the_cache_stands_where_the_environment_says(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache_folder() == own_cache / "fastnav"
    monkeypatch.delenv("FASTNAV_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "fastnav"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "fastnav"


def test_an_unknown_building_is_told_with_the_nearest(data: Path) -> None:
    with pytest.raises(UnknownName, match="unknown building 'alpah'; did you mean alpha"):
        load_world(data, ["beta", "alpah"])


def test_a_listed_building_without_its_file_is_a_missing_file(data: Path) -> None:
    connectivity_path(data, "beta").unlink()
    for scans in (None, ["beta"]):
        with pytest.raises(MissingFile, match=r"beta_connectivity\.json: no such file"):
            load_world(data, scans)


def test_a_building_that_is_not_listed_can_be_loaded_by_name(data: Path) -> None:
    samples.house(data, "extra")
    assert load_world(data, ["extra"]).scans == ("extra",)
    (data / "connectivity" / "scans.txt").unlink()
    assert load_world(data, ["extra", "alpha"]).scans == ("extra", "alpha")
