"""The few directions in which sentences differ most, so that a vector is short."""

import hashlib
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float16, Float32

from fastnav.errors import UsageError

#: Rows taken to double precision at a time.
_ROWS = 8192
#: Spaces that differ by less are the same one, kept in half precision. Two that were fitted to the same
#: sentences on different machines differ by much more: a direction may even point the other way.
_ROUNDING = 0.005


@dataclass(frozen=True, eq=False)
class Space:
    """A principal-component space: what is in `mean` is left out, and `basis` is looked along.

    One scale for all directions makes a typical entry 1, and leaves the angles between vectors as they are.
    """

    mean: Float32[np.ndarray, " wide"]
    basis: Float32[np.ndarray, "wide feature"]
    encoder: str = ""  # whose vectors these are, by name

    @property
    def width(self) -> int:
        """Entries of a vector in this space."""
        return int(self.basis.shape[1])

    @property
    def digest(self) -> str:
        """Tells one space from another, bit by bit."""
        digest = hashlib.sha256(f"{self.encoder} {self.basis.shape}".encode())
        for part in (self.mean, self.basis):
            digest.update(np.ascontiguousarray(part, dtype="<f4").tobytes())
        return digest.hexdigest()

    def is_same_as(self, other: "Space") -> bool:
        """Whether a vector has the same place in both, but for rounding."""
        if self.encoder != other.encoder or self.basis.shape != other.basis.shape:
            return False
        with np.errstate(over="ignore", invalid="ignore"):  # of a damaged space: it is not the same
            turned = np.linalg.norm(self.basis - other.basis) / max(float(np.linalg.norm(other.basis)), 1e-9)
            moved = np.linalg.norm((self.mean - other.mean) @ other.basis) / np.sqrt(max(self.width, 1))
        return bool(max(turned, moved) < _ROUNDING)

    def project(self, vectors: Float[np.ndarray, "row wide"]) -> Float16[np.ndarray, "row feature"]:
        """The place of each vector in this space."""
        parts = [
            ((vectors[start : start + _ROWS].astype(np.float32) - self.mean) @ self.basis).astype(np.float16)
            for start in range(0, len(vectors), _ROWS)
        ]
        return np.concatenate([np.zeros((0, self.width), dtype=np.float16), *parts])


def space_for(
    given: Space | None, vectors: Float[np.ndarray, "row wide"], width: int
) -> tuple[Space, dict[str, float]]:
    """The space that was given, or else one that fits the vectors; and what is worth telling of it."""
    if given is not None:
        return given, {}
    space, kept = fit_space(vectors, width)
    return space, {"variance_kept": round(kept, 4)}


def refuse_other_encoder(space: Space | None, encoder: str) -> None:
    """A space makes sense of one encoder's vectors only."""
    if space is not None and space.encoder != encoder:
        raise UsageError(
            f"encoder {encoder!r}: the space to be used is one of {space.encoder!r}; name that --encoder"
        )


def fit_space(vectors: Float[np.ndarray, "row wide"], width: int) -> tuple[Space, float]:
    """The space of (at most) `width` dimensions that keeps most of the variance, and what part it keeps."""
    mean, covariance = _moments(vectors)
    values, directions = np.linalg.eigh(covariance)
    values, directions = np.maximum(values[::-1], 0), directions[:, ::-1]
    kept = values[:width]
    basis = _signed(directions[:, :width])
    typical = np.sqrt(kept.mean()) if kept.sum() > 0 else 1.0
    share = float(kept.sum() / values.sum()) if values.sum() > 0 else 1.0
    return Space(mean.astype(np.float32), (basis / typical).astype(np.float32)), share


def _moments(
    vectors: Float[np.ndarray, "row wide"],
) -> tuple[Float[np.ndarray, " wide"], Float[np.ndarray, "wide wide"]]:
    """Mean and covariance in double precision, block by block."""
    wide = vectors.shape[1]
    total, products = np.zeros(wide), np.zeros((wide, wide))
    for start in range(0, len(vectors), _ROWS):
        block = vectors[start : start + _ROWS].astype(np.float64)
        total += block.sum(0)
        products += block.T @ block
    mean = total / max(1, len(vectors))
    return mean, products / max(1, len(vectors)) - np.outer(mean, mean)


def _signed(directions: Float[np.ndarray, "wide feature"]) -> Float[np.ndarray, "wide feature"]:
    """The same directions, each with its largest entry positive: an eigenvector's sign is arbitrary."""
    largest = np.abs(directions).argmax(0)
    return directions * np.where(directions[largest, np.arange(directions.shape[1])] < 0, -1.0, 1.0)
