"""A finished feature table, read from disk: a feature for each of the 36 views of each viewpoint."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float16, Int64

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
        return self.store.decode(self.rows(viewpoints))

    def space(self) -> Space:
        """The space that sentences were put into."""
        encoder = self.meta["encoder"]["name"]
        return Space(_array(self.folder, "mean"), _array(self.folder, "basis"), encoder)

    def words(self) -> tuple[Vocabulary, Float16[np.ndarray, "word feature"]]:
        """The words of train's instructions, and their places in the same space."""
        return Vocabulary(tuple(self.meta["words"])), _array(self.folder, "words")

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
    meta = read_json(folder / "meta.json")
    if not isinstance(meta, dict) or meta.get("format") != FORMAT or meta.get("kind") not in KINDS:
        raise MalformedFile(
            folder / "meta.json", "not a table of this version of fastnav", remedy=_remedy(data, {}, name)
        )
    changed = changed_sources(data, meta["sources"])
    if changed:
        raise DataError(f"{folder}: stale, as {', '.join(changed)} changed since; {_remedy(data, meta)}")
    places = tuple((scan, viewpoint) for scan, viewpoint in read_json(folder / "viewpoints.json"))
    kind = KINDS[meta["kind"]]
    return FeatureTable(folder, meta, places, kind(*(_array(folder, array) for array in kind.ARRAYS)))


def _remedy(data: Path, meta: Mapping[str, Any], name: str = "") -> str:
    """The command that builds a table, from its description where there is one."""
    files = {name: f"{name} --from FILE" for name in ("resnet", "hdf5")}
    usual = {"captions": "captions", "objects": "objects", **files}
    command = meta.get("command") or usual.get(name) or f"hdf5 --from FILE --name {name}"
    return f"run `fastnav features build {command} --data {data}`"


def _array(folder: Path, name: str) -> np.ndarray:
    path = folder / f"{name}.npy"
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise MissingFile(path, remedy="build the features again with --overwrite") from None
    except (OSError, ValueError, EOFError) as error:
        remedy = "build the features again with --overwrite"
        raise MalformedFile(path, f"not a whole array ({error})", remedy=remedy) from None
