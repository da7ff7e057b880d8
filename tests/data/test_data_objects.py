"""Object boxes, from the folder or from the archive that the folder was packed into."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from fastnav.data.objects import (
    ARCHIVE,
    FOLDER,
    SeenObject,
    Sighting,
    ViewpointObjects,
    parse_objects,
    read_objects,
)
from fastnav.errors import MalformedFile, MissingFile
from tests.data import samples

ARMCHAIR = SeenObject(
    "31",
    "arm chair",
    (Sighting(12, (500.0, 200.0, 140.0, 90.5)), Sighting(13, (0.0, 200.0, 60.0, 90.0))),
)
EXPECTED = [
    ViewpointObjects("big_house", "z9", ()),
    ViewpointObjects("house", "a1", (ARMCHAIR, SeenObject("4", "lamp", ()))),
    ViewpointObjects("house", "b2", ()),
]


def contents() -> dict[str, bytes]:
    """File names and bytes, not in the order of the names; two ways to say that nothing is there."""
    return {
        "house_b2.json": b"{}",
        "house_a1.json": json.dumps(samples.objects()).encode(),
        "big_house_z9.json": b'{"z9": {}}',
    }


def put_folder(data: Path) -> None:
    (data / FOLDER).mkdir(parents=True)
    for name, content in contents().items():
        (data / FOLDER / name).write_bytes(content)


def put_archive(data: Path) -> Path:
    """The archive as published: a folder entry, then its files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        folder = tarfile.TarInfo("BBox")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in {**contents(), "LICENSE": b"words"}.items():
            member = tarfile.TarInfo(f"BBox/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    path = data / ARCHIVE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())
    return path


def test_the_folder_gives_all_viewpoints_in_the_order_of_their_names(tmp_path: Path) -> None:
    put_folder(tmp_path)
    assert list(read_objects(tmp_path)) == EXPECTED


def test_the_archive_gives_the_same_as_the_folder(tmp_path: Path) -> None:
    put_archive(tmp_path)
    assert list(read_objects(tmp_path)) == EXPECTED


def test_the_folder_goes_before_the_archive(tmp_path: Path) -> None:
    put_archive(tmp_path).write_bytes(b"never read")
    put_folder(tmp_path)
    assert list(read_objects(tmp_path)) == EXPECTED


def test_absent_objects_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"no object boxes; `fastnav data fetch objects`"):
        list(read_objects(tmp_path))


def test_a_fault_in_an_archive_names_the_archive_and_the_file_in_it(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("BBox/house_a1.json"))
    (tmp_path / "objects").mkdir()
    (tmp_path / ARCHIVE).write_bytes(packed.getvalue())
    with pytest.raises(MalformedFile, match=r"REVERIE_BBox\.tar\.gz/BBox/house_a1\.json: the file is empty"):
        list(read_objects(tmp_path))


def test_an_archive_cut_short_anywhere_is_told(tmp_path: Path) -> None:
    path = put_archive(tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(MalformedFile, match=r"REVERIE_BBox\.tar\.gz: not a whole archive"):
            list(read_objects(tmp_path))


def test_an_archive_damaged_anywhere_is_told_or_reads_the_same(tmp_path: Path) -> None:
    path = put_archive(tmp_path)
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x11
        path.write_bytes(damaged)
        try:
            assert list(read_objects(tmp_path)) == EXPECTED  # a time stamp or such
        except MalformedFile:
            refused += 1
    assert refused > 0.9 * len(whole)


def test_an_archive_that_is_packed_but_holds_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / ARCHIVE).write_bytes(gzip.compress(b"no tar at all" * 100))
    with pytest.raises(MalformedFile, match="not a whole archive"):
        list(read_objects(tmp_path))


def test_underscores_belong_to_the_building() -> None:
    assert parse_objects(b"{}", Path("a_b_c.json")) == ViewpointObjects("a_b", "c", ())
