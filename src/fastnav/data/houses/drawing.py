"""Floor plans as SVG: walls, doors, windows, stairs and furniture, room names, the graph, and a route."""

from collections.abc import Sequence
from itertools import pairwise

from fastnav.data.houses import symbols
from fastnav.data.houses.geometry import walls_of
from fastnav.data.houses.plan import House, Point, Rect, Room, Thing
from fastnav.data.houses.plans import Plan
from fastnav.data.houses.symbols import SCALE, WALL, Sheet, label
from fastnav.errors import UnknownName, UsageError

MARGIN, TITLE, GUTTER = 34.0, 34.0, 40.0
FLOOR_NAMES = ("Ground floor", "First floor", "Second floor", "Third floor")
GRAPH, ROUTE, START, GOAL = "#2f7f8f", "#d9542b", "#2d8a4e", "#b3261e"
#: By the number of sides of a wall that are indoors: a railing, an outer wall, an inner wall.
_WALL_STYLES = (
    'stroke-width="1.6" stroke-dasharray="7 3"',
    'stroke-width="7" stroke-linecap="square"',
    'stroke-width="4.4" stroke-linecap="square"',
)
#: Rooms by what they are for: to live in, eat, sleep, wash, walk, work, keep things, sit outside.
COLOURS = {
    "#fbf1dc": ("living room", "family room", "lounge", "sunroom", "foyer", "bar", "home theater"),
    "#fbe6d6": ("kitchen", "dining room", "pantry"),
    "#e8eaf6": ("bedroom", "master bedroom", "nursery", "playroom"),
    "#dff0f1": ("bathroom", "master bathroom", "laundry room"),
    "#f4f1ec": ("hallway", "stairs"),
    "#eae6f0": ("office", "library", "music room", "art studio", "gym", "game room"),
    "#ebe8e3": ("closet", "dressing room", "garage"),
    "#e4efd9": ("patio", "porch", "balcony"),
}
_COLOUR_OF = {kind: colour for colour, kinds in COLOURS.items() for kind in kinds}
_STYLE = (
    "text{font-family:Helvetica,Arial,sans-serif;fill:#35302c}"
    ".label{text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8}"
)
_DEFS = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{WALL}"/></marker>'
    '<marker id="way" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4.5" markerHeight="4.5" '
    f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{ROUTE}"/></marker></defs>'
)


