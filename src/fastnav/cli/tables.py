"""Tables of several systems side by side."""

from collections.abc import Sequence

from fastnav.cli.console import show, table
from fastnav.cli.scored import shown, shown_interval, unit
from fastnav.evaluation.scoring import METRICS
from fastnav.evaluation.significance import Difference, Interval


def show_means(title: str, names: Sequence[str], sure: Sequence[Sequence[Interval]]) -> None:
    """Each system's means with their intervals; a row a metric."""
    made = table(title, "", *names)
    for k, metric in enumerate(METRICS):
        cells = [f"{shown(metric, i[k].mean)} {shown_interval(metric, i[k].low, i[k].high)}" for i in sure]
        made.add_row(unit(metric), *cells)
    show(made)


def show_differences(title: str, names: Sequence[str], tested: Sequence[Sequence[Difference]]) -> None:
    """Each system's differences to the first, with intervals and p-values; a row a metric."""
    made = table(title, "", *names)
    for k, metric in enumerate(METRICS):
        made.add_row(unit(metric), *(_difference(metric, row[k]) for row in tested))
    show(made)


def _difference(metric: str, difference: Difference) -> str:
    mean = shown(metric, difference.mean, signed=True)
    return f"{mean} {shown_interval(metric, difference.low, difference.high)} {_p(difference.p_value)}"


def _p(p_value: float) -> str:
    return "p<0.001" if p_value < 0.001 else f"p={p_value:.3f}"
