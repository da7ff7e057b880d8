"""Feature files of others, TSV and HDF5: read exactly, resumed exactly, and refused with the row named."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fastnav.data.features import build_hdf5, build_resnet, dense
from fastnav.data.features.dense import Row
from fastnav.data.features.resnet import TsvFile
from fastnav.errors import FastnavError, MalformedFile, MissingFile
from tests.bad_input.files import no_permission
from tests.data.features.samples import SCANS, everything, photographs, tsv_line

PHOTOGRAPHS = photographs()
Values = dict[tuple[str, str], np.ndarray]
Write = Callable[[Path, Values], Path]


def write_tsv(folder: Path, values: Values) -> Path:
    """A feature TSV, in an order of its own."""
    path = folder / "photographs.tsv"
    path.write_text("".join(tsv_line(*place, values[place]) for place in sorted(values, reverse=True)))
    return path


def write_hdf5(folder: Path, values: Values) -> Path:
    """An HDF5 store."""
    h5py = pytest.importorskip("h5py")
    path = folder / "photographs.hdf5"
    with h5py.File(path, "w") as store:
        for (scan, name), array in values.items():
            store[f"{scan}_{name}"] = array
    return path


def build(kind: str, data: Path, source: Path, **options: Any) -> Any:
    """Build a table of four features from either file."""
    if kind == "tsv":
        return build_resnet(data, source, width=4, name="photos", **options)
    return build_hdf5(data, source, name="photos", **options)


BOTH = pytest.mark.parametrize(("kind", "write"), [("tsv", write_tsv), ("hdf5", write_hdf5)])


@BOTH
def test_values_arrive_as_they_are(data: Path, tmp_path: Path, kind: str, write: Write) -> None:
    """To half precision, in the order asked for; a second build has nothing to do."""
    source = write(tmp_path, {**PHOTOGRAPHS, ("elsewhere", "Q"): np.zeros((36, 4), dtype=np.float32)})
    table = build(kind, data, source)
    places = list(PHOTOGRAPHS)[::-1]
    wanted = np.stack([PHOTOGRAPHS[place] for place in places]).astype(np.float16)
    np.testing.assert_array_equal(table.dense(places), wanted)
    assert table.facts()["width"] == 4
    before = table.folder.stat().st_mtime_ns
    assert build(kind, data, source).version == table.version
    assert table.folder.stat().st_mtime_ns == before


def test_the_first_entries_of_a_wider_store(data: Path, tmp_path: Path) -> None:
    """Stores that append class probabilities are cut to the width asked for."""
    table = build_hdf5(data, write_hdf5(tmp_path, PHOTOGRAPHS), width=3, name="clip")
    place = (SCANS[1], "B")
    np.testing.assert_array_equal(table.dense([place])[0], PHOTOGRAPHS[place][:, :3].astype(np.float16))


def test_a_header_and_blank_lines_are_passed_over(data: Path, tmp_path: Path) -> None:
    """Some TSVs have them."""
    source = write_tsv(tmp_path, PHOTOGRAPHS)
    source.write_text("scanId\tviewpointId\timage_w\timage_h\tvfov\tfeatures\n" + source.read_text() + "\n")
    assert build("tsv", data, source).width == 4


@BOTH
@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda array: array[:35], r"expected 36 x 4"),
        (lambda array: array[:, :3], r"expected 36 x 4"),
        (lambda array: np.where(np.arange(4) == 2, np.nan, array), "view 0, feature 2 is nan"),
        (lambda array: np.where(np.arange(4) == 2, 1e6, array), "view 0, feature 2 is 1000000.0"),
    ],
)
def test_a_bad_row_is_named(
    data: Path, tmp_path: Path, kind: str, write: Write, spoil: Any, problem: str
) -> None:
    """By its viewpoint; and no table appears."""
    place = (SCANS[2], "C")
    source = write(tmp_path, {**PHOTOGRAPHS, place: spoil(PHOTOGRAPHS[place])})
    with pytest.raises(MalformedFile, match=problem) as caught:
        build(kind, data, source)
    assert "C" in caught.value.where and SCANS[2] in caught.value.where
    assert not (data / "features" / "photos").exists()


@BOTH
def test_a_missing_viewpoint_is_named(data: Path, tmp_path: Path, kind: str, write: Write) -> None:
    """A file that was cut short is not padded with zeros."""
    place = (SCANS[0], "G")
    source = write(tmp_path, {key: value for key, value in PHOTOGRAPHS.items() if key != place})
    with pytest.raises(
        MalformedFile, match=f"no row for 1 of 15 viewpoints, such as G of building {SCANS[0]}"
    ):
        build(kind, data, source)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a\tb\tc\n", "3 columns"),
        ("a\tb\t1\t1\t60\t@@@@\n", "viewpoint b of building a.*not base64"),
        ("a\tb\t1\t1", "the file ends within it"),
        (tsv_line(SCANS[0], "S", PHOTOGRAPHS[SCANS[0], "S"]), "had a row before"),
    ],
)
def test_a_bad_line_is_named(data: Path, tmp_path: Path, line: str, problem: str) -> None:
    """By the byte where it begins."""
    source = write_tsv(tmp_path, PHOTOGRAPHS)
    size = source.stat().st_size
    with source.open("a") as stream:
        stream.write(line)
    with pytest.raises(MalformedFile, match=f"the row at byte {size}.*{problem}"):
        build("tsv", data, source)


def test_what_is_no_file(data: Path, tmp_path: Path) -> None:
    """A wrong path, and a file of another format."""
    for make in (build_resnet, build_hdf5):
        with pytest.raises(MissingFile, match="--from"):
            make(data, tmp_path / "nothing")
    other = tmp_path / "other.hdf5"
    other.write_text("hello")
    pytest.importorskip("h5py")
    with pytest.raises(MalformedFile, match="not HDF5"):
        build_hdf5(data, other)


def test_a_store_of_something_else(data: Path, tmp_path: Path) -> None:
    """Nothing at all; a group instead of an array; a row of numbers."""
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "store.hdf5"
    for fill, problem in (
        (lambda store: None, "holds nothing"),
        (lambda store: store.create_group("a_b"), "key a_b: no array of numbers"),
        (lambda store: store.__setitem__("a_b", np.zeros(3)), "found 1 axes"),
    ):
        with h5py.File(path, "w") as store:
            fill(store)
        with pytest.raises(MalformedFile, match=problem):
            build_hdf5(data, path)


class Stopped(BaseException):
    """As sudden as a signal, as far as Python code can tell."""


@pytest.mark.parametrize("stop", range(15))
def test_a_stopped_build_goes_on(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    """From the last row noted, to the same bytes."""
    source = write_tsv(tmp_path, PHOTOGRAPHS)
    wanted = everything(build("tsv", data, source).folder)
    monkeypatch.setattr(dense, "NOTED", 4)
    read: list[int] = []
    plain = TsvFile.rows

    def rows(self: TsvFile, start: int) -> Iterator[Row]:
        read.append(0)
        for row in plain(self, start):
            if len(read) == 1 and read[0] == stop:
                raise Stopped
            read[-1] += 1
            yield row

    monkeypatch.setattr(TsvFile, "rows", rows)
    (data / "features" / "photos").rename(tmp_path / "before")
    with pytest.raises(Stopped):
        build("tsv", data, source)
    assert everything(build("tsv", data, source).folder) == wanted
    assert read == [stop, 15 - stop // 4 * 4]


def test_another_file_is_not_taken_for_the_first(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a stopped build left of one file is not gone on with from another."""
    monkeypatch.setattr(dense, "NOTED", 1)
    source = write_tsv(tmp_path, {**PHOTOGRAPHS, (SCANS[0], "A"): np.full((36, 4), np.nan)})
    with pytest.raises(FastnavError):
        build("tsv", data, source)
    changed = {place: values + 1 for place, values in PHOTOGRAPHS.items()}
    table = build("tsv", data, write_tsv(tmp_path, changed))
    place = next(iter(changed))
    np.testing.assert_array_equal(table.dense([place])[0], changed[place].astype(np.float16))


def test_a_file_that_may_not_be_read(data: Path, tmp_path: Path) -> None:
    """Which shows only when it is opened."""
    path = write_tsv(tmp_path, PHOTOGRAPHS)
    with no_permission(path), pytest.raises(MissingFile, match=r"tsv: .*(may not|cannot) be read"):
        dense.fingerprint(path)


def test_a_damaged_index_of_a_store(data: Path, tmp_path: Path) -> None:
    """HDF5 tells of it by an error of its own kind."""
    path = write_hdf5(tmp_path, PHOTOGRAPHS)
    path.write_bytes(path.read_bytes().replace(b"SNOD", b"\0\0\0\0"))
    with pytest.raises(MalformedFile, match=r"photographs\.hdf5: cannot be listed"):
        build_hdf5(data, path)
