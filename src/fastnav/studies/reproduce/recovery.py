"""Recovery: success by the step at which an agent first leaves the annotated path.

The step is that of the greedy walk. Until then FAST-short does the same: it follows the agent until it would
pass a place twice, and the annotated path passes none twice. The figure pools all seeds of a kind; an
interval resamples whole paths.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int

from fastnav.evaluation.significance import Difference, Interval, differences, intervals
from fastnav.evaluation.trajectories import Trajectory
from fastnav.evaluation.wording import interval_json, shown_difference, shown_mean
from fastnav.search.named import fast_short, greedy
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.findings import Finding, Sheet
from fastnav.studies.reproduce.plots import GREY, error_bars, line_style, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Those that never leave the path: they stop at its end, or before.
FOLLOWED, STOPPED = "followed", "stopped early"
SEARCHES = ("greedy", "FAST-short")


@dataclass(frozen=True)
class Group:
    """The episodes that were left at the same step."""

    mistake: str  # the number of the first wrong action, or FOLLOWED or STOPPED
    episodes: int  # of all seeds
    success: tuple[Interval, Interval]  # as SEARCHES
    difference: Difference

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        searches = {
            name: interval_json(i) for name, i in zip(("greedy", "fast-short"), self.success, strict=True)
        }
        gain = {**interval_json(self.difference), "p": self.difference.p_value}
        return {"mistake": self.mistake, "episodes": self.episodes, **searches, "difference": gain}


def run(work: Fieldwork) -> Finding:
    """Walk greedily and by FAST-short, and sort the episodes by their first mistake."""
    found = {kind: _groups(work, kind) for kind in work.crews}
    data = [
        {"agent": kind, "groups": [group.to_json() for group in groups]} for kind, groups in found.items()
    ]
    sheets = tuple(_sheet(work, kind, groups) for kind, groups in found.items())
    split = work.ground.split.name
    return Finding("figure-recovery", {**work.describe(), "kinds": data}, sheets, lambda: _draw(found, split))


def first_mistake(walk: Sequence[str], path: Sequence[str]) -> str:
    """The number of the first action that leaves the path, counted from 1; or that it was never left."""
    same = 0
    while same < min(len(walk), len(path)) and walk[same] == path[same]:
        same += 1
    if same < len(walk):
        return str(same)
    return FOLLOWED if same == len(path) else STOPPED


def _groups(work: Fieldwork, kind: str) -> list[Group]:
    mistakes, rows, clusters = [], [], []
    for agent in work.crews[kind]:
        walk = work.record(agent, greedy())
        mistakes += _mistakes(work, walk.trajectories)
        scores, searched = work.score(walk), work.scores_of(agent, fast_short())
        rows.append(np.stack([scores.column("SR"), searched.column("SR")], axis=1))
        clusters.append(scores.path)
    success, cluster = np.concatenate(rows), np.concatenate(clusters)
    names = np.array(mistakes)
    return [_group(name, success[names == name], cluster[names == name]) for name in _in_order(mistakes)]


def _mistakes(work: Fieldwork, walks: Mapping[str, Trajectory]) -> list[str]:
    split = work.ground.split
    return [
        first_mistake(walks[episode.instr_id].viewpoints, split.references[episode.path_id].path)
        for episode in split.scored
    ]


def _in_order(mistakes: Sequence[str]) -> list[str]:
    """By step, and last those who never left the path."""
    steps = sorted((name for name in set(mistakes) if name.isdecimal()), key=int)
    return [*steps, *(name for name in (STOPPED, FOLLOWED) if name in mistakes)]


def _group(mistake: str, success: np.ndarray, cluster: Int[np.ndarray, " episode"]) -> Group:
    plainly, searched = intervals(success, cluster)
    (difference,) = differences(success[:, 1:], success[:, :1], cluster)
    return Group(mistake, len(success), (plainly, searched), difference)


def _sheet(work: Fieldwork, kind: str, groups: Sequence[Group]) -> Sheet:
    rows = tuple(
        (
            _spoken(group.mistake),
            str(group.episodes),
            *(shown_mean("SR", interval) for interval in group.success),
            shown_difference("SR", group.difference),
        )
        for group in groups
    )
    seeds = len(work.crews[kind])
    pooled = f", {seeds} seeds pooled" if seeds > 1 else ""
    title = f"{kind} on {work.ground.split.name}{pooled}: success by the first mistake, 95 % interval by path"
    columns = ("first mistake", "episodes", *(f"{name} SR %" for name in SEARCHES), "difference")
    return Sheet(title, columns, rows)


def _spoken(mistake: str) -> str:
    if mistake.isdecimal():
        return f"at step {mistake}"
    return "none" if mistake == FOLLOWED else mistake


def _draw(found: Mapping[str, Sequence[Group]], split: str) -> "Figure":
    figure, axes = panels(len(found), heights=(3.0, 1.8))
    for column, (kind, groups) in enumerate(found.items()):
        places = _places(groups)
        _draw_success(axes[0][column], groups, places)
        _draw_counts(axes[1][column], groups, places)
        axes[0][column].set_title(f"{kind} on {split}")
        for row in axes:
            row[column].set_xlim(-0.6, places[-1] + 0.6)
    axes[0][0].set_ylabel("success rate (%)")
    axes[1][0].set_ylabel("episodes")
    return figure


def _places(groups: Sequence[Group]) -> Float[np.ndarray, " group"]:
    """Where each group is drawn: those that never left the path a little apart from the steps."""
    apart = [not group.mistake.isdecimal() for group in groups]
    return np.arange(len(groups)) + 0.4 * np.array(apart)


def _draw_success(axes: "Axes", groups: Sequence[Group], places: Float[np.ndarray, " group"]) -> None:
    steps = sum(group.mistake.isdecimal() for group in groups)  # only these follow one another
    for number, name in enumerate(SEARCHES):
        sure = [group.success[number] for group in groups]
        means = [100 * interval.mean for interval in sure]
        bars = error_bars(means, [100 * i.low for i in sure], [100 * i.high for i in sure])
        beside = places + 0.12 * (2 * number - 1)  # so that no interval hides the other
        style = {**line_style(number), "linestyle": "none"}
        axes.errorbar(beside, means, yerr=bars, label=name, capsize=2, elinewidth=1, **style)
        axes.plot(beside[:steps], means[:steps], **{**line_style(number), "marker": ""})
    axes.set_ylim(-4, 104)
    axes.set_xticks(places, [""] * len(groups))
    axes.legend(loc="upper left")


def _draw_counts(axes: "Axes", groups: Sequence[Group], places: Float[np.ndarray, " group"]) -> None:
    bars = axes.bar(places, [group.episodes for group in groups], color=GREY, width=0.6)
    axes.bar_label(bars, fontsize=7, padding=1)
    axes.margins(y=0.18)
    names = [group.mistake if group.mistake.isdecimal() else _spoken(group.mistake) for group in groups]
    axes.set_xticks(places, [name.replace(" ", "\n") for name in names])
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("step at which the greedy walk first leaves the path")
