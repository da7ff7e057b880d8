"""Where a feature table is made: beside its place, and put there whole when it is finished.

    features/<name>/            a finished table; nobody ever sees half of one
    features/<name>.partial/    what has been made of it so far; a killed build goes on from there
    features/<name>.old/        the table it replaces, for the instant between two renames

What is made in pieces is kept in files that are named after a digest of everything they depend on, so a piece
is only ever picked up where it would be made again byte by byte.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fastnav.data.files import output_error, sha256_of, whole_file, write_json
from fastnav.errors import UsageError

#: Raised whenever the tables change their meaning.
FORMAT = 1
FOLDER = "features"

#: A building's name and a viewpoint's id.
Place = tuple[str, str]

#: Called with how much is done, and of how much.
Progress = Callable[[int, int], None]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
_RESERVED = ("none", "shuffled")


def ignore_progress(done: int, total: int) -> None:
    """A `Progress` that tells nobody."""


def refuse_name(name: str) -> None:
    """Refuse what no table can be called."""
    if not _NAME.fullmatch(name) or name in _RESERVED:
        raise UsageError(
            f"a feature table cannot be called {name[:40]!r}; use small letters, digits, - and _"
        )


@dataclass(frozen=True)
class Workshop:
    """The folders in which the table `name` of a data directory is made."""

    data: Path
    name: str

    def __post_init__(self) -> None:
        refuse_name(self.name)

    @property
    def folder(self) -> Path:
        """Where the finished table stands."""
        return self.data / FOLDER / self.name

    @property
    def partial(self) -> Path:
        """Where it is made."""
        return self.data / FOLDER / f"{self.name}.partial"

    @property
    def made(self) -> Path:
        """Where the files of the table are gathered."""
        return self.partial / "table"

    def piece(self, key: str, make: Callable[[], np.ndarray]) -> np.ndarray:
        """The array that `key` stands for: from disk if it was made before, else made and kept."""
        path = self.partial / f"{key}.npy"
        try:
            return np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):  # not there, or damaged: as good as not there
            save_array(path, make())
            return np.load(path, allow_pickle=False)

    def has(self, version: str) -> bool:
        """Whether a finished table of this very version stands there; then what it was made from can go."""
        try:
            meta = json.loads((self.folder / "meta.json").read_bytes())
        except (OSError, ValueError):
            return False
        found = isinstance(meta, dict) and (meta.get("format"), meta.get("version")) == (FORMAT, version)
        if found:
            self._clear()
        return found

    def publish(
        self, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any], places: Sequence[Place]
    ) -> None:
        """Put a finished table in its place; what it was made from is removed.

        Arrays that stand in the folder `made` already are left as they are.
        """
        for name, array in arrays.items():
            save_array(self.made / f"{name}.npy", array)
        write_json(self.made / "viewpoints.json", list(places))
        write_json(self.made / "meta.json", {"format": FORMAT, **meta}, indent=1)
        try:
            for half in self.made.glob(".*"):  # of a file that was being written when a build was killed
                half.unlink()
            shutil.rmtree(self._old, ignore_errors=True)
            if self.folder.exists():
                self.folder.rename(self._old)
            self.made.rename(self.folder)
        except OSError as error:
            raise output_error(self.folder, error) from None
        self._clear()

    @property
    def _old(self) -> Path:
        return self.folder.with_name(f"{self.name}.old")

    def _clear(self) -> None:
        shutil.rmtree(self._old, ignore_errors=True)
        shutil.rmtree(self.partial, ignore_errors=True)


def save_array(path: Path, array: np.ndarray) -> None:
    """Write one array, whole or not at all."""
    with whole_file(path) as beside, beside.open("wb") as stream:
        np.save(stream, np.ascontiguousarray(array), allow_pickle=False)


def digest_of(*parts: Any) -> str:
    """The digest of anything that JSON can hold."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def digest_of_files(paths: Iterable[Path]) -> str:
    """The digest of several files' names and contents."""
    return digest_of([(path.name, sha256_of(path)) for path in paths])
