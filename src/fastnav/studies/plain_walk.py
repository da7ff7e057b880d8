"""The plain way to walk: adjacency lists and one agent at a time, to measure the world's tables against."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastnav.world.graph import World
from fastnav.world.simulator import Pose
from fastnav.world.views import HEADINGS, INCREMENT

#: One slot: where it leads, the view it is seen in, its heading, elevation and distance.
Slot = tuple[int, int, float, float, float]


@dataclass(frozen=True)
class PlainWorld:
    """A world and a walk as nested lists, which plain Python reads fastest."""

    targets: list[list[int]]
    slots: list[list[Slot]]
    starts: list[tuple[int, int]]  # viewpoint and view of each agent
    actions: list[list[int]]  # by agent, then by step
    poses: list[list[tuple[int, int]]]  # by agent, then after each step

    @classmethod
    def of(cls, world: World, poses: Sequence[Pose], actions: Sequence[Any]) -> "PlainWorld":
        """The same world and walk as lists; `poses` has the start and then the pose after each action."""
        slots = slots_of(world)
        stood = [list(zip(pose.viewpoint.tolist(), pose.view.tolist(), strict=True)) for pose in poses]
        return cls(
            targets=[[slot[0] for slot in row] for row in slots],
            slots=slots,
            starts=stood[0],
            actions=[list(row) for row in zip(*(action.tolist() for action in actions), strict=True)],
            poses=[list(row) for row in zip(*stood[1:], strict=True)],
        )

    @staticmethod
    def lanes(world: World) -> list[list[tuple[int, float]]]:
        """For each viewpoint its neighbours and how far they are."""
        return [[(slot[0], slot[4]) for slot in row[1:]] for row in slots_of(world)]

    def walk_bare(self) -> list[int]:
        """Where each agent ends: one look-up a step and nothing else."""
        ends, targets = [], self.targets
        for (here, _), actions in zip(self.starts, self.actions, strict=True):
            for action in actions:
                here = targets[here][action]
            ends.append(here)
        return ends

    def walk(self) -> list[tuple[int, int]]:
        """Where each agent ends and what it faces, with the checks that the simulator's step makes."""
        ends = []
        for (here, view), actions in zip(self.starts, self.actions, strict=True):
            finished = False
            for action in actions:
                row = self.slots[here]
                if finished:
                    continue
                if not 0 <= action < len(row):
                    raise IndexError(f"action {action} is not legal at viewpoint {here}")
                if action == World.STOP:
                    finished = True
                else:
                    here, view = row[action][0], row[action][1]
            ends.append((here, view))
        return ends

    def look_around(self) -> list[list[tuple[int, int, float, float, float]]]:
        """What each agent sees after each step: its slots, with the turn to each instead of the heading."""
        seen = []
        for stood in self.poses:
            for here, view in stood:
                facing = (view % HEADINGS) * INCREMENT
                seen.append(
                    [
                        (target, shown, wrapped(heading - facing), elevation, distance)
                        for target, shown, heading, elevation, distance in self.slots[here]
                    ]
                )
        return seen


def wrapped(angle: float) -> float:
    """An angle in (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)


def slots_of(world: World) -> list[list[Slot]]:
    """The slots of every viewpoint, STOP first."""
    tables = (world.neighbour, world.view, world.heading, world.elevation, world.distance)
    columns = [table.tolist() for table in tables]
    legal = world.mask.sum(1).tolist()
    return [
        list(zip(*(column[k][:slots] for column in columns), strict=True)) for k, slots in enumerate(legal)
    ]
