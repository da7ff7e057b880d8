"""Bytes on disk: reading with errors that name the file, writing whole or not at all."""

import hashlib
import io
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastnav.errors import MalformedFile, MissingFile, OutputError

#: Written beside procedural houses: the sign by which a folder is known to hold fastnav's own.
HOUSES_MANIFEST = "houses.json"
#: The end of the names of files that are being written.
_HALF = ".partial"
_MISSING_REMEDY = "check the path (`fastnav data check` tells which files a data directory lacks)"


def read_bytes(path: Path) -> bytes:
    """The whole file, or a `MissingFile` that says why not."""
    with _explained(path):
        return _content(path)


def is_there(path: Path) -> bool:
    """Whether anything lies at `path`; a `MissingFile` where that cannot even be asked."""
    return _mode(path) is not None


def is_folder(path: Path) -> bool:
    """Whether a folder lies at `path`; a `MissingFile` where that cannot even be asked."""
    return stat.S_ISDIR(_mode(path) or 0)


def is_file(path: Path) -> bool:
    """Whether a file (no device, no pipe) lies at `path`; a `MissingFile` where that cannot even be asked."""
    return stat.S_ISREG(_mode(path) or 0)


def files_in(folder: Path, ending: str) -> list[Path]:
    """The paths in a folder whose names end so, sorted."""
    with _explained(folder):
        return sorted(path for path in folder.iterdir() if path.name.endswith(ending))


def _mode(path: Path) -> int | None:
    with _explained(path):
        try:
            return path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Every way in which a path can be of no use, as a `MissingFile`."""
    try:
        yield
    except FileNotFoundError:
        raise MissingFile(path, "no such file", _MISSING_REMEDY) from None
    except IsADirectoryError:
        raise MissingFile(path, "is a directory, not a file", "name the file inside it") from None
    except NotADirectoryError:
        raise MissingFile(path, "lies under something that is not a directory", "check the path") from None
    except PermissionError:
        raise MissingFile(path, "may not be read", "change its permissions") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise MissingFile(path, f"cannot be read ({error})", "check the path") from None


def _content(path: Path) -> bytes:
    with io.FileIO(str(path), opener=_without_waiting) as stream:
        mode = os.fstat(stream.fileno()).st_mode
        if stat.S_ISFIFO(mode):
            os.set_blocking(stream.fileno(), True)
        elif not stat.S_ISREG(mode):
            raise MissingFile(path, "is a device, not a file", "name a file")
        return stream.readall()


def _without_waiting(path: str, flags: int) -> int:
    """Opening a pipe would else wait for somebody to write to it, perhaps for ever."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path) -> str:
    """The whole file as UTF-8 text."""
    return _decode(path, read_bytes(path))


def read_json(path: Path) -> Any:
    """The value a JSON file holds. NaN and Infinity are refused: no format that we read has them."""
    return parse_json(read_bytes(path), path)


def parse_json(content: bytes, path: Path) -> Any:
    """The value in `content`, which was read from `path`."""
    text = _decode(path, content)
    if not text.strip():
        raise MalformedFile(path, "the file is empty", remedy=_refetch())
    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
        if "\\ud" in text or "\\uD" in text:
            _refuse_half_characters(value)
        return value
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedFile(path, f"not JSON ({error.msg})", where=where, remedy=_refetch()) from None
    except (ValueError, RecursionError) as error:
        raise MalformedFile(
            path, f"not usable JSON ({error})", remedy="write it again without that"
        ) from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path`, whole or not at all."""
    with whole_file(path) as beside, beside.open("wb") as stream:
        stream.write(content)


def write_text(path: Path, content: str) -> None:
    """Write `content` to `path` as UTF-8, whole or not at all."""
    write_bytes(path, content.encode())


def write_json(path: Path, value: Any, *, indent: int | None = None) -> None:
    """Write `value` to `path` as JSON, whole or not at all."""
    separators = None if indent else (",", ":")
    write_text(path, json.dumps(value, indent=indent, separators=separators, allow_nan=False) + "\n")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; it takes the place of `path` only if the block succeeds.

    Any failure, Ctrl-C included, removes it and leaves what stood at `path` untouched. A link stays a link:
    what it leads to is replaced.
    """
    target, beside = _open_beside(path)
    try:
        yield beside
        with beside.open("rb") as stream:
            os.fsync(stream.fileno())
        beside.replace(target)
    except OSError as error:
        raise output_error(path, error) from None
    finally:
        beside.unlink(missing_ok=True)


def remove_halves(folder: Path) -> None:
    """Remove what `whole_file` left in a folder when the whole process was killed.

    Only for folders in which nobody else is writing.
    """
    try:
        for half in folder.glob(f".*{_HALF}"):
            half.unlink(missing_ok=True)
    except OSError as error:
        raise output_error(folder, error) from None


def output_error(path: Path, error: OSError) -> OutputError:
    """The `OutputError` that tells why `path` could not be written."""
    reason = error.strerror or str(error)
    return OutputError(f"{path}: cannot be written ({reason}); free space or choose another --out")


def sha256_of(path: Path) -> str:
    """The file's SHA-256 digest in hexadecimal."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def _open_beside(path: Path) -> tuple[Path, Path]:
    """Where the output is to stand in the end, and an empty file in the same folder."""
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise OutputError(f"{path}: is a directory; name a file inside it")
        if target.exists() and not target.is_file():
            # To replace a device such as /dev/null by a file would harm every other program.
            raise OutputError(f"{path}: is a device or pipe; name a file")
        folder = target.parent
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", suffix=_HALF, dir=folder)
        os.fchmod(descriptor, 0o666 & ~_umask())
        os.close(descriptor)
    except OSError as error:
        raise output_error(path, error) from None
    except ValueError as error:  # a NUL byte in the name
        raise OutputError(f"{path!r}: not a file name ({error}); choose another --out") from None
    return target, Path(name)


def _umask() -> int:
    current = os.umask(0)  # the only portable way to read it is to set it
    os.umask(current)
    return current


def _decode(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedFile(path, f"not UTF-8 text (byte {error.start})", remedy=_refetch()) from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _refuse_half_characters(value: Any) -> None:
    """A character may be escaped in two halves; one alone could never be written or printed."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of an escaped character stands alone") from None


def _object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, each field once: Python would silently keep the last of several."""
    value = dict(fields)
    if len(value) < len(fields):
        name = next(name for k, (name, _) in enumerate(fields) if any(name == n for n, _ in fields[:k]))
        raise ValueError(f"{name[:40]!r} is there twice in one object")
    return value


def _refetch() -> str:
    return "the file may be cut short: fetch or write it again"
