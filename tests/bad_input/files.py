"""Faults of the file system: what lies where a file should be, who may use it, and how much room is left."""

import contextlib
import os
import random
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bad_input.base import remove

#: The user without rights that root becomes where permissions are to count.
NOBODY = 65534

Fault = tuple[str, Callable[[random.Random, Path], None]]


def _folder(rng: random.Random, path: Path) -> None:
    remove(path)
    path.mkdir()
    if rng.random() < 0.5:
        (path / "inside.json").write_text("[]")


def _parent_is_file(rng: random.Random, path: Path) -> None:
    remove(path.parent)
    path.parent.write_text("not a folder")


def _link_to(*targets: str) -> Callable[[random.Random, Path], None]:
    def link(rng: random.Random, path: Path) -> None:
        remove(path)
        path.symlink_to(rng.choice(targets))

    return link


def _loop(rng: random.Random, path: Path) -> None:
    remove(path)
    path.symlink_to(path.name)


def _pipe(rng: random.Random, path: Path) -> None:
    remove(path)
    os.mkfifo(path, 0o666)


#: What may lie where an input is read.
INPUT_FAULTS: tuple[Fault, ...] = (
    ("missing", lambda rng, path: remove(path)),
    ("missing folder", lambda rng, path: remove(path.parent)),
    ("folder instead of a file", _folder),
    ("file instead of its folder", _parent_is_file),
    ("dangling link", _link_to("nowhere", "/nowhere/at/all", "a" * 255)),
    ("link to itself", _loop),
    ("pipe", _pipe),
    ("device", _link_to("/dev/null", "/dev/zero", "/dev/full")),
    ("link to a folder", _link_to(".", "..")),
)


def _under_file(rng: random.Random, path: Path) -> None:
    remove(path.parent)
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.write_text("not a folder")


def _made(fault: Callable[[random.Random, Path], None]) -> Callable[[random.Random, Path], None]:
    def in_folder(rng: random.Random, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        fault(rng, path)

    return in_folder


#: What may lie where an output is to be written.
OUTPUT_FAULTS: tuple[Fault, ...] = (
    ("folder instead of the output", _made(_folder)),
    ("file instead of its folder", _under_file),
    ("dangling link", _made(_link_to("nowhere", "no/such/folder/x.json"))),
    ("link to itself", _made(_loop)),
    ("pipe", _made(_pipe)),
)


@contextlib.contextmanager
def no_permission(path: Path, mode: int = 0) -> Iterator[None]:
    """`path` with `mode`, for a user whom permissions bind."""
    before = path.stat().st_mode
    path.chmod(mode)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        path.chmod(before)


@contextlib.contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file grows beyond `room` bytes; Python ignores the signal, so that writing fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
