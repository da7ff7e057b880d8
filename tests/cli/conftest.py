"""Running commands in this process, on toy data."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from fastnav.cli import run
from tests.toy_data import write_toy_data


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toy data directory; the work goes on beside it, and nothing touches the home folder."""
    monkeypatch.setenv("FASTNAV_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("FASTNAV_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    return write_toy_data(tmp_path / "data")


@pytest.fixture
def fastnav(data: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `fastnav` with arguments."""

    def command(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command
