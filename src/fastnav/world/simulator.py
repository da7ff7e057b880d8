"""The panoramic action space: choose a neighbour and go there, or stop. Pure, batched table look-ups.

One arrives facing the view one left through, looking up or down as one did.
"""

from dataclasses import dataclass

from jaxtyping import Bool, Float, Int

from fastnav.errors import UsageError
from fastnav.world.arrays import Array, namespace
from fastnav.world.graph import World
from fastnav.world.views import snapped_view, turn_between, view_heading


@dataclass(frozen=True, eq=False)
class Pose:
    """Where each row of the batch stands, which way it looks, and whether it has stopped."""

    viewpoint: Int[Array, " batch"]
    view: Int[Array, " batch"]
    finished: Bool[Array, " batch"]


@dataclass(frozen=True, eq=False)
class Observation:
    """What an agent may know where it stands. The view's features are looked up by `viewpoint`."""

    viewpoint: Int[Array, " batch"]
    view: Int[Array, " batch"]  # the view that the agent faces
    mask: Bool[Array, "batch action"]
    neighbour: Int[Array, "batch action"]
    action_view: Int[Array, "batch action"]  # the view in which each neighbour is seen
    turn: Float[Array, "batch action"]  # to the neighbour, from the agent's heading, in (-pi, pi]; else 0
    elevation: Float[Array, "batch action"]  # of the neighbour, from the horizon
    distance: Float[Array, "batch action"]  # metres


def reset(viewpoint: Int[Array, " batch"], heading: Float[Array, " batch"]) -> Pose:
    """Stand at `viewpoint`, level, with the heading snapped to the nearest view."""
    finished = namespace(viewpoint).zeros_like(viewpoint) > 0
    return Pose(viewpoint, snapped_view(heading), finished)


def step(world: World, pose: Pose, action: Int[Array, " batch"]) -> Pose:
    """Take an action slot in each row; rows that have stopped stay as they are."""
    xp = namespace(action)
    exists = (action >= World.STOP) & (action < world.actions)
    slot = xp.where(exists & ~pose.finished, action, World.STOP)
    refuse_illegal(exists & world.mask[pose.viewpoint, slot] | pose.finished, pose, action)
    return advance(world, pose, slot)


def advance(world: World, pose: Pose, action: Int[Array, " batch"]) -> Pose:
    """`step` for a caller who vouches that every action is legal: nothing waits for the device's answer."""
    xp = namespace(action)
    slot = xp.where(pose.finished, World.STOP, action)
    stays = slot == World.STOP
    return Pose(
        viewpoint=world.neighbour[pose.viewpoint, slot],
        view=xp.where(stays, pose.view, world.view[pose.viewpoint, slot]),
        finished=stays,
    )


def observe(world: World, pose: Pose) -> Observation:
    """Look around."""
    here = pose.viewpoint
    neighbour = world.neighbour[here]
    turn = turn_between(world.heading[here], view_heading(pose.view)[:, None])
    return Observation(
        viewpoint=here,
        view=pose.view,
        mask=world.mask[here],
        neighbour=neighbour,
        action_view=world.view[here],
        turn=namespace(here).where(neighbour == here[:, None], 0.0, turn),  # STOP and padding lead nowhere
        elevation=world.elevation[here],
        distance=world.distance[here],
    )


def refuse_illegal(legal: Bool[Array, " batch"], pose: Pose, action: Int[Array, " batch"]) -> None:
    """Raise an error that names the first row whose action is not possible where it stands."""
    if bool(legal.all()):
        return
    row = int((~legal).nonzero()[0][0])
    raise UsageError(
        f"row {row} of the batch took action {int(action[row])} at viewpoint {int(pose.viewpoint[row])}, "
        "where it is not legal; choose only actions that the observation's mask allows"
    )
