"""Directions in English for a walk, told in one of several manners.

The facts come from `happenings`; a manner says which of them a speaker tells. Some tell much less than is
needed, and a few slip: left for right, or one thing for another.
"""

import math
from dataclasses import dataclass

from fastnav.data.houses.dice import Dice
from fastnav.data.houses.happenings import Goal, Step
from fastnav.data.houses.phrases import BESIDE, FILLERS, OPENERS, OUT_OF, PAST, STOP, TOWARD
from fastnav.data.houses.plan import Door, Room, Thing
from fastnav.data.houses.words import spoken, spoken_look, spoken_room

SLIGHT, SHARP, ROUND = math.radians(35), math.radians(60), math.radians(140)
#: Of the instructions, so many turn one left into a right or the reverse, and so many name a wrong thing.
WRONG_TURN = 0.03
WRONG_THING = 0.02
#: A stretch without a landmark is left out this often: one goes on until the next thing that is told.
UNTOLD = 0.6
#: A second landmark at the goal.
SECOND = 0.25


@dataclass(frozen=True)
class Manner:
    """How somebody gives directions: the chance of telling each sort of fact."""

    name: str
    turns: float
    rooms: float
    landmarks: float
    looks: float
    counts: float
    terse: bool = False
    chatty: bool = False
    brief: bool = False


MANNERS = (
    Manner("plain", turns=0.4, rooms=0.95, landmarks=0.8, looks=0.3, counts=0.25),
    Manner("landmarks", turns=0.1, rooms=0.9, landmarks=1.0, looks=0.5, counts=0.1),
    Manner("turns", turns=0.9, rooms=0.75, landmarks=0.45, looks=0.15, counts=0.5),
    Manner("chatty", turns=0.35, rooms=0.95, landmarks=0.9, looks=0.4, counts=0.2, chatty=True),
    Manner("terse", turns=0.4, rooms=0.95, landmarks=0.75, looks=0.15, counts=0.2, terse=True),
    Manner("brief", turns=0.1, rooms=1.0, landmarks=0.6, looks=0.5, counts=0.0, brief=True),
)
SHARES = (0.26, 0.25, 0.11, 0.11, 0.16, 0.11)


def instruct(dice: Dice, steps: list[Step], goal: Goal, wanted: int, house: tuple[Thing, ...]) -> list[str]:
    """So many instructions for one walk, each in a manner of its own."""
    said: list[str] = []
    used: list[Manner] = []
    while len(said) < wanted:
        manner = dice.weighted(MANNERS, SHARES)
        if manner in used:
            continue
        used.append(manner)
        said.append(_Speaker(dice, manner, house).tell(steps, goal))
    return said


