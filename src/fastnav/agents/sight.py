"""What an agent sees of each action: the features of the view it lies in, and the geometry of going there."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.agents.interface import Arrival
from fastnav.world.graph import World
from fastnav.world.simulator import Observation
from fastnav.world.views import turn_between, view_heading

#: sin and cos of the turn and of the elevation, length of the edge, whether it is STOP, whether the place was
#: passed before on this path.
GEOMETRY = 7
#: How many of these, the first, tell where an action lies.
DIRECTION = 4
#: Which of these says that a slot is STOP.
_IS_STOP = -2
#: So many places of the present path are remembered: a fixed number, so that shapes stay fixed.
REMEMBERED = 16
#: Fills the list of passed places where there are fewer.
_NOWHERE = -1
#: Edges are about this long, in metres; lengths enter the network in these units.
TYPICAL_EDGE = 2.5


@dataclass(frozen=True, eq=False)
class Sight:
    """The feature table of a world, and for STOP the mean of all that is seen where one stands."""

    views: Float[Tensor, "viewpoint view feature"]
    here: Float[Tensor, "viewpoint feature"]

    @classmethod
    def of(cls, views: Float[Tensor, "viewpoint view feature"]) -> "Sight":
        """Sight through a feature table."""
        return cls(views, views.float().mean(dim=1).to(views.dtype))

    @property
    def width(self) -> int:
        """Features of an action, geometry included."""
        return int(self.views.shape[-1]) + GEOMETRY

    def actions(
        self, observation: Observation, passed: Bool[Tensor, "batch action"]
    ) -> Float[Tensor, "batch action feature"]:
        """The features of every action slot."""
        seen = self.views[observation.viewpoint[:, None], observation.action_view]
        seen[:, World.STOP] = self.here[observation.viewpoint]
        geometry = _geometry(observation.turn, observation.elevation, observation.distance, passed)
        geometry[:, World.STOP, _IS_STOP] = 1.0
        return torch.cat([seen.float(), geometry], dim=-1)

    def arrival(self, world: World, arrival: Arrival) -> Float[Tensor, "batch feature"]:
        """The features of the action that led here; zeros where nothing has been done yet."""
        slot = arrival.slot.clamp(min=World.STOP)
        source = arrival.viewpoint
        seen = self.views[source, world.view[source, slot]]
        turn = turn_between(world.heading[source, slot], view_heading(arrival.view))
        passed = torch.zeros_like(source, dtype=torch.bool)
        geometry = _geometry(turn, world.elevation[source, slot], world.distance[source, slot], passed)
        begun = (arrival.slot != Arrival.START)[:, None]
        return torch.cat([seen.float(), geometry], dim=-1) * begun


def _geometry(
    turn: Float[Tensor, "..."],
    elevation: Float[Tensor, "..."],
    distance: Float[Tensor, "..."],
    passed: Bool[Tensor, "..."],
) -> Float[Tensor, "... geometry"]:
    stop = torch.zeros_like(turn)
    angles = (turn.sin(), turn.cos(), elevation.sin(), elevation.cos())
    return torch.stack([*angles, distance / TYPICAL_EDGE, stop, passed.float()], dim=-1)


def nothing_passed(rows: int, device: torch.device) -> Int[Tensor, "batch passed"]:
    """No place passed yet."""
    return torch.full((rows, REMEMBERED), _NOWHERE, device=device)


def passed_among(
    passed: Int[Tensor, "batch passed"], places: Int[Tensor, "batch action"]
) -> Bool[Tensor, "batch action"]:
    """Which of the places were passed."""
    return (passed[:, None, :] == places[:, :, None]).any(dim=-1)


def with_passed(
    passed: Int[Tensor, "batch passed"], place: Int[Tensor, " batch"]
) -> Int[Tensor, "batch passed"]:
    """The list with one place more; the one passed longest ago is forgotten."""
    return torch.cat([passed[:, 1:], place[:, None]], dim=1)
