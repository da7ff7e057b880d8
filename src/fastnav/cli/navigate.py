"""`fastnav navigate`."""

from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import say, shell, show_text

EXAMPLES = (
    "fastnav navigate random --data houses --split val_unseen --out random.json",
    "fastnav navigate shortest --data R2R --split val_seen --out shortest.json",
)


def navigate(
    system: Annotated[str, typer.Argument(help="random, stop or shortest.")],
    data: options.Data = None,
    split: options.SplitName = "val_unseen",
    out: Annotated[
        Path | None, typer.Option("--out", help="The run record to write.", show_default="SYSTEM-SPLIT.json")
    ] = None,
    seed: options.Seed = 1,
) -> None:
    """Let a system walk all episodes of a split and write what it did.

    [bold]random[/bold] faces a random direction and goes five times forward; [bold]stop[/bold] stops where it
    starts; [bold]shortest[/bold] knows the goal and is an upper bound.
    """
    from fastnav.studies.navigate import navigate as walk

    record = walk(system, options.data_directory(data), split, seed=seed)
    target = out or Path(f"{system}-{split}.json")
    record.save(target)
    show_text(str(target))
    command = "submit" if split == "test" else "evaluate"  # nobody but the leaderboard can score test
    say(f"{len(record.trajectories)} episodes; next: {shell(command, target, '--data', data)}")
