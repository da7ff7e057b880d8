"""A few small houses, built once: some with stairs, some for each split."""

from dataclasses import replace
from pathlib import Path

import pytest

from fastnav.data.houses import HousesConfig, build_houses
from fastnav.data.houses.house import make_scene
from fastnav.data.houses.scene import Scene

SMALLEST = HousesConfig(
    seed=5,
    houses=5,
    val_unseen_houses=1,
    test_houses=1,
    viewpoints_per_house=52.0,
    train_routes_per_house=12,
    val_seen_routes_per_house=3,
    unseen_routes_per_house=10,
)


@pytest.fixture(scope="session")
def config() -> HousesConfig:
    """The configuration of the houses on disk."""
    return SMALLEST


@pytest.fixture(scope="session")
def tiny() -> HousesConfig:
    """One house for each group, as small as they come: built in a moment."""
    return replace(
        SMALLEST,
        houses=3,
        viewpoints_per_house=20.0,
        train_routes_per_house=2,
        val_seen_routes_per_house=1,
        unseen_routes_per_house=2,
    )


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory of procedural houses; not to be written to."""
    folder = tmp_path_factory.mktemp("houses") / "data"
    build_houses(folder, SMALLEST, workers=1)
    return folder


@pytest.fixture(scope="session")
def scenes() -> list[Scene]:
    """The same houses as they are in memory, in the order in which they were built."""
    return [make_scene(SMALLEST, number) for number in range(SMALLEST.houses)]
