"""`fastnav submit`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import show_text

EXAMPLES = (
    "fastnav submit random-test.json --data R2R --out submission.json",
    "fastnav submit anyones_file.json --data R2R --split test      [dim](only checks it)[/dim]",
)


def submit(
    result: Annotated[Path, typer.Argument(help="A run record, or a leaderboard file to check.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The leaderboard file to write; without it RESULT is checked."),
    ] = None,
    data: options.Data = None,
    split: Annotated[
        str | None, typer.Option("--split", help="Default: the split of the run record, or else test.")
    ] = None,
) -> None:
    """Write a leaderboard file that keeps every published rule, or check one.

    Refused are jumps over no edge, wrong starts, missing and double episodes, and episodes of another split.
    """
    from fastnav.errors import UsageError
    from fastnav.evaluation.record import leaderboard_entries
    from fastnav.evaluation.results import load_split_for, read_result, refuse_split
    from fastnav.evaluation.submission import check_submission, refuse_invalid, write_submission
    from fastnav.world.of_split import load_world_of

    if out is not None and os.path.realpath(out) == os.path.realpath(result):
        raise UsageError(f"--out {out}: would replace the result itself; name another file")
    directory = options.data_directory(data)
    read = read_result(result)
    if split is not None and read.split not in (None, split):
        refuse_split(read, split)
    wanted = load_split_for(read, directory, split)
    world = load_world_of(directory, wanted)
    if out is not None:
        count = write_submission(out, read.trajectories, wanted, world, source=result)
        show_text(f"{out}: {count} episodes of {wanted.name}, ready for the leaderboard")
    elif read.split is not None:
        refuse_invalid(leaderboard_entries(read.trajectories), wanted, world, result)
        show_text(f"{result}: fine; --out FILE writes the leaderboard file")
    else:
        count = check_submission(result, wanted, world)
        show_text(f"{result}: {count} episodes of {wanted.name}, within the rules of the leaderboard")
