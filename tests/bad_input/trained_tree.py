"""What commands about trained agents read: feature tables and files, runs, one cut off, a score."""

from pathlib import Path

import h5py
import numpy as np

from fastnav.cli import run
from fastnav.training.learner import Learner
from tests.bad_input.running import captured, captured_errors, in_place_of_streams, surroundings
from tests.data.features.samples import tsv_line
from tests.toy_data import PLACES, SPLITS

DATA = ("--data", "data")
#: Runs by the kind of their agent, each with what it sees.
RUNS = {"smna": "captions+objects", "follower": "captions", "seq2seq": "none"}
CUT = "runs/cut"
SCORE = "scores/score.safetensors"
REPRODUCED = "reproduced"
TSV, HDF5 = "stores/photographs.tsv", "stores/photographs.hdf5"

_SMALL = {"steps": 3, "width": 8, "word_width": 8, "warm_up": 1, "validate_every": 2, "save_every": 1}
#: Three iterations of a network of a few hundred weights.
SMALL = (
    *("--iterations", "3", "--batch", "4", "--precision", "float32"),
    *(word for name, value in _SMALL.items() for word in ("--set", f"{name}={value}")),
)
#: Where the run that was cut off has been saved for the last time.
_CUT_AFTER = 2


def add_trained(root: Path) -> None:
    """Make them all by the commands that users have."""
    with surroundings(root), in_place_of_streams(captured(), captured_errors()):
        for table in ("captions", "objects"):
            _succeed("features", "build", table, *DATA, "--encoder", "words", "--width", "4")
        for kind, features in RUNS.items():
            _succeed("train", kind, *DATA, *SMALL, "--features", features, "--out", f"runs/{kind}")
        _cut_off("train", "smna", *DATA, *SMALL, "--out", CUT)
        _succeed("train", "score", "runs/smna", *DATA, "--out", SCORE)
        _succeed("reproduce", "table2", "runs/smna", *DATA, "--out", REPRODUCED)
    _write_stores(root)


def _succeed(*argv: str) -> None:
    if run(argv):
        raise AssertionError(f"{argv} failed")


def _cut_off(*argv: str) -> None:
    """Run a training that is interrupted."""
    step = Learner.step

    def stopping(self: Learner, iteration: int) -> object:
        if iteration == _CUT_AFTER:
            raise KeyboardInterrupt
        return step(self, iteration)

    Learner.step = stopping  # type: ignore[method-assign, assignment]
    try:
        if run(argv) != 130:
            raise AssertionError(f"{argv} was not interrupted")
    finally:
        Learner.step = step  # type: ignore[method-assign]


def _write_stores(root: Path) -> None:
    """Photographs' features, of four entries a view."""
    (root / "stores").mkdir()
    dice = np.random.default_rng(3)
    lines = []
    with h5py.File(root / HDF5, "w") as store:
        for scan in sorted({scan for scan, _, _ in SPLITS.values()}):
            for name in PLACES:
                values = dice.normal(size=(36, 4)).astype(np.float32)
                lines.append(tsv_line(scan, name, values))
                store.create_dataset(f"{scan}_{name}", data=values)
    (root / TSV).write_text("".join(lines))
