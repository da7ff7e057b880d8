"""The works that are killed, command lines of fastnav that save often: `python -m tests.kills.work NAME`."""

import os
import sys
from pathlib import Path

from fastnav.cli import run
from fastnav.data.features import embedding
from tests.data.features.samples import write_data
from tests.training.small import write_training_data

DATA = "data"
_SETTINGS = {"steps": 3, "width": 16, "word_width": 8, "warm_up": 3, "validate_every": 3, "save_every": 1}
_TRAIN = (
    *("train", "smna", "--data", DATA, "--features", "none", "--out", "run", "--precision", "float32"),
    *("--iterations", "15", "--batch", "4"),
    *(word for name, value in _SETTINGS.items() for word in ("--set", f"{name}={value}")),
)
_TABLES = ("captions", "objects")

#: By name: where its results lie, and the commands that make them; said again they go on.
WORKS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "training": ("run", ((*_TRAIN, "--resume"),)),
    "features": (
        f"{DATA}/features",
        tuple(("features", "build", table, "--data", DATA, "--encoder", "words") for table in _TABLES),
    ),
}


def prepare(folder: Path) -> None:
    """What the works read."""
    write_training_data(write_data(folder / DATA))


def do(name: str) -> int:
    """Do a work in the working directory, or go on with it; the exit code of the first command that fails."""
    embedding.PIECE = 2  # in place of thousands of sentences, so that there are many pieces
    return next(filter(None, (run(command) for command in WORKS[name][1])), 0)


if __name__ == "__main__":
    # All that takes long to import, so that moments fall into the work.
    import fastnav.studies.eyes
    import fastnav.training.side_by_side  # noqa: F401

    os.environ["FASTNAV_CACHE"] = str(Path("cache").resolve())
    print("ready", flush=True)
    sys.exit(do(sys.argv[1]))
