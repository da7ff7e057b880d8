"""A finished feature table, read from disk: a feature for each of the 36 views of each viewpoint."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float16, Int64

from fastnav.data.checking import are_texts
from fastnav.data.features.arrays import BUILD_AGAIN, open_arrays
from fastnav.data.features.sources import changed_sources
from fastnav.data.features.space import Space
from fastnav.data.features.stores import KINDS, Store
from fastnav.data.features.workshop import FORMAT, Place, Workshop
from fastnav.data.files import is_there, read_json
from fastnav.data.vocabulary import Vocabulary
from fastnav.errors import DataError, MalformedFile, MissingFile


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The features of the viewpoints of one or more buildings."""

    folder: Path
    meta: Mapping[str, Any]
    viewpoints: tuple[Place, ...]
    store: Store

    @property
    def name(self) -> str:
        """What the table is called in expressions such as captions+objects."""
        return self.folder.name

    @property
    def width(self) -> int:
        """Entries of a view's feature."""
        return self.store.width

    @property
    def version(self) -> str:
        """The digest of all that the table was made from."""
        return str(self.meta["version"])

    def rows(self, viewpoints: Sequence[Place]) -> Int64[np.ndarray, " viewpoint"]:
        """Where the viewpoints stand in the table's arrays."""
        try:
            return np.array([self._row[place] for place in viewpoints], dtype=np.int64)
        except KeyError as missing:
            scan, viewpoint = missing.args[0]
            raise DataError(
                f"{self.folder}: has no features of viewpoint {viewpoint} in building {scan}; "
                f"{_remedy(self.folder.parents[1], self.meta)}"
            ) from None

    def dense(self, viewpoints: Sequence[Place]) -> Float16[np.ndarray, "viewpoint view feature"]:
        """The features of the viewpoints, in their order."""
        rows = self.rows(viewpoints)
        with np.errstate(invalid="ignore", over="ignore"):  # what comes of these is refused below
            found = self.store.decode(rows)
        _refuse_nonsense(self.folder, found)
        return found

    def space(self) -> Space:
        """The space that sentences were put into."""
        encoder = self.meta["encoder"]["name"]
        mean, basis = open_arrays(self.folder, ("mean", "basis"))
        for name, part in (("mean", mean), ("basis", basis)):
            _refuse_nonsense(self.folder / f"{name}.npy", part)
        return Space(mean, basis, encoder)

    def words(self) -> tuple[Vocabulary, Float16[np.ndarray, "word feature"]]:
        """The words of train's instructions, and their places in the same space."""
        names = tuple(self.meta["words"])
        (places,) = open_arrays(self.folder, ("words",), word=len(names))
        _refuse_nonsense(self.folder / "words.npy", places)
        return Vocabulary(names), places

    def facts(self) -> dict[str, Any]:
        """What is worth telling of the table."""
        encoder = {"encoder": self.meta["encoder"]["name"]} if "encoder" in self.meta else {}
        size = sum(path.stat().st_size for path in self.folder.iterdir())
        return {
            "viewpoints": len(self.viewpoints),
            "width": self.width,
            **encoder,
            **self.meta.get("facts", {}),
            "megabytes": round(size / 1e6, 1),
            "version": self.version[:16],
        }

    @cached_property
    def _row(self) -> dict[Place, int]:
        return {place: row for row, place in enumerate(self.viewpoints)}


def spaces_of(tables: Iterable[FeatureTable]) -> dict[str, Space]:
    """The spaces of those tables whose sentences were put into one, by the table's name."""
    return {table.name: table.space() for table in tables if "encoder" in table.meta}


def open_table(data: Path, name: str) -> FeatureTable:
    """The table `name` of a data directory; an error with the command to run if it is missing or stale."""
    folder = Workshop(data, name).folder
    if not is_there(folder / "meta.json"):
        raise MissingFile(folder, f"the features {name!r} are not built", _remedy(data, {}, name))
    meta = _read_meta(folder / "meta.json", _remedy(data, {}, name))
    changed = changed_sources(data, meta["sources"])
    if changed:
        raise DataError(f"{folder}: stale, as {', '.join(changed)} changed since; {_remedy(data, meta)}")
    places = _read_places(folder / "viewpoints.json")
    kind = KINDS[meta["kind"]]
    return FeatureTable(folder, meta, places, kind(*open_arrays(folder, kind.ARRAYS, viewpoint=len(places))))


def _read_meta(path: Path, remedy: str) -> dict[str, Any]:
    """A table's description; whatever is needed of it is of the right kind."""
    meta = read_json(path)
    known = isinstance(meta, dict) and meta.get("format") == FORMAT and str(meta.get("kind")) in KINDS
    if not known:
        raise MalformedFile(path, "not a table of this version of fastnav", remedy=remedy)
    encoder = meta.get("encoder", {"name": ""})
    sound = {
        "version": isinstance(meta.get("version"), str),
        "sources": isinstance(meta.get("sources"), dict),
        "command": isinstance(meta.get("command", ""), str),
        "facts": isinstance(meta.get("facts", {}), dict),
        "encoder": isinstance(encoder, dict) and isinstance(encoder.get("name"), str),
        "words": are_texts(meta.get("words", [])),
    }
    for name in (name for name, is_sound in sound.items() if not is_sound):
        raise MalformedFile(path, "is missing or of another kind", where=f"field {name!r}", remedy=remedy)
    return dict(meta)


def _read_places(path: Path) -> tuple[Place, ...]:
    """The viewpoints of a table, in the order of its rows."""
    places = read_json(path)
    if not isinstance(places, list) or not all(are_texts(place) and len(place) == 2 for place in places):
        raise MalformedFile(path, "expected a building and a viewpoint for each row", remedy=BUILD_AGAIN)
    return tuple((scan, viewpoint) for scan, viewpoint in places)


def _refuse_nonsense(path: Path, numbers: np.ndarray) -> None:
    """Numbers that are none would come out as a walk or a loss that nobody can explain."""
    if not all(np.isfinite(row).all() for row in numbers):
        raise MalformedFile(path, "holds values that are no numbers", remedy=BUILD_AGAIN)


def _remedy(data: Path, meta: Mapping[str, Any], name: str = "") -> str:
    """The command that builds a table, from its description where there is one."""
    files = {name: f"{name} --from FILE" for name in ("resnet", "hdf5")}
    usual = {"captions": "captions", "objects": "objects", **files}
    command = meta.get("command") or usual.get(name) or f"hdf5 --from FILE --name {name}"
    return f"run `fastnav features build {command} --data {data}`"
