"""`fastnav quickstart`."""

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import say, shell, show, show_text, table

if TYPE_CHECKING:
    from fastnav.studies.quickstart import Contest, QuickRun

EXAMPLES = ("fastnav quickstart --out quickstart --seed 1",)


def quickstart(
    out: Annotated[Path, typer.Option("--out", help="Where everything is written.")] = Path("quickstart"),
    seed: options.Seed = 1,
) -> None:
    """Build houses, train an agent in them, search with it, and score it: the whole system, with no data.

    Three minutes on two cores. Without torch the houses are walked by the baselines alone.
    """
    from fastnav.cli.data import build
    from fastnav.studies.quickstart import Contest, draw_first_episode, run_baselines

    began = time.monotonic()
    houses = out / "houses"
    say("building houses")
    build(houses, size="medium", seed=seed, overwrite=True)
    contest = Contest(houses, out)
    baselines = run_baselines(contest, seed=seed, on_system=_tell)
    missing = [name for name in ("torch", "safetensors") if importlib.util.find_spec(name) is None]
    searches = [] if missing else _search(contest, out, seed)
    _show(baselines, searches)
    if missing:
        say(f"to train an agent and search with it: pip install 'fastnav[train]' ({missing[0]} is missing)")
    if searches:
        _plot([*baselines, *searches], out)
    instruction = draw_first_episode(houses, out / "plan.svg")
    show_text("Where to look next")
    for line in _next_steps(out, instruction, searches):
        show_text(f"  {line}")
    say(f"it took {time.monotonic() - began:.0f} s")


def _tell(system: str) -> None:
    say(f"walking: {system}")


def _search(contest: "Contest", out: Path, seed: int) -> "list[QuickRun]":
    """Train an agent and let it walk by several searches."""
    options.needs_torch()
    from fastnav.cli.train import watching
    from fastnav.studies.quick_agent import build_tables, run_searches, train_agent

    say("describing what is seen")
    build_tables(contest.houses)
    say("training")
    with watching() as watchers:
        checkpoint = train_agent(contest.houses, out / f"agent-{seed}", seed=seed, watcher=watchers(seed))
    return run_searches(contest, checkpoint, on_search=_tell)


def _show(baselines: "Sequence[QuickRun]", searches: "Sequence[QuickRun]") -> None:
    """One table: every system, and what the searches gain."""
    from fastnav.evaluation.wording import shown_difference, shown_mean, unit
    from fastnav.studies.quickstart import METRICS, SPLIT, gains

    episodes = len(baselines[0].scores.instr_ids)
    title = f"{SPLIT}: {episodes} instructions in houses never seen; mean and 95 % interval by path"
    made = table(title, "", *map(unit, METRICS))
    for run in (*baselines, *searches):
        made.add_row(run.name, *(shown_mean(m, i) for m, i in zip(METRICS, run.sure(), strict=True)))
    for name, gained in gains(searches) if searches else []:
        made.add_row(name, *(shown_difference(m, d) for m, d in zip(METRICS, gained, strict=True)))
    show(made)


def _plot(runs: "Sequence[QuickRun]", out: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        say("a plot of success by metres walked needs matplotlib: pip install 'fastnav[report]'")
        return
    from fastnav.studies.quick_plot import plot_runs

    for path in plot_runs(runs, out / "success", "Houses never seen"):
        say(f"wrote {path}")


def _next_steps(out: Path, instruction: str, searches: "Sequence[QuickRun]") -> list[str]:
    houses = out / "houses"
    compared = [run.record for run in searches] or [out / f"{name}.json" for name in ("random", "shortest")]
    return [
        f'{out / "plan.svg"}: a house, and the way that this describes: "{instruction}"',
        shell("compare", *compared, "--data", houses),
        shell("submit", compared[0], "--data", houses, "--out", out / "submission.json"),
        f"{shell('data', 'fetch', '--help')}: the real Room-to-Room files",
    ]
