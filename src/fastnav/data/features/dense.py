"""Feature files of one row a viewpoint -> a dense table, row by row, so that no file need fit into memory."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

from fastnav.data.connectivity import connectivity_path, read_connectivity, read_scan_names
from fastnav.data.features.table import FeatureTable, open_table
from fastnav.data.features.views import VIEWS
from fastnav.data.features.workshop import Place, Progress, Workshop, digest_of, ignore_progress
from fastnav.data.files import output_error, write_json
from fastnav.errors import MalformedFile, MissingFile

#: Rows after which what has been done is noted.
NOTED = 128

_LARGEST = float(np.finfo(np.float16).max)


@dataclass(frozen=True, eq=False)
class Row:
    """One viewpoint's features in a file."""

    place: Place
    values: Float[np.ndarray, "view feature"]
    where: str  # for messages
    after: int  # where the next row begins, in the source's own count


@runtime_checkable
class RowSource(Protocol):
    """A file of features, read in its own order from any row's beginning."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def width(self) -> int:
        """Entries of a view's feature."""
        ...

    @property
    def end(self) -> int:
        """Where the last row ends."""
        ...

    def rows(self, start: int) -> Iterator[Row]:
        """The rows from `start` on, which is 0 or some row's `after`."""
        ...


def build_dense(
    data: Path,
    name: str,
    source: RowSource,
    *,
    command: str,
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> FeatureTable:
    """Build the table `name` from a file, or open it if it is there and made from the same file."""
    shop = Workshop(data, name)
    places = _places(data)
    version = digest_of("dense", fingerprint(source.path), source.width, places)
    if not overwrite and shop.has(version):
        return open_table(data, name)
    _fill(shop, source, places, version, progress)
    meta = {"kind": "dense", "version": version, "command": command, "sources": {}}
    shop.publish({}, {**meta, "made_from": source.path.name}, places)
    return open_table(data, name)


def fingerprint(path: Path) -> str:
    """A digest of the file's size and of 64 blocks spread over it: these files are of many gigabytes."""
    block = 1 << 16
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            parts: list[Any] = [size]
            for k in range(64):
                stream.seek(max(0, size - block) * k // 63)
                parts.append(digest_of(stream.read(block).hex()))
    except OSError as error:
        raise MissingFile(path, f"cannot be read ({error.strerror})", "change its permissions") from None
    return digest_of(*parts)


def _places(data: Path) -> list[Place]:
    graphs = [read_connectivity(connectivity_path(data, scan), scan) for scan in read_scan_names(data)]
    return [(graph.scan, viewpoint) for graph in graphs for viewpoint in graph.viewpoint_ids]


class _Filling:
    """An array on disk that is filled row by row, and a note of how far that has come."""

    def __init__(self, shop: Workshop, version: str, shape: tuple[int, int, int]) -> None:
        self._note_path, self._version = shop.partial / "noted.json", version
        path = shop.made / "values.npy"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.start, self.done = 0, np.zeros(shape[0], dtype=bool)
        if self._resume(path, shape):
            self._values = np.lib.format.open_memmap(path, mode="r+")
        else:
            self._note_path.unlink(missing_ok=True)
            self._values = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)

    def put(self, row: int, values: Float[np.ndarray, "view feature"]) -> None:
        """Fill one row."""
        self._values[row] = values
        self.done[row] = True

    def note(self, after: int) -> None:
        """From now on a killed build goes on at `after`."""
        self._values.flush()
        done = np.packbits(self.done).tobytes().hex()
        write_json(self._note_path, {"version": self._version, "after": after, "done": done})

    def _resume(self, path: Path, shape: tuple[int, int, int]) -> bool:
        """Take up what an earlier build noted; False if there is none that began as this one does."""
        try:
            note = json.loads(self._note_path.read_bytes())
            values = np.load(path, mmap_mode="r", allow_pickle=False)
            if note["version"] != self._version or values.shape != shape:
                return False
            bits = np.frombuffer(bytes.fromhex(note["done"]), dtype=np.uint8)
            self.start, self.done = note["after"], np.unpackbits(bits)[: shape[0]].astype(bool)
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return True


def _fill(shop: Workshop, source: RowSource, places: list[Place], version: str, progress: Progress) -> None:
    """Write the rows into the array on disk, from where an earlier build got to."""
    row_of = {place: row for row, place in enumerate(places)}
    try:
        filling = _Filling(shop, version, (len(places), VIEWS, source.width))
        for number, found in enumerate(source.rows(filling.start), 1):
            row = row_of.get(found.place)
            if row is not None:
                if filling.done[row]:
                    raise _fault(source, found, "its viewpoint had a row before", "keep one of them")
                filling.put(row, _checked(source, found))
            if number % NOTED == 0:
                filling.note(found.after)
                progress(found.after, source.end)
        filling.note(source.end)
    except OSError as error:
        raise output_error(shop.partial, error) from None
    missing = [place for place, done in zip(places, filling.done, strict=True) if not done]
    if missing:
        scan, viewpoint = missing[0]
        problem = (
            f"no row for {len(missing)} of {len(places)} viewpoints, such as {viewpoint} of building {scan}"
        )
        raise MalformedFile(source.path, problem, remedy="it may be cut short: fetch or make it again")
    progress(source.end, source.end)


def _checked(source: RowSource, found: Row) -> Float[np.ndarray, "view feature"]:
    """The row's values, if they are as many as they should be and all numbers that half precision holds."""
    if found.values.shape != (VIEWS, source.width):
        shape = " x ".join(str(n) for n in found.values.shape)
        remedy = "choose the --width of the file, or make the file again"
        raise _fault(source, found, f"expected {VIEWS} x {source.width} values, found {shape}", remedy)
    # Not a number compares false with everything.
    bad = ~(np.abs(found.values) <= _LARGEST)
    if bad.any():
        view, feature = np.argwhere(bad)[0]
        problem = f"view {view}, feature {feature} is {found.values[view, feature]}, which cannot be used"
        raise _fault(source, found, problem, "make the file again")
    return found.values


def _fault(source: RowSource, found: Row, problem: str, remedy: str) -> MalformedFile:
    return MalformedFile(source.path, problem, where=found.where, remedy=remedy)
