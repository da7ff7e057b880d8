"""Same seed, same bytes; whole or not at all; errors that say what to do."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from fastnav.data.houses import HousesConfig, build_houses, house, writer
from fastnav.data.houses.house import BuiltHouse, build_house, scan_names
from fastnav.errors import OutputError, UsageError


@pytest.fixture(scope="module")
def ready(tiny: HousesConfig) -> list[BuiltHouse]:
    """Three houses, built once for all tests of how they are written."""
    return [build_house(tiny, number) for number in range(tiny.houses)]


@pytest.fixture
def at_once(ready: list[BuiltHouse], monkeypatch: pytest.MonkeyPatch) -> None:
    """Houses that need not be built again."""
    monkeypatch.setattr(writer, "build_house", lambda _, number: ready[number])


def digests(folder: Path) -> dict[str, str]:
    """The digest of every file in a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_two_workers_write_the_same_bytes(houses: Path, config: HousesConfig, tmp_path: Path) -> None:
    build_houses(tmp_path / "again", config, workers=2)
    assert digests(tmp_path / "again") == digests(houses)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def test_another_seed_builds_other_houses(tiny: HousesConfig) -> None:
    one, other = build_house(tiny, 0), build_house(replace(tiny, seed=tiny.seed + 1), 0)
    assert one.scan != other.scan and one.plan != other.plan and one.episodes != other.episodes
    assert not set(one.captions) & set(other.captions)


def test_no_two_houses_of_a_build_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "LETTERS", "abAB")
    monkeypatch.setattr(house, "NAME_LENGTH", 5)
    config = HousesConfig(seed=987654)  # of no other test: the names are remembered
    names = scan_names(config)
    assert len({name.lower() for name in names}) == config.houses == 25  # of 32 that differ
    scan_names.cache_clear()
    assert scan_names(config) == names
    scan_names.cache_clear()


@pytest.mark.usefixtures("at_once")
def test_progress_counts_the_houses(tiny: HousesConfig, tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    build_houses(tmp_path / "new", tiny, on_house=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_a_failure_leaves_nothing_behind(
    ready: list[BuiltHouse], tiny: HousesConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_at_second(_: HousesConfig, number: int) -> BuiltHouse:
        if number == 1:
            raise KeyboardInterrupt
        return ready[number]

    monkeypatch.setattr(writer, "build_house", fail_at_second)
    with pytest.raises(KeyboardInterrupt):
        build_houses(tmp_path / "new", tiny, workers=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("at_once")
def test_a_disk_error_is_told_and_leaves_nothing(
    tiny: HousesConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer, "write_bytes", refuse)
    with pytest.raises(OutputError, match="No space left"):
        build_houses(tmp_path / "new", tiny, workers=1)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_overwritten(tiny: HousesConfig, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="was not written by fastnav; choose a new folder"):
        build_houses(tmp_path, tiny, overwrite=True)
    with pytest.raises(OutputError, match="is a file"):
        build_houses(tmp_path / "notes.txt", tiny)
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.usefixtures("at_once")
def test_own_houses_are_replaced_when_asked_for(tiny: HousesConfig, tmp_path: Path) -> None:
    out = tmp_path / "new"
    out.mkdir()
    build_houses(out, tiny)
    first = digests(out)
    with pytest.raises(OutputError, match="`--overwrite`"):
        build_houses(out, tiny)
    build_houses(out, replace(tiny, seed=99), overwrite=True)
    assert digests(out)["houses.json"] != first["houses.json"] and [
        path.name for path in tmp_path.iterdir()
    ] == ["new"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"houses": 2}, "leave none to train in"),
        ({"seed": -1}, "seed is -1"),
        ({"viewpoints_per_house": 3.0}, "give 20 to 400"),
    ],
)
def test_a_configuration_that_cannot_be_built_is_refused(change: dict[str, float], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        HousesConfig(**{"houses": 12, **change})  # type: ignore[arg-type]


def test_the_named_sizes() -> None:
    full, small = HousesConfig.full(), HousesConfig.small(seed=4)
    assert full.houses == 90 and full.viewpoints_per_house * full.houses >= 10_000
    assert small.seed == 4 and small.train_houses > 10
    routes = full.train_houses * (full.train_routes_per_house + full.val_seen_routes_per_house)
    assert 3 * (routes + (full.houses - full.train_houses) * full.unseen_routes_per_house) >= 14_000


def test_workers_are_counted_from_one(config: HousesConfig, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="workers is 0"):
        build_houses(tmp_path / "new", config, workers=0)
