"""What things and rooms are called, by those who write captions and by those who give directions."""

from fastnav.data.houses.dice import Dice

PLURALS = frozenset(
    {"curtains", "boxes", "towels", "flowers", "weights", "family photos", "theater seats", "shelves"}
)

#: What a captioning model says for a thing, more often the first.
CAPTIONED: dict[str, tuple[str, ...]] = {
    "sectional couch": ("large couch", "couch"),
    "television": ("tv", "television"),
    "bookshelf": ("bookshelf", "book shelf", "bookcase"),
    "kitchen counter": ("counter", "kitchen counter"),
    "oven": ("stove", "oven"),
    "refrigerator": ("refrigerator", "fridge"),
    "kitchen sink": ("sink", "kitchen sink"),
    "potted plant": ("plant", "potted plant"),
    "family photos": ("framed pictures", "pictures"),
    "painting": ("painting", "picture"),
    "nightstand": ("nightstand", "bedside table"),
    "dining chair": ("chair", "dining chair"),
    "patio chair": ("chair", "patio chair"),
    "armchair": ("armchair", "chair"),
    "towels": ("towels", "towel rack"),
    "curtains": ("curtains", "window with curtains"),
    "treadmill": ("treadmill", "exercise machine"),
    "exercise bike": ("exercise bike", "bicycle"),
    "ceiling light": ("light fixture", "ceiling light", "light"),
    "grandfather clock": ("grandfather clock", "clock"),
    "easel": ("easel", "painting on an easel"),
    "computer": ("computer", "laptop"),
    "rug": ("rug", "rug", "carpet"),
    "laundry basket": ("basket", "laundry basket"),
}

#: What a person says for it; further words than the captions know.
SPOKEN: dict[str, tuple[str, ...]] = {
    "couch": ("couch", "sofa"),
    "sectional couch": ("sectional", "big couch", "sofa"),
    "armchair": ("armchair", "chair", "easy chair"),
    "television": ("TV", "television"),
    "bookshelf": ("bookshelf", "bookcase", "book shelves"),
    "kitchen counter": ("counter", "kitchen counter"),
    "kitchen island": ("island", "kitchen island"),
    "oven": ("oven", "stove", "range"),
    "refrigerator": ("fridge", "refrigerator"),
    "kitchen sink": ("sink", "kitchen sink"),
    "bathtub": ("tub", "bathtub", "bath"),
    "potted plant": ("plant", "potted plant"),
    "family photos": ("family photos", "framed photos", "pictures"),
    "painting": ("painting", "picture", "artwork"),
    "nightstand": ("nightstand", "bedside table", "night table"),
    "dresser": ("dresser", "chest of drawers"),
    "wardrobe": ("wardrobe", "armoire"),
    "console table": ("console table", "narrow table", "hall table"),
    "dining chair": ("chair", "dining chair"),
    "patio chair": ("chair", "patio chair"),
    "patio table": ("table", "patio table"),
    "dining table": ("dining table", "dinner table", "table"),
    "washing machine": ("washing machine", "washer"),
    "treadmill": ("treadmill", "running machine"),
    "exercise bike": ("exercise bike", "stationary bike"),
    "rug": ("rug", "carpet", "area rug"),
    "trash can": ("trash can", "garbage can", "bin"),
    "ceiling light": ("ceiling light", "light"),
    "grandfather clock": ("grandfather clock", "tall clock"),
    "computer": ("computer", "laptop"),
    "pool table": ("pool table", "billiard table"),
    "statue": ("statue", "sculpture"),
    "coffee table": ("coffee table", "low table"),
    "piano": ("piano", "upright piano"),
    "weights": ("weights", "dumbbells"),
    "car": ("car", "vehicle"),
    "tapestry": ("tapestry", "wall hanging"),
    "bar stool": ("bar stool", "stool"),
    "bicycle": ("bicycle", "bike"),
}

ROOM_CAPTIONED: dict[str, tuple[str, ...]] = {
    "hallway": ("hallway", "hallway", "corridor"),
    "foyer": ("foyer", "entryway"),
    "master bedroom": ("bedroom", "large bedroom"),
    "master bathroom": ("bathroom", "large bathroom"),
    "dressing room": ("closet", "dressing room"),
    "lounge": ("living room", "lounge"),
    "family room": ("living room", "family room"),
    "gym": ("gym", "home gym"),
    "office": ("office", "room with a desk"),
    "nursery": ("nursery", "baby room"),
    "stairs": ("staircase", "stairway"),
    "home theater": ("movie theater", "home theater"),
    "art studio": ("studio", "art studio"),
}