class _Speaker:
    """One person giving directions once."""

    def __init__(self, dice: Dice, manner: Manner, house: tuple[Thing, ...]) -> None:
        self.dice = dice
        self.manner = manner
        self.house = house
        self.wrong_turn = dice.chance(WRONG_TURN)
        self.wrong_thing = dice.chance(WRONG_THING)
        self.told: set[int] = set()  # things named so far: nobody passes the same couch twice

    def tell(self, steps: list[Step], goal: Goal) -> str:
        """The whole instruction."""
        if self.manner.brief:
            clauses = self._in_brief(steps)
        else:
            clauses = []
            for group in _grouped(steps):
                clauses += self._group(group, first=group[0] is steps[0])
        clauses = [clause for clause in clauses if clause]
        end = self._end(goal)
        return self._joined(clauses, end)

    def _group(self, group: list[Step], *, first: bool) -> list[str]:
        step = group[0]
        if step.climb:
            return self._stairs(step)
        if step.door is not None:
            return self._door(step, step.door, first=first)
        return self._walk(group, first=first)

    def _in_brief(self, steps: list[Step]) -> list[str]:
        """Where to, hardly how: the rooms on the way, and the stairs."""
        clauses: list[str] = []
        for group in _grouped(steps):
            if group[0].climb:
                clauses += self._stairs(group[0])
            elif group[0].door is not None and group[-1].next_room.kind != "hallway":
                clauses.append(
                    f"{self.dice.pick(('go to', 'head to', 'find'))} {self._room(group[-1].next_room)}"
                )
        return clauses[-2:]

    def _turn(self, angle: float) -> str:
        """A turn in words; empty if it is none or goes without saying."""
        size = abs(angle)
        if size > ROUND:
            return "turn around" if self.dice.chance(0.5 + self.manner.turns / 2) else ""
        if size < SLIGHT or not self.dice.chance(self.manner.turns):
            return ""
        side = self._side("left" if angle < 0 else "right")
        if size < SHARP:
            return self.dice.pick((f"turn slightly {side}", f"bear {side}", f"veer {side}"))
        return self.dice.pick(
            (f"turn {side}", f"turn {side}", f"take a {side}", f"make a {side}", f"go {side}")
        )

    def _side(self, side: str) -> str:
        """Left or right; a speaker who slips does so once."""
        if self.wrong_turn:
            self.wrong_turn = False
            return "right" if side == "left" else "left"
        return side

    def _thing(self, thing: Thing) -> str:
        if self.wrong_thing:
            self.wrong_thing = False
            thing = self.dice.pick(self.house)
        self.told.add(thing.index)
        name = spoken(self.dice, thing.name)
        look = f"{spoken_look(self.dice, thing.look)} " if self.dice.chance(self.manner.looks) else ""
        return f"the {look}{name}"

    def _room(self, room: Room) -> str:
        return f"the {spoken_room(self.dice, room.kind)}"

    def _walk(self, group: list[Step], *, first: bool) -> list[str]:
        """Steps through one room, straight on after a first turn."""
        turn = self._turn(group[0].turn)
        seen = [(step.passed, step.side) for step in group if step.passed is not None]
        seen = [(thing, side) for thing, side in seen if thing.index not in self.told]
        ahead = group[-1].ahead
        dice = self.dice
        room = self._room(group[0].room)
        if ahead is not None and ahead.index not in self.told and dice.chance(self.manner.landmarks * 0.75):
            verb = dice.pick(TOWARD)
            walk = f"{verb} {self._thing(ahead)}"
        elif seen and dice.chance(self.manner.landmarks):
            thing, side = seen[0]
            verb = dice.pick(PAST)
            where = f" on your {self._side(side)}" if dice.chance(0.45) else ""
            walk = f"{verb} {self._thing(thing)}{where}"
        elif not first and dice.chance(UNTOLD):
            walk = ""
        elif group[0].room.kind == "hallway":
            walk = dice.pick(
                (f"walk down {room}", f"go along {room}", f"continue down {room}", f"follow {room}")
            )
        elif first:
            walk = dice.pick((f"walk across {room}", "walk forward", f"go through {room}", "go straight"))
        else:
            walk = dice.pick(("walk straight", f"cross {room}", "keep going", f"go through {room}"))
        return [turn, walk]

    def _door(self, step: Step, door: Door, *, first: bool) -> list[str]:
        """Through a door: out of a room, by its count, or into the next."""
        dice, target = self.dice, self._room(step.next_room)
        leaving = step.next_room.kind == "hallway" or (first and dice.chance(0.5))
        counted = 0 < step.count < 5 and abs(step.turn) > SLIGHT and dice.chance(self.manner.counts)
        if counted:
            side = self._side("left" if step.turn < 0 else "right")
            nth = ("first", "second", "third", "fourth")[step.count - 1]
            into = f" into {target}" if dice.chance(self.manner.rooms) else ""
            return [
                f"{dice.pick(('take', 'go through', 'enter'))} the {nth} {_opening(door)} on the {side}{into}"
            ]
        turn = self._turn(step.turn)
        if leaving:
            return [turn, self._out(step, target)]
        if not dice.chance(self.manner.rooms):
            look = f"{door.colour} " if door.kind == "door" and dice.chance(self.manner.looks) else ""
            return [turn, f"{dice.pick(('go', 'walk'))} through the {look}{_opening(door)}"]
        through = f"go through the {_opening(door)} into {target}"
        return [turn, dice.pick((f"enter {target}", f"go into {target}", f"walk into {target}", through))]

    def _out(self, step: Step, target: str) -> str:
        """Out of one room, into what is mostly a hall."""
        dice, here = self.dice, self._room(step.room)
        if step.room.kind == "hallway":
            return dice.pick(("go through the archway", f"continue into the next part of {target}"))
        verb = dice.pick(OUT_OF)
        if dice.chance(0.35):
            return f"{verb} {here} into {target}"
        return f"{verb} {here}"

    def _stairs(self, step: Step) -> list[str]:
        way = "up" if step.climb > 0 else "down"
        options = (
            f"go {way} the stairs",
            f"walk {way} the stairs",
            f"take the stairs {way}",
            f"head {way} the steps",
        )
        more = f"go {way}stairs" if self.dice.chance(0.2) else self.dice.pick(options)
        return [self._turn(step.turn) if self.dice.chance(0.4) else "", more]

    def _end(self, goal: Goal) -> str:
        """The last clause: where to stop."""
        dice = self.dice
        verb = dice.pick(STOP)
        if goal.stairs and dice.chance(0.7):
            return f"{verb} at the {goal.stairs} of the stairs"
        if goal.doorway is not None and dice.chance(0.7):
            return self._end_in_doorway(verb, goal, goal.doorway)
        if goal.thing is None:
            return f"{verb} in {self._room(goal.room)}"
        where = f"{verb} {self._place(goal.thing)}"
        if goal.second is not None and dice.chance(SECOND + 0.2 * self.manner.chatty):
            return f"{where} {dice.pick(('near', 'close to', 'and'))} {self._thing(goal.second)}"
        if dice.chance(0.2):
            return f"{where} in {self._room(goal.room)}"
        return where

    def _end_in_doorway(self, verb: str, goal: Goal, other: Room) -> str:
        dice = self.dice
        if goal.room.kind == "hallway":
            return (
                f"{verb} {dice.pick(('in the doorway of', 'outside', 'at the door to'))} {self._room(other)}"
            )
        if other.kind == "hallway":
            return f"{verb} just inside {self._room(goal.room)}"
        return f"{verb} in the doorway between {self._room(goal.room)} and {self._room(other)}"

    def _place(self, thing: Thing) -> str:
        dice, name = self.dice, self._thing(thing)
        if thing.bottom > 2.0:
            return f"under {name}"
        if thing.top < 0.1:
            return dice.pick((f"on {name}", f"by {name}"))
        if thing.bottom > 0.5:
            return dice.pick((f"in front of {name}", f"near {name}", f"by {name}"))
        return f"{dice.pick(BESIDE)} {name}"

    def _joined(self, clauses: list[str], end: str) -> str:
        """Clauses as sentences, one or two to each."""
        dice = self.dice
        sentences: list[str] = []
        rest = list(clauses)
        if self.manner.chatty and rest:
            rest[0] = dice.pick(OPENERS).format(rest[0])
        while rest:
            take = 2 if len(rest) > 1 and dice.chance(0.65) else 1
            bond = dice.pick((" and ", " and ", ", then ", " then ")) if not self.manner.terse else ", "
            sentences.append(bond.join(rest[:take]))
            rest = rest[take:]
        if self.manner.chatty and len(sentences) > 1:
            sentences[1] = dice.pick(FILLERS).format(sentences[1])
        if sentences and dice.chance(0.35):
            sentences[-1] += f" and {end}"
        else:
            sentences.append(end)
        if self.manner.terse:
            sentences = [sentence.replace(" the ", " ") for sentence in sentences]
        return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences) + " "


def _opening(door: Door) -> str:
    """What a door is called by who walks through it."""
    return {
        "door": "door",
        "archway": "archway",
        "double doors": "double doors",
        "glass door": "glass door",
    }.get(door.kind, "opening")


def _grouped(steps: list[Step]) -> list[list[Step]]:
    """Steps told in one breath: up one staircase, or straight on through one room."""
    groups: list[list[Step]] = []
    for step in steps:
        last = groups[-1][-1] if groups else None
        same_stairs = last is not None and step.climb != 0 and last.climb == step.climb
        on_foot = last is not None and not (step.climb or last.climb or step.door or last.door)
        if same_stairs or (on_foot and abs(step.turn) < SLIGHT):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups
