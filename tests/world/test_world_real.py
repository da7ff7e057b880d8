"""The 90 buildings: public counts, and every directed edge against the literal sweep of 36 views."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from fastnav.data.splits import load_split
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.loading import load_world
from tests.world.slow import swept_view


@pytest.fixture(scope="module")
def world(real_data: Path) -> World:
    return load_world(real_data, cache=False)


@pytest.fixture(scope="module")
def paths(world: World) -> Geodesics:
    return Geodesics.of(world)


def test_counts(world: World) -> None:
    degree = world.mask.sum(1) - 1
    assert len(world.scans) == 90
    assert len(world) == 10_567
    assert degree.sum() == 42_936
    assert degree.max() == 13
    assert world.actions == 14
    assert (degree == 0).sum() == 8
    assert world.distance.sum() / 42_936 == pytest.approx(2.27, abs=0.005)


def test_the_view_of_every_directed_edge_is_what_the_sweep_finds(world: World) -> None:
    places = [tuple(place) for place in world.position.tolist()]
    edges = np.argwhere(world.mask & (np.arange(world.actions) != World.STOP))
    assert len(edges) == 42_936
    targets = world.neighbour[edges[:, 0], edges[:, 1]].tolist()
    swept = [swept_view(places[a], places[b]) for a, b in zip(edges[:, 0].tolist(), targets, strict=True)]
    assert world.view[edges[:, 0], edges[:, 1]].tolist() == swept


def test_distances_are_finite_exactly_within_connected_parts(world: World, paths: Geodesics) -> None:
    part = np.arange(len(world))
    for _ in range(len(world)):  # the least number spreads over each part
        spread = part[world.neighbour].min(1)
        if (spread == part).all():
            break
        part = spread
    for scan in range(len(world.scans)):
        here = np.flatnonzero(world.scan == scan)
        finite = np.isfinite(paths.distance(here[:, None], here[None, :]))
        assert (finite == (part[here][:, None] == part[here][None, :])).all()
    other = (np.arange(len(world)) + 1000) % len(world)
    assert np.isinf(paths.distance(np.arange(len(world)), other)[world.scan != world.scan[other]]).all()


@pytest.mark.parametrize(
    ("split", "walked", "shortest"),
    [("train", 9.9090, 9.9090), ("val_seen", 10.1854, 10.1854), ("val_unseen", 9.5046, 9.4797)],
)
def test_mean_lengths_of_the_annotated_paths(
    real_data: Path, world: World, paths: Geodesics, split: str, walked: float, shortest: float
) -> None:
    loaded = load_split(real_data, split)
    assert len(loaded.scored) == 3 * len(loaded.references)  # so a mean over paths is one over episodes
    lengths, ends = [], []
    for reference in loaded.references.values():
        path = [world.index(reference.scan, name) for name in reference.path]
        slots = [world.slot(a, b) for a, b in itertools.pairwise(path)]
        assert None not in slots
        lengths.append(world.distance[path[:-1], slots].sum())
        ends.append((path[0], path[-1]))
    starts, goals = np.array(ends).T
    assert np.mean(lengths) == pytest.approx(walked, abs=5e-5)
    assert paths.distance(starts, goals).mean() == pytest.approx(shortest, abs=5e-5)
