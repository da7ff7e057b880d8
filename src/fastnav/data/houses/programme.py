"""Which rooms a house holds and on which floor, and how rooms open on each other."""

from collections import Counter

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

#: What may fill the end of the house: one large room, or two of which the first is next to the hall.
_GROUND_GREAT = (("living room",), ("living room", "dining room"), ("living room", "sunroom"))
_UPPER_GREAT = (("master bedroom", "master bathroom"), ("lounge",), ("master bedroom", "dressing room"))
_FURTHER_GREAT = ("bedroom", "bathroom")

_GROUND_WIDE = (
    "office", "family room", "library", "bedroom", "music room", "game room", "gym", "sunroom", "bar",
    "garage", "bedroom", "home theater",
)  # fmt: skip
_UPPER_WIDE = (
    "bedroom", "bedroom", "office", "bedroom", "lounge", "nursery", "library", "gym", "bedroom",
    "playroom", "art studio", "family room", "music room", "game room", "home theater",
)  # fmt: skip
_GROUND_NARROW = ("foyer", "bathroom", "laundry room", "pantry", "bathroom", "closet")
_UPPER_NARROW = ("bathroom", "closet", "bathroom", "laundry room", "bathroom")
#: A house has one of each kind of room at most, but for these.
_MORE_THAN_ONE = {"office": 4, "lounge": 3, "library": 2, "nursery": 2, "playroom": 2}
_ANY_NUMBER = frozenset({"bedroom", "bathroom", "closet"})


def opens_outside(kind: str) -> bool:
    """Whether a terrace may lie in front of it."""
    return kind not in {"bathroom", "closet", "pantry", "laundry room", "stairs", "patio", "balcony", "porch"}


def terrace(dice: Dice, floor: int) -> str:
    """What lies outside on this floor."""
    return "balcony" if floor else dice.pick(("patio", "porch"))


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
    return 0.0 if pair & {"closet", "bathroom", "garage"} or pair <= WITH_BATH else 0.2


class Programme:
    """The rooms of one house, shared out floor by floor from the ground: the necessary ones first."""

    def __init__(self, dice: Dice, floors: int) -> None:
        self.dice = dice
        self.floors = floors
        self.counts: Counter[str] = Counter()

    def great_rooms(self, floor: int) -> tuple[str, ...]:
        """What fills the end of the house on this floor."""
        options = _UPPER_GREAT if floor else _GROUND_GREAT
        free = [kinds for kinds in options if all(self._allowed(kind) for kind in kinds)]
        chosen = self.dice.pick(free) if free else _FURTHER_GREAT
        self.counts.update(chosen)
        return chosen

    def assign(self, widths: list[float], floor: int, great: tuple[str, ...]) -> list[str]:
        """A kind for each slot: what the house must have takes the widest, a bathroom the narrowest."""
        kinds = [""] * len(widths)
        needed = self._needed(floor, great)
        widest = sorted(range(len(widths)), key=lambda i: -widths[i])[: len(needed)]
        places = [widest[0], *self.dice.shuffled(widest[1:])] if widest else []
        for kind, place in zip(needed, places, strict=False):
            kinds[place] = self._take(kind)
        if "" in kinds:
            kinds[min(_left(kinds), key=lambda i: widths[i])] = self._take("bathroom")
        if floor == 0:
            self._add_dining_room(kinds, widths)
        self._fill(kinds, widths, floor)
        return kinds

    def _needed(self, floor: int, great: tuple[str, ...]) -> list[str]:
        """The rooms that this floor cannot do without, the largest first, but for a bathroom."""
        if floor:
            return [] if "master bedroom" in great else ["bedroom"]
        needed = ["kitchen"] if "living room" in great else ["living room", "kitchen"]
        return needed if self.floors > 1 else [*needed, "bedroom"]

    def _add_dining_room(self, kinds: list[str], widths: list[float]) -> None:
        """Next to the kitchen if there is space."""
        wide = [i for i in _left(kinds) if widths[i] >= NARROW]
        if wide and self._allowed("dining room"):
            kitchen = kinds.index("kitchen")
            kinds[min(wide, key=lambda i: abs(i - kitchen))] = self._take("dining room")

    def _fill(self, kinds: list[str], widths: list[float], floor: int) -> None:
        if floor:
            wide, narrow = self.dice.shuffled(_UPPER_WIDE), self.dice.shuffled(_UPPER_NARROW)
        else:
            wide = self.dice.shuffled(_GROUND_WIDE)
            narrow = [_GROUND_NARROW[0], *self.dice.shuffled(_GROUND_NARROW[1:])]
        for i in _left(kinds):
            queue, usual = (narrow, "closet") if widths[i] < NARROW else (wide, "bedroom")
            while queue and not self._allowed(queue[0]):
                queue.pop(0)
            kinds[i] = self._take(queue.pop(0) if queue else usual)

    def _allowed(self, kind: str) -> bool:
        return kind in _ANY_NUMBER or self.counts[kind] < _MORE_THAN_ONE.get(kind, 1)

    def _take(self, kind: str) -> str:
        self.counts[kind] += 1
        return kind


def _left(kinds: list[str]) -> list[int]:
    """The slots without a kind so far."""
    return [i for i, kind in enumerate(kinds) if not kind]
