"""Worlds small enough to draw: for tests, examples and bug reports.

Places are named by one letter, positions are in metres, x to the right and y up the page: heading 0 is up.
"""

from collections.abc import Mapping

import numpy as np

from fastnav.data.connectivity import ScanGraph
from fastnav.world.graph import World, build_world

Place = tuple[float, float, float]


def toy_world(places: Mapping[str, Place], edges: str, *, scan: str = "toy") -> World:
    """A world from places and edges such as "AB BC": edges lead both ways."""
    return build_world([toy_graph(places, edges, scan=scan)])


def toy_graph(places: Mapping[str, Place], edges: str, *, scan: str = "toy") -> ScanGraph:
    """One building's graph from places and edges such as "AB BC"."""
    number = {name: k for k, name in enumerate(places)}
    pairs = {(number[edge[0]], number[edge[1]]) for edge in edges.split()}
    both = sorted(pairs | {(b, a) for a, b in pairs})
    position = np.array(list(places.values()), dtype=float)
    return ScanGraph(scan, tuple(places), position, np.array(both, dtype=np.int64).reshape(-1, 2))


def corridor() -> World:
    """Four places in a row, 2 m apart.

    A --- B --- C --- D
    """
    return toy_world({name: (2.0 * k, 0.0, 0.0) for k, name in enumerate("ABCD")}, "AB BC CD")


def crossroads() -> World:
    """A centre with four arms 2 m long.

          N
          |
    W --- X --- E
          |
          S
    """
    arms = {"N": (0.0, 2.0, 0.0), "E": (2.0, 0.0, 0.0), "S": (0.0, -2.0, 0.0), "W": (-2.0, 0.0, 0.0)}
    return toy_world({"X": (0.0, 0.0, 0.0), **arms}, "XN XE XS XW")


def loop_and_arm() -> World:
    """A loop that tempts a greedy walker, and the arm where the goal lies.

        B
       / \\
      A - S --- C --- G        S = (0, 0); A 2 m to its left, B above both; C and G 2 m and 4 m to its right
    """
    places = {
        "S": (0.0, 0.0, 0.0),
        "A": (-2.0, 0.0, 0.0),
        "B": (-1.0, 2.0, 0.0),
        "C": (2.0, 0.0, 0.0),
        "G": (4.0, 0.0, 0.0),
    }
    return toy_world(places, "SA AB BS SC CG")


def shortcut() -> World:
    """From A to D it is fewer moves by X, and fewer metres by B and C.

    A --- B --- C --- D        1 m each: 3 m in 3 moves
     \\               /
      `---- X ----'            X lies 4 m below: more than 8 m in 2 moves
    """
    places = {name: (float(k), 0.0, 0.0) for k, name in enumerate("ABCD")}
    return toy_world({**places, "X": (1.5, -4.0, 0.0)}, "AB BC CD AX XD")


def stairs() -> World:
    """Two floors 3 m apart, joined by a flight between B and U, seen from the side.

                  U --- V      upstairs, z = 3
                /
    A --- B ---'               downstairs, z = 0
    """
    places = {"A": (0.0, 0.0, 0.0), "B": (2.0, 0.0, 0.0), "U": (5.0, 0.0, 3.0), "V": (7.0, 0.0, 3.0)}
    return toy_world(places, "AB BU UV")


def two_buildings() -> World:
    """Two buildings that are not joined, for what must never leak from one to the other.

    first:  A --- B        second:  A --- B --- C        (the ids are the same on purpose)
    """
    row = {name: (2.0 * k, 0.0, 0.0) for k, name in enumerate("ABC")}
    first = {name: row[name] for name in "AB"}
    return build_world([toy_graph(first, "AB", scan="first"), toy_graph(row, "AB BC", scan="second")])
