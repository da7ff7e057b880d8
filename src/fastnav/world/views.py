"""The 36 views of a viewpoint: 12 headings, 30 degrees apart and clockwise from +y, by 3 elevations.

view   0 .. 11   looking 30 degrees down
view  12 .. 23   level
view  24 .. 35   looking 30 degrees up          view % 12 = the heading's number, view // 12 = the row
"""

import math

from jaxtyping import Float, Int

from fastnav.world.arrays import Array, namespace

HEADINGS = 12
ROWS = 3
VIEWS = HEADINGS * ROWS
LEVEL_ROW = 1
#: The angle between two neighbouring views, sideways and up.
INCREMENT = math.pi / 6
TURN = 2 * math.pi


def heading_of(east: Float[Array, "..."], north: Float[Array, "..."]) -> Float[Array, "..."]:
    """The heading of a direction in the plane, in [0, 2 pi)."""
    xp = namespace(east)
    heading = xp.arctan2(east, north) % TURN
    # A tiny negative angle plus a full turn rounds to the full turn itself.
    return xp.where(heading >= TURN, xp.zeros_like(heading), heading)


def nearest_view(heading: Float[Array, "..."], elevation: Float[Array, "..."]) -> Int[Array, "..."]:
    """The view whose centre is nearest to a direction."""
    xp = namespace(heading)
    column = xp.round(heading / INCREMENT) % HEADINGS
    row = xp.clip(xp.round(elevation / INCREMENT) + LEVEL_ROW, 0, ROWS - 1)
    return _as_index(column + HEADINGS * row)


def snapped_view(heading: Float[Array, "..."]) -> Int[Array, "..."]:
    """The level view that a heading is snapped to at the start of an episode (ties turn right)."""
    xp = namespace(heading)
    return _as_index(xp.floor((heading % TURN) / INCREMENT + 0.5) % HEADINGS) + HEADINGS * LEVEL_ROW


def view_heading(view: Int[Array, "..."]) -> Float[Array, "..."]:
    """The heading of a view's centre."""
    return (view % HEADINGS) * INCREMENT


def view_elevation(view: Int[Array, "..."]) -> Float[Array, "..."]:
    """The elevation of a view's centre."""
    return (view // HEADINGS - LEVEL_ROW) * INCREMENT


def turn_between(target: Float[Array, "..."], current: Float[Array, "..."]) -> Float[Array, "..."]:
    """How far to turn right from heading `current` to face `target`, in (-pi, pi]."""
    turn = math.pi - (math.pi - (target - current)) % TURN
    # A hair more than half a turn rounds to half a turn left, which is half a turn right.
    return namespace(turn).where(turn <= -math.pi, -turn, turn)


def _as_index(whole: Float[Array, "..."]) -> Int[Array, "..."]:
    """Whole numbers held as floats, as int64."""
    xp = namespace(whole)
    return xp.asarray(whole, dtype=xp.int64)
