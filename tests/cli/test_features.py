"""`fastnav features build`, on toy data."""

import json
from pathlib import Path

import numpy as np
import pytest

from fastnav.data import features
from fastnav.data.features import encoders
from tests.cli.conftest import Command
from tests.data.features.samples import HashEncoder, photographs, tsv_line, write_data


@pytest.fixture(autouse=True)
def _no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "TransformerEncoder", lambda name, precision: HashEncoder(name))


def test_captions_and_objects(data: Path, fastnav: Command) -> None:
    """The folder and figures on stdout, JSON for machines; a second build is told the same."""
    write_data(data)
    ran = fastnav("features", "build", "captions", "--data", data, "--width", 6)
    assert ran.code == 0 and ran.out.startswith(f"{data / 'features' / 'captions'}\n")
    assert "variance kept" in ran.out and "loading the sentence encoder all-MiniLM-L6-v2" in ran.err
    assert fastnav("features", "build", "captions", "--data", data, "--width", 6).out == ran.out
    ran = fastnav("features", "build", "objects", "--data", data, "--encoder", "mine", "--json")
    told = json.loads(ran.out)
    assert (told["encoder"], told["viewpoints"], told["triangulated"]) == ("mine", 15, 6)


def test_photographs(data: Path, fastnav: Command) -> None:
    """Both kinds of files, and a table by a name of its own."""
    made = photographs()
    tsv = data / "photographs.tsv"
    tsv.write_text("".join(tsv_line(*place, values) for place, values in made.items()))
    ran = fastnav("features", "build", "resnet", "--from", tsv, "--data", data, "--width", 4)
    assert ran.code == 0 and "width: 4" in ran.out
    h5py = pytest.importorskip("h5py")
    with h5py.File(data / "clip.hdf5", "w") as store:
        for (scan, name), values in made.items():
            store[f"{scan}_{name}"] = values
    ran = fastnav("features", "build", "hdf5", "--from", data / "clip.hdf5", "--name", "clip", "--data", data)
    assert ran.code == 0
    places = list(made)
    np.testing.assert_array_equal(
        features.load_features(data, "clip", places), features.load_features(data, "resnet", places)
    )


def test_mistakes(data: Path, fastnav: Command) -> None:
    """One line each, and no traceback."""
    ran = fastnav("features", "build", "captions", "--data", data)
    assert ran.code == 3 and "captions" in ran.err and "Traceback" not in ran.err
    ran = fastnav("features", "build", "resnet", "--from", "nothing.tsv", "--data", data)
    assert ran.code == 3 and "nothing.tsv: no such file" in ran.err
    tsv = data / "photographs.tsv"
    tsv.write_text(tsv_line("seenhouse01", "S", np.zeros((36, 5))))
    ran = fastnav("features", "build", "resnet", "--from", tsv, "--data", data, "--width", 4)
    assert ran.code == 3 and "viewpoint S of building seenhouse01" in ran.err and "--width" in ran.err
    ran = fastnav("features", "build", "resnet", "--from", tsv, "--data", data, "--name", "None")
    assert ran.code == 2 and "cannot be called 'None'" in ran.err
