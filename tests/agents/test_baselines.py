"""The walks without weights: the benchmark's random protocol, and its published figures on the real files."""

from pathlib import Path

import numpy as np

from fastnav.agents.baselines import FORWARD_STEPS, stop_at_start, walk_randomly
from fastnav.data.episodes import Episode
from fastnav.data.splits import load_split
from fastnav.evaluation.scoring import Scorer
from fastnav.studies.navigate import navigate
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.loading import load_world


def episodes(world: World, count: int) -> list[Episode]:
    """An episode from each place in turn."""
    names = world.viewpoint_ids
    return [Episode(f"{k}_0", k, world.scans[0], names[k % len(names)], 0.3 * k, "Go.") for k in range(count)]


def test_stopping_stays() -> None:
    """One place, level, facing the snapped heading."""
    world = toy.corridor()
    routes = stop_at_start(world, episodes(world, 3))
    assert [route.viewpoints for route in routes.values()] == [(0,), (1,), (2,)]
    assert [route.views for route in routes.values()] == [(12,), (13,), (13,)]


def test_random_walk_goes_five_steps_forward() -> None:
    """In a corridor somewhere is always ahead after turning, so every walk has its five moves along edges."""
    world = toy.corridor()
    for route in walk_randomly(world, episodes(world, 40), 1).values():
        assert len(route.viewpoints) == FORWARD_STEPS + 1
        assert route.length(world) == 2.0 * FORWARD_STEPS


def test_random_walk_ends_where_no_way_leads() -> None:
    """A place joined to none is not left, and does not hold up the others."""
    world = toy.toy_world({"A": (0.0, 0.0, 0.0), "B": (2.0, 0.0, 0.0), "Z": (9.0, 9.0, 0.0)}, "AB")
    routes = walk_randomly(world, episodes(world, 3), 1)
    assert routes["2_0"].viewpoints == (2,)
    assert len(routes["0_0"].viewpoints) == FORWARD_STEPS + 1


def test_random_walk_depends_on_seed_and_episode_alone() -> None:
    """Alone, in a batch and permuted alike; another seed gives other walks."""
    world = toy.crossroads()
    some = episodes(world, 30)
    together = walk_randomly(world, some, 1)
    assert walk_randomly(world, some[::-1], 1) == together
    assert all(walk_randomly(world, [e], 1)[e.instr_id] == together[e.instr_id] for e in some)
    assert walk_randomly(world, some, 2) != together


def test_first_directions_are_all_taken() -> None:
    """From a crossroads' centre, each arm is entered about as often."""
    world = toy.crossroads()
    some = [Episode(f"{k}_0", k, "toy", "X", 0.0, "Go.") for k in range(1200)]
    first = [route.viewpoints[1] for route in walk_randomly(world, some, 3).values()]
    assert np.bincount(first, minlength=5)[1:].min() > 240


def test_published_random_row(real_data: Path) -> None:
    """SR 16 and NE 9.23 on val_unseen, within two standard errors over paths."""
    split = load_split(real_data, "val_unseen")
    world = load_world(real_data, split.scans)
    record = navigate("random", real_data, "val_unseen", seed=1)
    scores = Scorer(world, split).score(record.trajectories, "random")
    for metric, published in (("SR", 0.16), ("NE", 9.23)):
        values = scores.column(metric)
        by_path = np.array([values[scores.path == path].mean() for path in np.unique(scores.path)])
        error = by_path.std(ddof=1) / len(by_path) ** 0.5
        assert abs(values.mean() - published) < 2 * error
