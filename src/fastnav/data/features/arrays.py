"""A table's arrays on disk, refused where their types and shapes do not fit each other."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fastnav.data.features.stores import NOTHING
from fastnav.data.features.views import VIEWS
from fastnav.data.files import is_file
from fastnav.errors import MalformedFile, MissingFile

#: What lies in each file, and its axes: those of one name are as long in all files of a table.
_ARRAYS: dict[str, tuple[type[np.generic], tuple[str, ...]]] = {
    "values": (np.float16, ("viewpoint", "view", "feature")),
    "codes": (np.float16, ("code", "entry")),
    "index": (np.int32, ("viewpoint", "view", "part")),
    "weight": (np.float16, ("viewpoint", "view", "part")),
    "scalars": (np.float16, ("viewpoint", "view", "scalar")),
    "mean": (np.float32, ("wide",)),
    "basis": (np.float32, ("wide", "entry")),
    "words": (np.float16, ("word", "entry")),
}
BUILD_AGAIN = "build the features again with --overwrite"


def open_arrays(folder: Path, names: Sequence[str], **sizes: int) -> list[np.ndarray]:
    """The arrays of a table by name, where the axes in `sizes` are so long."""
    known = {"view": VIEWS, **sizes}
    arrays = {name: _open(folder / f"{name}.npy") for name in names}
    for name, array in arrays.items():
        kind, axes = _ARRAYS[name]
        found = dict(zip(axes, array.shape, strict=False))
        if (
            array.dtype != kind
            or array.ndim != len(axes)
            or any(known.get(a, n) != n for a, n in found.items())
        ):
            wanted = ", ".join(f"{axis} {known[axis]}" if axis in known else axis for axis in axes)
            problem = f"holds {array.dtype} of shape {array.shape}, not {np.dtype(kind)} of ({wanted})"
            raise MalformedFile(folder / f"{name}.npy", problem, remedy=BUILD_AGAIN)
        known |= found
    if "index" in arrays:
        _refuse_strays(folder / "index.npy", arrays["index"], known["code"])
    return list(arrays.values())


def _refuse_strays(path: Path, index: np.ndarray, codes: int) -> None:
    """An index of a code that is not there would be found out in the middle of a training."""
    if index.size and not (index.min() >= NOTHING and index.max() < codes):
        problem = f"names codes that are not there: {index.min()} to {index.max()} of {codes}"
        raise MalformedFile(path, problem, remedy=BUILD_AGAIN)


def _open(path: Path) -> np.ndarray:
    if not is_file(path):  # numpy would wait for a pipe
        raise MissingFile(path, remedy=BUILD_AGAIN)
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise MalformedFile(path, f"not a whole array ({error})", remedy=BUILD_AGAIN) from None
