"""The list of known files: where each comes from, its size and digest, and what it costs to lack it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath

from fastnav.data.checking import Record
from fastnav.data.files import parse_json, read_bytes
from fastnav.errors import UnknownName

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class SourceFile:
    """One published file. `path` is where it lies in a data directory, with `/` between its parts."""

    path: str
    size: int
    sha256: str
    urls: tuple[str, ...]
    cost: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class Bundle:
    """Many small files that count as one, packed in `path` or lying in `folder`.

    Everyone packs them differently, so `sha256` is that of their contents (see `bundle.contents_digest`).
    """

    path: str
    folder: str
    member: str
    count: int
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The last part of the packed path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class Archive:
    """A public download that holds a group's files among others. `path` is where it lies meanwhile."""

    path: str
    urls: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Files that are published together and missed together."""

    name: str
    title: str
    homepage: str
    licence: str
    cost: str
    files: tuple[SourceFile, ...]
    bundle: Bundle | None
    archive: Archive | None
    #: Folders that give a file's bare name its meaning; empty where the names speak for themselves.
    folders: tuple[str, ...]
    #: The path of the one file that each building has, with `{scan}` for the building's name.
    per_building: str | None


@dataclass(frozen=True)
class Manifest:
    """All groups, in the order in which they are fetched and shown."""

    groups: tuple[Group, ...]

    def select(self, names: Iterable[str] | None) -> tuple[Group, ...]:
        """The groups of those names, or all of them; an unknown name is an error."""
        if names is None:
            return self.groups
        known = {group.name: group for group in self.groups}
        wanted = set(names)
        for name in sorted(wanted - set(known)):
            raise UnknownName("data group", name, known)
        return tuple(group for group in self.groups if group.name in wanted)


@cache
def published() -> Manifest:
    """The manifest that ships with the package."""
    with resources.as_file(resources.files(__package__) / "manifest.json") as path:
        return load_manifest(path)


def load_manifest(path: Path) -> Manifest:
    """Read and check a manifest."""
    top = Record.of(parse_json(read_bytes(path), path), path, "manifest")
    records = enumerate(top.items("groups"))
    return Manifest(tuple(_group(Record.of(value, path, f"group {k}")) for k, value in records))


def _group(record: Record) -> Group:
    record = record.named(f"group {record.text('name')}")
    cost, urls = record.text("cost"), _texts(record, "urls")
    files = [
        _file(Record.of(value, record.path, record.where), cost, urls) for value in record.items("files")
    ]
    return Group(
        name=record.text("name"),
        title=record.text("title"),
        homepage=record.text("homepage"),
        licence=record.text("licence"),
        cost=cost,
        files=tuple(files),
        bundle=_bundle(record),
        archive=_archive(record),
        folders=_texts(record, "folders"),
        per_building=_path(record, "per_building") if "per_building" in record.fields else None,
    )


def _file(record: Record, cost: str, urls: tuple[str, ...]) -> SourceFile:
    path = _path(record, "path")
    record = record.named(f"file {path}")
    name = PurePosixPath(path).name
    templates = _texts(record, "urls") or urls
    return SourceFile(
        path=path,
        size=record.integer("size"),
        sha256=_digest(record),
        urls=tuple(url.replace("{path}", path).replace("{name}", name) for url in templates),
        cost=record.text("cost") if "cost" in record.fields else cost,
    )


def _archive(record: Record) -> Archive | None:
    if "archive" not in record.fields:
        return None
    fields = Record.of(record.fields["archive"], record.path, f"{record.where}, archive")
    return Archive(_path(fields, "path"), fields.texts("urls"))


def _bundle(record: Record) -> Bundle | None:
    if "bundle" not in record.fields:
        return None
    fields = Record.of(record.fields["bundle"], record.path, f"{record.where}, bundle")
    return Bundle(
        path=_path(fields, "path"),
        folder=_path(fields, "folder"),
        member=fields.text("member"),
        count=fields.integer("count"),
        size=fields.integer("size"),
        sha256=_digest(fields),
    )


def _path(record: Record, field: str) -> str:
    """A path that stays inside the data directory."""
    text = record.text(field)
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or "\\" in text or ":" in text:
        raise record.error(field, f"{text!r} does not stay inside the data directory")
    return text


def _digest(record: Record) -> str:
    digest = record.text("sha256")
    if not _DIGEST.fullmatch(digest):
        raise record.error("sha256", "expected 64 hexadecimal digits")
    return digest


def _texts(record: Record, field: str) -> tuple[str, ...]:
    return record.texts(field) if field in record.fields else ()
