"""Object boxes -> what stands near a viewpoint, and where in its views it is seen."""

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fastnav.data.checking import Record
from fastnav.data.files import files_in, is_folder, is_there, parse_json, read_bytes
from fastnav.errors import MalformedFile, MissingFile

VIEWS = 36
#: The views that boxes were drawn in.
VIEW_WIDTH, VIEW_HEIGHT = 640, 480

ARCHIVE = Path("objects/REVERIE_BBox.tar.gz")
FOLDER = Path("objects/BBox")

# Viewpoint ids hold no underscore, building names may.
_FILE_NAME = re.compile(r"(?P<scan>.+)_(?P<viewpoint>[^_/]+)\.json")


@dataclass(frozen=True)
class Sighting:
    """One object in one view: a box in pixels, its origin at the top left."""

    view: int
    box: tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True)
class SeenObject:
    """One object as seen from one viewpoint. `object_id` is the same wherever in the building it is seen."""

    object_id: str
    name: str
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True)
class ViewpointObjects:
    """All objects annotated at one viewpoint."""

    scan: str
    viewpoint_id: str
    objects: tuple[SeenObject, ...]


def read_objects(data: Path) -> Iterator[ViewpointObjects]:
    """All viewpoints' objects, from `objects/BBox/` or else from the archive, in the order of their names."""
    folder, archive = data / FOLDER, data / ARCHIVE
    if is_folder(folder):
        for path in files_in(folder, ".json"):
            yield parse_objects(read_bytes(path), path)
    elif is_there(archive):
        yield from _read_archive(archive)
    else:
        raise MissingFile(
            archive, "no object boxes", "`fastnav data fetch objects` says where they come from"
        )


def parse_objects(content: bytes, path: Path) -> ViewpointObjects:
    """The objects in one viewpoint's file."""
    match = _FILE_NAME.fullmatch(path.name)
    if match is None:
        raise MalformedFile(path, "the name is not <scan>_<viewpoint>.json", remedy="remove or rename it")
    scan, viewpoint = match["scan"], match["viewpoint"]
    top = Record.of(parse_json(content, path), path, "the top level")
    if viewpoint not in top.fields:
        # A viewpoint without objects is an empty object in the files, with or without its own key.
        if top.fields:
            raise top.error(viewpoint, "the viewpoint of the file's name is missing")
        return ViewpointObjects(scan, viewpoint, ())
    entries = Record.of(top.fields[viewpoint], path, f"viewpoint {viewpoint}").fields
    return ViewpointObjects(scan, viewpoint, tuple(_object(path, key, entries[key]) for key in entries))


def _object(path: Path, object_id: str, value: object) -> SeenObject:
    record = Record.of(value, path, f"object {object_id}")
    views = record.items("visible_pos")
    boxes = record.items("bbox2d", length=len(views))
    return SeenObject(
        object_id,
        record.text("name").replace("#", " "),
        tuple(
            _sighting(record, k, view, box) for k, (view, box) in enumerate(zip(views, boxes, strict=True))
        ),
    )


def _sighting(record: Record, number: int, view: object, box: object) -> Sighting:
    if isinstance(view, bool) or not isinstance(view, int) or not 0 <= view < VIEWS:
        raise record.error(f"visible_pos[{number}]", f"expected a view from 0 to {VIEWS - 1}")
    field = f"bbox2d[{number}]"
    x, y, width, height = Record(record.path, record.where, {field: box}).numbers(field, length=4)
    return Sighting(view, (x, y, width, height))


def _read_archive(path: Path) -> Iterator[ViewpointObjects]:
    packed = read_bytes(path)
    try:
        # Unpacked whole, so that its checksum counts: a damaged header would pass for the archive's end.
        content = io.BytesIO(gzip.decompress(packed))
        with tarfile.open(fileobj=content, mode="r:") as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            for member in sorted(members, key=lambda member: member.name):
                stream = archive.extractfile(member)
                if stream is not None and member.name.endswith(".json"):
                    yield parse_objects(stream.read(), path / member.name)
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, OverflowError) as error:
        remedy = "`fastnav data fetch objects` fetches it again"
        raise MalformedFile(path, f"not a whole archive ({error})", remedy=remedy) from None
