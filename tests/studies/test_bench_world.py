"""The benchmark of the world runs, and finds the tables faster than the plain walk."""

import json
from pathlib import Path

import numpy as np
import pytest

from fastnav.studies import bench_world as bench
from fastnav.studies.bench_rows import BenchRow
from fastnav.studies.bench_world import RandomWalk, bench_data
from fastnav.studies.plain_walk import PlainWorld
from fastnav.world import toy
from tests.data import samples


def test_the_tables_are_faster_than_the_plain_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    # The bare step alone is compared: it is a look-up in numpy, free of these tests' shape checks.
    monkeypatch.setattr(bench, "REPEATS", 3)
    measured = bench.bench_world(toy.crossroads(), batch=1024, seconds=0.01)
    assert measured.batch == 1024
    assert measured.bare.speedup is not None
    assert measured.bare.speedup > 1
    assert [row.name for row in measured.rows] == [
        f"{n}, batch 1024" for n in ("bare step", "step", "observe")
    ]


def test_the_plain_walk_ends_where_the_simulator_does_and_sees_the_same() -> None:
    world = toy.two_buildings()
    walk = RandomWalk.draw(world, batch=7, steps=5)
    plain = PlainWorld.of(world, walk.pose, walk.action)
    last = walk.pose[-1]
    assert plain.walk() == list(zip(last.viewpoint.tolist(), last.view.tolist(), strict=True))
    assert plain.walk_bare() == last.viewpoint.tolist()
    seen = plain.look_around()
    assert len(seen) == 7 * 5
    agent_view = bench.observe(world, walk.pose[1])
    for row in range(7):
        legal = np.flatnonzero(agent_view.mask[row])[1:]
        turns = [slot[2] for slot in seen[row * 5][1:]]
        assert turns == pytest.approx(agent_view.turn[row, legal].tolist())


def test_random_walks_never_stop_where_there_is_a_neighbour() -> None:
    world = toy.toy_world({"A": (0.0, 0.0, 0.0), "B": (1.0, 0.0, 0.0), "C": (2.0, 0.0, 0.0)}, "AB")
    walk = RandomWalk.draw(world, batch=50)
    joined = walk.pose[0].viewpoint != 2
    assert all((action > 0).tolist() == joined.tolist() for action in walk.action)


def test_a_data_directory_is_measured_with_its_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "REPEATS", 1)
    samples.house(tmp_path, "house")
    (tmp_path / "connectivity" / "scans.txt").write_text("house\n")
    rows = bench_data(tmp_path, batch=4, seconds=0.001)
    assert len(rows) == 6
    assert all(row.fast > 0 for row in rows)
    assert json.loads(json.dumps([row.to_json() for row in rows]))[0]["unit"] == "per second"


def test_rows_for_people() -> None:
    rate = BenchRow("x", 30e6, 10e6, "per second")
    assert (rate.measured, rate.baseline, rate.ratio) == ("30.00 M/s", "10.00 M/s", "3.0 x")
    slow = BenchRow("x", 3000.0, 12.0, "per second")
    assert (slow.measured, slow.baseline, slow.ratio) == ("3.00 k/s", "12.00/s", "250.0 x")
    memory = BenchRow("x", 1234.5, None, "bytes")
    assert (memory.measured, memory.baseline, memory.ratio) == ("1,234.5 bytes", "", "")
    time = BenchRow("x", 0.5, 2.0, "seconds")
    assert (time.measured, time.baseline, time.ratio) == ("0.500 s", "2.000 s", "4.0 x")
    alone = BenchRow("x", 0.5, None, "seconds")
    assert (alone.baseline, alone.ratio) == ("", "")
