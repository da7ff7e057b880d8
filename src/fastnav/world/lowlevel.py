"""The low-level action space of the first R2R agents: turn, tilt, go forward, stop.

Forward leads to the navigable viewpoint nearest the image centre, among those at most 40 degrees to the side;
one arrives looking the way one looked before.
"""

import enum
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from fastnav.world.arrays import Array, namespace
from fastnav.world.graph import World
from fastnav.world.simulator import Pose, refuse_illegal
from fastnav.world.views import HEADINGS, ROWS, VIEWS, turn_between, view_elevation, view_heading

#: Half of the horizontal field of view, which the original simulator takes as 60 degrees x 640 / 480.
HALF_FIELD = math.radians(40)


class Move(enum.IntEnum):
    """The six actions."""

    STOP = 0
    FORWARD = 1
    LEFT = 2
    RIGHT = 3
    UP = 4
    DOWN = 5


@dataclass(frozen=True, eq=False)
class LowLevel:
    """A world with the one table more that going forward needs."""

    world: World
    ahead: Int[Array, "viewpoint view"]  # the slot that forward takes; STOP where nothing is ahead

    @classmethod
    def of(cls, world: World) -> "LowLevel":
        """Compute the table; `world` must hold numpy arrays (use `to` afterwards)."""
        return cls(world, _slots_ahead(world))

    def to(self, device: Any) -> "LowLevel":
        """The same as torch tensors on `device`."""
        import torch

        return LowLevel(self.world.to(device), torch.as_tensor(self.ahead, device=device))

    def legal(self, pose: Pose) -> Bool[Array, "batch move"]:
        """Which moves are possible: all, but forward only where a viewpoint is ahead."""
        xp = namespace(pose.view)
        forward = self.ahead[pose.viewpoint, pose.view] != World.STOP
        always = xp.ones_like(forward)
        return xp.stack([forward if move == Move.FORWARD else always for move in Move], -1)

    def step(self, pose: Pose, move: Int[Array, " batch"]) -> Pose:
        """Make a move in each row; rows that have stopped stay as they are."""
        xp = namespace(move)
        slot = self.ahead[pose.viewpoint, pose.view]
        possible = (move >= 0) & (move < len(Move)) & ((move != Move.FORWARD) | (slot != World.STOP))
        refuse_illegal(possible | pose.finished, pose, move)
        finished = pose.finished | (move == Move.STOP)
        walks = (move == Move.FORWARD) & ~finished
        return Pose(
            viewpoint=xp.where(walks, self.world.neighbour[pose.viewpoint, slot], pose.viewpoint),
            view=xp.where(finished, pose.view, turned(pose.view, move)),
            finished=finished,
        )


def turned(view: Int[Array, " batch"], move: Int[Array, " batch"]) -> Int[Array, " batch"]:
    """The view after a turn (which wraps) or a tilt (which ends at the rows' edges)."""
    right = 1 * (move == Move.RIGHT) - 1 * (move == Move.LEFT)
    up = 1 * (move == Move.UP) - 1 * (move == Move.DOWN)
    column = (view % HEADINGS + right) % HEADINGS
    row = namespace(view).clip(view // HEADINGS + up, 0, ROWS - 1)
    return column + HEADINGS * row


def _slots_ahead(world: World) -> Int[np.ndarray, "viewpoint view"]:
    """For each viewpoint and view, the visible slot nearest the image centre (ties: the lower slot)."""
    views = np.arange(VIEWS)
    slots = []
    for view in views:  # one view at a time keeps the memory at one [viewpoint, action] table
        turn = turn_between(world.heading, view_heading(view))
        tilt = world.elevation - view_elevation(view)
        visible = world.mask & (np.abs(turn) <= HALF_FIELD)
        visible[:, World.STOP] = False
        off_centre = np.where(visible, np.hypot(turn, tilt), np.inf)
        slots.append(np.where(visible.any(1), off_centre.argmin(1), World.STOP))
    return np.stack(slots, axis=1)
