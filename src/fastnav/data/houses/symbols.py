"""How an architect draws things: doors with their swing, stairs with an arrow, beds with pillows."""

import math
from dataclasses import dataclass

from fastnav.data.houses.placing import wall_of
from fastnav.data.houses.plan import Door, Flight, Point, Rect, Room, Thing

#: Pixels a metre.
SCALE = 36.0
WALL = "#3d3a38"
LINE = "#a39a90"
FILL = "#fffdf9"
#: Not seen from above, or hidden below something: left out of a plan.
OVERHEAD = 1.9
ROUND = frozenset({"potted plant", "floor lamp", "globe", "trash can", "stool", "patio table"})
SEATS = frozenset({"couch", "sectional couch", "armchair", "recliner", "theater seats", "patio chair"})
TREADS = 8


@dataclass(frozen=True)
class Sheet:
    """Where a floor stands on the page: metres to pixels, y up in the house and down on the page."""

    left: float
    top: float
    origin: Point  # the north-western corner of the floor, in metres

    def at(self, point: Point) -> Point:
        """A point of the house, on the page."""
        return (
            round(self.left + (point[0] - self.origin[0]) * SCALE, 1),
            round(self.top + (self.origin[1] - point[1]) * SCALE, 1),
        )

    def rect(self, box: Rect, style: str, *, shrink: float = 0.0, rounded: float = 0.0) -> str:
        """A rectangle of the house."""
        x, y = self.at((box.x0 + shrink, box.y1 - shrink))
        width, height = (box.width - 2 * shrink) * SCALE, (box.depth - 2 * shrink) * SCALE
        corner = f' rx="{rounded}"' if rounded else ""
        return f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{height:.1f}"{corner} {style}/>'

    def line(self, start: Point, end: Point, style: str) -> str:
        """A straight line."""
        (x1, y1), (x2, y2) = self.at(start), self.at(end)
        return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>'

    def circle(self, centre: Point, radius: float, style: str) -> str:
        """A circle; the radius in pixels."""
        x, y = self.at(centre)
        return f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" {style}/>'


def draw_door(sheet: Sheet, door: Door, room: Room) -> str:
    """A door leaf and its swing into `room`, a dashed line for an archway, a thin pane for glass."""
    thin = f'stroke="{WALL}" stroke-width="1" fill="none"'
    if door.to_stairs:
        return ""
    if door.kind == "archway":
        return sheet.line(door.start, door.end, f'{thin} stroke-dasharray="3 3" opacity="0.6"')
    if door.kind == "glass door":
        return sheet.line(door.start, door.end, 'stroke="#6fa8c9" stroke-width="3"')
    if door.kind == "double doors":
        return _leaf(sheet, door.start, door.centre, room, thin) + _leaf(
            sheet, door.end, door.centre, room, thin
        )
    return _leaf(sheet, door.start, door.end, room, thin)


def _leaf(sheet: Sheet, hinge: Point, edge: Point, room: Room, style: str) -> str:
    upright = hinge[0] == edge[0]
    width = math.dist(hinge, edge)
    inward = 1 if room.rect.centre[0 if upright else 1] > hinge[0 if upright else 1] else -1
    tip = (hinge[0] + inward * width, hinge[1]) if upright else (hinge[0], hinge[1] + inward * width)
    (xt, yt), (xe, ye), (xh, yh) = sheet.at(tip), sheet.at(edge), sheet.at(hinge)
    sweep = int((xt - xh) * (ye - yh) - (yt - yh) * (xe - xh) > 0)
    radius = width * SCALE
    arc = f'<path d="M{xt} {yt}A{radius:.1f} {radius:.1f} 0 0 {sweep} {xe} {ye}" {style} opacity="0.45"/>'
    return sheet.line(hinge, tip, style.replace('"1"', '"1.6"')) + arc


def draw_flight(sheet: Sheet, flight: Flight, shaft: Rect, *, up: bool) -> str:
    """The treads of the run that is seen on this floor, with an arrow and its direction."""
    middle = flight.foot if up else flight.head
    start, end = flight.divider
    along = 0 if abs(start[1] - end[1]) < 1e-6 else 1
    half = abs(middle[1 - along] - start[1 - along])
    parts = []
    for k in range(TREADS + 1):
        reach = start[along] + (end[along] - start[along]) * k / TREADS
        low, high = middle[1 - along] - half, middle[1 - along] + half
        ends = ((reach, low), (reach, high)) if along == 0 else ((low, reach), (high, reach))
        parts.append(sheet.line(*ends, f'stroke="{LINE}" stroke-width="1"'))
    edge = (start[0], middle[1]) if along == 0 else (middle[0], start[1])
    far = (end[0], middle[1]) if along == 0 else (middle[0], end[1])
    parts.append(sheet.line(edge, far, f'stroke="{WALL}" stroke-width="1.2" marker-end="url(#arrow)"'))
    third = (edge[0] + (far[0] - edge[0]) * 0.2, edge[1] + (far[1] - edge[1]) * 0.2)
    parts.append(label(sheet.at(third), "UP" if up else "DN", 8.5))
    return "".join(parts)


