"""The quickstart's plot: how often each search finds the goal, and how far it walks for that."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fastnav.evaluation.significance import Interval
from fastnav.studies.quickstart import METRICS, QuickRun
from fastnav.studies.reproduce.plots import error_bars, line_style, panels, save_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TL, _SR = METRICS.index("TL"), METRICS.index("SR")


def plot_runs(runs: Sequence[QuickRun], stem: Path, title: str) -> list[Path]:
    """Write STEM.svg and STEM.png: success by metres walked, with intervals both ways.

    Who stays where he is has no place on an axis of magnitudes, and is left out.
    """
    points = {run.name: run.sure() for run in runs if run.scores.column("TL").mean() > 0}
    return save_plot(lambda: _draw(points, title), stem)


def _draw(points: dict[str, list[Interval]], title: str) -> "Figure":
    figure, ((axes,),) = panels(1, heights=(3.4,))
    for number, (name, sure) in enumerate(points.items()):
        metres, success = sure[_TL], sure[_SR]
        percent = [100 * value for value in (success.mean, success.low, success.high)]
        style = {**line_style(number), "linestyle": "none"}
        axes.errorbar(
            [metres.mean],
            [percent[0]],
            xerr=error_bars([metres.mean], [metres.low], [metres.high]),
            yerr=error_bars(*([value] for value in percent)),
            capsize=2,
            elinewidth=1,
            label=name,
            **style,
        )
    axes.set_xscale("log")
    ticks = (5, 10, 20, 50, 100, 200)
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("metres walked")
    axes.set_ylabel("success rate (%)")
    axes.set_ylim(0, 103)
    axes.set_title(title)
    axes.legend(loc="lower right")
    return figure
