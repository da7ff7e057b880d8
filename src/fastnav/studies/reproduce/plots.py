"""How plots look: readable in print and without colours, the same bytes every time."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fastnav.data.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The palette of Okabe and Ito, which colour-blind readers can tell apart; markers and dashes are for print.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
GREY = "#6b6b6b"

_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "svg.hashsalt": "fastnav",
    "svg.fonttype": "none",
}
_DOTS_PER_INCH = 200


def panels(columns: int, *, heights: Sequence[float]) -> "tuple[Figure, list[list[Axes]]]":
    """An empty figure with a grid of axes, by row; the rows have heights in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * columns, sum(heights)), layout="constrained")
    axes = figure.subplots(len(heights), columns, squeeze=False, height_ratios=list(heights))
    return figure, [list(row) for row in axes]


def line_style(number: int) -> dict[str, Any]:
    """Colour, marker and dash of the line of that number."""
    return {"color": COLOURS[number], "marker": MARKERS[number], "linestyle": DASHES[number]}


def error_bars(
    means: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Limits as distances from the means; nothing where an interval cannot be told."""
    distances = np.array([np.subtract(means, lows), np.subtract(highs, means)])
    return np.nan_to_num(distances, nan=0.0).clip(min=0.0)


def legend_below(axes: "Axes", columns: int) -> None:
    """A legend under the axes, where it hides nothing."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns, fontsize=8)


def save_plot(draw: "Callable[[], Figure]", stem: Path) -> list[Path]:
    """Draw, and write STEM.svg and STEM.png."""
    from matplotlib import rc_context

    paths = []
    with rc_context(_STYLE):
        figure = draw()
        for ending, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
            drawn = io.BytesIO()
            figure.savefig(drawn, format=ending[1:], dpi=_DOTS_PER_INCH, metadata=metadata)
            paths.append(stem.with_name(stem.name + ending))
            write_bytes(paths[-1], drawn.getvalue())
    return paths
