"""What the commands share: options, checks of their values, and how a command is added."""

import importlib.util
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from fastnav.data.files import is_folder
from fastnav.errors import UnknownName, UsageError

Data = Annotated[
    Path | None,
    typer.Option("--data", envvar="FASTNAV_DATA", help="The data directory.", show_default=False),
]
SplitName = Annotated[
    str, typer.Option("--split", help="train, val_seen, val_unseen, test, dev_train or dev_unseen.")
]
SplitIfUnsaid = Annotated[
    str | None,
    typer.Option("--split", help="Needed where the file does not say its split.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of a table.")]
Cluster = Annotated[
    str,
    typer.Option("--cluster", help="What is resampled whole: each path, or each building."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="Seed of everything random.")]

Device = Annotated[str, typer.Option("--device", help="cpu, or cuda on a GPU.")]

CLUSTERS = ("path", "building")


def data_directory(data: Path | None) -> Path:
    """The data directory chosen, or an error that says how to get one."""
    if data is None:
        raise UsageError(
            "which data? Name the directory with --data DIR or the variable FASTNAV_DATA. "
            "`fastnav data houses --out houses` builds one, `fastnav data fetch` gets the real one"
        )
    if not is_folder(data):
        raise UsageError(f"--data {data}: no such directory; `fastnav data houses --out DIR` builds one")
    return data


def needs_torch() -> None:
    """To be called before torch is loaded: an error says what to install where it is not there."""
    # Small networks on cores that others keep busy are 20 times slower if threads wait by turning round.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for package in ("torch", "safetensors"):
        needs_package(package, "agents with weights", "train")


def needs_package(package: str, what: str, extra: str) -> None:
    """An error that says what to install where `package` is not there."""
    if importlib.util.find_spec(package) is None:
        raise UsageError(f"{what} need the package {package}: pip install 'fastnav[{extra}]'")


def checked(kind: str, name: str, known: tuple[str, ...]) -> str:
    """`name` if it is known; otherwise the nearest right ones are offered."""
    if name not in known:
        raise UnknownName(kind, name, known)
    return name


def add_command(app: typer.Typer, name: str, command: Callable[..., Any], examples: tuple[str, ...]) -> None:
    """Add a command whose help is its docstring, with examples below."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    unwrapped = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    epilog = "\n\n".join(("[bold]Examples[/bold]", *examples))
    app.command(name, help=unwrapped, epilog=epilog)(command)
