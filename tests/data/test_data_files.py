"""Reading names the file that fails; writing happens whole or not at all."""

import errno
import hashlib
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data import files
from fastnav.errors import MalformedFile, MissingFile, OutputError


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- writing


def test_a_new_file_holds_what_was_written(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er" / "out.txt"
    files.write_text(target, "grüße\n")
    assert target.read_bytes() == "grüße\n".encode()
    assert leftovers(target.parent) == ["out.txt"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.bin"
    target.write_bytes(b"old and longer")
    files.write_bytes(target, b"new")
    assert target.read_bytes() == b"new"
    assert leftovers(tmp_path) == ["out.bin"]


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    files.write_text(tmp_path / "whole", "x")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "whole")}
    assert len(modes) == 1


@pytest.mark.parametrize("blow", [RuntimeError("bug"), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("old", [b"what stood there", None])
def test_a_failing_block_leaves_nothing_behind(
    tmp_path: Path, blow: BaseException, old: bytes | None
) -> None:
    target = tmp_path / "out"
    if old is not None:
        target.write_bytes(old)
    with pytest.raises(type(blow)), files.whole_file(target) as beside:
        beside.write_bytes(b"half")
        raise blow
    assert leftovers(tmp_path) == ([] if old is None else ["out"])
    assert old is None or target.read_bytes() == old


def test_nothing_shows_at_the_target_before_the_block_ends(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with files.whole_file(target) as beside:
        beside.write_bytes(b"half")
        assert not target.exists()
        assert beside.parent == tmp_path  # the same file system, so that the rename is one step
    assert target.read_bytes() == b"half"


@pytest.mark.parametrize("moment", ["write", "fsync", "rename"])
def test_a_full_disk_is_told_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fail(*args: object, **options: object) -> None:
        raise full

    told = pytest.raises(OutputError, match=r"out: cannot be written \(No space left on device\)")
    with monkeypatch.context() as patch, told, files.whole_file(target) as beside:
        beside.write_bytes(b"new")
        if moment == "write":
            raise full
        patch.setattr(os, "fsync", fail) if moment == "fsync" else patch.setattr(Path, "replace", fail)
    assert target.read_bytes() == b"old"
    assert leftovers(tmp_path) == ["out"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_really_full_device_raises_what_the_simulated_one_does() -> None:
    with pytest.raises(OSError) as full, io.FileIO("/dev/full", "w") as stream:
        stream.write(b"x")
    assert full.value.errno == errno.ENOSPC


@contextmanager
def ordinary_user() -> Iterator[None]:
    """An administrator may read and write anywhere; nobody in particular may not."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(was)


def test_an_unwritable_folder_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with (
            ordinary_user(),
            pytest.raises(OutputError, match=r"out: cannot be written \(Permission denied\)"),
        ):
            files.write_text(tmp_path / "out", "x")
    finally:
        tmp_path.chmod(0o700)
    assert leftovers(tmp_path) == []


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="cannot be written"):
        files.write_text(tmp_path / "file" / "out", "x")


def test_a_target_that_is_a_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OutputError, match="out: is a directory; name a file inside it"):
        files.write_text(tmp_path / "out", "x")
    assert leftovers(tmp_path) == ["out"]
    assert leftovers(tmp_path / "out") == []


def test_a_name_that_no_file_can_have_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="not a file name"):
        files.write_text(tmp_path / "nul\0byte", "x")


def test_a_very_long_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="File name too long"):
        files.write_text(tmp_path / ("n" * 300), "x")
    assert leftovers(tmp_path) == []


def test_a_number_that_json_lacks_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        files.write_json(tmp_path / "out.json", {"loss": float("nan")})
    assert leftovers(tmp_path) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=JSON, indent=st.sampled_from([None, 2]))
def test_json_comes_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, value: object, indent: int | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.json"
    files.write_json(path, value, indent=indent)
    assert files.read_json(path) == value


# ---- reading


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("absent", "no such file"),
        ("folder", "is a directory"),
        ("file/below", "lies under something that is not a directory"),
        ("nul\0byte", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(MissingFile, match=problem) as caught:
        files.read_bytes(tmp_path / name)
    assert caught.value.path == tmp_path / name
    assert str(tmp_path / name) in str(caught.value)


def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.touch(mode=0o000)
    with ordinary_user(), pytest.raises(MissingFile, match="secret: may not be read; change its permissions"):
        files.read_bytes(secret)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b" \n ", "the file is empty"),
        (b'{"a": 1', "line 1, column 8: not JSON"),
        (b'{"a": 1}\n]', "line 2, column 1: not JSON"),
        (b"\xff\xfe", "not UTF-8 text (byte 0)"),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"[" * 100_000, "not usable JSON"),
        (b"1" * 5_000, "not usable JSON"),
    ],
)
def test_what_is_no_json_is_told(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(MalformedFile) as caught:
        files.read_json(path)
    assert str(caught.value).startswith(str(path))
    assert problem in str(caught.value)
    assert "write it again" in str(caught.value)


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "marked.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert files.read_json(tmp_path / "marked.json") == {"a": 1}


def test_a_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert files.sha256_of(tmp_path / "f") == hashlib.sha256(b"abc").hexdigest()
    assert files.sha256_of(tmp_path / "f").startswith("ba7816bf")


def test_halves_of_killed_writes_are_removed(tmp_path: Path) -> None:
    """They alone, and not those of deeper folders; a folder that is not there has none."""
    with files.whole_file(tmp_path / "whole.json") as beside:
        half = tmp_path / beside.name.replace("whole", "half")
        half.write_bytes(b"half")
    kept = [tmp_path / "mine.partial", tmp_path / "deep" / half.name]
    for path in kept:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    files.remove_halves(tmp_path)
    files.remove_halves(tmp_path / "nowhere")
    assert not half.exists() and (tmp_path / "whole.json").exists() and all(path.exists() for path in kept)