def draw_plan(plan: Plan, *, floor: int | None = None, route: Sequence[str] = (), graph: bool = True) -> str:
    """The floors of a house (or one of them, counted from 0) as an SVG document.

    `route` is a list of viewpoints to draw as a walk; `graph` tells whether to draw the viewpoints at all.
    """
    floors = list(range(plan.house.floors)) if floor is None else [floor]
    if floors[0] not in range(plan.house.floors):
        raise UsageError(f"floor {floor}: {plan.house.scan} has floors 0 to {plan.house.floors - 1}")
    known = {viewpoint.name: i for i, viewpoint in enumerate(plan.viewpoints)}
    for name in route:
        if name not in known:
            raise UnknownName("viewpoint", name, known)
    bounds = _bounds(plan.house)
    side_by_side = bounds.depth > bounds.width
    panel = (bounds.width * SCALE, bounds.depth * SCALE + TITLE)
    parts, count = [], len(floors)
    for place, level in enumerate(floors):
        left = MARGIN + place * (panel[0] + GUTTER) * side_by_side
        top = MARGIN + TITLE + place * (panel[1] + GUTTER) * (not side_by_side)
        sheet = Sheet(left, top, (bounds.x0, bounds.y1))
        parts.append(_floor(plan, level, sheet, [known[name] for name in route], graph=graph))
    columns, rows = (count, 1) if side_by_side else (1, count)
    width = 2 * MARGIN + columns * panel[0] + (columns - 1) * GUTTER
    height = 2 * MARGIN + rows * panel[1] + (rows - 1) * GUTTER + 18
    parts.append(_legend(width, height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="Floor plan of {plan.house.scan}">'
        f"<style>{_STYLE}</style>{_DEFS}"
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _bounds(house: House) -> Rect:
    boxes = [room.rect for room in house.rooms]
    return Rect(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


def _floor(plan: Plan, floor: int, sheet: Sheet, route: list[int], *, graph: bool) -> str:
    house, rooms = plan.house, plan.house.rooms_on(floor)
    things = [thing for thing in house.things if thing.floor == floor]
    parts = [
        f'<text x="{sheet.left}" y="{sheet.top - 14}" font-size="15" font-weight="600">'
        f"{FLOOR_NAMES[floor] if floor < len(FLOOR_NAMES) else f'Floor {floor}'}</text>"
    ]
    parts += [sheet.rect(room.rect, f'fill="{_COLOUR_OF.get(room.kind, "#f4f1ec")}"') for room in rooms]
    lowest_first = sorted(things, key=lambda thing: thing.top)
    parts += [symbols.draw_thing(sheet, thing, house.rooms[thing.room]) for thing in lowest_first]
    parts += _stairs(house, floor, sheet)
    if graph:
        parts += _edges(plan, floor, sheet)
    parts += _walls(house, floor, sheet)
    parts += _doors(house, floor, sheet)
    parts += _windows(house, things, sheet)
    if graph:
        parts += _dots(plan, floor, sheet)
    parts += [_room_label(sheet, room) for room in rooms if room.kind != "stairs"]
    parts += _route(plan, floor, sheet, route)
    return f"<g>{''.join(parts)}</g>"


def _stairs(house: House, floor: int, sheet: Sheet) -> list[str]:
    shafts = {room.floor: room.rect for room in house.rooms if room.kind == "stairs"}
    return [
        symbols.draw_flight(sheet, flight, shafts[floor], up=flight.floor == floor)
        for flight in house.flights
        if floor in (flight.floor, flight.floor + 1)
    ]


def _walls(house: House, floor: int, sheet: Sheet) -> list[str]:
    """Outer walls thick, inner walls thinner, the edge of a terrace as a railing."""
    indoors = [room.rect for room in house.rooms_on(floor) if not room.outdoors]
    cuts = sorted({value for box in indoors for value in (box.x0, box.x1, box.y0, box.y1)})
    parts = []
    for x0, y0, x1, y1 in walls_of(house, floor).tolist():
        upright = x0 == x1
        low, high = (y0, y1) if upright else (x0, x1)
        marks = [low, *(cut for cut in cuts if min(low, high) < cut < max(low, high)), high]
        for start, end in pairwise(marks):
            middle = (start + end) / 2
            sides = [(x0 + d, middle) if upright else (middle, y0 + d) for d in (-0.1, 0.1)]
            inside = sum(any(box.holds(point) for box in indoors) for point in sides)
            style = f'stroke="{WALL}" {_WALL_STYLES[inside]}'
            ends = ((x0, start), (x0, end)) if upright else ((start, y0), (end, y0))
            parts.append(sheet.line(*ends, style))
    return parts


def _doors(house: House, floor: int, sheet: Sheet) -> list[str]:
    parts = []
    for door in house.doors:
        if door.floor == floor:
            rooms = sorted((house.rooms[i] for i in door.rooms), key=lambda room: room.kind == "hallway")
            parts.append(symbols.draw_door(sheet, door, rooms[0]))
    return parts


def _windows(house: House, things: list[Thing], sheet: Sheet) -> list[str]:
    return [
        symbols.draw_window(sheet, thing, house.rooms[thing.room])
        for thing in things
        if thing.name in {"window", "curtains"}
    ]


def _edges(plan: Plan, floor: int, sheet: Sheet) -> list[str]:
    style = f'stroke="{GRAPH}" stroke-width="0.9" opacity="0.45"'
    ends = [(plan.viewpoints[i], plan.viewpoints[j]) for i, j in plan.edges]
    return [
        sheet.line(one.position[:2], two.position[:2], style)
        for one, two in ends
        if floor in (one.floor, two.floor)
    ]


def _dots(plan: Plan, floor: int, sheet: Sheet) -> list[str]:
    return [
        sheet.circle(one.position[:2], 2.9, f'fill="{GRAPH}" stroke="#fff" stroke-width="0.8"')
        for one in plan.viewpoints
        if one.floor == floor and one.included
    ]


def _room_label(sheet: Sheet, room: Room) -> str:
    words, box = room.kind.split(), room.rect
    narrow = box.width * SCALE < 7.5 * len(room.kind)
    text = "\n".join(words) if narrow else " ".join(words)
    return label(sheet.at(box.centre), text.capitalize(), 9.5 if min(box.width, box.depth) < 2.1 else 11.5)


def _route(plan: Plan, floor: int, sheet: Sheet, route: list[int]) -> list[str]:
    """The steps of a walk on this floor, and its ends if they are here."""
    parts = []
    style = f'stroke="{ROUTE}" stroke-width="3.4" stroke-linecap="round" marker-end="url(#way)"'
    for i, j in pairwise(route):
        one, two = plan.viewpoints[i], plan.viewpoints[j]
        if floor in (one.floor, two.floor):
            parts.append(sheet.line(one.position[:2], two.position[:2], style))
    for i, colour, letter in ((route[0], START, "S"), (route[-1], GOAL, "G")) if route else ():
        if plan.viewpoints[i].floor == floor:
            x, y = sheet.at(plan.viewpoints[i].position[:2])
            parts.append(sheet.circle(plan.viewpoints[i].position[:2], 8.5, f'fill="{colour}" stroke="#fff"'))
            parts.append(
                f'<text x="{x}" y="{y + 4}" font-size="11" font-weight="700" text-anchor="middle" '
                f'style="fill:#fff">{letter}</text>'
            )
    return parts


def _legend(width: float, height: float) -> str:
    """A scale of five metres and an arrow to the north."""
    y, right = height - 20, width - MARGIN
    metres: Point = (right - 5 * SCALE, right)
    return (
        f'<path d="M{metres[0]:.0f} {y - 5}v5H{metres[1]:.0f}v-5" fill="none" stroke="{WALL}"/>'
        f'<text x="{sum(metres) / 2:.0f}" y="{y - 5}" font-size="11" text-anchor="middle">5 m</text>'
        f'<path d="M{MARGIN + 6} {y}v-18m-4.5 7l4.5 -8l4.5 8z" fill="{WALL}" stroke="{WALL}"/>'
        f'<text x="{MARGIN + 18}" y="{y - 3}" font-size="11">N</text>'
    )
