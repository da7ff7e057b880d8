"""The world that a split is walked in; a split that does not fit its buildings is refused."""

from pathlib import Path

from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from fastnav.data.references import Reference
from fastnav.data.splits import Split
from fastnav.errors import MalformedFile, UnknownName
from fastnav.world.graph import World
from fastnav.world.loading import load_world


def load_world_of(data: Path, split: Split) -> World:
    """The world of a split's buildings, where every episode starts and every annotated path can be walked."""
    try:
        world = load_world(data, split.scans)
    except UnknownName as error:
        raise MalformedFile(_source(data, split), str(error)) from None
    _refuse_misfits(world, split, _source(data, split))
    return world


def _source(data: Path, split: Split) -> Path:
    return split.source or data


def _refuse_misfits(world: World, split: Split, source: Path) -> None:
    part = _parts(world)
    for episode in split.episodes:
        _part_of(world, part, episode.scan, episode.start, f"path_id {episode.path_id}", source)
    for reference in split.references.values():
        _refuse_broken(world, part, reference, source)


def _refuse_broken(world: World, part: list[int], reference: Reference, source: Path) -> None:
    where = f"path_id {reference.path_id}"
    parts = {_part_of(world, part, reference.scan, name, where, source) for name in reference.path}
    if len(parts) > 1:
        problem = f"no way leads along this path in building {reference.scan[:40]!r}"
        raise MalformedFile(source, problem, where=where)


def _part_of(world: World, part: list[int], scan: str, name: str, where: str, source: Path) -> int:
    place = world.find(scan, name)
    if place is None:
        problem = f"building {scan[:40]!r} has no viewpoint {name[:40]!r} that one can stand at"
        raise MalformedFile(source, problem, where=where)
    return part[place]


def _parts(world: World) -> list[int]:
    """A number for each viewpoint: the same for all that ways join."""
    source, slot = world.mask.nonzero()
    joined = csr_array(
        (world.mask[source, slot], (source, world.neighbour[source, slot])), shape=(len(world),) * 2
    )
    numbers: list[int] = connected_components(joined, directed=False)[1].tolist()
    return numbers
