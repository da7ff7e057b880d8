"""Furniture: how each piece stands and looks, and in which rooms it is found."""

from dataclasses import dataclass

WOODS = ("wooden", "dark wood", "white", "black", "oak")
CLOTHS = (
    "grey",
    "white",
    "brown",
    "blue",
    "red",
    "green",
    "beige",
    "black leather",
    "brown leather",
    "orange",
)
METALS = ("black", "silver", "brass", "white", "bronze")
WHITES = ("white", "stainless steel", "black", "silver")


@dataclass(frozen=True)
class Item:
    """One kind of thing. `way` says how it is placed, `anchor` beside or upon what.

    wall: its back to a wall; hung: on a wall; window: in an outer wall; centre, rug, ceiling: in the
    middle of the room; on: upon its anchor; beside: at the wall next to it; front: before it;
    around: about it.
    """

    way: str
    width: float
    depth: float
    bottom: float
    top: float
    looks: tuple[str, ...]
    anchor: str = ""

    @property
    def blocks(self) -> bool:
        """Whether it stands in a walker's way."""
        return self.way in {"wall", "centre", "beside", "front"} and self.top > 0.2


ITEMS: dict[str, Item] = {
    # seats and beds
    "couch": Item("wall", 2.0, 0.9, 0.0, 0.8, CLOTHS),
    "sectional couch": Item("wall", 2.6, 1.2, 0.0, 0.8, CLOTHS),
    "armchair": Item("wall", 0.8, 0.8, 0.0, 0.9, CLOTHS),
    "bench": Item("wall", 1.2, 0.4, 0.0, 0.5, WOODS),
    "bed": Item("wall", 1.6, 2.0, 0.0, 0.7, (*CLOTHS[:7], "striped", "flowered")),
    "bunk bed": Item("wall", 1.0, 2.0, 0.0, 1.8, WOODS),
    "crib": Item("wall", 1.2, 0.7, 0.0, 1.0, WOODS),
    "ottoman": Item("front", 0.6, 0.6, 0.0, 0.45, CLOTHS, "armchair"),
    "office chair": Item("front", 0.6, 0.6, 0.0, 1.0, ("black", "grey", "white", "red"), "desk"),
    "piano bench": Item("front", 0.8, 0.4, 0.0, 0.5, ("black", "brown"), "piano"),
    "dining chair": Item("around", 0.45, 0.45, 0.0, 0.95, WOODS, "dining table"),
    "bar stool": Item("around", 0.4, 0.4, 0.0, 0.8, METALS, "kitchen island"),
    "stool": Item("front", 0.4, 0.4, 0.0, 0.6, WOODS, "easel"),
    "recliner": Item("wall", 0.9, 0.9, 0.0, 1.0, CLOTHS),
    "theater seats": Item("wall", 2.4, 0.9, 0.0, 1.0, ("black leather", "red", "brown leather")),
    "patio chair": Item("wall", 0.7, 0.7, 0.0, 0.9, ("wicker", "white", "green", "metal")),
    "hammock": Item("wall", 2.2, 0.9, 0.3, 1.0, ("white", "striped")),
    # tables
    "coffee table": Item("front", 1.0, 0.5, 0.0, 0.45, (*WOODS, "glass"), "couch"),
    "dining table": Item("centre", 1.8, 1.0, 0.0, 0.75, (*WOODS, "glass", "round")),
    "kitchen island": Item("centre", 1.6, 0.8, 0.0, 0.9, ("white", "granite", "marble", "wooden")),
    "pool table": Item("centre", 2.2, 1.2, 0.0, 0.85, ("green", "red", "blue")),
    "ping pong table": Item("centre", 2.4, 1.4, 0.0, 0.8, ("green", "blue")),
    "patio table": Item("centre", 1.0, 1.0, 0.0, 0.75, ("round", "glass", "wooden")),
    "nightstand": Item("beside", 0.45, 0.4, 0.0, 0.55, WOODS, "bed"),
    "side table": Item("beside", 0.5, 0.5, 0.0, 0.55, WOODS, "couch"),
    "console table": Item("wall", 1.2, 0.35, 0.0, 0.8, WOODS),
    "desk": Item("wall", 1.4, 0.7, 0.0, 0.75, WOODS),
    "vanity": Item("wall", 1.1, 0.5, 0.0, 0.85, WOODS),
    "changing table": Item("wall", 0.9, 0.5, 0.0, 0.9, WOODS),
    # storage
    "bookshelf": Item("wall", 1.2, 0.35, 0.0, 2.0, WOODS),
    "dresser": Item("wall", 1.3, 0.5, 0.0, 0.9, WOODS),
    "wardrobe": Item("wall", 1.4, 0.6, 0.0, 2.1, WOODS),
    "cabinet": Item("wall", 1.0, 0.45, 0.0, 1.2, WOODS),
    "china cabinet": Item("wall", 1.2, 0.45, 0.0, 2.0, WOODS),
    "shelves": Item("wall", 1.2, 0.4, 0.0, 2.0, ("white", "wooden", "metal")),
    "shoe rack": Item("wall", 0.8, 0.35, 0.0, 0.6, WOODS),
    "coat rack": Item("wall", 0.5, 0.4, 0.0, 1.8, ("wooden", "black", "metal")),
    "toy box": Item("wall", 0.8, 0.5, 0.0, 0.5, ("red", "blue", "wooden", "yellow")),
    "wine rack": Item("wall", 0.9, 0.4, 0.0, 1.6, ("wooden", "black")),
    "boxes": Item("wall", 0.7, 0.6, 0.0, 0.7, ("cardboard", "plastic")),
    "laundry basket": Item("wall", 0.5, 0.4, 0.0, 0.6, ("wicker", "white", "blue")),
    # kitchen, bath and laundry
    "kitchen counter": Item("wall", 1.9, 0.6, 0.0, 0.9, ("granite", "white", "marble", "black", "wooden")),
    "refrigerator": Item("wall", 0.8, 0.7, 0.0, 1.8, WHITES),
    "oven": Item("wall", 0.7, 0.65, 0.0, 0.9, WHITES),
    "dishwasher": Item("wall", 0.6, 0.6, 0.0, 0.85, WHITES),
    "microwave": Item("on", 0.5, 0.35, 0.9, 1.2, WHITES, "kitchen counter"),
    "kitchen sink": Item("wall", 0.8, 0.55, 0.0, 0.95, WHITES),
    "toilet": Item("wall", 0.45, 0.65, 0.0, 0.8, ("white", "white", "black")),
    "sink": Item("wall", 0.7, 0.5, 0.0, 0.9, ("white", "marble", "glass", "black")),
    "bathtub": Item("wall", 1.6, 0.75, 0.0, 0.6, ("white", "white", "freestanding", "black")),
    "shower": Item("wall", 0.95, 0.9, 0.0, 2.1, ("glass", "tiled", "white")),
    "washing machine": Item("wall", 0.65, 0.65, 0.0, 0.9, ("white", "silver", "black")),
    "dryer": Item("wall", 0.65, 0.65, 0.0, 0.9, ("white", "silver", "black")),
    "ironing board": Item("wall", 1.2, 0.4, 0.7, 0.95, ("striped", "blue", "white")),
    "bar counter": Item("centre", 1.8, 0.6, 0.0, 1.1, ("wooden", "black", "marble")),
    # things that stand about
    "fireplace": Item("wall", 1.5, 0.4, 0.0, 1.3, ("stone", "brick", "white", "marble", "black")),
    "piano": Item("wall", 1.5, 0.65, 0.0, 1.2, ("black", "white", "brown")),
    "drum set": Item("wall", 1.4, 1.1, 0.0, 1.1, ("red", "black", "silver")),
    "guitar": Item("wall", 0.4, 0.3, 0.0, 1.1, ("brown", "red", "black")),
    "treadmill": Item("wall", 0.8, 1.6, 0.0, 1.4, ("black", "grey")),
    "exercise bike": Item("wall", 0.6, 1.1, 0.0, 1.2, ("black", "red", "white")),
    "weights": Item("wall", 1.2, 0.5, 0.0, 0.8, ("black", "silver")),
    "easel": Item("wall", 0.7, 0.6, 0.0, 1.6, ("wooden", "white")),
    "globe": Item("wall", 0.5, 0.5, 0.0, 1.0, ("old", "blue", "brown")),
    "rocking horse": Item("wall", 0.8, 0.4, 0.0, 0.8, ("wooden", "white")),
    "grandfather clock": Item("wall", 0.55, 0.35, 0.0, 2.0, ("wooden", "dark wood", "white")),
    "statue": Item("wall", 0.5, 0.5, 0.0, 1.6, ("white", "bronze", "stone", "black")),
    "potted plant": Item("wall", 0.5, 0.5, 0.0, 1.3, ("large", "green", "tall", "leafy")),
    "floor lamp": Item("wall", 0.4, 0.4, 0.0, 1.7, METALS),
    "trash can": Item("wall", 0.4, 0.4, 0.0, 0.6, ("silver", "black", "white")),
    "bicycle": Item("wall", 1.6, 0.5, 0.0, 1.0, ("red", "blue", "black", "green")),
    "car": Item("centre", 1.8, 3.6, 0.0, 1.5, ("red", "white", "black", "blue")),
    "tool bench": Item("wall", 1.6, 0.6, 0.0, 0.9, ("wooden", "metal")),
    "grill": Item("wall", 1.0, 0.6, 0.0, 1.1, ("black", "silver")),
    "arcade machine": Item("wall", 0.8, 0.8, 0.0, 1.8, ("red", "black", "blue")),
    "dartboard": Item("hung", 0.5, 0.05, 1.4, 1.9, ("round", "black")),
    # on top of others
    "lamp": Item("on", 0.3, 0.3, 0.55, 1.1, METALS, "nightstand"),
    "vase": Item("on", 0.25, 0.25, 0.8, 1.15, ("blue", "white", "red", "glass", "yellow"), "console table"),
    "flowers": Item("on", 0.3, 0.3, 0.75, 1.1, ("red", "white", "pink", "yellow"), "dining table"),
    "computer": Item("on", 0.5, 0.3, 0.75, 1.15, ("black", "silver", "white"), "desk"),
    "fruit bowl": Item("on", 0.35, 0.35, 0.9, 1.05, ("wooden", "white", "glass"), "kitchen island"),
    "towels": Item("hung", 0.6, 0.1, 0.9, 1.5, ("white", "blue", "grey", "green")),
    # on walls and ceilings, and underfoot
    "painting": Item("hung", 1.0, 0.05, 1.2, 1.9, ("large", "abstract", "colorful", "framed")),
    "family photos": Item("hung", 1.2, 0.05, 1.2, 1.8, ("framed", "black and white")),
    "mirror": Item("hung", 0.8, 0.05, 1.1, 1.9, ("large", "round", "gold", "framed")),
    "clock": Item("hung", 0.4, 0.05, 1.7, 2.1, ("round", "wooden", "black")),
    "deer head": Item("hung", 0.5, 0.3, 1.6, 2.2, ("mounted",)),
    "tapestry": Item("hung", 1.4, 0.05, 0.8, 2.1, ("red", "colorful", "blue")),
    "television": Item("hung", 1.2, 0.08, 1.0, 1.7, ("flat screen", "large", "black")),
    "projector screen": Item("hung", 2.0, 0.08, 0.9, 2.2, ("large", "white")),
    "window": Item("window", 1.3, 0.1, 0.9, 2.1, ("large", "white", "small", "arched")),
    "curtains": Item("window", 1.5, 0.1, 0.3, 2.3, ("white", "red", "blue", "grey", "beige")),
    "chandelier": Item("ceiling", 0.8, 0.8, 2.1, 2.7, ("crystal", "brass", "black")),
    "ceiling fan": Item("ceiling", 1.0, 1.0, 2.4, 2.7, ("white", "wooden", "black")),
    "ceiling light": Item("ceiling", 0.4, 0.4, 2.55, 2.7, ("round", "white", "glass")),
    "rug": Item("rug", 2.0, 1.4, 0.0, 0.02, ("red", "blue", "persian", "white", "striped", "round", "grey")),
    "bath mat": Item("rug", 0.8, 0.5, 0.0, 0.02, ("white", "blue", "grey")),
}

