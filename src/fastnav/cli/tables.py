"""Tables of several systems side by side."""

from collections.abc import Sequence

from fastnav.cli.console import out, show, table
from fastnav.evaluation.scoring import METRICS
from fastnav.evaluation.significance import Difference, Interval
from fastnav.evaluation.wording import shown_difference, shown_mean, unit

#: Columns that the metrics' names take, and those between two systems.
_METRIC_WIDTH, _GAP = 8, 2


def show_means(title: str, names: Sequence[str], sure: Sequence[Sequence[Interval]]) -> None:
    """Each system's means with their intervals; a row a metric."""
    _show_systems(
        title, names, [[shown_mean(m, i) for m, i in zip(METRICS, row, strict=True)] for row in sure]
    )


def show_differences(title: str, names: Sequence[str], tested: Sequence[Sequence[Difference]]) -> None:
    """Each system's differences to the first, with intervals and p-values; a row a metric."""
    cells = [[shown_difference(m, d) for m, d in zip(METRICS, row, strict=True)] for row in tested]
    _show_systems(title, names, cells)


def _show_systems(title: str, names: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
    """A column a system; where they do not fit side by side, several tables below one another."""
    widest = max(len(cell) for column in (names, *columns) for cell in column) + _GAP
    fitting = max(1, (out().width - _METRIC_WIDTH) // widest)
    for first in range(0, len(names), fitting):
        some = slice(first, first + fitting)
        made = table(title, "", *names[some])
        for metric, *cells in zip(METRICS, *columns[some], strict=True):
            made.add_row(unit(metric), *cells)
        show(made)
