"""Where a piece of furniture can stand: at a wall, in the middle, on or about another piece."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fastnav.data.houses.catalogue import ITEMS, Item
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.plan import Door, Point, Rect, Room, Thing

#: Kept free before a door, on both sides of the wall.
BEFORE_DOOR = 0.75
#: From a wall to what stands at it: no wall is perfectly straight.
GAP = 0.03
TRIES = 8
SIDES = ("south", "north", "west", "east")
#: What stands at a wall leaves this share of the room's extent free before it.
FREE_BEFORE = 0.45
#: A piece that a room must have may be made smaller: shares of its width and depth.
SIZES = ((1.0, 1.0), (0.8, 1.0), (0.65, 0.9))
#: Every place is tried for it, this far apart, and it may leave less free before it.
STEP = 0.1
LESS_FREE = 0.25


@dataclass
class Furnished:
    """One room while it fills up."""

    room: Room
    doors: list[Door]
    outer: frozenset[str]
    things: list[Thing] = field(default_factory=list)
    taken: list[Rect] = field(default_factory=list)

    def free(self, rect: Rect) -> bool:
        """Whether a rectangle fits into the room beside all that stands there."""
        return rect.within(self.room.rect) and not any(rect.meets(other) for other in self.taken)


def place(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    """A place for one piece, if a few tries find one."""
    return _PLACERS[item.way](dice, state, item)


def place_surely(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    """A place for a piece that the room must have: None only if there is none, even for a smaller one."""
    rect = place(dice, state, item)
    for width, depth in SIZES if rect is None else ():
        smaller = replace(item, width=width * item.width, depth=depth * item.depth)
        places = _all_in_the_middle if item.way == "centre" else _all_at_walls
        found = [rect for rect in places(state.room.rect, smaller) if state.free(rect)]
        if found:
            return dice.pick(found)
    return rect


def _all_at_walls(box: Rect, item: Item) -> Iterator[Rect]:
    for side in SIDES:
        spare = _length(box, side) - item.width - 2 * GAP
        if spare >= 0 and item.depth <= (1 - LESS_FREE) * _reach(box, side):
            for k in range(int(spare / STEP) + 1):
                yield _against(box, side, GAP + k * STEP, item.width, item.depth)


def _all_in_the_middle(box: Rect, item: Item) -> Iterator[Rect]:
    for width, depth in ((item.width, item.depth), (item.depth, item.width)):
        for i in range(int((box.width - width) / STEP) + 1):
            for j in range(int((box.depth - depth) / STEP) + 1):
                x, y = box.x0 + i * STEP, box.y0 + j * STEP
                yield Rect(x, y, x + width, y + depth)


def clear_zone(door: Door) -> Rect:
    """What a door keeps free."""
    xs, ys = sorted((door.start[0], door.end[0])), sorted((door.start[1], door.end[1]))
    if xs[0] == xs[1]:
        return Rect(xs[0] - BEFORE_DOOR, ys[0] - 0.05, xs[1] + BEFORE_DOOR, ys[1] + 0.05)
    return Rect(xs[0] - 0.05, ys[0] - BEFORE_DOOR, xs[1] + 0.05, ys[1] + BEFORE_DOOR)


def _against(box: Rect, side: str, start: float, width: float, depth: float) -> Rect:
    """A rectangle at one wall, `start` along it."""
    if side == "south":
        return Rect(box.x0 + start, box.y0 + GAP, box.x0 + start + width, box.y0 + GAP + depth)
    if side == "north":
        return Rect(box.x0 + start, box.y1 - GAP - depth, box.x0 + start + width, box.y1 - GAP)
    if side == "west":
        return Rect(box.x0 + GAP, box.y0 + start, box.x0 + GAP + depth, box.y0 + start + width)
    return Rect(box.x1 - GAP - depth, box.y0 + start, box.x1 - GAP, box.y0 + start + width)


def _length(box: Rect, side: str) -> float:
    return box.width if side in ("south", "north") else box.depth


def _reach(box: Rect, side: str) -> float:
    """From a wall to the one across."""
    return box.depth if side in ("south", "north") else box.width


def _at_wall(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    box = state.room.rect
    for _ in range(TRIES):
        side = dice.weighted(SIDES, [_length(box, side) for side in SIDES])
        spare = _length(box, side) - item.width - 2 * GAP
        if spare <= 0 or item.depth > (1 - FREE_BEFORE) * _reach(box, side):
            continue
        corner = dice.pick((0.0, spare)) if dice.chance(0.3) else dice.between(0.0, spare)
        rect = _against(box, side, GAP + corner, item.width, item.depth)
        if state.free(rect):
            return rect
    return None


def _hung(dice: Dice, state: Furnished, item: Item, sides: tuple[str, ...] = SIDES) -> Rect | None:
    box = state.room.rect
    flat = [thing.rect for thing in state.things if ITEMS[thing.name].way in {"hung", "window"}]
    gaps = [clear_zone(door) for door in state.doors]
    for _ in range(TRIES if sides else 0):
        side = dice.pick(sides)
        spare = _length(box, side) - item.width - 2 * GAP
        if spare <= 0:
            continue
        rect = _against(box, side, GAP + dice.between(0.0, spare), item.width, item.depth)
        if not any(rect.meets(other, 0.05) for other in flat + gaps) and rect.within(box):
            return rect
    return None


def _in_outer_wall(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    return _hung(dice, state, item, tuple(side for side in SIDES if side in state.outer))


def _middle(dice: Dice, state: Furnished, item: Item, shift: float = 0.15) -> Rect | None:
    box = state.room.rect
    x, y = box.centre
    for _ in range(TRIES):
        along_x = (box.width >= box.depth) == (item.width >= item.depth)
        width, depth = (item.width, item.depth) if along_x else (item.depth, item.width)
        dx, dy = dice.between(-shift, shift) * box.width, dice.between(-shift, shift) * box.depth
        rect = Rect(x + dx - width / 2, y + dy - depth / 2, x + dx + width / 2, y + dy + depth / 2)
        apart = not item.blocks or not any(
            rect.meets(thing.rect, 0.5) for thing in state.things if thing.blocks
        )
        if rect.within(box) and (not item.blocks or state.free(rect)) and apart:
            return rect
    return None


def _above(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    return _middle(dice, state, item, shift=0.02)


def _anchors(state: Furnished, item: Item) -> list[Thing]:
    return [thing for thing in state.things if thing.name.endswith(item.anchor)]


def _on(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    used = [thing.rect.centre for thing in state.things if ITEMS[thing.name].way == "on"]
    for anchor in dice.shuffled(_anchors(state, item)):
        if anchor.rect.centre not in used:
            return _around_point(anchor.rect.centre, item.width, item.depth)
    return None


def _around_point(point: Point, width: float, depth: float) -> Rect:
    return Rect(point[0] - width / 2, point[1] - depth / 2, point[0] + width / 2, point[1] + depth / 2)


def _beside(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    """At either end of its anchor, at the same wall."""
    for anchor in _anchors(state, item):
        side = wall_of(state.room.rect, anchor.rect)
        box = anchor.rect
        low, high = (box.x0, box.x1) if side in ("south", "north") else (box.y0, box.y1)
        origin = state.room.rect.x0 if side in ("south", "north") else state.room.rect.y0
        for start in dice.shuffled((low - item.width - 0.05, high + 0.05)):
            rect = _against(state.room.rect, side, start - origin, item.width, item.depth)
            if state.free(rect):
                return rect
    return None


def wall_of(room: Rect, rect: Rect) -> str:
    """The wall at which a piece stands."""
    gaps = (rect.y0 - room.y0, room.y1 - rect.y1, rect.x0 - room.x0, room.x1 - rect.x1)
    return SIDES[gaps.index(min(gaps))]


def _before(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    """In front of its anchor, a knee's length away."""
    for anchor in dice.shuffled(_anchors(state, item)):
        side = wall_of(state.room.rect, anchor.rect)
        (x, y), away = anchor.rect.centre, 0.35 if item.width >= 0.9 else 0.08
        flat = side in ("south", "north")
        width, depth = (item.width, item.depth) if flat else (item.depth, item.width)
        reach = ((anchor.rect.depth if flat else anchor.rect.width) + (depth if flat else width)) / 2 + away
        sign = 1 if side in ("south", "west") else -1
        point = (x, y + sign * reach) if flat else (x + sign * reach, y)
        rect = _around_point(point, width, depth)
        if state.free(rect):
            return rect
    return None


def _about(dice: Dice, state: Furnished, item: Item) -> Rect | None:
    """At one of the places along the two long sides of its anchor."""
    for anchor in _anchors(state, item):
        box = anchor.rect
        long_x = box.width >= box.depth
        for share in (0.2, 0.5, 0.8):
            for sign in (-1, 1):
                reach = 0.12
                x = box.x0 + share * box.width if long_x else (box.x1 + reach if sign > 0 else box.x0 - reach)
                y = (box.y1 + reach if sign > 0 else box.y0 - reach) if long_x else box.y0 + share * box.depth
                rect = _around_point((x, y), item.width, item.depth)
                mates = [thing.rect for thing in state.things if ITEMS[thing.name].way == "around"]
                if rect.within(state.room.rect) and not any(rect.meets(mate) for mate in mates):
                    return rect
    return None


_PLACERS = {
    "wall": _at_wall,
    "hung": _hung,
    "window": _in_outer_wall,
    "centre": _middle,
    "rug": _middle,
    "ceiling": _above,
    "on": _on,
    "beside": _beside,
    "front": _before,
    "around": _about,
}
