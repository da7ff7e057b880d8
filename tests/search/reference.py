"""Slow, plain-Python searches to compare with: one episode, lists and dicts, nothing shared with the package.

A node is named by the slots taken since the start: () is the start, (2, 0) is slot 2 and then STOP.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from fastnav.world.graph import World
from fastnav.world.route import Measure, way_back

Slots = tuple[int, ...]


@dataclass(frozen=True)
class Item:
    """A partial path, with the place it leads to and where its last action was taken."""

    slots: Slots = ()
    places: tuple[int, ...] = ()  # STOP repeats the last one
    logit: float = 0.0
    logp: float = 0.0
    progress: float = math.nan  # where the last action was chosen
    view: int = 0


@dataclass
class Found:
    """What a search did."""

    expanded: list[Slots] = field(default_factory=list)
    popped: list[Item] = field(default_factory=list)
    candidates: list[Item] = field(default_factory=list)
    goal: Item = field(default_factory=Item)
    compat_goal: Item = field(default_factory=Item)  # what the released code would choose


@dataclass(frozen=True)
class Task:
    """One episode: a world, an agent that forgets, and a start."""

    world: World
    logits: torch.Tensor
    progress: torch.Tensor
    start: int
    view: int = 12

    def root(self) -> Item:
        return Item(places=(self.start,), view=self.view)

    def children(self, item: Item) -> list[Item]:
        """All legal actions, best first; of equal ones the lower slot first."""
        here = item.places[-1]
        legal = torch.tensor(self.world.mask[here])
        logit = self.logits[here].double().masked_fill(~legal, -torch.inf)
        logp = logit[None].log_softmax(dim=1)[0].tolist()
        grown = [
            Item(
                slots=(*item.slots, slot),
                places=(*item.places, int(self.world.neighbour[here, slot])),
                logit=item.logit + logit.tolist()[slot],
                logp=item.logp + logp[slot],
                progress=float(self.progress[here]),
                view=int(self.world.view[here, slot]) if slot else item.view,
            )
            for slot in range(len(logit))
            if legal[slot]
        ]
        return sorted(grown, key=lambda child: -float(logit[child.slots[-1]]))  # stable


def score_of(item: Item, name: str) -> float:
    """The local score of that name, such as "mean-logp-over-progress"."""
    total, evidence, *how = name.split("-")
    score = item.logit if evidence == "logit" else item.logp
    if total == "mean":
        score = score / len(item.slots)
    done = min(max((item.progress + 1) / 2, 0.0), 1.0)
    if how and how[0] == "times":
        return score * done
    return score / max(done, 1e-6) if how else score


def first_best(items: list[Item], score: Callable[[Item], float]) -> Item:
    """The best item, the first of those that tie."""
    return max(items, key=score)  # max keeps the first


def fast(
    task: Task, *, score: str, exploit: bool, stops: bool, expansions: int = 40, by_rank: bool = False
) -> Found:
    """FAST by an ordered list of items with priorities.

    Items are created in the order of their slots or, as in the released code, of their local logits.
    """
    found = Found()
    frontier: list[tuple[float, Item]] = [(0.0, task.root())]  # in order of creation
    inherited: dict[Slots, float] = {}  # candidates' order in the released code: greedy stops are infinite
    while frontier:
        number = max(range(len(frontier)), key=lambda k: frontier[k][0])
        item = frontier[number][1]
        if not (item.slots and item.slots[-1] == 0) and len(found.expanded) == expansions:
            break
        del frontier[number]
        found.popped.append(item)
        if item.slots and item.slots[-1] == 0:
            break
        found.expanded.append(item.slots)
        ranked = task.children(item)
        for child in ranked if by_rank else sorted(ranked, key=lambda one: one.slots):
            stop = child.slots[-1] == 0
            if not stop and child.places[-1] in item.places:
                continue
            greedy = child is ranked[0]
            priority = math.inf if exploit and greedy else score_of(child, score)
            if stop:
                found.candidates.append(child)
                inherited[child.slots] = priority
            if not stop or stops:
                frontier.append((priority, child))
    if stops and found.popped[-1].slots and found.popped[-1].slots[-1] == 0:
        found.goal = found.popped[-1]
    else:
        found.goal = first_best(found.candidates, lambda one: score_of(one, score))
    found.compat_goal = first_best(found.candidates, lambda one: inherited[one.slots])
    return found


def walk(task: Task, found: Found, *, by: Measure = "metres", skip: str = "edge") -> list[int]:
    """Every viewpoint walked: to each popped item, then to the goal."""
    walked = [task.start]
    known: set[frozenset[int]] = set()

    def go(places: tuple[int, ...]) -> None:
        for place in places:
            if place != walked[-1]:
                known.add(frozenset((walked[-1], place)))
                walked.append(place)

    for item in found.popped[1:]:
        parent, target = item.places[-2], item.places[-1]
        step_known = parent == target or frozenset((parent, target)) in known
        if skip in ("last-step", "nothing"):
            go(way_back(task.world, walked, parent, by))
            go(() if step_known and skip == "last-step" else (target,))
        elif not step_known and not (skip == "viewpoint" and target in walked):
            go((*way_back(task.world, walked, parent, by), target))
    target = found.goal.places[-1]
    if target not in walked:
        go(way_back(task.world, walked, found.goal.places[-2], by))
        go((target,))
    go(way_back(task.world, walked, target, by))
    return walked


def greedy(task: Task, *, longest: int = 10) -> Item:
    """The best action, again and again."""
    item = task.root()
    while len(item.slots) < longest and not (item.slots and item.slots[-1] == 0):
        item = task.children(item)[0]
    return item


def beam(task: Task, width: int, *, longest: int = 10) -> Found:
    """Each round keeps the best `width` of all continuations; those that have ended leave the beam."""
    found = Found()
    live = [task.root()]
    found.popped.append(live[0])
    while live and len(found.candidates) < width:
        grown = []
        for item in live:
            found.expanded.append(item.slots)
            grown += sorted(task.children(item), key=lambda child: child.slots)
        best = sorted(grown, key=lambda child: -child.logp)[:width]
        ended = [item for item in best if item.slots[-1] == 0 or len(item.slots) == longest]
        live = [item for item in best if item not in ended]
        found.candidates += ended
        found.popped += best if len(found.candidates) < width else ended
    found.goal = first_best(found.candidates, lambda item: item.logp)
    return found


def state_factored(task: Task, completions: int, *, longest: int = 10) -> Found:
    """The best way to each pose, in two dictionaries: poses to go on from, and poses to end at."""
    found = Found()
    created: dict[Slots, int] = {}
    going: dict[tuple[int, int], tuple[Item, bool]] = {}  # pose -> best way, and whether it was taken
    ending: dict[tuple[int, int], tuple[Item, bool]] = {}
    item = task.root()
    going[item.places[-1], item.view] = (item, True)
    found.popped.append(item)
    while True:
        found.expanded.append(item.slots)
        for child in sorted(task.children(item), key=lambda one: one.slots):
            created[child.slots] = len(created)
            ended = child.slots[-1] == 0 or len(child.slots) == longest
            table, pose = (ending if ended else going), (child.places[-1], child.view)
            if pose not in table or child.logp > table[pose][0].logp:
                table[pose] = (child, False)
        while True:
            waiting = [one for table in (going, ending) for one, taken in table.values() if not taken]
            if not waiting or len(found.candidates) == completions:
                found.goal = first_best(found.candidates, lambda one: one.logp)
                return found
            item = first_best(sorted(waiting, key=lambda one: created[one.slots]), lambda one: one.logp)
            found.popped.append(item)
            ended = item.slots[-1] == 0 or len(item.slots) == longest
            (ending if ended else going)[item.places[-1], item.view] = (item, True)
            if not ended:
                break
            found.candidates.append(item)


def progress_inference(task: Task, tries: int, *, longest: int = 10) -> Found:
    """Try the actions of a place until one makes progress; else settle where there was most."""
    found = Found()

    def visit(item: Item) -> float:
        found.popped.append(item)
        found.expanded.append(item.slots)
        return float(task.progress[item.places[-1]])

    here = task.root()
    best_so_far = visit(here)
    while True:
        tried: list[tuple[Item, float]] = []
        for child in sorted(task.children(here), key=lambda one: (-one.logp, one.slots)):
            if len(tried) == tries:
                break
            if child.slots[-1] == 0 or len(child.slots) == longest:
                found.popped.append(child)
                found.candidates.append(child)
                found.goal = child
                return found
            tried.append((child, visit(child)))
            if tried[-1][1] > best_so_far:
                break
        gained = tried[-1][1] > best_so_far
        here, best_so_far = tried[-1] if gained else max(tried, key=lambda pair: pair[1])
