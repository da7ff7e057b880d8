"""Which rooms a floor holds, and how rooms open on each other."""

from fastnav.data.houses.dice import Dice

PAINTS = ("white", "beige", "grey", "blue", "green", "yellow", "cream", "brick")
DOOR_COLOURS = ("white", "brown", "wooden", "black", "grey")
USUAL_FLOORINGS = ("wooden floor", "hardwood floor", "carpet", "beige carpet", "parquet floor")
FLOORINGS = {
    "bathroom": ("tiled floor", "marble floor", "white tile floor"),
    "kitchen": ("tiled floor", "stone floor", "wooden floor"),
    "laundry room": ("tiled floor", "concrete floor"),
    "garage": ("concrete floor",),
    "patio": ("stone floor", "brick floor", "wooden deck"),
    "balcony": ("wooden deck", "tiled floor"),
    "porch": ("wooden deck", "stone floor"),
    "hallway": ("wooden floor", "hardwood floor", "tiled floor", "carpet"),
    "stairs": ("wooden steps", "carpeted steps", "stone steps"),
}

#: Rooms that stand open to each other.
SOCIABLE = frozenset(
    {"kitchen", "dining room", "living room", "family room", "sunroom", "foyer", "bar", "lounge"}
)
#: Rooms that may have a bathroom of their own.
WITH_BATH = frozenset({"bedroom", "master bedroom"})
#: A slot below this width is for the small rooms.
NARROW = 2.9

_GROUND_WIDE = (
    "office", "family room", "library", "bedroom", "music room", "game room", "gym", "sunroom", "bar",
    "garage", "bedroom", "home theater",
)  # fmt: skip
_UPPER_WIDE = (
    "bedroom", "bedroom", "office", "bedroom", "lounge", "nursery", "library", "gym", "bedroom",
    "playroom", "bathroom", "art studio",
)  # fmt: skip
_GROUND_NARROW = ("foyer", "bathroom", "laundry room", "pantry", "bathroom", "closet")
_UPPER_NARROW = ("bathroom", "closet", "bathroom", "laundry room", "bathroom")


def opens_outside(kind: str) -> bool:
    """Whether a terrace may lie in front of it."""
    return kind not in {"bathroom", "closet", "pantry", "laundry room", "stairs", "patio", "balcony", "porch"}


def terrace(dice: Dice, floor: int) -> str:
    """What lies outside on this floor."""
    return "balcony" if floor else dice.pick(("patio", "porch"))


def great_rooms(dice: Dice, floor: int) -> tuple[str, ...]:
    """What fills the end of the house: one large room or two."""
    if floor == 0:
        return dice.pick((("living room",), ("living room", "dining room"), ("living room", "sunroom")))
    return dice.pick(
        (("master bedroom", "master bathroom"), ("lounge",), ("master bedroom", "dressing room"))
    )


def passage(dice: Dice, one: str, two: str) -> tuple[str, float]:
    """The kind and width of the way between two rooms."""
    kinds = {one, two}
    if kinds <= SOCIABLE | {"hallway"} and dice.chance(0.7):
        return "archway", dice.pick((1.4, 1.8, 2.2))
    if kinds & {"library", "living room", "master bedroom", "home theater", "dining room"} and dice.chance(
        0.35
    ):
        return "double doors", 1.4
    return "door", 0.9


def side_door(one: str, two: str) -> float:
    """The chance of a way between two neighbours that both open on the hall anyway."""
    pair = {one, two}
    if pair <= SOCIABLE:
        return 0.75
    if pair in ({"kitchen", "pantry"}, {"master bathroom", "dressing room"}):
        return 0.9
    if "bathroom" in pair and pair & WITH_BATH:
        return 0.6
    return 0.0 if pair & {"closet", "bathroom", "garage"} else 0.2


def assign(dice: Dice, widths: list[float], floor: int, has_great: bool) -> list[str]:
    """A kind for each slot. Kitchen and dining room come first, so they lie side by side."""
    if floor == 0:
        fixed = ["kitchen"] if has_great else ["kitchen", "living room"]
        wide = [*fixed, "dining room", *dice.shuffled(_GROUND_WIDE)]
        narrow = [_GROUND_NARROW[0], *dice.shuffled(_GROUND_NARROW[1:])]
    else:
        wide = ["bedroom", *dice.shuffled(_UPPER_WIDE)]
        narrow = dice.shuffled(_UPPER_NARROW)
    kinds = []
    for width in widths:
        queue, usual = (narrow, "closet") if width < NARROW else (wide, "bedroom")
        kinds.append(queue.pop(0) if queue else usual)
    if "bathroom" not in kinds and kinds:
        kinds[widths.index(min(widths))] = "bathroom"
    return kinds
