"""Feature stores of later work: HDF5, one array of 36 views for each key <scan>_<viewpoint>.

Some stores append more to each feature (class probabilities, say): the first `width` entries are taken.
"""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fastnav.data.features.dense import Row, build_dense
from fastnav.data.features.table import FeatureTable
from fastnav.data.features.workshop import Progress, ignore_progress
from fastnav.data.files import is_file
from fastnav.errors import MalformedFile, MissingFile, UsageError


class Hdf5File:
    """The rows of an HDF5 feature store, in the order of their keys."""

    def __init__(self, path: Path, width: int | None = None) -> None:
        if importlib.util.find_spec("h5py") is None:
            raise UsageError("HDF5 needs the package h5py: pip install 'fastnav[hdf5]'")
        if not is_file(path):
            raise MissingFile(path, "no such file", "name the .hdf5 file with --from")
        self.path = path
        with self._opened() as store:
            self._keys = self._listed(store)
            if not self._keys:
                raise MalformedFile(path, "the store holds nothing", remedy="fetch it again")
            self.width = width or self._array(store, self._keys[0]).shape[-1]
        self.end = len(self._keys)

    def rows(self, start: int) -> Iterator[Row]:
        """The rows from number `start` on."""
        with self._opened() as store:
            for number in range(start, self.end):
                key = self._keys[number]
                # Viewpoint ids hold no underscore, building names may.
                scan, _, viewpoint = key.rpartition("_")
                values = self._array(store, key)
                if values.ndim == 2 and values.shape[1] > self.width:
                    values = values[:, : self.width]
                yield Row((scan, viewpoint), values, f"key {key}", number + 1)

    def _opened(self) -> Any:
        import h5py

        try:
            return h5py.File(self.path, "r")
        except OSError as error:
            raise MalformedFile(self.path, f"not HDF5 ({error})", remedy="fetch it again") from None

    def _listed(self, store: Any) -> list[str]:
        try:
            return sorted(store.keys())
        except (OSError, RuntimeError) as error:
            raise MalformedFile(self.path, f"cannot be listed ({error})", remedy="fetch it again") from None

    def _array(self, store: Any, key: str) -> np.ndarray:
        try:
            values = np.asarray(store[key][...], dtype=np.float32)
        except (OSError, RuntimeError, TypeError, ValueError, AttributeError, KeyError) as error:
            problem = f"no array of numbers ({error})"
            raise MalformedFile(self.path, problem, where=f"key {key}", remedy="fetch it again") from None
        if values.ndim != 2:
            problem = f"expected [view, feature], found {values.ndim} axes"
            raise MalformedFile(self.path, problem, where=f"key {key}", remedy="make the store again")
        return values


def build_hdf5(
    data: Path,
    source: Path,
    *,
    width: int | None = None,
    name: str = "hdf5",
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> FeatureTable:
    """Build a table, `hdf5` unless it is named, from an HDF5 store."""
    command = f"hdf5 --from {source.name}" + ("" if name == "hdf5" else f" --name {name}")
    return build_dense(
        data, name, Hdf5File(source, width), command=command, overwrite=overwrite, progress=progress
    )
