"""Boxes around the things near a viewpoint, in each of the 36 views that show their middle.

A view is 640 x 480 pixels, 60 degrees high; views 0-11 look 30 degrees down, 12-23 level, 24-35 up, the
heading going clockwise in steps of 30 degrees from +y. A box is that of the thing seen as a flat board
that faces the camera, so that its middle is the thing's middle wherever the picture does not cut it.
"""

import math
from typing import Any

import numpy as np
from jaxtyping import Float

from fastnav.data.houses.plan import STOREY
from fastnav.data.houses.scene import Scene

VIEWS = 36
HEADINGS = 12
WIDTH, HEIGHT = 640, 480
FOCAL = HEIGHT / 2 / math.tan(math.radians(30))
#: Objects farther from the camera are not annotated.
REACH = 3.0
#: A side shorter than this is drawn this long: a rug seen from its edge is still seen.
THINNEST = 0.12
SMALLEST_BOX = 3


def _axes() -> Float[np.ndarray, "view axis 3"]:
    """Right, up and forward of each view."""
    rows = []
    for view in range(VIEWS):
        heading, elevation = math.radians(30 * (view % HEADINGS)), math.radians(30 * (view // HEADINGS - 1))
        sin_h, cos_h, sin_e, cos_e = (
            math.sin(heading), math.cos(heading), math.sin(elevation), math.cos(elevation)
        )  # fmt: skip
        rows.append(
            [
                (cos_h, -sin_h, 0.0),
                (-sin_h * sin_e, -cos_h * sin_e, cos_e),
                (sin_h * cos_e, cos_h * cos_e, sin_e),
            ]
        )
    return np.array(rows)


AXES = _axes()


def annotate(scene: Scene, viewpoint: int) -> dict[str, Any]:
    """The objects near one viewpoint: id -> name, the views that show it, a box in each."""
    camera = scene.viewpoints.position[viewpoint]
    found: dict[str, Any] = {}
    for one in scene.things[viewpoint]:
        if one.distance > REACH:
            break  # nearest first
        thing = one.thing
        x, y = thing.centre
        middle = np.array([x, y, thing.floor * STOREY + (thing.bottom + thing.top) / 2])
        if np.linalg.norm(middle - camera) > REACH:
            continue
        across = abs(thing.rect.width * math.cos(one.bearing)) + abs(thing.rect.depth * math.sin(one.bearing))
        views, boxes = _boxes(middle - camera, max(across, THINNEST), max(thing.top - thing.bottom, THINNEST))
        if views:
            name = thing.name.replace(" ", "#")
            found[str(thing.index)] = {"name": name, "visible_pos": views, "bbox2d": boxes}
    return found


def _boxes(offset: Float[np.ndarray, " 3"], width: float, height: float) -> tuple[list[int], list[list[int]]]:
    right, up, depth = (AXES @ offset).T
    shown = depth > 0.1
    scale = FOCAL / np.where(shown, depth, 1.0)
    u, v = WIDTH / 2 + right * scale, HEIGHT / 2 - up * scale
    shown &= (u > 0) & (u < WIDTH) & (v > 0) & (v < HEIGHT)
    half_width, half_height = scale * width / 2, scale * height / 2
    x0, x1 = np.clip(np.rint([u - half_width, u + half_width]), 0, WIDTH).astype(int)
    y0, y1 = np.clip(np.rint([v - half_height, v + half_height]), 0, HEIGHT).astype(int)
    views, boxes = [], []
    for view in np.flatnonzero(shown).tolist():
        box = [int(x0[view]), int(y0[view]), int(x1[view] - x0[view]), int(y1[view] - y0[view])]
        if min(box[2:]) >= SMALLEST_BOX:
            views.append(view)
            boxes.append(box)
    return views, boxes
