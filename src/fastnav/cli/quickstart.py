"""`fastnav quickstart`."""

from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import say, shell, show_text

EXAMPLES = ("fastnav quickstart --out quickstart --seed 1",)


def quickstart(
    out: Annotated[Path, typer.Option("--out", help="Where everything is written.")] = Path("quickstart"),
    seed: options.Seed = 1,
) -> None:
    """Build houses, let the baselines walk them, and score the walks: the whole system, with no data."""
    from fastnav.cli.data import build
    from fastnav.cli.scored import cluster_of
    from fastnav.cli.tables import show_means
    from fastnav.evaluation.significance import intervals
    from fastnav.studies.quickstart import SPLIT, draw_first_episode, run_baselines

    houses = out / "houses"
    say("Building houses ...")
    build(houses, size="small", seed=seed, overwrite=True)
    runs = run_baselines(houses, out, seed=seed, on_system=lambda system: say(f"Walking: {system} ..."))
    sure = [intervals(run.scores.values, cluster_of(run.scores, "path")) for run in runs]
    scores = runs[0].scores
    title = (
        f"{SPLIT}: {len(scores.instr_ids)} instructions in houses never seen; mean and 95 % interval by path"
    )
    show_means(title, [run.system for run in runs], sure)
    instruction = draw_first_episode(houses, out / "plan.svg")
    show_text("Where to look next")
    for line in _next_steps(houses, out, instruction):
        show_text(f"  {line}")


def _next_steps(houses: Path, out: Path, instruction: str) -> list[str]:
    return [
        f'{out / "plan.svg"}: a house, and the way that this describes: "{instruction}"',
        shell("compare", out / "random.json", out / "shortest.json", "--data", houses),
        shell("submit", out / "random.json", "--data", houses, "--out", out / "submission.json"),
        f"{shell('data', 'fetch', '--help')}: the real Room-to-Room files",
    ]
