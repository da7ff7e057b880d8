"""Builds the toy tables slowly, in many pieces, for a test that kills it: `python -m ... DATA TSV`."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float32

from fastnav.data.features import build_captions, build_objects, build_resnet, dense, embedding
from tests.data.features.samples import HashEncoder


class SlowEncoder(HashEncoder):
    """The same vectors, in no hurry."""

    def encode(self, sentences: Sequence[str]) -> Float32[np.ndarray, "sentence feature"]:
        """Wait a little."""
        time.sleep(0.002)
        return super().encode(sentences)


def build_all(data: Path, tsv: Path) -> None:
    """One table of each kind."""
    embedding.PIECE, dense.NOTED = 4, 1
    build_captions(data, SlowEncoder(), width=6)
    build_objects(data, SlowEncoder(), width=2)
    build_resnet(data, tsv, width=4)


if __name__ == "__main__":
    print("ready", flush=True)
    build_all(Path(sys.argv[1]), Path(sys.argv[2]))
