"""A user's mistake is one message that names what is wrong; exit codes tell its kind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("evalaute",), 2, "Did you mean 'evaluate'"),
        (("navigate", "rendom", "--data", "data"), 2, "did you mean random"),
        (("navigate", "random", "--data", "data", "--split", "val_unsen"), 2, "did you mean val_unseen"),
        (("navigate", "random", "--data", "nowhere"), 2, "--data nowhere: no such directory"),
        (("navigate", "random", "--data", "data", "--seed", "-1"), 2, "--seed"),
        (("evaluate", "missing.json", "--data", "data"), 3, "missing.json: no such file"),
        (("evaluate", "data", "--data", "data"), 3, "is a directory"),
        (("evaluate", "empty.json", "--data", "data"), 3, "empty.json: the file is empty"),
        (("evaluate", "list.json", "--data", "data"), 2, "name it with --split"),
        (("evaluate", "list.json", "--data", "data", "--split", "val_unseen"), 4, "list.json"),
        (("evaluate", "list.json", "--data", "data", "--cluster", "bulding"), 2, "did you mean building"),
        (("evaluate", "list.json", "--data", "data", "--split", "val_unsen"), 2, "did you mean val_unseen"),
        (
            ("evaluate", "path.json", "--data", "data", "--split", "val_unseen"),
            4,
            "it holds 'instr_id', 'path'",
        ),
        (
            ("submit", "list.json", "--data", "data", "--out", "./list.json"),
            2,
            "would replace the result itself",
        ),
        (("data", "houses", "--size", "smal", "--out", "h"), 2, "did you mean small"),
    ],
)
def test_mistake(fastnav: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    """Exit code and message of one mistake."""
    Path("empty.json").write_text("")
    Path("list.json").write_text('[{"instr_id": "30_0", "trajectory": [["S"]]}]')
    Path("path.json").write_text('[{"instr_id": "30_0", "path": [["S"]]}]')
    ran = fastnav(*arguments)
    assert ran.code == code
    assert said in " ".join(ran.err.split())
    assert ran.out == ""


@pytest.mark.parametrize(
    "error",
    [
        MemoryError("Unable to allocate 9 GiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
        type("OutOfMemoryError", (RuntimeError,), {})("CUDA out of memory"),
    ],
)
def test_memory_that_is_lacking(
    fastnav: Command, data: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A batch too large is no fault of fastnav; other errors of torch are."""

    def fail(*arguments: object, **keywords: object) -> None:
        raise error

    monkeypatch.setattr("fastnav.studies.navigate.navigate", fail)
    ran = fastnav("navigate", "stop", "--data", data)
    assert ran.code == 1 and str(error) in ran.err and "use smaller --batch" in ran.err
    error = RuntimeError("mat1 and mat2 shapes cannot be multiplied")
    with pytest.raises(RuntimeError, match="mat1"):
        fastnav("navigate", "stop", "--data", data)


def test_result_of_another_split(fastnav: Command, data: Path) -> None:
    """A record says its split, so that it is never scored on another."""
    fastnav("navigate", "stop", "--data", data, "--split", "val_seen", "--out", "seen.json")
    fastnav("navigate", "stop", "--data", data, "--out", "unseen.json")
    assert fastnav("evaluate", "seen.json", "--data", data, "--split", "val_unseen").code == 2
    assert fastnav("compare", "seen.json", "unseen.json", "--data", data).code == 2
    assert fastnav("submit", "seen.json", "--data", data, "--split", "test").code == 2


def test_unwritable_output(fastnav: Command, data: Path) -> None:
    """An output that cannot be written is told, and nothing is left."""
    Path("file").write_text("")
    ran = fastnav("navigate", "stop", "--data", data, "--out", "file/below.json")
    assert ran.code == 6 and "file/below.json" in ran.err
    assert fastnav("navigate", "stop", "--data", data, "--out", data).code == 6
    assert not list(Path().glob("**/*.partial"))


def test_markup_in_messages_is_text(fastnav: Command, data: Path) -> None:
    """Names from outside are never read as markup, nor do they move the cursor."""
    ran = fastnav("navigate", "[/bold]\x1b[31m", "--data", data)
    assert ran.code == 2 and "[/bold]" in ran.err and "\x1b" not in ran.err


def _spawn(*arguments: str, **keywords: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", "from fastnav.cli import main; main()", *arguments]
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE, **keywords)  # type: ignore[call-overload]


def test_interrupt_leaves_nothing(data: Path) -> None:
    """Ctrl-C in the middle of a long build: exit 130, one sentence, no folder."""
    with _spawn("data", "houses", "--size", "full", "--out", "city", stdout=subprocess.PIPE) as process:
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in err and "Traceback" not in err
    assert sorted(p.name for p in Path().iterdir()) == ["data"]


def test_reader_gone(data: Path) -> None:
    """`fastnav ... | head` is no error."""
    reading, writing = os.pipe()
    os.close(reading)
    with _spawn("navigate", "stop", "--data", str(data), stdout=writing) as process:
        os.close(writing)
        _, err = process.communicate(timeout=30)
    assert process.returncode in (0, 1)
    assert err.count("\n") <= 1 and "Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_behind_stdout(data: Path) -> None:
    """A result that cannot be printed is an error with a message."""
    with (
        Path("/dev/full").open("w") as full,
        _spawn("navigate", "stop", "--data", str(data), stdout=full) as process,
    ):
        _, err = process.communicate(timeout=30)
    assert process.returncode == 6
    assert "could not be printed" in err and "Traceback" not in err


def test_interrupt_before_anything_is_loaded(data: Path) -> None:
    """Ctrl-C at any moment of the start is one sentence, too."""
    with _spawn("navigate", "stop", "--data", str(data), stdout=subprocess.PIPE) as process:
        time.sleep(0.25)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode in (0, 130)
    assert "Traceback" not in err
