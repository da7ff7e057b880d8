"""Features by expression, the blind and the shuffled control, and the ways to get an expression wrong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fastnav.data.features import build_captions, build_objects, load_features, open_table
from fastnav.data.features.loading import shuffled
from fastnav.errors import FastnavError, MalformedFile, MissingFile, UsageError
from tests.data.features.samples import SCANS, HashEncoder
from tests.toy_data import PLACES

ALL = [(scan, name) for scan in SCANS for name in PLACES]


@pytest.fixture
def built(data: Path) -> Path:
    """The toy data directory with both tables, of 2 x 12 and 12 + 2 features."""
    build_captions(data, HashEncoder())
    build_objects(data, HashEncoder())
    return data


def test_tables_are_joined_in_the_expressions_order(built: Path) -> None:
    """And their rows are those asked for, in the order asked for."""
    captions, objects = (load_features(built, name, ALL) for name in ("captions", "objects"))
    both = load_features(built, "objects+captions", ALL[::-1])
    assert captions.shape == (15, 36, 24) and both.dtype == np.float16
    widest = min(objects.shape[2], 64)
    np.testing.assert_array_equal(both[::-1, :, :widest], objects)
    np.testing.assert_array_equal(both[::-1, :, widest:], captions)


def test_none_has_no_features(data: Path) -> None:
    """The blind control needs no table."""
    assert load_features(data, "none", ALL).shape == (15, 36, 0)


def test_shuffled_gives_each_viewpoint_anothers(built: Path) -> None:
    """Of its own building, whole, each given once; the same whatever else is loaded, in whatever order."""
    plain = load_features(built, "captions", ALL)
    mixed = load_features(built, "shuffled:captions", ALL)
    given = shuffled(ALL)
    assert sorted(given) == sorted(ALL)
    assert all(a != b and a[0] == b[0] for a, b in zip(ALL, given, strict=True))
    np.testing.assert_array_equal(mixed, plain[[ALL.index(place) for place in given]])
    alone = [place for place in ALL if place[0] == SCANS[1]][::-1]
    np.testing.assert_array_equal(
        load_features(built, "shuffled:captions", alone), mixed[[ALL.index(place) for place in alone]]
    )


def test_buildings_are_shuffled_differently() -> None:
    """The same names in two buildings are not given the same way round."""
    names = [f"v{k:02}" for k in range(30)]
    orders = [[other for _, other in shuffled([(scan, name) for name in names])] for scan in "AB"]
    assert orders[0] != orders[1]
    assert shuffled([("A", "alone")]) == [("A", "alone")]


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "none that can be meant"),
        ("captions+", "none that can be meant"),
        ("captions+none", "none that can be meant"),
        ("captions+shuffled:objects", "none that can be meant"),
        ("captions+captions", "name a table twice"),
        ("Captions", "cannot be called 'Captions'"),
        ("../captions", "cannot be called"),
        ("shuffled", "cannot be called"),
    ],
)
def test_expressions_that_cannot_be_meant(built: Path, expression: str, problem: str) -> None:
    """One message each, with the way out."""
    with pytest.raises(UsageError, match=problem):
        load_features(built, expression, ALL)


def test_wrong_width(built: Path) -> None:
    """Weights trained with other features are told so, not broadcast."""
    load_features(built, "captions", ALL, width=24)
    with pytest.raises(UsageError, match=r"'captions' in .* are 24 wide, where 322 are needed"):
        load_features(built, "captions", ALL, width=322)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("objects", "fastnav features build objects --data"),
        ("resnet", "fastnav features build resnet --from FILE --data"),
        ("clip", "fastnav features build hdf5 --from FILE --name clip --data"),
    ],
)
def test_missing_table(data: Path, name: str, command: str) -> None:
    """The message holds the command that makes it."""
    with pytest.raises(MissingFile, match=command):
        load_features(data, name, ALL)


def test_objects_go_stale_with_the_graph(built: Path) -> None:
    """Where viewpoints stand is as much of a source as the boxes are."""
    path = built / "connectivity" / f"{SCANS[0]}_connectivity.json"
    path.write_text(path.read_text().replace("-2.0", "-2.5"))
    with pytest.raises(FastnavError, match="stale, as connectivity changed"):
        load_features(built, "captions+objects", ALL)


@pytest.mark.parametrize(
    ("name", "spoil", "said"),
    [
        ("index", lambda a: np.where(a == 0, 10_000, a), r"index.npy: names codes that are not there"),
        ("index", lambda a: a - 5, r"index.npy: names codes that are not there: -"),
        (
            "index",
            lambda a: a[:-1],
            r"index.npy: holds int32 of shape .* not int32 of .viewpoint 15, view 36, part",
        ),
        ("index", lambda a: a[:, :35], r"index.npy: holds .*, not int32 of .viewpoint 15, view 36, part"),
        ("codes", lambda a: a.astype("f8"), r"codes.npy: holds float64 .*, not float16"),
        ("codes", lambda a: a[None], r"codes.npy: holds float16 of shape \(1, "),
        ("codes", lambda a: a * np.float16(np.nan), r"captions: holds values that are no numbers"),
        ("words", lambda a: a[1:], r"words.npy: holds .*, not float16 of .word \d+, entry"),
        ("words", lambda a: a * np.float16(np.inf), r"words.npy: holds values that are no numbers"),
        ("mean", lambda a: a[1:], r"basis.npy: holds .* not float32 of .wide \d+, entry"),
        ("basis", lambda a: a * np.float32(np.nan), r"basis.npy: holds values that are no numbers"),
    ],
)
def test_arrays_that_do_not_fit(built: Path, name: str, spoil: Any, said: str) -> None:
    """Each is named, with the way out, before anything is computed from it."""
    path = built / "features" / "captions" / f"{name}.npy"
    with np.errstate(invalid="ignore"):
        changed = spoil(np.load(path))
    np.save(path, changed)
    with pytest.raises(MalformedFile, match=said + r".*--overwrite"):
        table = open_table(built, "captions")
        table.dense(ALL), table.space(), table.words()


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("meta", {"kind": ["dense"]}, r"meta.json: not a table of this version"),
        ("meta", {"sources": None}, r"meta.json: field 'sources': is missing or of another kind"),
        ("meta", {"version": 7}, r"meta.json: field 'version'"),
        ("meta", {"words": "all"}, r"meta.json: field 'words'"),
        ("meta", {"encoder": {}}, r"meta.json: field 'encoder'"),
        ("viewpoints", [["house"]], r"viewpoints.json: expected a building and a viewpoint for each row"),
    ],
)
def test_descriptions_that_do_not_fit(built: Path, name: str, change: Any, said: str) -> None:
    """A field of another kind is named, too."""
    path = built / "features" / "captions" / f"{name}.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, **change} if isinstance(change, dict) else change))
    with pytest.raises(MalformedFile, match=said):
        open_table(built, "captions")
