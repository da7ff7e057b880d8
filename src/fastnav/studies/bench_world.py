"""How fast the world is: steps through its tables beside a plain walk, and what it costs to load.

Everything runs in one thread: look-ups in numpy tables use no other. Each fast way and its plain way are
timed in turn, several times over, and the medians are compared.
"""

import heapq
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Int

from fastnav.studies.bench_rows import BenchRow
from fastnav.studies.plain_walk import PlainWorld
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.loading import load_world
from fastnav.world.simulator import Pose, observe, reset, step

STEPS = 32
REPEATS = 5
#: So many places' shortest paths are timed the plain way; all of them would take too long.
PLAIN_SOURCES = 100


@dataclass(frozen=True)
class WorldBench:
    """Transitions a second at one batch size."""

    batch: int
    bare: BenchRow  # the look-up of the next viewpoint alone
    step: BenchRow  # the simulator's step: checks, pose, finished rows
    observe: BenchRow  # looking around

    @property
    def rows(self) -> tuple[BenchRow, ...]:
        """The rows, the barest first."""
        return self.bare, self.step, self.observe


@dataclass(frozen=True)
class RandomWalk:
    """Random legal moves, drawn before anything is timed: `action[t]` is legal where `pose[t]` stands."""

    pose: tuple[Pose, ...]
    action: tuple[Int[np.ndarray, " batch"], ...]

    @classmethod
    def draw(cls, world: World, batch: int, steps: int = STEPS, seed: int = 0) -> "RandomWalk":
        """Each row starts anywhere and goes to a random neighbour at each step, or stops if it has none."""
        rng = np.random.default_rng(seed)
        degree = world.mask.sum(1) - 1
        poses = [reset(rng.integers(len(world), size=batch), rng.uniform(0, 2 * np.pi, batch))]
        actions = []
        for _ in range(steps):
            choices = degree[poses[-1].viewpoint]
            actions.append(np.where(choices > 0, 1 + rng.integers(np.maximum(choices, 1)), World.STOP))
            poses.append(step(world, poses[-1], actions[-1]))
        return cls(tuple(poses), tuple(actions))


def bench_world(world: World, batch: int = 1024, seconds: float = 0.2) -> WorldBench:
    """Time steps by `batch` agents at once, and by one agent at a time over adjacency lists.

    What is timed is the replay of a walk whose random legal actions were drawn beforehand, so neither side
    pays for choosing. Both replay the same walk, and must end in the same places. Each of the repeats lasts
    `seconds` at least.
    """
    walk = RandomWalk.draw(world, batch)
    plain = PlainWorld.of(world, walk.pose, walk.action)
    _refuse_other_ends(walk, plain, _walk_bare(world, walk))
    transitions = batch * len(walk.action)

    def row(name: str, fast: Callable[[], object], slow: Callable[[], object]) -> BenchRow:
        pairs = [
            (_rate(fast, transitions, seconds), _rate(slow, transitions, seconds)) for _ in range(REPEATS)
        ]
        quick, plainly = (statistics.median(rates) for rates in zip(*pairs, strict=True))
        return BenchRow(f"{name}, batch {batch}", quick, plainly, "per second")

    return WorldBench(
        batch,
        bare=row("bare step", lambda: _walk_bare(world, walk), plain.walk_bare),
        step=row("step", lambda: _walk(world, walk), plain.walk),
        observe=row("observe", lambda: [observe(world, pose) for pose in walk.pose[1:]], plain.look_around),
    )


def bench_data(data: Path, batch: int = 1024, seconds: float = 0.2) -> list[BenchRow]:
    """Time steps in all buildings of a data directory, loading them, and their shortest paths.

    Cold parses the files, which the system may hold in memory; warm reads the cache of an earlier load.
    """
    cold = _seconds(lambda: load_world(data, cache=False))
    world = load_world(data)
    warm = _seconds(lambda: load_world(data))
    paths = _seconds(lambda: Geodesics.of(world))
    buildings = f"{len(world.scans)} buildings"
    return [
        *bench_world(world, batch, seconds).rows,
        BenchRow(f"load {buildings}, cold", cold, None, "seconds"),
        BenchRow(f"load {buildings}, warm (baseline: cold)", warm, cold, "seconds"),
        BenchRow(f"all shortest paths of {buildings}", paths, _plain_paths(world), "seconds"),
    ]


def _walk_bare(world: World, walk: RandomWalk) -> Int[np.ndarray, " batch"]:
    here, neighbour = walk.pose[0].viewpoint, world.neighbour
    for action in walk.action:
        here = neighbour[here, action]
    return here


def _walk(world: World, walk: RandomWalk) -> Pose:
    pose = walk.pose[0]
    for action in walk.action:
        pose = step(world, pose, action)
    return pose


def _refuse_other_ends(walk: RandomWalk, plain: PlainWorld, ends: Int[np.ndarray, " batch"]) -> None:
    expected = walk.pose[-1].viewpoint.tolist()
    if not ends.tolist() == plain.walk_bare() == [place for place, _ in plain.walk()] == expected:
        raise AssertionError("the fast and the plain walk end in different places")


def _rate(run: Callable[[], object], transitions: int, seconds: float) -> float:
    """Transitions a second of `run`, which makes `transitions` of them, called over and over."""
    calls, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds or not calls:
        run()
        calls += 1
    return calls * transitions / passed


def _seconds(run: Callable[[], object]) -> float:
    """The median time of a few calls."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def _plain_paths(world: World) -> float:
    """Seconds that Dijkstra in plain Python would take from all places, timed on some and scaled."""
    lanes = PlainWorld.lanes(world)
    sources = range(0, len(world), -(-len(world) // PLAIN_SOURCES))
    begin = time.perf_counter()
    for source in sources:
        _plain_dijkstra(lanes, source)
    return (time.perf_counter() - begin) * len(world) / len(sources)


def _plain_dijkstra(lanes: list[list[tuple[int, float]]], source: int) -> dict[int, float]:
    best: dict[int, float] = {}
    queue = [(0.0, source)]
    while queue:
        metres, here = heapq.heappop(queue)
        if here in best:
            continue
        best[here] = metres
        for target, length in lanes[here]:
            if target not in best:
                heapq.heappush(queue, (metres + length, target))
    return best
