"""The three ways in which a table's numbers lie on disk, read through memory maps.

    dense           values[viewpoint, view, feature]
    concatenated    codes[code, entry] and index[viewpoint, view, part]: a view's parts one after another
    weighted        the same with weight[viewpoint, view, part] and scalars[viewpoint, view, scalar]:
                    the weighted sum of its parts, then its scalars

A sentence that describes a thousand views is stored once. An index of `NOTHING` stands for zeros.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float16, Int32, Int64

#: Where a view has fewer parts than there is room for.
NOTHING = -1

#: Viewpoints decoded at a time.
_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Dense:
    """Every row by itself."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("values",)

    values: Float16[np.ndarray, "viewpoint view feature"]

    @property
    def width(self) -> int:
        """Entries of a view's feature."""
        return int(self.values.shape[2])

    def decode(self, rows: Int64[np.ndarray, " row"]) -> Float16[np.ndarray, "row view feature"]:
        """The features of some viewpoints."""
        return np.asarray(self.values[rows])


@dataclass(frozen=True, eq=False)
class Concatenated:
    """Parts one after another."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("codes", "index")

    codes: Float16[np.ndarray, "code entry"]
    index: Int32[np.ndarray, "viewpoint view part"]

    @property
    def width(self) -> int:
        """Entries of a view's feature."""
        return int(self.codes.shape[1] * self.index.shape[2])

    def decode(self, rows: Int64[np.ndarray, " row"]) -> Float16[np.ndarray, "row view feature"]:
        """The features of some viewpoints."""
        found = np.empty((len(rows), self.index.shape[1], self.width), dtype=np.float16)
        for here in _blocks(len(rows)):
            index = self.index[rows[here]]
            parts = np.where(index[..., None] == NOTHING, np.float16(0), self.codes[index])
            found[here] = parts.reshape(*found[here].shape)
        return found


@dataclass(frozen=True, eq=False)
class Weighted:
    """A weighted sum of parts, then scalars."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("codes", "index", "weight", "scalars")

    codes: Float16[np.ndarray, "code entry"]
    index: Int32[np.ndarray, "viewpoint view part"]
    weight: Float16[np.ndarray, "viewpoint view part"]
    scalars: Float16[np.ndarray, "viewpoint view scalar"]

    @property
    def width(self) -> int:
        """Entries of a view's feature."""
        return int(self.codes.shape[1] + self.scalars.shape[2])

    def decode(self, rows: Int64[np.ndarray, " row"]) -> Float16[np.ndarray, "row view feature"]:
        """The features of some viewpoints."""
        found = np.empty((len(rows), self.index.shape[1], self.width), dtype=np.float16)
        entries = self.codes.shape[1]
        for here in _blocks(len(rows)):
            index = self.index[rows[here]]
            weight = np.where(index == NOTHING, np.float32(0), self.weight[rows[here]].astype(np.float32))
            parts = self.codes[index].astype(np.float32)
            found[here, :, :entries] = (weight[..., None, :] @ parts)[..., 0, :]
            found[here, :, entries:] = self.scalars[rows[here]]
        return found


Store = Dense | Concatenated | Weighted

#: By the name that a table's meta.json gives.
KINDS: dict[str, type[Dense] | type[Concatenated] | type[Weighted]] = {
    "dense": Dense,
    "concatenated": Concatenated,
    "weighted": Weighted,
}


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, rows, _BLOCK))
