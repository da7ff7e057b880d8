"""Small worlds, splits and walks for the tests of evaluation, and hypothesis strategies that draw them."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from fastnav.data.episodes import Episode
from fastnav.data.references import Reference
from fastnav.data.splits import Split
from fastnav.evaluation.scoring import METRICS, Scorer
from fastnav.evaluation.trajectories import Trajectory
from fastnav.world.graph import World, build_world
from fastnav.world.toy import toy_graph, toy_world

NAMES = "ABCDEFGHIJKL"


@dataclass(frozen=True)
class Case:
    """One annotated path, the start of its episodes, and one walk by its instructions."""

    scan: str
    path: tuple[str, ...]
    walk: tuple[str, ...]
    instructions: int = 1


def trajectory(places: Sequence[str]) -> Trajectory:
    """A trajectory that faces +y everywhere."""
    zeros = (0.0,) * len(places)
    return Trajectory(tuple(places), zeros, zeros)


def split_of(cases: Sequence[Case], *, name: str = "val", goals: bool = True) -> Split:
    """A split with a path for each case: path_id 10, 11, and so on."""
    episodes = [
        Episode(f"{path_id}_{k}", path_id, case.scan, case.walk[0], 0.0, "Go on and stop.")
        for path_id, case in enumerate(cases, start=10)
        for k in range(case.instructions)
    ]
    references = {k: Reference(k, case.scan, case.path) for k, case in enumerate(cases, start=10)}
    return Split(name, tuple(episodes), references if goals else {})


def walks_of(cases: Sequence[Case]) -> dict[str, Trajectory]:
    """Each case's walk for all of its instructions."""
    return {
        f"{path_id}_{k}": trajectory(case.walk)
        for path_id, case in enumerate(cases, start=10)
        for k in range(case.instructions)
    }


def score_one(world: World, walk: str | Sequence[str], path: str | Sequence[str]) -> Mapping[str, float]:
    """The metrics of a single walk in the first building; the walk may begin where the path does not."""
    case = Case(world.scans[0], tuple(path), tuple(walk))
    scores = Scorer(world, split_of([case])).score(walks_of([case]), "test")
    return dict(zip(METRICS, scores.values[0].tolist(), strict=True))


def row_of(spacing: float, count: int) -> World:
    """Places A, B, C and so on in a row, `spacing` metres apart."""
    names = NAMES[:count]
    edges = " ".join(a + b for a, b in itertools.pairwise(names))
    return toy_world({name: (spacing * k, 0.0, 0.0) for k, name in enumerate(names)}, edges)


@dataclass(frozen=True)
class Plan:
    """Buildings as drawn: plain values, so that nothing of fastnav runs while hypothesis draws."""

    places: Mapping[str, Mapping[str, tuple[float, float, float]]]  # by building, then by name
    edges: Mapping[str, tuple[str, ...]]  # "AB" by building

    def world(self) -> World:
        """The world of all buildings."""
        graphs = [
            toy_graph(places, " ".join(self.edges[scan]), scan=scan) for scan, places in self.places.items()
        ]
        return build_world(graphs)

    def beside(self, scan: str, place: str) -> list[str]:
        """The place itself and its neighbours."""
        joined = {name for edge in self.edges[scan] if place in edge for name in edge}
        return sorted(joined | {place})


@st.composite
def plans(draw: st.DrawFn, *, most: int = 7) -> Plan:
    """Two connected buildings, whose viewpoints bear the same names.

    Coordinates are multiples of 0.75 m: distances of just 3 m are common, and are exact.
    """
    places, edges = {}, {}
    for scan in ("first", "second"):
        count = draw(st.integers(2, most))
        spot = st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 1))
        spots = draw(st.lists(spot, min_size=count, max_size=count, unique=True))
        tree = [(draw(st.integers(0, k - 1)), k) for k in range(1, count)]
        pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
        more = draw(st.lists(pair, max_size=3))
        places[scan] = {NAMES[k]: (0.75 * x, 0.75 * y, 3.0 * z) for k, (x, y, z) in enumerate(spots)}
        edges[scan] = tuple(NAMES[a] + NAMES[b] for a, b in tree + more if a != b)
    return Plan(places, edges)


@st.composite
def teleports(draw: st.DrawFn, plan: Plan, *, longest: int = 12) -> Case:
    """Any sequence of places as path and as walk: repeats, jumps, and stays of one place are all allowed."""
    scan = draw(st.sampled_from(sorted(plan.places)))
    place = st.sampled_from(sorted(plan.places[scan]))
    path = draw(st.lists(place, min_size=1, max_size=5))
    walk = draw(st.lists(place, min_size=1, max_size=longest))
    return Case(scan, tuple(path), tuple(walk), draw(st.integers(1, 4)))


@st.composite
def strolls(draw: st.DrawFn, plan: Plan, *, longest: int = 12) -> Case:
    """A walk over edges that may stay and turn back."""
    scan = draw(st.sampled_from(sorted(plan.places)))
    walk = [draw(st.sampled_from(sorted(plan.places[scan])))]
    for _ in range(draw(st.integers(0, longest))):
        walk.append(draw(st.sampled_from(plan.beside(scan, walk[-1]))))
    return Case(scan, (walk[0],), tuple(walk), draw(st.integers(1, 4)))
