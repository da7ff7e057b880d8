"""All kinds of cases: how each spoils the tree, the command line or the streams."""

import contextlib
import io
import os
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from tests.bad_input import files, formats, mutations, options
from tests.bad_input.base import ARCHIVES, Tree
from tests.bad_input.commands import PLAIN, Command, Repertoire, evaluate, navigate, written
from tests.bad_input.running import NORMAL, Streams, captured, captured_errors
from tests.bad_input.verdict import Expected


@dataclass(frozen=True)
class Case:
    """A command line in a tree that is already spoilt."""

    kind: str
    what: str
    argv: tuple[str, ...]
    expected: Expected
    around: tuple[AbstractContextManager[None], ...] = ()
    streams: Streams = NORMAL


def make_case(tree: Tree, subject: "Subject", seed: int, number: int) -> Case:
    """Case `number`, whatever cases came before; what it spoils on disk is spoilt by this call."""
    rng = random.Random(f"{seed}/{number}")
    kinds, weights = zip(*((kind, weight) for kind, (weight, _) in subject.kinds.items()), strict=True)
    kind = rng.choices(kinds, weights)[0]
    case = subject.kinds[kind][1](rng, tree, subject.commands)
    argv = tuple(word.replace("{root}", str(tree.root)) for word in case.argv)
    expected = replace(case.expected, writes=case.expected.writes or written(argv))
    if argv[:2] in (("data", "import"), ("data", "fetch")):
        expected = replace(expected, copies=_whole_copies(tree, argv))
    elif argv[:1] in _KEEPING:
        expected = replace(expected, keeps_unless=_KEEPING[argv[:1]])
    return replace(case, kind=kind, argv=argv, expected=expected)


#: Commands that go on where they were: what they made stays there, unless they end with one of these codes.
_KEEPING: dict[tuple[str, ...], tuple[int, ...]] = {
    ("train",): (2, 3),
    ("features",): (2,),
    ("reproduce",): (),
}


def _whole_copies(tree: Tree, argv: tuple[str, ...]) -> Callable[[bytes], bool]:
    """What an import may copy: each file of the tree as it is, or was before it was spoilt, whole."""
    items = (*tree.look().values(), *tree.pristine.values())
    contents = {item.content for item in items if item.kind == "file"}
    lengths = {len(content) for content in contents}
    if any(word.endswith(".tar") for word in argv):  # has no checksum, so that changed bytes go unnoticed
        return lambda content: len(content) in lengths
    return contents.__contains__


def _case(command: Command, what: str, names: tuple[str, ...]) -> Case:
    return Case("", what, command.argv, Expected(names))


