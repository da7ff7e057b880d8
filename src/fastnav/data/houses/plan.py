"""What a house is made of. Metres throughout; x to the east, y to the north, z up."""

import math
from dataclasses import dataclass

Point = tuple[float, float]

#: From one floor to the next.
STOREY = 3.0
#: A camera on its tripod.
EYE = 1.5
#: Drawn and thought of as this thick; for sight a wall is its middle line.
WALL_THICKNESS = 0.14


@dataclass(frozen=True)
class Rect:
    """An upright rectangle on the ground."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.x1 - self.x0

    @property
    def depth(self) -> float:
        """Extent along y."""
        return self.y1 - self.y0

    @property
    def centre(self) -> Point:
        """The middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, point: Point, margin: float = 0.0) -> bool:
        """Whether a point lies inside, at least `margin` from the border (outside by it if negative)."""
        return (
            self.x0 + margin < point[0] < self.x1 - margin and self.y0 + margin < point[1] < self.y1 - margin
        )

    def meets(self, other: "Rect", margin: float = 0.0) -> bool:
        """Whether two rectangles come closer than `margin`."""
        return (
            self.x0 - margin < other.x1
            and other.x0 - margin < self.x1
            and self.y0 - margin < other.y1
            and other.y0 - margin < self.y1
        )

    def within(self, other: "Rect") -> bool:
        """Whether this one lies wholly in the other."""
        return (
            self.x0 >= other.x0 - 1e-6
            and self.y0 >= other.y0 - 1e-6
            and self.x1 <= other.x1 + 1e-6
            and self.y1 <= other.y1 + 1e-6
        )


@dataclass(frozen=True)
class Room:
    """One room, rectangular; `stairs` is the shaft in which the stairs run, once on each floor."""

    index: int
    kind: str
    floor: int
    rect: Rect
    paint: str
    flooring: str

    @property
    def outdoors(self) -> bool:
        """Whether the sky is above it."""
        return self.kind in OUTDOORS


@dataclass(frozen=True)
class Door:
    """A way through a wall between two rooms, from `start` to `end` along the wall; always open."""

    rooms: tuple[int, int]
    floor: int
    start: Point
    end: Point
    kind: str  # door, double doors, glass door, archway, stairs up or stairs down
    colour: str

    @property
    def centre(self) -> Point:
        """The middle of the gap."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2

    @property
    def to_stairs(self) -> bool:
        """Whether it opens on a flight of stairs."""
        return self.kind.startswith("stairs")

    @property
    def width(self) -> float:
        """The width of the gap."""
        return math.dist(self.start, self.end)

    def other(self, room: int) -> int:
        """The room on the far side."""
        return self.rooms[1] if room == self.rooms[0] else self.rooms[0]


@dataclass(frozen=True)
class Flight:
    """Stairs from `floor` up to the next: `foot` and `head` are half way up each run, `landing` between."""

    floor: int
    foot: Point
    landing: Point
    head: Point
    divider: tuple[Point, Point]


@dataclass(frozen=True)
class Thing:
    """A piece of furniture or a fitting; `bottom` and `top` are heights above the floor of its room."""

    index: int
    name: str
    room: int
    floor: int
    rect: Rect
    bottom: float
    top: float
    look: str  # its colour or material, in a word or two
    blocks: bool  # nobody walks through it

    @property
    def centre(self) -> Point:
        """The middle, on the ground."""
        return self.rect.centre


@dataclass(frozen=True)
class House:
    """Rooms, doors, stairs and things; `Room.index` and `Thing.index` count through the house."""

    scan: str
    floors: int
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    flights: tuple[Flight, ...]
    things: tuple[Thing, ...] = ()

    def rooms_on(self, floor: int) -> tuple[Room, ...]:
        """The rooms of one floor."""
        return tuple(room for room in self.rooms if room.floor == floor)


OUTDOORS = frozenset({"patio", "balcony", "porch"})