def draw_thing(sheet: Sheet, thing: Thing, room: Room) -> str:
    """One piece of furniture from above; nothing for what hangs or lies on others."""
    style = f'fill="{FILL}" stroke="{LINE}" stroke-width="1"'
    if thing.name.endswith(("rug", "mat")):
        return sheet.rect(
            thing.rect, 'fill="#efe6d8" stroke="#ded2bf" stroke-width="1" stroke-dasharray="2 2"'
        )
    if thing.bottom > 0.2:
        return ""
    if thing.name in ROUND:
        shade = style.replace(FILL, "#dbe8d0") if thing.name == "potted plant" else style
        return sheet.circle(thing.centre, min(thing.rect.width, thing.rect.depth) * SCALE / 2, shade)
    body = sheet.rect(thing.rect, style, rounded=3.0 if thing.name in SEATS else 1.0)
    return body + _detail(sheet, thing, wall_of(room.rect, thing.rect))


def _detail(sheet: Sheet, thing: Thing, side: str) -> str:
    """What tells a bed from a tub."""
    box, line = thing.rect, f'fill="none" stroke="{LINE}" stroke-width="1"'
    if thing.name == "bed":
        return _pillows(sheet, box, side)
    if thing.name in SEATS:
        return sheet.rect(_strip(box, side, 0.22), line, rounded=2.0)
    if thing.name in {"bathtub", "sink", "kitchen sink", "toilet"}:
        return sheet.rect(box, line, shrink=0.09, rounded=7.0)
    if thing.name == "oven":
        (x0, y0), (x1, y1) = (box.x0, box.y0), (box.x1, box.y1)
        rings = [(x0 + (x1 - x0) * a, y0 + (y1 - y0) * b) for a in (0.3, 0.7) for b in (0.3, 0.7)]
        return "".join(sheet.circle(ring, 3.5, line) for ring in rings)
    if thing.name in {"shower", "refrigerator", "wardrobe"}:
        return sheet.line((box.x0, box.y0), (box.x1, box.y1), line)
    if thing.name in {"washing machine", "dryer"}:
        return sheet.circle(box.centre, 0.22 * SCALE, line)
    return ""


def _strip(box: Rect, side: str, share: float) -> Rect:
    """The part of a rectangle next to one side."""
    width, depth = box.width * share, box.depth * share
    return {
        "south": Rect(box.x0, box.y0, box.x1, box.y0 + depth),
        "north": Rect(box.x0, box.y1 - depth, box.x1, box.y1),
        "west": Rect(box.x0, box.y0, box.x0 + width, box.y1),
        "east": Rect(box.x1 - width, box.y0, box.x1, box.y1),
    }[side]


def _pillows(sheet: Sheet, box: Rect, side: str) -> str:
    line = f'fill="none" stroke="{LINE}" stroke-width="1"'
    head, flat = _strip(box, side, 0.26), side in ("south", "north")
    x, y = head.centre
    halves = (
        (Rect(head.x0, head.y0, x, head.y1), Rect(x, head.y0, head.x1, head.y1))
        if flat
        else (Rect(head.x0, head.y0, head.x1, y), Rect(head.x0, y, head.x1, head.y1))
    )
    pillows = "".join(sheet.rect(half, line, shrink=0.07, rounded=4.0) for half in halves)
    blanket = _strip(box, {"south": "north", "north": "south", "west": "east", "east": "west"}[side], 0.64)
    return pillows + sheet.rect(blanket, 'fill="#e9eef3" stroke="#b9bfc6" stroke-width="1"', rounded=2.0)


def draw_window(sheet: Sheet, thing: Thing, room: Room) -> str:
    """A window in its wall: a white gap between two thin panes."""
    box, side = thing.rect, wall_of(room.rect, thing.rect)
    start, end = {
        "south": ((box.x0, room.rect.y0), (box.x1, room.rect.y0)),
        "north": ((box.x0, room.rect.y1), (box.x1, room.rect.y1)),
        "west": ((room.rect.x0, box.y0), (room.rect.x0, box.y1)),
        "east": ((room.rect.x1, box.y0), (room.rect.x1, box.y1)),
    }[side]
    frame = sheet.line(start, end, f'stroke="{WALL}" stroke-width="7"')
    glass = sheet.line(start, end, 'stroke="#ffffff" stroke-width="4.6"')
    return frame + glass + sheet.line(start, end, 'stroke="#8fb8d4" stroke-width="1.2"')


def label(at: Point, text: str, size: float, *, weight: int = 400) -> str:
    """A centred text of one or more lines, with a light halo that keeps it legible over lines."""
    lines = text.split("\n")
    x, y = at
    first = y - (len(lines) - 1) * size * 0.55 + size * 0.35
    rows = "".join(
        f'<tspan x="{x}" y="{first + k * size * 1.1:.1f}">{line}</tspan>' for k, line in enumerate(lines)
    )
    return f'<text font-size="{size}" font-weight="{weight}" class="label">{rows}</text>'