def content(spoil: Callable[[random.Random, str, bytes], tuple[str, bytes]], suffix: str = "") -> "Maker":
    """Cases that spoil the content of one file that the command reads."""

    def make(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
        command, path = _reading(rng, commands, suffix)
        what, content = spoil(rng, path, tree.pristine[path].content)
        (tree.root / path).write_bytes(content)
        return _case(command, f"{path}: {what}", _names(command, path, strict=not suffix))

    return make


def _reading(rng: random.Random, commands: Repertoire, suffix: str = "") -> tuple[Command, str]:
    """A command and one of the files it reads."""
    while True:
        command = rng.choice(commands.reading)(rng)
        paths = [path for path in command.reads if path.endswith(suffix)]
        if paths:
            return command, rng.choice(paths)


def _names(command: Command, path: str, *, strict: bool) -> tuple[str, ...]:
    """What a message may name: the file, and where two files contradict each other, the other one, too."""
    near = path.removeprefix("data/")
    near = str(Path(path).parent) if near.startswith("features/") else near  # a table is one thing to users
    names = (path, near) if strict and command.works else (path, near, *command.reads)
    extra = ("data/connectivity", "connectivity/") if path.endswith("scans.txt") else ()
    extra += ("stale, as",) if path.startswith("data/") and command.argv[0] != "features" else ()
    extra += ("data/features/",) if path.endswith("checkpoint.safetensors") else ()  # it names other tables
    copied = ("source", "target", "r2r/") if command.argv[1] in ("import", "fetch") else ()
    return (*names, *extra, *copied)


def _in_place(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    command, path = _reading(rng, commands)
    what, fault = rng.choice(files.INPUT_FAULTS)
    fault(rng, tree.root / path)
    parents = tuple(str(parent) for parent in Path(path).parents if str(parent) != ".")
    return _case(command, f"{path}: {what}", (*_names(command, path, strict=True), *parents))


def _forbidden(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    command, path = _reading(rng, commands)
    place = rng.choice((path, path, str(Path(path).parent)))
    case = _case(command, f"{place}: no permission", (*_names(command, path, strict=True), place, "data"))
    return replace(case, around=(files.no_permission(tree.root / place),))


def _writing(rng: random.Random, commands: Repertoire) -> tuple[Command, str]:
    while True:
        command = rng.choice(commands.writing)(rng)
        if command.works and command.writes is not None:
            return command, command.writes


def _full(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    command, target = _writing(rng, commands)
    room = rng.choice((0, 1, 100, rng.randrange(3000), rng.randrange(20_000)))
    if rng.random() < 0.3:
        tree.clear_cache()
    case = _case(command, f"{target}: {room} bytes of room", (target,))
    return replace(case, around=(files.full_disk(room),))


def _bad_output(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    command, target = _writing(rng, commands)
    path = tree.root / target
    if rng.random() < 0.3:
        path.parent.mkdir(parents=True, exist_ok=True)
        case = _case(command, f"{target}: its folder may not be written", (target,))
        return replace(case, around=(files.no_permission(path.parent, 0o555),))
    what, fault = rng.choice(files.OUTPUT_FAULTS)
    if target in ("data", "results") or path.parent == tree.root:
        return _full(rng, tree, commands)
    fault(rng, path)
    case = _case(command, f"{target}: {what}", (target, str(Path(target).parent)))
    # What a link leads to may be made in its place.
    return replace(
        case, expected=replace(case.expected, writes=Path(target).parts[0] if path.is_symlink() else None)
    )


def _bad_options(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    command = rng.choice(commands.every)(rng)
    what, argv, words = options.spoil_options(rng, command.argv)
    # A value that is odd may still be a file's name; the message may then name what is wrong with that.
    # An empty one is the working directory to Python, which messages write as a dot.
    names = tuple(word.replace("{root}", str(tree.root)) or "error: .:" for word in words)
    output = written(argv)
    also = () if output is None else (str(Path(output)),)
    also += ("are not built",)  # of features that are misspelt, by the folder of the one that is
    return Case("", what, argv, Expected((*names, *also, *command.reads, *argv[:1])))


def _archive(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    path = rng.choice(ARCHIVES)
    what, content = mutations.spoil_bytes(rng, tree.pristine[path].content)
    (tree.root / path).write_bytes(content)
    argv = ("data", "import", path, "--data", "target", *rng.choice(((), ("--accept-edited",))))
    return _case(Command(argv, (path,)), f"{path}: {what}", (path,))


def _cache(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    """A spoilt cache must not even be noticed."""
    command = rng.choice((navigate, evaluate))(rng)
    what = "no cache"
    for path in sorted((tree.root / "cache").rglob("*.npz")):
        what, content = mutations.spoil_bytes(rng, path.read_bytes())
        path.write_bytes(content)
    return _case(command, f"{what}", ("--cluster", *command.argv))


def _stdout(open_stdout: Callable[[], IO[str] | None]) -> Streams:
    return Streams(open_stdout, captured_errors)


def _reader_gone() -> IO[str]:
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


def _full_device() -> IO[str]:
    return Path("/dev/full").open("w")


def _narrow() -> IO[str]:
    return io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict", write_through=True)


_STREAMS: tuple[tuple[str, Streams], ...] = (
    ("stdout is full", _stdout(_full_device)),
    ("stdout is closed", _stdout(lambda: None)),
    ("nobody reads stdout", _stdout(_reader_gone)),
    ("stdout is ASCII", _stdout(_narrow)),
    ("stderr is full", Streams(captured, _full_device)),
    ("stderr is closed", Streams(captured, lambda: None)),
    ("nobody reads stderr", Streams(captured, _reader_gone)),
)


def _bad_streams(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    what, streams = rng.choice(_STREAMS)
    case = _bad_options(rng, tree, commands) if rng.random() < 0.4 else _valid(rng, commands)
    expected = replace(case.expected, silent=True)
    return replace(case, what=f"{what}; {case.what}", streams=streams, expected=expected)


def _valid(rng: random.Random, commands: Repertoire) -> Case:
    return _case(rng.choice(commands.every)(rng), "valid command", ())


Maker = Callable[[random.Random, Tree, Repertoire], Case]


def _bytes(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    return mutations.spoil_bytes(rng, content)


def _structure(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    return mutations.spoil_json(rng, content)


def _value(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    return mutations.spoil_value(rng, content)


def _record(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    if not formats.has_format(path):
        return mutations.spoil_json(rng, content)
    return formats.spoil_format(rng, path, content)


@dataclass(frozen=True)
class Subject:
    """What is tested: commands, kinds of cases with their shares, and files that only they read."""

    commands: Repertoire
    kinds: Mapping[str, tuple[int, Maker]]
    add: Callable[[Path], None] = lambda root: None


#: Kinds of cases that any command may meet.
COMMON: dict[str, tuple[int, Maker]] = {
    "bytes of a file": (18, content(_bytes)),
    "JSON structure": (14, content(_structure, ".json")),
    "JSON values": (14, content(_value, ".json")),
    "files and folders": (8, _in_place),
    "no permission": (4, _forbidden),
    "full disk": (4, _full),
    "outputs": (4, _bad_output),
    "options": (20, _bad_options),
    "streams": (4, _bad_streams),
}

FILES = Subject(
    PLAIN,
    {
        **COMMON,
        "records": (18, content(_record, ".json")),
        "archives": (4, _archive),
        "caches": (2, _cache),
    },
)


@contextlib.contextmanager
def in_force(case: Case) -> Iterator[None]:
    """The case's conditions, such as a full disk."""
    with contextlib.ExitStack() as stack:
        for condition in case.around:
            stack.enter_context(condition)
        yield
