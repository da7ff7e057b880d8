"""Trained agents that come with fastnav, by name: NAME.safetensors with a model card NAME.md in one folder.

Wherever a run or a checkpoint is asked for, such a name will do, unless something of that name lies there.
"""

from dataclasses import dataclass
from pathlib import Path

from fastnav.data.files import files_in, is_there, read_text
from fastnav.errors import UnknownName

FOLDER = Path(__file__).parents[1] / "weights"
_ENDING = ".safetensors"


@dataclass(frozen=True)
class Shipped:
    """A trained agent of the package."""

    name: str
    path: Path

    @property
    def megabytes(self) -> float:
        """The size of its file."""
        return self.path.stat().st_size / 1e6

    @property
    def card(self) -> str:
        """Its model card, in Markdown."""
        return read_text(self.path.with_suffix(".md"))

    @property
    def about(self) -> str:
        """What it is in a line: the first below the card's title."""
        lines = [line for line in self.card.splitlines() if line and not line.startswith("#")]
        return lines[0]


def shipped_agents() -> dict[str, Shipped]:
    """All of them by name."""
    paths = files_in(FOLDER, _ENDING)
    return {path.stem: Shipped(path.stem, path) for path in paths}


def shipped_named(name: str) -> Shipped:
    """A trained agent by its name."""
    known = shipped_agents()
    if name not in known:
        raise UnknownName("trained agent", name, known)
    return known[name]


def found_at(path: Path) -> Path:
    """`path`, or the file of the agent that comes with fastnav by that name if nothing lies there."""
    agents = shipped_agents()
    return agents[str(path)].path if str(path) in agents and not is_there(path) else path


def called(path: Path) -> str:
    """The name of an agent that comes with fastnav, or else the path of its file."""
    return path.stem if path.parent == FOLDER else str(path)
