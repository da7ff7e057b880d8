"""Object boxes -> a table: what stands in each view, seen from farther than it was annotated.

Boxes were drawn within some two metres of each viewpoint, and a fifth of the viewpoints have none. The same
object seen from several places is triangulated, and shown again in the views of every viewpoint that would
see it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from fastnav.data.connectivity import ScanGraph, connectivity_path, read_connectivity, read_scan_names
from fastnav.data.features.embedding import distinct, embed
from fastnav.data.features.placing import Placed, Rays, collect_rays, place_objects
from fastnav.data.features.sentences import SentenceEncoder
from fastnav.data.features.showing import SCALARS, SHOWN, show
from fastnav.data.features.sources import source_digests
from fastnav.data.features.space import Space, refuse_other_encoder, space_for
from fastnav.data.features.stores import NOTHING
from fastnav.data.features.table import FeatureTable, open_table
from fastnav.data.features.views import VIEWS
from fastnav.data.features.visibility import visible_pairs
from fastnav.data.features.words import train_scans, train_words, word_arrays
from fastnav.data.features.workshop import Place, Progress, Workshop, digest_of, ignore_progress
from fastnav.data.objects import read_objects
from fastnav.errors import DataError

WIDTH = 64


@dataclass(frozen=True, eq=False)
class _Read:
    """All graphs and objects of a data directory."""

    graphs: list[ScanGraph]
    places: list[Place]  # of all graphs, one after another
    rays: Rays
    placed: Placed
    labels: list[str]  # each once
    code: Int[np.ndarray, " thing"]  # number of the object's label


def build_objects(
    data: Path,
    encoder: SentenceEncoder,
    *,
    width: int = WIDTH,
    space: Space | None = None,
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> FeatureTable:
    """Build the table `objects`, or open it if it is there and made from the same sources.

    Sentences are put into `space`, such as an agent knows, or else into one of `width` that fits them.
    """
    refuse_other_encoder(space, encoder.name)
    shop = Workshop(data, "objects")
    sources = source_digests(data, ("objects", "connectivity", "train"))
    version = digest_of("objects", sources, encoder.name, encoder.digest, space.digest if space else width)
    if not overwrite and shop.has(version):
        return open_table(data, shop.name)
    read = _read(data)
    vectors = embed(shop, encoder, read.labels, progress)
    space, told = space_for(space, vectors[_of_train(data, read)], width)
    words = train_words(data)
    arrays, facts = _shown(read, progress)
    shop.publish(
        {
            "codes": space.project(vectors),
            **arrays,
            "mean": space.mean,
            "basis": space.basis,
            **word_arrays(encoder, space, words),
        },
        {
            "kind": "weighted",
            "version": version,
            "command": "objects",
            "sources": sources,
            "encoder": {"name": encoder.name, "digest": encoder.digest},
            "facts": {**facts, "labels": len(read.labels), **told},
            "words": words.words,
        },
        read.places,
    )
    return open_table(data, shop.name)


def _read(data: Path) -> _Read:
    scans = read_scan_names(data)
    graphs = [read_connectivity(connectivity_path(data, scan), scan) for scan in scans]
    places = [(graph.scan, viewpoint) for graph in graphs for viewpoint in graph.viewpoint_ids]
    rays = collect_rays(list(read_objects(data)), {place: row for row, place in enumerate(places)})
    if not rays.names:
        raise DataError(
            f"{data}: no object is seen at any viewpoint; `fastnav data check` says what is missing"
        )
    placed = place_objects(rays, np.concatenate([graph.position for graph in graphs]))
    labels = distinct(rays.names)
    number = {label: k for k, label in enumerate(labels)}
    return _Read(graphs, places, rays, placed, labels, np.array([number[name] for name in rays.names]))


def _of_train(data: Path, read: _Read) -> Int[np.ndarray, " label"]:
    """The labels of train's buildings: the space is fitted to them alone, as an agent is."""
    scans = train_scans(data)
    inside = np.array([scan in scans for scan, _ in read.places])
    codes = np.unique(read.code[read.rays.thing[inside[read.rays.viewpoint]]])
    return codes if len(codes) else np.arange(len(read.labels))


def _shown(read: _Read, progress: Progress) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays that say what each view shows, building by building, and figures about the whole."""
    shape = (len(read.places), VIEWS)
    index = np.full((*shape, SHOWN), NOTHING, dtype=np.int32)
    weight = np.zeros((*shape, SHOWN), dtype=np.float16)
    scalars = np.zeros((*shape, SCALARS), dtype=np.float16)
    pairs = 0
    for number, (start, graph) in enumerate(_starts(read.graphs)):
        progress(number, len(read.graphs))
        count = len(graph.viewpoint_ids)
        viewpoint, thing = _seen(read, graph, start)
        step = read.placed.position[thing] - graph.position[viewpoint]
        here = slice(start, start + count)
        index[here], weight[here], scalars[here] = show(viewpoint, step, read.code[thing], count)
        pairs += len(thing)
    progress(len(read.graphs), len(read.graphs))
    return {"index": index, "weight": weight, "scalars": scalars}, _facts(read, pairs)


def _starts(graphs: list[ScanGraph]) -> Iterator[tuple[int, ScanGraph]]:
    start = 0
    for graph in graphs:
        yield start, graph
        start += len(graph.viewpoint_ids)


def _seen(
    read: _Read, graph: ScanGraph, start: int
) -> tuple[Int[np.ndarray, " pair"], Int[np.ndarray, " pair"]]:
    """Viewpoint (within the building) and object (in all) of each sight in one building."""
    count = len(graph.viewpoint_ids)
    here = (read.rays.viewpoint >= start) & (read.rays.viewpoint < start + count)
    things, local = np.unique(read.rays.thing[here], return_inverse=True)
    annotated = np.zeros((count, len(things)), dtype=bool)
    annotated[read.rays.viewpoint[here] - start, local] = True
    viewpoint, thing = visible_pairs(graph, read.placed.position[things], annotated)
    return viewpoint, things[thing]


def _facts(read: _Read, pairs: int) -> dict[str, Any]:
    good = read.placed.triangulated
    miss: Float[np.ndarray, " thing"] = read.placed.miss[good]
    return {
        "objects": len(good),
        "triangulated": int(good.sum()),
        "median_miss_metres": round(float(np.median(miss)), 4) if good.any() else None,
        "usual_distance_metres": round(read.placed.usual, 3),
        "objects_per_viewpoint": round(len(read.rays.thing) / len(read.places), 2),
        "objects_per_viewpoint_shown": round(pairs / len(read.places), 2),
    }
