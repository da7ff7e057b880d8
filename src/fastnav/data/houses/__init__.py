"""Procedural houses, written in exactly the formats of the real files.

Buildings with rooms, doors, halls, floors and stairs; furniture; viewpoints and lines of sight; captions and
object boxes; and instructions for walks through them. Nothing is downloaded, and the same seed gives the
same bytes.
"""

from fastnav.data.houses.config import HousesConfig
from fastnav.data.houses.drawing import draw_plan
from fastnav.data.houses.plans import Plan, read_plan
from fastnav.data.houses.writer import build_houses

__all__ = ["HousesConfig", "Plan", "build_houses", "draw_plan", "read_plan"]
