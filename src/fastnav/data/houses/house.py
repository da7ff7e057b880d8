"""One whole house, from its number alone: plan, furniture, viewpoints, captions, boxes, routes and words."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastnav.data.houses.boxes import annotate
from fastnav.data.houses.captions import describe
from fastnav.data.houses.config import HousesConfig
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.furnish import furnish
from fastnav.data.houses.happenings import follow
from fastnav.data.houses.language import instruct
from fastnav.data.houses.layout import lay_out
from fastnav.data.houses.plans import plan_of, plan_record
from fastnav.data.houses.routes import Walk, choose_walks
from fastnav.data.houses.scene import Scene, look_around
from fastnav.data.houses.viewpoints import Viewpoints, place_viewpoints

#: Houses differ in size as real ones do: the logarithm of the number of viewpoints spreads so much.
SPREAD = 0.45
#: A few paths have a fourth instruction.
FOURTH = 0.003
USUAL_INSTRUCTIONS = 3
#: A scan is named "house" and so many of these. Those of one build all differ, even where capitals do not
#: count; those of different seeds could agree, but there are more than a thousand million names.
NAME_LENGTH = 6
LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True)
class BuiltHouse:
    """All that is written of one house; `episodes` by split, still without their path_id."""

    scan: str
    connectivity: list[dict[str, Any]]
    captions: dict[str, list[str]]
    objects: dict[str, dict[str, Any]]
    plan: dict[str, Any]
    episodes: dict[str, list[dict[str, Any]]]


@cache
def scan_names(config: HousesConfig) -> tuple[str, ...]:
    """The names of all houses of a build: one that another house has already is drawn again."""
    names: list[str] = []
    taken: set[str] = set()
    for number in range(config.houses):
        dice = Dice(config.seed, number, "name")
        name = f"house{dice.digits(LETTERS, NAME_LENGTH)}"
        while name.lower() in taken:
            name = f"house{dice.digits(LETTERS, NAME_LENGTH)}"
        names.append(name)
        taken.add(name.lower())
    return tuple(names)


def make_scene(config: HousesConfig, number: int) -> Scene:
    """A furnished house with its viewpoints and all that is seen from them."""
    dice = Dice(config.seed, number, "plan")
    viewpoints = config.viewpoints_per_house * math.exp(SPREAD * dice.normal() - SPREAD**2 / 2)
    house = furnish(dice, lay_out(dice, scan_names(config)[number], viewpoints))
    return look_around(house, place_viewpoints(dice, house))


def build_house(config: HousesConfig, number: int) -> BuiltHouse:
    """Everything about one house; depends on the configuration and its number alone."""
    scene = make_scene(config, number)
    names = scene.viewpoints.names
    return BuiltHouse(
        scan=scene.house.scan,
        connectivity=_connectivity(scene.viewpoints),
        captions=describe(Dice(config.seed, number, "captions"), scene),
        objects={name: annotate(scene, index) for index, name in enumerate(names)},
        plan=plan_record(plan_of(scene.house, scene.viewpoints)),
        episodes=_episodes(config, number, scene),
    )


def _connectivity(viewpoints: Viewpoints) -> list[dict[str, Any]]:
    records = []
    for index, name in enumerate(viewpoints.names):
        x, y, z = viewpoints.position[index].tolist()
        records.append(
            {
                "image_id": name,
                "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
                "included": bool(viewpoints.included[index]),
                "visible": viewpoints.visible[index].tolist(),
                "unobstructed": viewpoints.unobstructed[index].tolist(),
                "height": viewpoints.height[index].item(),
            }
        )
    return records


def _episodes(config: HousesConfig, number: int, scene: Scene) -> dict[str, list[dict[str, Any]]]:
    """The walks of a house with their words, by split."""
    dice, role = Dice(config.seed, number, "routes"), config.role(number)
    if role != "train":
        walks = choose_walks(dice, scene, config.unseen_routes_per_house)
        return {role: [_episode(dice, scene, walk, role) for walk in walks]}
    walks = choose_walks(dice, scene, config.train_routes_per_house + config.val_seen_routes_per_house)
    cut = len(walks) * config.val_seen_routes_per_house
    cut = round(cut / (config.train_routes_per_house + config.val_seen_routes_per_house))
    seen = [_episode(dice, scene, walk, "val_seen") for walk in walks[:cut]]
    return {"train": [_episode(dice, scene, walk, "train") for walk in walks[cut:]], "val_seen": seen}


def _episode(dice: Dice, scene: Scene, walk: Walk, split: str) -> dict[str, Any]:
    steps, goal = follow(scene, walk)
    wanted = USUAL_INSTRUCTIONS + (split == "train" and dice.chance(FOURTH))
    instructions = instruct(dice, steps, goal, wanted, scene.house.things)
    path = [scene.viewpoints.names[index] for index in walk.path]
    shared = {"scan": scene.house.scan, "heading": walk.heading, "instructions": instructions}
    if split == "test":
        return {**shared, "path": path[:1]}
    return {"distance": round(walk.metres, 2), **shared, "path": path}
