"""A build that is stopped at any moment goes on to the same bytes, and never shows half a table."""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fastnav.data.features import build_captions, dense, embedding, open_table
from fastnav.data.features.workshop import save_array
from fastnav.errors import OutputError
from tests.bad_input.files import full_disk
from tests.data.features.samples import HashEncoder, everything, photographs, tsv_line
from tests.data.features.slow_build import build_all

#: How many times a build is killed; more of them by hand.
KILLS = int(os.environ.get("FASTNAV_KILLS", "3"))


class Stopped(BaseException):
    """As sudden as a signal, as far as Python code can tell."""


class StoppingEncoder(HashEncoder):
    """Stops at its n-th call."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    def encode(self, sentences: Sequence[str]):  # type: ignore[no-untyped-def]
        """Vectors, until the calls are used up."""
        self.calls -= 1
        if self.calls < 0:
            raise Stopped
        return super().encode(sentences)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven pieces instead of one."""
    monkeypatch.setattr(embedding, "PIECE", 16)
    monkeypatch.setattr(dense, "NOTED", 4)


@pytest.mark.parametrize("calls", range(0, 12, 2))
def test_pieces_are_kept(data: Path, calls: int) -> None:
    """What was encoded before the stop is not encoded again."""
    wanted = everything(build_captions(data, HashEncoder()).folder)
    shutil.rmtree(data / "features")
    with pytest.raises(Stopped):
        build_captions(data, StoppingEncoder(calls))
    encoder = HashEncoder()
    assert everything(build_captions(data, encoder).folder) == wanted
    fresh = HashEncoder()
    build_captions(data, fresh, overwrite=True)
    assert encoder.asked == fresh.asked - 16 * calls


def test_damaged_pieces_are_made_again(data: Path) -> None:
    """A piece cut short, by whatever, is as good as none."""
    wanted = everything(build_captions(data, HashEncoder()).folder)
    shutil.rmtree(data / "features")
    with pytest.raises(Stopped):
        build_captions(data, StoppingEncoder(4))
    for cut, path in enumerate(sorted((data / "features" / "captions.partial").glob("*.npy"))):
        path.write_bytes(path.read_bytes()[: 50 * cut])
    assert everything(build_captions(data, HashEncoder()).folder) == wanted


@pytest.mark.parametrize("step", [1, 2])
def test_stopped_between_the_renames(data: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """The old table or none stands there, never a mixture; then the new one, whole."""
    old = build_captions(data, HashEncoder("old")).version
    wanted = build_captions(data, HashEncoder(), overwrite=True).version
    build_captions(data, HashEncoder("old"))
    rename, count = Path.rename, [0]

    def stopping(self: Path, target: Any) -> Path:
        if self.is_dir():
            count[0] += 1
            if count[0] == step:
                raise Stopped
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stopping)
    with pytest.raises(Stopped):
        build_captions(data, HashEncoder())
    if step == 1:
        assert open_table(data, "captions").version == old
    assert build_captions(data, HashEncoder()).version == wanted
    assert [path.name for path in (data / "features").iterdir()] == ["captions"]


def test_a_place_that_cannot_be_written(data: Path) -> None:
    """One message with the way out."""
    (data / "features").write_text("a file where the folder should be")
    with pytest.raises(OutputError, match="cannot be written"):
        build_captions(data, HashEncoder())


@pytest.mark.parametrize("room", [0, 100, 128, 129, 300, 1000])
def test_a_full_disk_is_noticed(tmp_path: Path, room: int) -> None:
    """An array is written whole, or an error tells that it is not."""
    path, array = tmp_path / "array.npy", np.ones((1, 200), dtype=np.float32)
    with full_disk(room):
        if room < 128 + array.nbytes:
            with pytest.raises(OutputError, match=r"array\.npy: cannot be written"):
                save_array(path, array)
        else:
            save_array(path, array)
    assert [each.name for each in tmp_path.iterdir()] == (["array.npy"] if room >= 928 else [])


def test_killed_at_random_moments(data: Path, tmp_path: Path) -> None:
    """kill -9, while tables of every kind are built: the next build ends with the bytes of an unkilled."""
    tsv = tmp_path / "photographs.tsv"
    tsv.write_text("".join(tsv_line(*place, values) for place, values in photographs().items()))
    with _ready(data, tsv) as build:
        started = time.perf_counter()
        assert build.wait() == 0
        total = time.perf_counter() - started
    wanted = everything(data / "features")
    dice = random.Random(5)
    for _ in range(KILLS):
        shutil.rmtree(data / "features")
        with _ready(data, tsv) as build:
            time.sleep(dice.uniform(0, total))
            build.kill()
        build_all(data, tsv)
        assert everything(data / "features") == wanted


def _ready(data: Path, tsv: Path) -> "subprocess.Popen[bytes]":
    """A process that has just begun to build."""
    command = [sys.executable, "-m", "tests.data.features.slow_build", str(data), str(tsv)]
    build = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert build.stdout is not None and build.stdout.readline() == b"ready\n"
    return build
