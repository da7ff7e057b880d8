"""Do captions and instructions tell the truth, mostly?"""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from fastnav.data.houses import language
from fastnav.data.houses.captions import describe
from fastnav.data.houses.config import HousesConfig
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.geometry import turned
from fastnav.data.houses.happenings import follow
from fastnav.data.houses.language import instruct
from fastnav.data.houses.plan import Thing
from fastnav.data.houses.routes import choose_walks
from fastnav.data.houses.scene import Scene
from fastnav.data.houses.words import CAPTIONED, ROOM_CAPTIONED, ROOM_SPOKEN, SPOKEN


def names_of(thing: Thing, table: dict[str, tuple[str, ...]]) -> set[str]:
    """All that a thing may be called."""
    return set(table.get(thing.name, (thing.name,)))


def test_captions_name_what_lies_in_their_sector(scenes: list[Scene]) -> None:
    right = wrong = 0
    for number, scene in enumerate(scenes[:3]):
        everything = {name for thing in scene.house.things for name in names_of(thing, CAPTIONED)}
        kinds = {room.kind for room in scene.house.rooms}
        every_room = {name for kind in kinds for name in ROOM_CAPTIONED.get(kind, (kind,))}
        captions = describe(Dice(5, number, "captions"), scene)
        for index, viewpoint in enumerate(scene.viewpoints.names):
            for sector, text in enumerate(captions[viewpoint]):
                middle = text.split("\n")[1].removeprefix("middle: ")
                named = {name for name in everything if re.search(rf"\b{name}\b", middle)}
                near = {
                    name
                    for one in scene.things[index]
                    if abs(math.degrees(turned(one.bearing - math.radians(45 * sector)))) < 26
                    for name in names_of(one.thing, CAPTIONED)
                }
                rooms = [scene.room(index), *(one.beyond for one in scene.doors[index])]
                told = {name for room in rooms for name in ROOM_CAPTIONED.get(room.kind, (room.kind,))}
                if named or any(re.search(rf"\b{name}\b", middle) for name in every_room):
                    true = bool(named & near) or any(name in middle for name in told)
                    right, wrong = right + true, wrong + (not true)
    assert right > 300 and right / (right + wrong) > 0.9
    assert wrong > 0  # captioning models err, and so do these


def test_captions_name_the_room_behind_a_door_ahead(scenes: list[Scene]) -> None:
    told = asked = 0
    for number, scene in enumerate(scenes[:3]):
        captions = describe(Dice(5, number, "captions"), scene)
        for index, viewpoint in enumerate(scene.viewpoints.names):
            for one in scene.doors[index][:1]:
                sector = round(one.bearing / (math.pi / 4)) % 8
                if one.distance < 2.5 and not one.door.to_stairs:
                    beyond = one.beyond.kind
                    asked += 1
                    told += any(
                        name in captions[viewpoint][sector] for name in ROOM_CAPTIONED.get(beyond, (beyond,))
                    )
    assert asked > 50 and told / asked > 0.75


def test_instructions_name_things_and_rooms_along_the_way(scenes: list[Scene]) -> None:
    right = wrong = 0
    for number, scene in enumerate(scenes):
        dice = Dice(5, number, "test")
        called = {name: thing.name for thing in scene.house.things for name in names_of(thing, SPOKEN)}
        for walk in choose_walks(dice, scene, 15):
            steps, goal = follow(scene, walk)
            seen = {one.thing.name for node in walk.path for one in scene.things[node]}
            for text in instruct(dice, steps, goal, 3, scene.house.things):
                for name in (name for name in called if re.search(rf"\b{name}\b", text)):
                    true = bool({key for key in seen if name in SPOKEN.get(key, (key,))})
                    right, wrong = right + true, wrong + (not true)
    assert right > 300 and right / (right + wrong) > 0.9


