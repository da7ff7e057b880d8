"""The 36 views of a viewpoint, as the photographs were taken: 640 x 480 pixels, 60 degrees high.

view   0 .. 11   looking 30 degrees down
view  12 .. 23   level                    view % 12 = the heading in steps of 30 degrees, clockwise from +y
view  24 .. 35   looking 30 degrees up
"""

import math

import numpy as np
from jaxtyping import Float, Int

from fastnav.data.objects import VIEW_HEIGHT, VIEW_WIDTH

HEADINGS = 12
VIEWS = 36
_STEP = math.pi / 6

#: Pixels a unit of tangent: half the height at half the vertical angle of view.
FOCAL = VIEW_HEIGHT / 2 / math.tan(math.radians(30))


def _frames() -> Float[np.ndarray, "view 3 3"]:
    """For each view, the directions of its right, its up and its middle in the building's axes."""
    heading = _STEP * (np.arange(VIEWS) % HEADINGS)
    elevation = _STEP * (np.arange(VIEWS) // HEADINGS - 1)
    sin_h, cos_h, sin_e, cos_e = np.sin(heading), np.cos(heading), np.sin(elevation), np.cos(elevation)
    right = np.stack([cos_h, -sin_h, np.zeros(VIEWS)], axis=1)
    up = np.stack([-sin_h * sin_e, -cos_h * sin_e, cos_e], axis=1)
    middle = np.stack([sin_h * cos_e, cos_h * cos_e, sin_e], axis=1)
    return np.stack([right, up, middle], axis=1)


#: [view, (right, up, middle), (east, north, height)]
FRAMES = _frames()


def ray(view: Int[np.ndarray, " row"], pixel: Float[np.ndarray, "row 2"]) -> Float[np.ndarray, "row 3"]:
    """The direction, of length 1, in which a pixel of a view lies."""
    across = (pixel[:, 0] - VIEW_WIDTH / 2) / FOCAL
    upward = (VIEW_HEIGHT / 2 - pixel[:, 1]) / FOCAL
    local = np.stack([across, upward, np.ones(len(pixel))], axis=1)
    direction = np.einsum("ra,rax->rx", local, FRAMES[view])
    return direction / np.linalg.norm(direction, axis=1, keepdims=True)


def off_centre(
    direction: Float[np.ndarray, "row 3"],
) -> tuple[Float[np.ndarray, "row view"], Float[np.ndarray, "row view"]]:
    """Where a direction lies in each view, in units of half its width and half its height; inf if behind."""
    local = np.einsum("rx,vax->rva", direction, FRAMES)
    ahead = np.where(local[..., 2] > 1e-9, local[..., 2], np.nan)
    across = np.abs(local[..., 0] / ahead) * FOCAL / (VIEW_WIDTH / 2)
    upward = np.abs(local[..., 1] / ahead) * FOCAL / (VIEW_HEIGHT / 2)
    return np.nan_to_num(across, nan=np.inf), np.nan_to_num(upward, nan=np.inf)
