"""What happens along a walk: turns, doors, stairs, things passed; the facts that instructions are made of."""

import math
from dataclasses import dataclass

from fastnav.data.houses.geometry import bearing, turned
from fastnav.data.houses.plan import Door, Point, Room, Thing
from fastnav.data.houses.routes import Walk
from fastnav.data.houses.scene import Scene, SeenThing

#: Named only for want of better: found everywhere, or looked at by nobody.
DULL = frozenset(
    {
        "window",
        "ceiling light",
        "curtains",
        "dining chair",
        "bar stool",
        "towels",
        "trash can",
        "shelves",
        "boxes",
    }
)
AHEAD = math.radians(22)
PASSED_WITHIN = 2.1
NEAR_GOAL = 2.4
#: What hangs higher is not walked to or past.
OVERHEAD = 2.0
#: So near a doorway, one stands in it.
IN_DOORWAY = 0.8
BEFORE_STAIRS = 1.3


@dataclass(frozen=True)
class Step:
    """One step of a walk, as its walker would tell it."""

    turn: float  # before the step; to the left if negative
    room: Room
    next_room: Room
    door: Door | None  # the last door walked through
    climb: int  # 1 up, -1 down, 0 level
    ahead: Thing | None
    passed: Thing | None
    side: str  # of the thing passed: left or right
    count: int  # the door is the so-manieth on its side since the walker came into the room; 0 if unclear
    straight_on: Room | None  # what lies behind a door that is not taken


@dataclass(frozen=True)
class Goal:
    """Where a walk ends."""

    room: Room
    thing: Thing | None
    doorway: Room | None  # the goal is in the doorway to this room
    stairs: str  # top or bottom, if it is at the stairs
    second: Thing | None
    facing: Thing | None  # what the walker looks at on arrival


def follow(scene: Scene, walk: Walk) -> tuple[list[Step], Goal]:
    """The facts of a walk."""
    steps: list[Step] = []
    facing, entered = walk.heading, 0
    for index, (here, there) in enumerate(zip(walk.path, walk.path[1:], strict=False)):
        way = bearing(scene.point(here), scene.point(there))
        door = crossed(scene, here, there)
        since = [scene.point(node) for node in walk.path[entered : index + 1]]
        passed, side = _passed(scene, here, there)
        count = _count_doors(scene, since, door, scene.room(here)) if door else 0
        steps.append(
            Step(
                turn=turned(way - facing),
                room=scene.room(here),
                next_room=scene.room(there),
                door=door,
                climb=_climb(scene, here, there),
                ahead=_ahead(scene, here, way),
                passed=passed,
                side=side,
                count=count,
                straight_on=_not_taken(scene, here, facing, door) if index else None,
            )
        )
        entered = index + 1 if door else entered
        facing = way
    return steps, _goal(scene, walk.path[-1], facing)


def crossed(scene: Scene, here: int, there: int) -> Door | None:
    """The last door between two places next to each other."""
    if scene.viewpoints.floor[here] != scene.viewpoints.floor[there]:
        return None  # on the stairs
    start, end = scene.point(here), scene.point(there)
    target = scene.room(there).index
    for door in scene.house.doors:
        if target in door.rooms and scene.room(here).index != target and _through(start, end, door):
            return door
    return None


def _through(start: Point, end: Point, door: Door) -> bool:
    axis = 0 if door.start[0] == door.end[0] else 1
    before, after = start[axis] - door.start[axis], end[axis] - door.start[axis]
    if before * after >= 0:
        return False
    at = start[1 - axis] + before / (before - after) * (end[1 - axis] - start[1 - axis])
    low, high = sorted((door.start[1 - axis], door.end[1 - axis]))
    return low < at < high


def _climb(scene: Scene, here: int, there: int) -> int:
    if not (scene.viewpoints.on_stairs[here] or scene.viewpoints.on_stairs[there]):
        return 0
    return 1 if scene.viewpoints.position[there, 2] > scene.viewpoints.position[here, 2] else -1


