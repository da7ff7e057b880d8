"""What a captioning model would say of each eighth of the panorama: the floor, the middle and the ceiling.

Sector k is centred on heading 45k degrees. A few captions are wrong and some say nothing, as a model's do.
"""

import math
from dataclasses import dataclass

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.geometry import turned
from fastnav.data.houses.plan import Room, Thing
from fastnav.data.houses.scene import Scene, SeenDoor, SeenThing
from fastnav.data.houses.words import PLURALS, captioned, captioned_room, with_article

SECTORS = 8
#: Half a sector, and a little of the next: photographs overlap.
HALF_SECTOR = math.radians(22.5 + 3.0)
#: The lower view shows the floor from here, and only that near.
LOW_REACH = 3.2
#: So near that one thing fills the picture.
CLOSE = 1.3
#: From here on a thing is in the background.
FAR = 4.5
WRONG = 0.05
EMPTY = 0.04
WRONG_ROOM = 0.06


@dataclass(frozen=True)
class _View:
    """All that lies in one sector."""

    room: Room
    things: list[SeenThing]
    doors: list[SeenDoor]
    steps: list[str]


def describe(dice: Dice, scene: Scene) -> dict[str, list[str]]:
    """The captions of a house: eight a viewpoint, each with a line for down, middle and top."""
    return {
        name: [_caption(dice, scene, _view(scene, index, sector)) for sector in range(SECTORS)]
        for index, name in enumerate(scene.viewpoints.names)
    }


def _view(scene: Scene, viewpoint: int, sector: int) -> _View:
    middle = sector * 2 * math.pi / SECTORS
    return _View(
        scene.room(viewpoint),
        [one for one in scene.things[viewpoint] if abs(turned(one.bearing - middle)) < HALF_SECTOR],
        [one for one in scene.doors[viewpoint] if abs(turned(one.bearing - middle)) < HALF_SECTOR],
        [way for way, angle in scene.steps[viewpoint].items() if abs(turned(angle - middle)) < HALF_SECTOR],
    )


def _caption(dice: Dice, scene: Scene, view: _View) -> str:
    return f"down: {_down(dice, scene, view)}\nmiddle: {_middle(dice, scene, view)}\ntop: {_top(dice, view)}"


def _name(dice: Dice, thing: Thing, plain: float = 0.2) -> str:
    """A thing with its article, and often with its looks."""
    name = captioned(dice, thing.name)
    return with_article(name if dice.chance(plain) else f"{thing.look} {name}", thing.name)


def _foremost(dice: Dice, things: list[SeenThing], count: int) -> list[Thing]:
    """The things that catch the eye: large and near, with some luck; no two of a name."""

    def weight(one: SeenThing) -> float:
        size = math.sqrt(
            (one.thing.rect.width + one.thing.rect.depth) * (one.thing.top - one.thing.bottom + 0.1)
        )
        return size / (one.distance + 0.6) * dice.between(0.5, 1.5)

    chosen: list[Thing] = []
    for one in sorted(things, key=weight, reverse=True):
        if one.thing.name not in {thing.name for thing in chosen}:
            chosen.append(one.thing)
        if len(chosen) == count:
            break
    return chosen


def _listed(phrases: list[str]) -> str:
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def _down(dice: Dice, scene: Scene, view: _View) -> str:
    near = [one for one in view.things if one.distance < LOW_REACH and one.thing.bottom < 0.5]
    if near and dice.chance(WRONG):
        return f"a {view.room.flooring} with {_name(dice, dice.pick(scene.house.things))}"
    if view.steps:
        return dice.pick((f"{view.room.flooring} going {view.steps[0]}", "a set of stairs with a railing"))
    rugs = [one.thing for one in near if one.thing.name.endswith(("rug", "mat"))]
    if rugs and dice.chance(0.6):
        return f"{_name(dice, rugs[0])} on a {view.room.flooring}"
    if near and near[0].distance < CLOSE and dice.chance(0.5):
        return f"a close up of {_name(dice, near[0].thing)}"
    if near and not dice.chance(0.1):
        names = [_name(dice, thing) for thing in _foremost(dice, near, dice.whole(1, 3))]
        kind = captioned_room(dice, view.room.kind)
        return dice.pick((f"{_listed(names)} on a {view.room.flooring}", f"a {kind} with {_listed(names)}"))
    doors = [one for one in view.doors if one.distance < LOW_REACH]
    if doors and dice.chance(0.7):
        return f"a {view.room.flooring} in front of {_door(dice, doors[0])}"
    return dice.pick(
        (f"a {view.room.flooring}", f"a room with a {view.room.flooring}", "the floor of a room")
    )