ROOM_SPOKEN: dict[str, tuple[str, ...]] = {
    "hallway": ("hallway", "hall", "corridor"),
    "foyer": ("foyer", "entryway", "entry"),
    "bathroom": ("bathroom", "bathroom", "restroom"),
    "master bedroom": ("master bedroom", "large bedroom", "bedroom"),
    "master bathroom": ("master bathroom", "bathroom", "large bathroom"),
    "dressing room": ("dressing room", "walk-in closet"),
    "lounge": ("lounge", "sitting room"),
    "family room": ("family room", "TV room"),
    "gym": ("gym", "workout room", "exercise room"),
    "office": ("office", "study"),
    "nursery": ("nursery", "baby's room"),
    "laundry room": ("laundry room", "laundry"),
    "home theater": ("home theater", "movie room"),
    "kitchen": ("kitchen", "kitchen area"),
    "bedroom": ("bedroom", "bedroom", "guest room", "sleeping room"),
    "closet": ("closet", "storage closet", "small closet"),
    "library": ("library", "reading room", "room full of books"),
    "pantry": ("pantry", "larder", "food storage"),
    "game room": ("game room", "rec room", "games room"),
    "sunroom": ("sunroom", "conservatory", "room with all the windows"),
    "patio": ("patio", "terrace", "outdoor area"),
    "porch": ("porch", "veranda"),
    "balcony": ("balcony", "outside deck"),
    "music room": ("music room", "room with instruments"),
    "art studio": ("art studio", "artist's workshop"),
    "stairs": ("stairs",),
    "playroom": ("playroom", "kids' room"),
    "living room": ("living room", "living area"),
    "dining room": ("dining room", "dining area"),
    "bar": ("bar", "bar area"),
}


#: What a person says for a colour or a make.
LOOKS_SPOKEN: dict[str, tuple[str, ...]] = {
    "grey": ("grey", "gray", "charcoal"),
    "beige": ("beige", "tan", "cream-colored"),
    "white": ("white", "white", "off-white"),
    "wooden": ("wooden", "wood", "timber"),
    "dark wood": ("dark wood", "mahogany"),
    "brown leather": ("brown leather", "leather"),
    "black leather": ("black leather", "leather"),
    "stainless steel": ("stainless steel", "steel", "metal"),
    "large": ("large", "big", "huge"),
    "small": ("small", "little", "tiny"),
    "tall": ("tall", "high"),
    "flowered": ("flowered", "floral", "patterned"),
    "striped": ("striped", "stripy"),
    "silver": ("silver", "metallic"),
    "framed": ("framed", "hanging"),
    "colorful": ("colorful", "bright"),
    "round": ("round", "circular"),
    "crystal": ("crystal", "fancy"),
    "persian": ("persian", "oriental", "ornate"),
    "blue": ("blue", "blue", "navy", "turquoise"),
    "red": ("red", "red", "maroon", "crimson"),
    "freestanding": ("freestanding", "deep"),
}


def spoken_look(dice: Dice, look: str) -> str:
    """How a thing looks, in an instruction."""
    return _choose(dice, LOOKS_SPOKEN.get(look, (look,)))


def captioned(dice: Dice, name: str) -> str:
    """A thing's name in a caption."""
    return _choose(dice, CAPTIONED.get(name, (name,)))


def spoken(dice: Dice, name: str) -> str:
    """A thing's name in an instruction."""
    return _choose(dice, SPOKEN.get(name, (name,)))


def captioned_room(dice: Dice, kind: str) -> str:
    """A room's name in a caption."""
    return _choose(dice, ROOM_CAPTIONED.get(kind, (kind,)))


def spoken_room(dice: Dice, kind: str) -> str:
    """A room's name in an instruction."""
    return _choose(dice, ROOM_SPOKEN.get(kind, (kind,)))


def with_article(phrase: str, name: str = "") -> str:
    """The phrase after a, an or (for things in the plural) nothing."""
    if name in PLURALS or phrase.split()[-1] in {"curtains", "shelves", "pictures", "photos"}:
        return phrase
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def _choose(dice: Dice, names: tuple[str, ...]) -> str:
    """The first name as often as all others together."""
    return names[0] if len(names) == 1 or dice.chance(0.5) else dice.pick(names[1:])
