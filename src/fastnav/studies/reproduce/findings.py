"""What a study comes to: tables to print, data to keep, and a plot."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastnav.data.files import write_json
from fastnav.studies.reproduce.plots import save_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Sheet:
    """A table for people; the first column names the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class Finding:
    """The outcome of a study."""

    name: str
    data: dict[str, Any]  # all of it, as a JSON value
    sheets: tuple[Sheet, ...]
    draw: "Callable[[], Figure] | None" = None

    def save(self, out: Path) -> list[Path]:
        """Write NAME.json, and where there is a plot NAME.svg and NAME.png, into a folder."""
        path = out / f"{self.name}.json"
        write_json(path, self.data, indent=2)
        return [path] if self.draw is None else [path, *save_plot(self.draw, out / self.name)]
