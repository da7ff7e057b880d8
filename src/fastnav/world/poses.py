"""The low-level action space as a world, so that whatever moves in worlds moves in it unchanged.

Its places are poses, a viewpoint and one of the 36 views faced there; its slots are the six moves. A pose's
number is 36 times its viewpoint's, and its view. Turns and tilts are steps of no length; a tilt past the
highest or lowest row leads nowhere, and is masked.

Going forward does not lead back: one arrives looking the way one looked before. So whoever walks back over
known ground walks among viewpoints, not poses, and a budget of metres cannot be kept here.
"""

from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int

from fastnav.world.arrays import Array
from fastnav.world.graph import World
from fastnav.world.lowlevel import LowLevel, Move, turned
from fastnav.world.simulator import Pose
from fastnav.world.views import TURN, VIEWS, view_elevation, view_heading


def pose_world(world: World) -> World:
    """The world of all poses of `world`, which must hold numpy arrays."""
    ahead = LowLevel.of(world).ahead
    viewpoint, view = np.divmod(np.arange(len(world) * VIEWS), VIEWS)
    slot = ahead[viewpoint, view]
    faced = np.stack([turned(view, np.full_like(view, move)) for move in Move], axis=1)
    place = np.repeat(viewpoint[:, None], len(Move), axis=1)
    place[:, Move.FORWARD] = world.neighbour[viewpoint, slot]
    neighbour = place * VIEWS + faced
    here = viewpoint * VIEWS + view
    mask = neighbour != here[:, None]
    mask[:, Move.STOP] = True
    return replace(
        world,
        viewpoint_ids=tuple(f"{name}/{k}" for name in world.viewpoint_ids for k in range(VIEWS)),
        scan=world.scan[viewpoint],
        position=world.position[viewpoint],
        neighbour=neighbour,
        mask=mask,
        heading=_forward_is(world.heading[viewpoint, slot], view_heading(faced) % TURN, mask),
        elevation=_forward_is(world.elevation[viewpoint, slot], view_elevation(faced), mask),
        distance=_forward_is(world.distance[viewpoint, slot], np.zeros(faced.shape), mask),
        view=np.where(mask, faced, 0),
    )


def _forward_is(
    forward: Float[np.ndarray, " pose"], others: Float[np.ndarray, "pose move"], mask: np.ndarray
) -> Float[np.ndarray, "pose move"]:
    """A table of which one column is known otherwise; zeros for STOP and what is masked."""
    table = np.where(mask, others, 0.0)
    table[:, Move.STOP] = 0.0
    table[:, Move.FORWARD] = forward
    return table


def pose_of(pose: Pose) -> Pose:
    """Who stands at a viewpoint and looks somewhere stands at a place of the world of poses."""
    return Pose(pose.viewpoint * VIEWS + pose.view, pose.view, pose.finished)


def viewpoint_of(place: Int[Array, "..."]) -> Int[Array, "..."]:
    """The viewpoints at which places of the world of poses lie."""
    return place // VIEWS
