"""Budget: what FAST-long sees and finds with few and with many expansions, and how far it walks for that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastnav.evaluation.scoring import Scores
from fastnav.evaluation.wording import shown
from fastnav.search.named import fast_long, fast_short, greedy
from fastnav.studies.reproduce.cut_searches import CutSearches, cut_searches
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.findings import Finding, Sheet
from fastnav.studies.reproduce.plots import COLOURS, GREY, MARKERS, legend_below, line_style, panels
from fastnav.studies.reproduce.seeds import Summary, summaries

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BUDGETS = (1, 5, 10, 15, 20, 25, 30, 35, 40)
METRICS = ("SR", "SPL", "TL")
#: The signal that FAST-long itself goes by.
OWN = "sum-logit"
POINTS = {"greedy": greedy(), "FAST-short": fast_short()}

#: One system's METRICS.
Row = tuple[Summary, ...]
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Curves:
    """One kind of agent."""

    seen: tuple[Summary, ...]  # by budget: whether some place visited is near enough to the goal
    chosen: Mapping[str, tuple[Row, ...]]  # by signal, then by budget
    points: Mapping[str, Row]  # by other searches

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        rows = [
            {
                "expansions": budget,
                "seen": self.seen[k].to_json(),
                "chosen_by": {signal: _row_json(rows[k]) for signal, rows in self.chosen.items()},
            }
            for k, budget in enumerate(BUDGETS)
        ]
        return {"budgets": rows, "points": {name: _row_json(row) for name, row in self.points.items()}}


def run(work: Fieldwork) -> Finding:
    """Search far with every agent, keep the trees, and cut them to smaller budgets."""
    found = {kind: _curves(work, kind) for kind in work.crews}
    split = work.ground.split.name
    data = [{"agent": kind, **curves.to_json()} for kind, curves in found.items()]
    sheets = tuple(_sheet(f"{kind} on {split}", curves) for kind, curves in found.items())
    return Finding("figure-budget", {**work.describe(), "kinds": data}, sheets, lambda: _draw(found, split))


def _curves(work: Fieldwork, kind: str) -> Curves:
    cuts: list[CutSearches] = []
    beside: list[list[Scores]] = []
    for agent in work.crews[kind]:
        cuts.append(cut_searches(work.trace(agent, fast_long()), work.ground, BUDGETS))
        beside.append([work.scores_of(agent, strategy) for strategy in POINTS.values()])
    cluster = beside[0][0].path
    chosen = {}
    for number, signal in enumerate(cuts[0].signals):
        tables = [cut.figures(number) for cut in cuts]
        flat = summaries([table.reshape(len(table), -1) for table in tables], cluster)
        chosen[signal] = tuple(tuple(flat[k : k + len(METRICS)]) for k in range(0, len(flat), len(METRICS)))
    points = {
        name: tuple(summaries([scores.columns(METRICS) for scores in seeds], cluster))
        for name, seeds in zip(POINTS, zip(*beside, strict=True), strict=True)
    }
    seen = summaries([cut.seen.astype(float) for cut in cuts], cluster)
    return Curves(tuple(seen), chosen, points)


def _row_json(row: Row) -> dict[str, Any]:
    return {metric: summary.to_json() for metric, summary in zip(METRICS, row, strict=True)}


def _sheet(title: str, curves: Curves) -> Sheet:
    rows = [
        (
            f"{budget} expansion{'s' if budget > 1 else ''}",
            shown("SR", curves.seen[k].interval.mean),
            *(shown("SR", by_budget[k][0].interval.mean) for by_budget in curves.chosen.values()),
            *(shown(m, s.interval.mean) for m, s in zip(METRICS[1:], curves.chosen[OWN][k][1:], strict=True)),
        )
        for k, budget in enumerate(BUDGETS)
    ]
    blank = ("",) * (len(curves.chosen) - 1)
    for name, (success, *others) in curves.points.items():
        own = (shown(m, s.interval.mean) for m, s in zip(METRICS[1:], others, strict=True))
        rows.append((name, "", shown("SR", success.interval.mean), *blank, *own))
    columns = ("", "goal seen %", *(f"{name} SR %" for name in curves.chosen), f"{OWN} SPL %", f"{OWN} TL m")
    return Sheet(f"{title}: FAST-long by budget, the goal chosen by single signals", columns, tuple(rows))


def _draw(found: Mapping[str, Curves], split: str) -> "Figure":
    figure, axes = panels(len(found), heights=(3.8, 3.4))
    for column, (kind, curves) in enumerate(found.items()):
        axes[0][column].set_title(f"{kind} on {split}")
        _draw_success(axes[0][column], curves)
        _draw_metres(axes[1][column], curves)
    axes[0][0].set_ylabel("success rate (%)")
    axes[1][0].set_ylabel("SR and SPL (%)")
    return figure


def _draw_success(axes: "Axes", curves: Curves) -> None:
    """Success by the number of expansions, with intervals where they do not hide each other."""
    _draw_band(axes, curves.seen, GREY)
    seen = [100 * summary.interval.mean for summary in curves.seen]
    axes.plot(BUDGETS, seen, color=GREY, marker=".", label="goal seen (oracle)")
    for number, (signal, rows) in enumerate(curves.chosen.items()):
        success = [row[0] for row in rows]
        if signal == OWN:
            _draw_band(axes, success, COLOURS[number])
        means = [100 * summary.interval.mean for summary in success]
        axes.plot(BUDGETS, means, label=f"by {signal}", **line_style(number))
    axes.set_xlabel("nodes expanded by FAST-long")
    axes.set_xticks(BUDGETS)
    axes.set_ylim(-3, 103)
    legend_below(axes, columns=3)


def _draw_band(axes: "Axes", row: Sequence[Summary], colour: str) -> None:
    low, high = ([100 * limit for limit in limits] for limits in zip(*map(_limits, row), strict=True))
    axes.fill_between(BUDGETS, low, high, color=colour, alpha=0.15, linewidth=0)


def _limits(summary: Summary) -> tuple[float, float]:
    return summary.interval.low, summary.interval.high


def _draw_metres(axes: "Axes", curves: Curves) -> None:
    """SR and SPL by the metres walked for them: FAST-long as curves, the others as points."""
    for number, metric in enumerate(METRICS[:2]):
        _draw_points(axes, curves.chosen[OWN], number, label=f"FAST-long {metric}", **line_style(number))
        for place, (name, row) in enumerate(curves.points.items(), start=2):
            style = {"marker": MARKERS[place], "markersize": 8, "color": COLOURS[number]}
            frame = {"linestyle": "none", "markeredgecolor": "black", "zorder": 3}
            _draw_points(axes, [row], number, label=f"{name} {metric}", **style, **frame)
    metres = _walked([*curves.chosen[OWN], *curves.points.values()])
    if metres:
        axes.set_xscale("log")
        ticks = [tick for tick in _TICKS if min(metres) / 2 < tick < 2 * max(metres)]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
    axes.set_xlabel("metres walked")
    axes.set_ylim(bottom=0)
    legend_below(axes, columns=2)


def _draw_points(axes: "Axes", rows: Sequence[Row], metric: int, **style: Any) -> None:
    walking = [row for row in rows if _walked([row])]
    axes.plot(_walked(walking), [100 * row[metric].interval.mean for row in walking], **style)


def _walked(rows: Sequence[Row]) -> list[float]:
    """Metres, without those of who stays where he is: they have no place on a logarithmic axis."""
    return [row[2].interval.mean for row in rows if row[2].interval.mean > 0]