def test_instructions_end_in_the_room_of_the_goal_or_by_a_thing_in_it(scenes: list[Scene]) -> None:
    good = total = 0
    for number, scene in enumerate(scenes):
        dice = Dice(5, number, "test")
        for walk in choose_walks(dice, scene, 15):
            steps, goal = follow(scene, walk)
            near = {one.thing.name for one in scene.things[walk.path[-1]] if one.distance < 2.5}
            words = {name for key in near for name in SPOKEN.get(key, (key,))} | {"stairs"}
            words |= set(ROOM_SPOKEN.get(goal.room.kind, (goal.room.kind,)))
            if goal.doorway:
                words |= set(ROOM_SPOKEN.get(goal.doorway.kind, (goal.doorway.kind,)))
            for text in instruct(dice, steps, goal, 3, scene.house.things):
                last = text.strip().split(".")[-2]
                good, total = good + any(word in last for word in words), total + 1
    assert total > 150 and good / total > 0.93


def test_turns_are_told_by_their_side_with_few_slips(scenes: list[Scene]) -> None:
    right = wrong = 0
    for number, scene in enumerate(scenes):
        dice = Dice(5, number, "test")
        for walk in choose_walks(dice, scene, 15):
            steps, goal = follow(scene, walk)
            sides = {
                "left" if step.turn < 0 else "right" for step in steps if abs(step.turn) > math.radians(35)
            }
            for text in instruct(dice, steps, goal, 3, scene.house.things):
                for side in re.findall(r"(?:turn|take a|make a|bear|veer)(?: slightly)? (left|right)", text):
                    right, wrong = right + (side in sides), wrong + (side not in sides)
    assert right > 30 and wrong / right < 0.1


def test_slips_come_at_their_stated_rate_and_without_it_not_at_all(
    scenes: list[Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    walks = [
        (scene, *follow(scene, walk))
        for number, scene in enumerate(scenes)
        for walk in choose_walks(Dice(5, number, "test"), scene, 15)
    ]

    def slips(purpose: str) -> tuple[int, int]:
        """Speakers who slipped over a side, and all who named one."""
        slipped = named = 0
        said = {"left": "right", "right": "left"}
        plain = language._Speaker._side

        def listen(speaker: language._Speaker, side: str) -> str:
            nonlocal slipped, named
            spoken = plain(speaker, side)
            assert spoken in (side, said[side])
            slipped += spoken != side
            named += speaker not in heard
            heard.append(speaker)
            return spoken

        heard: list[language._Speaker] = []
        with monkeypatch.context() as patch:
            patch.setattr(language._Speaker, "_side", listen)
            for turn in range(3):
                dice = Dice(turn, 0, purpose)
                for scene, steps, goal in walks:
                    heard.clear()
                    instruct(dice, steps, goal, 4, scene.house.things)
        return slipped, named

    slipped, named = slips("slips")
    assert named > 350 and 0.015 < slipped / named < 0.05
    monkeypatch.setattr(language, "WRONG_TURN", 0.0)
    assert slips("slips")[0] == 0


def test_instructions_of_one_walk_differ_and_have_a_fair_length(scenes: list[Scene]) -> None:
    lengths = []
    for number, scene in enumerate(scenes):
        dice = Dice(5, number, "test")
        for walk in choose_walks(dice, scene, 15):
            texts = instruct(dice, *follow(scene, walk), 4, scene.house.things)
            assert len(set(texts)) > 1 and all("  " not in text and " ." not in text for text in texts)
            assert all(text[0].isupper() and text.endswith(". ") for text in texts)
            lengths += [len(text.split()) for text in texts]
    assert 20 < np.mean(lengths) < 36 and max(lengths) < 90


def test_goals_are_spread_over_a_house(scenes: list[Scene], config: HousesConfig, houses: Path) -> None:
    assert houses.is_dir()
    for number, scene in enumerate(scenes):
        walks = choose_walks(Dice(config.seed, number, "test"), scene, 20)
        assert len({walk.path[-1] for walk in walks}) > 10
        assert len({scene.room(walk.path[-1]).index for walk in walks}) > 4
