"""Help and docs cannot drift from the commands."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer

import fastnav as package
from fastnav.cli.app import app
from tests.cli.conftest import Command

COMMANDS = Path(__file__).parents[2] / "docs" / "commands.md"


def _all_commands(group: typer.Typer, prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [(*prefix, command.name or "") for command in group.registered_commands]
    for sub in group.registered_groups:
        assert sub.typer_instance is not None and sub.name
        found += _all_commands(sub.typer_instance, (*prefix, sub.name))
    return found


@pytest.mark.parametrize("name", _all_commands(app), ids=" ".join)
def test_each_command_explains_itself(fastnav: Command, name: tuple[str, ...]) -> None:
    """Each command has help with examples, and a section in the docs."""
    ran = fastnav(*name, "--help")
    assert ran.code == 0
    assert "Examples" in ran.out and f"fastnav {' '.join(name)}" in ran.out
    assert f"## fastnav {' '.join(name)}\n" in COMMANDS.read_text()


def test_version(fastnav: Command) -> None:
    """The version is the package's."""
    assert fastnav("--version").out == f"fastnav {package.__version__}\n"


def test_public_names_load() -> None:
    """Every public name can be had, and an unknown one is an AttributeError."""
    assert all(getattr(package, name) is not None for name in package.__all__)
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match="no public name"):
        package.nothing  # noqa: B018


def test_scoring_needs_no_torch(data: Path, fastnav: Command) -> None:
    """Neither `import fastnav` nor scoring a file loads torch."""
    fastnav("navigate", "stop", "--data", data, "--out", "w.json")
    script = (
        "import sys; from fastnav.cli import run; "
        f"code = run(['evaluate', 'w.json', '--data', {str(data)!r}]); "
        "sys.exit(code or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0
