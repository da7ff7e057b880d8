"""`fastnav train score`: which open nodes lead to the goal, learnt from an agent's own searches."""

from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import progress, say, shell, show_json, show_text

EXAMPLES = (
    "fastnav train score run --data R2R --split dev_unseen --out score.safetensors",
    "fastnav train score run/seed-2 --data R2R --split val_seen --device cuda --json",
)


def score(
    run: Annotated[Path, typer.Argument(help="A run of `fastnav train`, or a checkpoint.")],
    data: options.Data = None,
    split: Annotated[
        str, typer.Option("--split", help="Where its searches are learnt from: houses it was not trained in.")
    ] = "dev_unseen",
    out: Annotated[Path, typer.Option("--out", help="The file to write.")] = Path("score.safetensors"),
    device: options.Device = "cpu",
    as_json: options.AsJson = False,
) -> None:
    """Learn a local score for FAST: how likely going on from an open node ends at the goal.

    It reads the agent's own numbers alone (logits, doubt, progress), so it serves other seeds of the agent,
    and any building. Choose the split with care: what the agent was trained on looks easier to it than it is.
    """
    options.needs_torch()
    from fastnav.studies.scoring import ScoreLessons, train_score

    folder = options.data_directory(data)
    with progress(unit="searches") as bar:
        task = bar.add_task("searching", total=None)
        figures = train_score(
            ScoreLessons(run, folder, split, out, device),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        show_json({"score": str(out), **figures})
        return
    show_text(str(out))
    told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
    say(
        f"{told} (in houses held out)"
        if told
        else "too few houses to hold some out: nobody knows how good it is"
    )
    say(f"next: {shell('navigate', run, '--data', folder, '--strategy', 'fast-short', '--score', out)}")
