"""Tables of several systems side by side."""

from collections.abc import Sequence

from fastnav.cli.console import out, show, table
from fastnav.cli.scored import shown, shown_interval, unit
from fastnav.evaluation.scoring import METRICS
from fastnav.evaluation.significance import Difference, Interval

#: Columns that the metrics' names take, and those between two systems.
_METRIC_WIDTH, _GAP = 8, 2


def show_means(title: str, names: Sequence[str], sure: Sequence[Sequence[Interval]]) -> None:
    """Each system's means with their intervals; a row a metric."""
    _show_systems(title, names, [[_mean(m, i) for m, i in zip(METRICS, row, strict=True)] for row in sure])


def show_differences(title: str, names: Sequence[str], tested: Sequence[Sequence[Difference]]) -> None:
    """Each system's differences to the first, with intervals and p-values; a row a metric."""
    cells = [[_difference(m, d) for m, d in zip(METRICS, row, strict=True)] for row in tested]
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


def _mean(metric: str, interval: Interval) -> str:
    return f"{shown(metric, interval.mean)} {shown_interval(metric, interval.low, interval.high)}"


def _difference(metric: str, difference: Difference) -> str:
    mean = shown(metric, difference.mean, signed=True)
    return f"{mean} {shown_interval(metric, difference.low, difference.high)} {_p(difference.p_value)}"


def _p(p_value: float) -> str:
    return "p<0.001" if p_value < 0.001 else f"p={p_value:.3f}"
