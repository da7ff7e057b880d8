"""Which walks are described: shortest ways of three to six steps between places five metres apart or more."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import dijkstra

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.scene import Scene

SHORTEST, LONGEST = 5.0, 20.0
#: How often a route has so many steps; Room-to-Room has five in the mean.
STEPS = {3: 0.10, 4: 0.22, 5: 0.30, 6: 0.38}
#: A route within one room is seldom worth a description.
SAME_ROOM = 0.15
#: As many routes may share a goal: no goal is then worth guessing.
SAME_GOAL = 4
#: Draws for each route wanted, before a house is taken to have no more of them.
PATIENCE = 40


@dataclass(frozen=True)
class Walk:
    """A shortest way through a house, as indices of viewpoints, and the way the walker first looks."""

    path: tuple[int, ...]
    heading: float
    metres: float


def choose_walks(dice: Dice, scene: Scene, wanted: int) -> list[Walk]:
    """Up to `wanted` walks, all between different pairs of places."""
    metres, before = dijkstra(scene.viewpoints.length, directed=False, return_predecessors=True)
    pairs = _by_steps(metres, before)
    walks: list[Walk] = []
    used: set[tuple[int, int]] = set()
    goals: dict[int, int] = {}
    for _ in range(wanted * PATIENCE):
        if len(walks) == wanted:
            break
        start, goal = _draw(dice, pairs)
        if (
            (start, goal) in used
            or goals.get(goal, 0) >= SAME_GOAL
            or not _suitable(dice, scene, start, goal)
        ):
            continue
        used.add((start, goal))
        goals[goal] = goals.get(goal, 0) + 1
        heading = round(dice.between(0.0, 2 * math.pi), 3)
        walks.append(Walk(_trace(before, start, goal), heading, float(metres[start, goal])))
    return walks


def _draw(dice: Dice, pairs: dict[int, list[tuple[int, int]]]) -> tuple[int, int]:
    counts = [count for count in STEPS if pairs[count]]
    return dice.pick(pairs[dice.weighted(counts, [STEPS[count] for count in counts])])


def _suitable(dice: Dice, scene: Scene, start: int, goal: int) -> bool:
    stairs = scene.viewpoints.on_stairs
    if stairs[start] or stairs[goal]:
        return False
    return scene.room(start) != scene.room(goal) or dice.chance(SAME_ROOM)


def _by_steps(metres: np.ndarray, before: np.ndarray) -> dict[int, list[tuple[int, int]]]:
    """The pairs that are far enough apart, by the number of steps between them."""
    pairs: dict[int, list[tuple[int, int]]] = {count: [] for count in STEPS}
    for start in range(len(metres)):
        count = np.zeros(len(metres), dtype=int)
        for goal in np.argsort(metres[start], kind="stable").tolist():  # the nearer first: theirs are known
            if before[start, goal] >= 0:
                count[goal] = count[before[start, goal]] + 1
            if count[goal] in pairs and SHORTEST <= metres[start, goal] <= LONGEST:
                pairs[int(count[goal])].append((start, goal))
    return pairs


def _trace(before: np.ndarray, start: int, goal: int) -> tuple[int, ...]:
    path = [goal]
    while path[-1] != start:
        path.append(int(before[start, path[-1]]))
    return tuple(reversed(path))