#: What a room must hold to be one of its kind, the largest first: none is without.
ESSENTIALS: dict[str, tuple[str, ...]] = {
    "living room": ("couch",),
    "family room": ("sectional couch",),
    "lounge": ("couch",),
    "kitchen": ("kitchen counter", "refrigerator", "oven"),
    "dining room": ("dining table",),
    "bedroom": ("bed",),
    "master bedroom": ("bed",),
    "nursery": ("crib",),
    "playroom": ("toy box",),
    "bathroom": ("toilet", "sink"),
    "master bathroom": ("bathtub", "toilet", "sink"),
    "dressing room": ("wardrobe",),
    "laundry room": ("washing machine",),
    "office": ("desk",),
    "library": ("bookshelf",),
    "music room": ("piano",),
    "gym": ("treadmill",),
    "bar": ("bar counter",),
    "home theater": ("theater seats",),
    "art studio": ("easel",),
}

#: What each room may hold, with the chance of each; a number above one asks for that many.
ROOMS: dict[str, tuple[tuple[str, float], ...]] = {
    "living room": (
        ("fireplace", 0.6), ("couch", 1.0), ("coffee table", 0.85), ("armchair", 2.0), ("side table", 0.6),
        ("television", 0.6), ("bookshelf", 0.35), ("piano", 0.2), ("floor lamp", 0.5), ("potted plant", 0.6),
        ("rug", 0.7), ("painting", 0.8), ("window", 2.0), ("ceiling fan", 0.4),
    ),
    "family room": (
        ("sectional couch", 0.9), ("television", 0.8), ("recliner", 0.7), ("bookshelf", 0.4), ("rug", 0.6),
        ("potted plant", 0.4), ("family photos", 0.6), ("window", 1.0), ("ceiling fan", 0.5),
        ("floor lamp", 0.4),
    ),
    "lounge": (
        ("couch", 1.0), ("coffee table", 0.7), ("bookshelf", 0.6), ("floor lamp", 0.5), ("television", 0.5),
        ("rug", 0.6), ("potted plant", 0.5), ("tapestry", 0.4), ("window", 1.0), ("ceiling light", 0.6),
    ),
    "kitchen": (
        ("kitchen counter", 2.0), ("refrigerator", 1.0), ("oven", 1.0), ("kitchen sink", 0.9),
        ("kitchen island", 0.6), ("bar stool", 3.0), ("microwave", 0.6), ("dishwasher", 0.4),
        ("fruit bowl", 0.4), ("trash can", 0.4), ("window", 1.0), ("clock", 0.3), ("ceiling light", 0.7),
    ),
    "dining room": (
        ("dining table", 1.0), ("dining chair", 6.0), ("china cabinet", 0.6), ("flowers", 0.5),
        ("chandelier", 0.8), ("rug", 0.5), ("painting", 0.7), ("mirror", 0.3), ("window", 1.0),
        ("potted plant", 0.3),
    ),
    "bedroom": (
        ("bed", 1.0), ("nightstand", 1.6), ("lamp", 0.7), ("dresser", 0.7), ("wardrobe", 0.4), ("desk", 0.3),
        ("armchair", 0.3), ("rug", 0.4), ("painting", 0.6), ("mirror", 0.3), ("curtains", 0.6),
        ("window", 1.0), ("ceiling fan", 0.4), ("television", 0.3),
    ),
    "master bedroom": (
        ("bed", 1.0), ("nightstand", 2.0), ("lamp", 0.8), ("bench", 0.5), ("dresser", 0.8), ("armchair", 0.6),
        ("fireplace", 0.3), ("rug", 0.7), ("painting", 0.7), ("television", 0.5), ("curtains", 1.0),
        ("window", 1.0), ("chandelier", 0.4), ("potted plant", 0.3),
    ),
    "nursery": (
        ("crib", 1.0), ("changing table", 0.8), ("rocking horse", 0.5), ("armchair", 0.5), ("toy box", 0.6),
        ("rug", 0.6), ("curtains", 0.7), ("ceiling light", 0.6),
    ),
    "playroom": (
        ("toy box", 1.6), ("bunk bed", 0.5), ("rocking horse", 0.5), ("shelves", 0.7), ("rug", 0.8),
        ("desk", 0.4), ("window", 1.0), ("ceiling light", 0.5),
    ),
    "bathroom": (
        ("toilet", 1.0), ("sink", 1.0), ("shower", 0.6), ("bathtub", 0.5), ("mirror", 0.8), ("towels", 0.7),
        ("bath mat", 0.5), ("window", 0.4), ("ceiling light", 0.5),
    ),
    "master bathroom": (
        ("bathtub", 1.0), ("shower", 0.9), ("sink", 1.8), ("toilet", 1.0), ("mirror", 1.0), ("vanity", 0.5),
        ("towels", 1.0), ("bath mat", 0.6), ("potted plant", 0.3), ("window", 0.8), ("ceiling light", 0.5),
    ),
    "dressing room": (
        ("wardrobe", 1.8), ("vanity", 0.7), ("mirror", 0.9), ("shelves", 0.8), ("bench", 0.4), ("rug", 0.4),
        ("ceiling light", 0.6),
    ),
    "closet": (("shelves", 0.8), ("shoe rack", 0.5), ("boxes", 0.5), ("ceiling light", 0.3)),
    "pantry": (("shelves", 1.8), ("wine rack", 0.3), ("boxes", 0.4), ("ceiling light", 0.3)),
    "laundry room": (
        ("washing machine", 1.0), ("dryer", 0.9), ("laundry basket", 0.6), ("ironing board", 0.4),
        ("shelves", 0.4), ("window", 0.3), ("ceiling light", 0.4),
    ),
    "foyer": (
        ("console table", 0.8), ("vase", 0.6), ("coat rack", 0.7), ("mirror", 0.5), ("shoe rack", 0.3),
        ("rug", 0.5), ("chandelier", 0.5), ("statue", 0.2),
    ),
    "hallway": (
        ("console table", 1.2), ("vase", 0.5), ("painting", 2.4), ("family photos", 0.6), ("mirror", 0.5),
        ("bench", 0.5), ("potted plant", 0.8), ("grandfather clock", 0.35), ("statue", 0.4), ("cabinet", 0.4),
        ("tapestry", 0.3), ("rug", 0.5), ("window", 1.0), ("ceiling light", 1.0),
    ),
    "office": (
        ("desk", 1.0), ("office chair", 0.9), ("computer", 0.8), ("bookshelf", 0.9), ("globe", 0.3),
        ("cabinet", 0.5), ("painting", 0.5), ("floor lamp", 0.4), ("window", 1.0), ("rug", 0.3),
    ),
    "library": (
        ("bookshelf", 3.0), ("armchair", 1.5), ("globe", 0.5), ("floor lamp", 0.6), ("rug", 0.6),
        ("desk", 0.4), ("deer head", 0.3), ("window", 1.0), ("chandelier", 0.4),
    ),
    "music room": (
        ("piano", 1.0), ("piano bench", 0.8), ("drum set", 0.5), ("guitar", 0.8), ("armchair", 0.6),
        ("rug", 0.5), ("painting", 0.5), ("window", 1.0),
    ),
    "game room": (
        ("pool table", 0.7), ("ping pong table", 0.4), ("arcade machine", 0.7), ("dartboard", 0.7),
        ("couch", 0.5), ("deer head", 0.4), ("window", 1.0), ("ceiling light", 0.7),
    ),
    "gym": (
        ("treadmill", 1.0), ("exercise bike", 0.8), ("weights", 0.9), ("mirror", 0.8), ("television", 0.3),
        ("window", 1.0), ("ceiling fan", 0.4),
    ),
    "sunroom": (
        ("window", 4.0), ("potted plant", 2.4), ("armchair", 1.4), ("bench", 0.5), ("rug", 0.5),
        ("ceiling fan", 0.5),
    ),
    "bar": (
        ("bar counter", 1.0), ("wine rack", 0.9), ("refrigerator", 0.4), ("armchair", 0.8), ("painting", 0.6),
        ("television", 0.5), ("window", 0.5), ("ceiling light", 0.6),
    ),
    "garage": (("car", 0.9), ("tool bench", 0.8), ("bicycle", 0.7), ("shelves", 0.7), ("boxes", 0.8)),
    "home theater": (
        ("projector screen", 1.0), ("theater seats", 2.0), ("recliner", 0.5), ("cabinet", 0.4), ("rug", 0.4),
    ),
    "art studio": (
        ("easel", 1.6), ("stool", 0.7), ("shelves", 0.7), ("painting", 2.0), ("desk", 0.5), ("window", 1.0),
        ("ceiling light", 0.5),
    ),
    "patio": (
        ("patio table", 0.7), ("patio chair", 2.4), ("grill", 0.6), ("potted plant", 1.6), ("hammock", 0.3),
    ),
    "porch": (("patio chair", 1.8), ("bench", 0.6), ("potted plant", 1.4), ("bicycle", 0.3)),
    "balcony": (("patio chair", 1.8), ("patio table", 0.5), ("potted plant", 1.5)),
    "stairs": (("painting", 0.8), ("window", 0.6), ("family photos", 0.3), ("chandelier", 0.3)),
}  # fmt: skip