def _interest(one: SeenThing, seen: tuple[SeenThing, ...], reach: float) -> float:
    """How good a landmark: near, large, not dull, and the only one of its name in sight."""
    twins = sum(other.thing.name == one.thing.name for other in seen)
    rect = one.thing.rect
    size = math.sqrt((rect.width + rect.depth) * (one.thing.top - one.thing.bottom))
    return (
        (0.5 + min(1.0, size))
        * (0.25 if one.thing.name in DULL else 1.0)
        / twins
        / (1.0 + one.distance / reach)
    )


def _best(found: list[SeenThing], seen: tuple[SeenThing, ...], reach: float) -> Thing | None:
    if not found:
        return None
    return max(found, key=lambda one: _interest(one, seen, reach)).thing


def _ahead(scene: Scene, here: int, way: float) -> Thing | None:
    seen = scene.things[here]
    near_line = [one for one in seen if abs(turned(one.bearing - way)) < AHEAD]
    found = [one for one in near_line if one.distance > 1.2 and one.thing.bottom < OVERHEAD]
    return _best(found, seen, 4.0)


def _passed(scene: Scene, here: int, there: int) -> tuple[Thing | None, str]:
    """The best landmark close to the middle of a step, and its side."""
    start, end = scene.point(here), scene.point(there)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    way, seen = bearing(start, end), scene.things[here]
    found = [
        one
        for one in seen
        if math.dist(one.thing.centre, middle) < PASSED_WITHIN
        and one.thing.bottom < OVERHEAD
        and math.radians(40) < abs(turned(bearing(middle, one.thing.centre) - way)) < math.radians(140)
    ]
    thing = _best(found, seen, 2.0)
    if thing is None:
        return None, ""
    return thing, "left" if turned(bearing(middle, thing.centre) - way) < 0 else "right"


def _count_doors(scene: Scene, since: list[Point], door: Door, room: Room) -> int:
    """Which door on its side this is, counted from where the walker came in; 0 after hardly a step."""
    start, end = since[0], since[-1]
    length = math.dist(start, end)
    if length < 1.5:
        return 0
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def place(other: Door) -> tuple[float, float]:
        dx, dy = other.centre[0] - start[0], other.centre[1] - start[1]
        return dx * along[0] + dy * along[1], dx * along[1] - dy * along[0]

    reach, side = place(door)
    if abs(side) < 0.5:
        return 0
    others = [
        place(other) for other in scene.house.doors if room.index in other.rooms and not other.to_stairs
    ]
    return sum(1 for far, across in others if 0.3 < far <= reach + 1e-6 and across * side > 0)


def _not_taken(scene: Scene, here: int, facing: float, taken: Door | None) -> Room | None:
    """The room that a walker would come into by not turning."""
    for one in scene.doors[here]:
        if one.door != taken and one.distance < 3.0 and abs(turned(one.bearing - facing)) < AHEAD:
            return one.beyond
    return None


def _goal(scene: Scene, goal: int, facing: float) -> Goal:
    seen, room = scene.things[goal], scene.room(goal)
    near = [one for one in seen if one.distance < NEAR_GOAL and one.thing.room == room.index]
    near.sort(key=lambda one: _fitness(scene, goal, one, seen), reverse=True)
    doors = [one for one in scene.doors[goal] if one.distance < IN_DOORWAY and not one.door.to_stairs]
    stairs = [one for one in scene.doors[goal] if one.distance < BEFORE_STAIRS and one.door.to_stairs]
    return Goal(
        room=room,
        thing=near[0].thing if near else None,
        doorway=doors[0].beyond if doors else None,
        stairs=("bottom" if stairs[0].door.kind == "stairs up" else "top") if stairs else "",
        second=near[1].thing if len(near) > 1 else None,
        facing=_ahead(scene, goal, facing),
    )


def _fitness(scene: Scene, goal: int, one: SeenThing, seen: tuple[SeenThing, ...]) -> float:
    """How well a thing marks the goal: interesting, and with no other viewpoint closer to it."""
    position = scene.viewpoints.position
    same_room = scene.viewpoints.room == scene.viewpoints.room[goal]
    apart = ((position[same_room, :2] - one.thing.centre) ** 2).sum(axis=1)
    closer = int((apart < one.distance**2 - 1e-6).sum())
    return _interest(one, seen, 2.0) / (1 + closer)
