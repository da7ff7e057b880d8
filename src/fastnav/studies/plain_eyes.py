"""Looking around the plain way, to measure against: row by row and candidate by candidate, then padded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Float32
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival
from fastnav.agents.learned import Learned
from fastnav.agents.sight import TYPICAL_EDGE, Sight
from fastnav.studies.plain_walk import Slot, wrapped
from fastnav.world.graph import World
from fastnav.world.simulator import Observation
from fastnav.world.views import HEADINGS, INCREMENT


@dataclass(frozen=True, eq=False)
class PlainSight(Sight):
    """The same features as `Sight` gives, a row and a candidate at a time."""

    def actions(
        self, observation: Observation, passed: Bool[Tensor, "batch action"]
    ) -> Float[Tensor, "batch action feature"]:
        """The features of every action slot; zeros where there is none."""
        views, here = self._tables()
        names = ("viewpoint", "mask", "action_view", "turn", "elevation", "distance")
        rows = zip(*(getattr(observation, name).tolist() for name in names), passed.tolist(), strict=True)
        seen = []
        for place, mask, view, turn, elevation, distance, before in rows:
            legal = range(sum(mask))
            geometry = [
                _geometry(turn[k], elevation[k], distance[k], stop=k == World.STOP, passed=before[k])
                for k in legal
            ]
            shown = [here[place] if k == World.STOP else views[place, view[k]] for k in legal]
            seen.append(np.stack([np.concatenate(pair) for pair in zip(shown, geometry, strict=True)]))
        return _padded(seen, passed.shape[1]).to(passed.device)

    def arrival(self, world: World, arrival: Arrival) -> Float[Tensor, "batch feature"]:
        """The features of the action that led here; zeros where nothing has been done yet."""
        views, _ = self._tables()
        columns = (arrival.viewpoint.tolist(), arrival.view.tolist(), arrival.slot.tolist())
        seen = []
        for source, faced, slot in zip(*columns, strict=True):
            if slot == Arrival.START:
                seen.append(np.zeros(self.width, dtype=np.float32))
                continue
            turn = wrapped(float(world.heading[source, slot]) - faced % HEADINGS * INCREMENT)
            elevation, distance = float(world.elevation[source, slot]), float(world.distance[source, slot])
            geometry = _geometry(turn, elevation, distance, stop=False, passed=False)
            seen.append(np.concatenate([views[source, int(world.view[source, slot])], geometry]))
        return torch.from_numpy(np.stack(seen)).to(arrival.slot.device)

    def _tables(self) -> tuple[np.ndarray, np.ndarray]:
        return self.views.numpy(force=True), self.here.numpy(force=True)


def looking_plainly(agent: Agent[Any, Any]) -> Learned[Any, Any]:
    """The same agent with plain eyes."""
    if not isinstance(agent, Learned):
        raise TypeError(f"{type(agent).__name__} has no eyes to replace")
    sight = PlainSight(agent.sight.views.cpu(), agent.sight.here.cpu())
    return type(agent)(agent.network, agent.world, sight, agent.vocabulary)


def look(slots: Sequence[Sequence[Slot]], here: int, view: int) -> list[Slot]:
    """What one agent sees around it: its slots, with the turn to each instead of the heading."""
    facing = view % HEADINGS * INCREMENT
    return [
        (target, seen, wrapped(heading - facing) if slot else 0.0, elevation, distance)
        for slot, (target, seen, heading, elevation, distance) in enumerate(slots[here])
    ]


def observed(
    poses: Sequence[tuple[int, int]], seen: Sequence[Sequence[Slot]], device: Any = "cpu"
) -> Observation:
    """What agents at these poses see, padded to the most neighbours that any of them has."""
    width = max(map(len, seen))
    padded = [
        [*around, *[(here, 0, 0.0, 0.0, 0.0)] * (width - len(around))]
        for around, (here, _) in zip(seen, poses, strict=True)
    ]
    target, view, turn, elevation, distance = (
        torch.tensor([[slot[k] for slot in row] for row in padded], device=device) for k in range(5)
    )
    here, faced = (torch.tensor(column, device=device) for column in zip(*poses, strict=True))
    mask = torch.tensor([[k < len(around) for k in range(width)] for around in seen], device=device)
    return Observation(here, faced, mask, target, view, turn, elevation, distance)


def _geometry(
    turn: float, elevation: float, distance: float, *, stop: bool, passed: bool
) -> Float32[np.ndarray, " geometry"]:
    angles = (math.sin(turn), math.cos(turn), math.sin(elevation), math.cos(elevation))
    return np.array([*angles, distance / TYPICAL_EDGE, stop, passed], dtype=np.float32)


def _padded(rows: Sequence[np.ndarray], actions: int) -> Float[Tensor, "batch action feature"]:
    """Features `[action, feature]` of rows with different numbers of actions."""
    made = np.zeros((len(rows), actions, rows[0].shape[1]), dtype=np.float32)
    for number, row in enumerate(rows):
        made[number, : len(row)] = row
    return torch.from_numpy(made)
