"""Random small worlds for property tests: no two answers are equally right in them."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from fastnav.data.connectivity import ScanGraph
from fastnav.world.graph import World

#: Field names of the world's tables.
TABLES = ("scan", "position", "neighbour", "mask", "heading", "elevation", "distance", "view")


class House(NamedTuple):
    """What a random building is made from; drawn as plain numbers, since shape checks disturb a strategy."""

    scan: str
    places: int
    seed: int
    density: float

    def graph(self) -> ScanGraph:
        """Random places some metres apart on three dimensions, joined at will, some perhaps to none."""
        rng = np.random.default_rng(self.seed)
        position = rng.normal(scale=(4.0, 4.0, 2.0), size=(self.places, 3))
        joined = np.triu(rng.random((self.places, self.places)) < self.density, 1)
        names = tuple(f"place{k}" for k in range(self.places))
        return ScanGraph(self.scan, names, position, np.argwhere(joined | joined.T))


def houses(*, most: int = 2, places: int = 6) -> st.SearchStrategy[list[House]]:
    """One to `most` buildings of one to so many places."""
    sizes, seeds, densities = st.integers(1, places), st.integers(0, 2**32 - 1), st.floats(0.2, 1)
    numbers = st.lists(st.tuples(sizes, seeds, densities), min_size=1, max_size=most)
    return numbers.map(lambda drawn: [House(f"house{k}", *row) for k, row in enumerate(drawn)])


def graphs_of(drawn: list[House]) -> list[ScanGraph]:
    """The graphs of all drawn buildings."""
    return [house.graph() for house in drawn]


def tables(world: World) -> dict[str, list]:
    """All tables as lists."""
    return {name: getattr(world, name).tolist() for name in TABLES}


def random_walkers(
    world: World, batch: int, steps: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, headings and legal actions `[step, batch]`; a few rows stop on the way."""
    rng = np.random.default_rng(seed)
    here = starts = rng.integers(len(world), size=batch)
    actions = []
    for _ in range(steps):
        action = np.array([rng.choice(np.flatnonzero(world.mask[place])) for place in here])
        actions.append(action)
        here = world.neighbour[here, action]
    return starts, rng.uniform(-7, 7, batch), np.array(actions)
