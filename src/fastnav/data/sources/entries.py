"""The files inside a folder or an archive, one after another, without unpacking anything to disk."""

import io
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath

from fastnav.data.files import is_file, is_folder, read_bytes
from fastnav.errors import MalformedFile, MissingFile

_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    LZMAError,
    EOFError,
    RuntimeError,  # an encrypted zip; NotImplementedError, an unknown compression, is one too
    ValueError,
    OSError,
)


_CHUNK = 1 << 20


@dataclass(frozen=True)
class Entry:
    """One file of a source. Names only tell what it may be: nothing is ever written under them."""

    name: str
    size: int
    read: Callable[[], bytes]

    @property
    def base(self) -> str:
        """The last part of its name."""
        return PurePosixPath(self.name).name

    @property
    def folder(self) -> str:
        """The name of the folder it lies in."""
        return PurePosixPath(self.name).parent.name


def entries(source: Path) -> Iterator[Entry]:
    """All files in `source`: a folder, a zip or tar archive, or one JSON file.

    An archive's entries must be read in turn, before the next one is asked for.
    """
    if is_folder(source):
        yield from _in_folder(source)
    elif not is_file(source):
        raise MissingFile(
            source, "no such folder or archive", "name the folder or archive that holds the data"
        )
    elif source.suffix.lower() in {".json", ".txt"}:
        name = f"{source.absolute().parent.name}/{source.name}"
        yield Entry(name, source.stat().st_size, partial(read_bytes, source))
    else:
        with _guard(source), source.open("rb") as stream:
            yield from _in_archive(stream, source)


def entries_of(content: bytes, label: Path) -> Iterator[Entry]:
    """All files in the archive whose bytes are `content`; `label` names it in errors."""
    with _guard(label), io.BytesIO(content) as stream:
        yield from _in_archive(stream, label)


def _in_folder(source: Path) -> Iterator[Entry]:
    """Follows links to folders, which datasets are full of, but enters each real folder just once."""
    entered: set[str] = set()
    for directory, folders, names in os.walk(source, followlinks=True):
        folders[:] = sorted(name for name in folders if name != ".git")
        real = os.path.realpath(directory)
        if real in entered:
            folders.clear()
            continue
        entered.add(real)
        for name in sorted(names):
            path = Path(directory, name)
            if path.is_file():
                inside = PurePosixPath(source.absolute().name, *path.relative_to(source).parts)
                yield Entry(str(inside), path.stat().st_size, partial(read_bytes, path))


def _in_archive(stream: io.BufferedIOBase, label: Path) -> Iterator[Entry]:
    if zipfile.is_zipfile(stream):
        stream.seek(0)
        yield from _in_zip(stream, label)
    else:
        stream.seek(0)
        yield from _in_tar(stream, label)


def _in_zip(stream: io.BufferedIOBase, label: Path) -> Iterator[Entry]:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                name = info.filename.replace("\\", "/")
                yield Entry(name, info.file_size, _guarded(label, partial(archive.read, info)))


def _in_tar(stream: io.BufferedIOBase, label: Path) -> Iterator[Entry]:
    with tarfile.open(fileobj=stream, mode="r:*") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None:
                with content:
                    yield Entry(member.name, member.size, _guarded(label, content.read))
        # The checksum of a compressed archive stands behind its last member.
        while archive.fileobj is not None and archive.fileobj.read(_CHUNK):
            pass


def _guarded(label: Path, read: Callable[[], bytes]) -> Callable[[], bytes]:
    def reading() -> bytes:
        with _guard(label):
            return read()

    return reading


@contextmanager
def _guard(label: Path) -> Iterator[None]:
    """Every way in which an archive can be damaged, as one message."""
    try:
        yield
    except PermissionError:
        raise MissingFile(label, "may not be read", "change its permissions") from None
    except _DAMAGE as error:
        problem = f"not a readable zip or tar archive ({error or type(error).__name__})"
        raise MalformedFile(label, problem, remedy="it may be cut short: download or copy it again") from None
