"""FAST the plain way, to measure search against: as its released code runs it.

Each episode is an object with a heap of frontier items and a map of the edges it has walked. In each round
every one pops an item, walks there, looks around and takes in what the agent says, all by Python loops; the
agent is asked once a round for all episodes of a batch, those that have ended too, as it is done there. The
walks are those of the `compat-*` strategies.
"""

import heapq
import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from fastnav.agents.interface import Agent, Arrival, Rows
from fastnav.studies.plain_eyes import look, observed
from fastnav.studies.plain_walk import Slot
from fastnav.world.graph import World

#: The released code keeps so many actions.
_TOP_K = 20
_NOBODY = -1


@dataclass(frozen=True)
class _Item:
    """An action on the frontier: where it is taken, how, and the sums of what the agent said up to it."""

    logit: float
    logp: float
    viewpoint: int
    view: int
    slot: int
    state: Rows  # the agent's, after it has looked around there
    father: int


class _Episode:
    """One agent: its frontier, its candidates, and where it has walked."""

    def __init__(self, slots: Sequence[Sequence[Slot]], start: int, view: int, state: Rows) -> None:
        self.slots = slots
        self.items = [_Item(0.0, 0.0, start, view, Arrival.START, state, _NOBODY)]
        self.frontier: list[tuple[float, int]] = [(0.0, 0)]
        self.candidates: list[tuple[float, int]] = []  # priority, and the viewpoint to stop at
        self.walked = [start]
        self.known: dict[int, dict[int, None]] = {start: {}}
        self.ended = False
        self.popped = 0  # the item that is being looked at; the root again where the episode has ended

    def pop(self) -> None:
        """Go to the best item; the episode ends where there is none, or where it is a stop."""
        if self.ended or not self.frontier:
            self.ended, self.popped = True, 0
            return
        _, self.popped = heapq.heappop(self.frontier)
        item = self.items[self.popped]
        if item.slot == Arrival.START:
            return
        self.walk_to(item.viewpoint)
        self._take_edge(item.viewpoint, self.place()[0])
        self.ended = item.slot == World.STOP

    def place(self) -> tuple[int, int]:
        """Where the popped item leads, and the view faced there."""
        item = self.items[self.popped]
        if item.slot in (Arrival.START, World.STOP):
            return item.viewpoint, item.view
        target, view, *_ = self.slots[item.viewpoint][item.slot]
        return target, view

    def expand(self, logits: Sequence[float], state: Rows, *, exploit: bool) -> None:
        """Put the actions on the frontier that lead to no place on the way here."""
        item, (here, view) = self.items[self.popped], self.place()
        passed = {here, *(self.items[number].viewpoint for number in self._fathers(self.popped))}
        surprise = math.log(sum(math.exp(logit - max(logits)) for logit in logits)) + max(logits)
        best = sorted(range(len(logits)), key=lambda slot: -logits[slot])[:_TOP_K]
        for rank, slot in enumerate(best):
            target = self.slots[here][slot][0]
            if slot != World.STOP and target in passed:
                continue
            sums = item.logit + logits[slot], item.logp + logits[slot] - surprise
            priority = math.inf if exploit and rank == 0 else sums[0]
            if slot == World.STOP:
                self.candidates.append((priority, here))
            if slot != World.STOP or exploit:
                self.items.append(_Item(*sums, here, view, slot, state, self.popped))
                heapq.heappush(self.frontier, (-priority, len(self.items) - 1))

    def finish(self) -> None:
        """Walk to the best candidate."""
        if self.candidates:
            self.walk_to(max(self.candidates, key=lambda candidate: candidate[0])[1])

    def walk_to(self, target: int) -> None:
        """Walk back over known edges, by the fewest moves."""
        before = {self.walked[-1]: _NOBODY}
        queue = deque([self.walked[-1]])
        while target not in before:
            here = queue.popleft()
            for following in self.known[here]:
                if following not in before:
                    before[following] = here
                    queue.append(following)
        way = []
        while before[target] != _NOBODY:
            way.append(target)
            target = before[target]
        self.walked += way[::-1]

    def _take_edge(self, source: int, target: int) -> None:
        """Walk along an edge that is new; one that is known shows nothing new."""
        if source != target and target not in self.known[source]:
            self.known[source][target] = None
            self.known.setdefault(target, {})[source] = None
            self.walked.append(target)

    def _fathers(self, number: int) -> Iterator[int]:
        while number != _NOBODY:
            yield number
            number = self.items[number].father


def plain_fast(
    agent: Agent[Any, Any],
    slots: Sequence[Sequence[Slot]],
    starts: Sequence[tuple[int, int]],
    instruction: Any,
    *,
    exploit: bool,
    expansions: int,
) -> list[list[int]]:
    """The viewpoints that each episode of a batch walks; `starts` are viewpoints and views.

    With `exploit` it is FAST-short, where stops compete and the first ends the search; else it explores.
    """
    with torch.inference_mode():
        state = agent.begin(instruction)
        episodes = [
            _Episode(slots, place, view, state.take(torch.tensor([row])))
            for row, (place, view) in enumerate(starts)
        ]
        for _ in range(expansions):
            for episode in episodes:
                episode.pop()
            if all(episode.ended for episode in episodes):
                break
            _look_around(agent, episodes, instruction, exploit)
    for episode in episodes:
        episode.finish()
    return [episode.walked for episode in episodes]


def _look_around(
    agent: Agent[Any, Any], episodes: Sequence[_Episode], instruction: Any, exploit: bool
) -> None:
    """Ask the agent once for all episodes, and let each take in its answer."""
    items = [episode.items[episode.popped] for episode in episodes]
    places = [episode.place() for episode in episodes]
    seen = [look(episodes[0].slots, *place) for place in places]
    states = type(items[0].state).join([item.state for item in items])
    state, output = agent.step(instruction, states, observed(places, seen), _arrival(items))
    for row, (episode, around) in enumerate(zip(episodes, seen, strict=True)):
        if not episode.ended:
            logits = output.logits[row, : len(around)].tolist()
            episode.expand(logits, state.take(torch.tensor([row])), exploit=exploit)


def _arrival(items: Sequence[_Item]) -> Arrival:
    columns = [(item.viewpoint, item.view, item.slot) for item in items]
    return Arrival(*(torch.tensor(column) for column in zip(*columns, strict=True)))
