"""World: the tables of all loaded buildings together.

Axes: `viewpoint` is a global index over all buildings, in the order they were given; the viewpoints of one
building are neighbours in it. `action` is a slot: slot 0 is STOP, and stays; the others are the neighbours in
the order of the building's file, padded to the largest degree and masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Bool, Float, Int

from fastnav.data.connectivity import ScanGraph
from fastnav.errors import UnknownName, UsageError
from fastnav.world.arrays import Array
from fastnav.world.views import heading_of, nearest_view


@dataclass(frozen=True, eq=False)
class World:
    """Immutable tables; a step is a look-up in them. There is no current episode and no cursor."""

    STOP: ClassVar[int] = 0

    scans: tuple[str, ...]
    viewpoint_ids: tuple[str, ...]
    scan: Int[Array, " viewpoint"]  # index into `scans`
    position: Float[Array, "viewpoint 3"]  # metres
    neighbour: Int[Array, "viewpoint action"]  # STOP and padding lead to the viewpoint itself
    mask: Bool[Array, "viewpoint action"]  # which slots are legal; STOP always is
    heading: Float[Array, "viewpoint action"]  # absolute, in [0, 2 pi), clockwise from +y
    elevation: Float[Array, "viewpoint action"]  # absolute, from the horizon
    distance: Float[Array, "viewpoint action"]  # metres
    view: Int[Array, "viewpoint action"]  # the view, 0 to 35, in which the neighbour is seen

    def __post_init__(self) -> None:
        for name in self._tables():
            table = getattr(self, name)
            if isinstance(table, np.ndarray):
                table.setflags(write=False)  # one world serves everybody: nobody may change it

    @property
    def actions(self) -> int:
        """Slots of each viewpoint: the largest degree, and STOP."""
        return int(self.neighbour.shape[1])

    def __len__(self) -> int:
        return len(self.viewpoint_ids)

    def index(self, scan: str, viewpoint_id: str) -> int:
        """The global index of a viewpoint."""
        try:
            return self._index[scan, viewpoint_id]
        except KeyError:
            if scan not in self.scans:
                raise UnknownName("building", scan, self.scans) from None
            raise UsageError(f"building {scan} has no viewpoint {viewpoint_id!r}") from None

    def find(self, scan: str, viewpoint_id: str) -> int | None:
        """The global index of a viewpoint, or None if there is none of that name."""
        return self._index.get((scan, viewpoint_id))

    def slot(self, source: int, target: int) -> int | None:
        """The action that leads from `source` to its neighbour `target`, or None if they are not joined."""
        return self._slots.get((source, target))

    def to(self, device: Any) -> "World":
        """The same world as torch tensors on `device`: indices int64, lengths and angles float32."""
        import torch

        def move(table: Array) -> Array:
            tensor = (
                table.to(device) if isinstance(table, torch.Tensor) else torch.tensor(table, device=device)
            )
            return tensor.float() if tensor.is_floating_point() else tensor

        return replace(self, **{name: move(getattr(self, name)) for name in self._tables()})

    @classmethod
    def _tables(cls) -> list[str]:
        return [field.name for field in fields(cls) if field.name not in ("scans", "viewpoint_ids")]

    @cached_property
    def _index(self) -> dict[tuple[str, str], int]:
        numbers = self.scan.tolist()
        return {(self.scans[numbers[k]], name): k for k, name in enumerate(self.viewpoint_ids)}

    @cached_property
    def _slots(self) -> dict[tuple[int, int], int]:
        targets, legal = self.neighbour.tolist(), self.mask.tolist()
        return {
            (source, target): slot
            for source, row in enumerate(targets)
            for slot, target in enumerate(row)
            if slot != World.STOP and legal[source][slot]
        }


def build_world(graphs: Sequence[ScanGraph]) -> World:
    """Join the graphs of several buildings into one world."""
    names = [graph.scan for graph in graphs]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"a world is made of one or more different buildings, not of {names}")
    sizes = [len(graph.viewpoint_ids) for graph in graphs]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    edges = np.concatenate([graph.edges + start for graph, start in zip(graphs, offsets, strict=False)])
    position = np.concatenate([graph.position for graph in graphs])
    neighbour, mask = _slot_tables(edges, int(offsets[-1]))
    heading, elevation, distance = _directions(position, neighbour)
    return World(
        scans=tuple(names),
        viewpoint_ids=tuple(name for graph in graphs for name in graph.viewpoint_ids),
        scan=np.repeat(np.arange(len(graphs)), sizes),
        position=position,
        neighbour=neighbour,
        mask=mask,
        heading=heading,
        elevation=elevation,
        distance=distance,
        view=np.where(mask, nearest_view(heading, elevation), 0),
    )


def _slot_tables(
    edges: Int[np.ndarray, "edge 2"], viewpoints: int
) -> tuple[Int[np.ndarray, "viewpoint action"], Bool[np.ndarray, "viewpoint action"]]:
    """Neighbours by slot, and which slots are legal; `edges` are sorted by source."""
    source, target = edges[:, 0], edges[:, 1]
    degree = np.bincount(source, minlength=viewpoints)
    first = np.cumsum(degree) - degree
    slot = np.arange(len(edges)) - first[source] + 1  # slot 0 is STOP
    here = np.arange(viewpoints)
    neighbour = np.repeat(here[:, None], 1 + int(degree.max(initial=0)), axis=1)
    neighbour[source, slot] = target
    mask = np.arange(neighbour.shape[1])[None, :] <= degree[:, None]
    return neighbour, mask


def _directions(
    position: Float[np.ndarray, "viewpoint 3"], neighbour: Int[np.ndarray, "viewpoint action"]
) -> tuple[Float[np.ndarray, "viewpoint action"], ...]:
    """Heading, elevation and distance to each slot's viewpoint; zero for the viewpoint itself."""
    step = position[neighbour] - position[:, None, :]
    level = np.hypot(step[..., 0], step[..., 1])
    heading = heading_of(step[..., 0], step[..., 1])
    return heading, np.arctan2(step[..., 2], level), np.sqrt((step**2).sum(-1))