def _door(dice: Dice, seen: SeenDoor) -> str:
    """A door and mostly where it leads."""
    door = seen.door
    if door.to_stairs:
        way = door.kind.removeprefix("stairs ")
        return dice.pick((f"a staircase leading {way}", f"stairs going {way}", f"a set of stairs {way}"))
    leads = with_article(captioned_room(dice, seen.beyond.kind))
    if door.kind == "archway":
        return dice.pick(
            (f"an archway leading to {leads}", f"an open doorway to {leads}", f"an arch into {leads}")
        )
    what = with_article(door.kind if dice.chance(0.5) or door.kind != "door" else f"{door.colour} door")
    what = door.kind if door.kind == "double doors" else what
    if dice.chance(0.06):
        return what  # the model missed what lies behind
    return dice.pick((f"{what} leading to {leads}", f"a doorway to {leads}", f"{what} open to {leads}"))


def _middle(dice: Dice, scene: Scene, view: _View) -> str:
    if dice.chance(EMPTY):
        return dice.pick(
            (f"a room with a {view.room.paint} wall", "a view of part of a room", "an empty room with a wall")
        )
    if dice.chance(WRONG):
        return f"a room with {_name(dice, dice.pick(scene.house.things))} in it"
    kind = captioned_room(dice, view.room.kind)
    if dice.chance(WRONG_ROOM):
        kind = captioned_room(dice, dice.pick(scene.house.rooms).kind)
    if view.steps:
        return dice.pick(
            (f"a staircase going {view.steps[0]}", f"stairs leading {view.steps[0]} with a railing")
        )
    own = [one for one in view.things if one.thing.room == view.room.index and one.thing.bottom < 1.7]
    behind = [one for one in view.things if one.thing.room != view.room.index and one.thing.bottom < 1.7]
    doors = view.doors[: 1 + dice.chance(0.4)]
    if doors:
        return _with_door(dice, kind, own, behind, doors)
    if not own:
        return dice.pick((f"a {kind} with a {view.room.paint} wall", f"a {view.room.paint} wall in a {kind}"))
    if own[0].distance < CLOSE and dice.chance(0.35):
        return f"a close up of {_name(dice, own[0].thing)} in a {kind}"
    names = [_name(dice, thing) for thing in _foremost(dice, own, dice.whole(2, 3))]
    if min(one.distance for one in own) > FAR:
        return f"a view of a {kind} with {_listed(names)} in the background"
    shapes = (
        f"a {kind} with {_listed(names)}",
        f"{_listed(names)} in a {kind}",
        f"there is {_listed(names)}",
    )
    return dice.weighted(shapes, (6.0, 3.0, 1.0))


def _with_door(
    dice: Dice, kind: str, own: list[SeenThing], behind: list[SeenThing], doors: list[SeenDoor]
) -> str:
    """A caption that speaks of one or two doors, and of what shows on either side."""
    ways = _listed([_door(dice, door) for door in doors])
    if behind and dice.chance(0.4):
        names = [_name(dice, thing) for thing in _foremost(dice, behind, dice.whole(1, 2))]
        return f"{ways} with {_listed(names)}"
    if own and dice.chance(0.75):
        names = [_name(dice, thing) for thing in _foremost(dice, own, dice.whole(1, 2))]
        return f"a {kind} with {_listed(names)} and {ways}"
    return dice.pick((ways, f"a {kind} with {ways}"))


def _top(dice: Dice, view: _View) -> str:
    high = [one for one in view.things if one.thing.top > 1.65 and one.thing.room == view.room.index]
    if view.room.outdoors:
        return dice.pick(
            ("a blue sky", "the sky with some clouds", "the roof of a house", "trees and a blue sky")
        )
    if not high or dice.chance(0.15):
        wall = view.room.paint
        plain = (
            f"a {wall} wall",
            "a white ceiling",
            f"a {wall} wall and a white ceiling",
            "a room with a light on it",
        )
        return dice.pick(plain)
    thing = _foremost(dice, high, 1)[0]
    name = _name(dice, thing)
    hangs = "hang" if thing.name in PLURALS else "hangs"
    if thing.bottom > 2.0:
        return dice.pick(
            (f"{name} on the ceiling", f"{name} {hangs} from the ceiling", f"a ceiling with {name}")
        )
    if thing.bottom > 0.7:
        return dice.pick((f"{name} on a {view.room.paint} wall", f"a {view.room.paint} wall with {name}"))
    return dice.pick((f"the top of {name}", f"a {view.room.paint} wall above {name}"))
