"""`fastnav submit`."""

from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import show_text

EXAMPLES = (
    "fastnav submit fast-short-test.json --data R2R --out submission.json",
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
    """Write a leaderboard file that is sure to be accepted, or check one as strictly as the server.

    Refused are jumps over no edge, wrong starts, missing and double episodes, and episodes of another split.
    """
    from fastnav.data.splits import load_split
    from fastnav.errors import UsageError
    from fastnav.evaluation.record import leaderboard_entries
    from fastnav.evaluation.results import read_result
    from fastnav.evaluation.submission import check_submission, refuse_invalid, write_submission
    from fastnav.world.loading import load_world

    directory = options.data_directory(data)
    read = read_result(result)
    name = split or read.split or "test"
    if read.split not in (None, name):
        raise UsageError(f"{result}: is a run on {read.split}, not on {name}")
    wanted = load_split(directory, name)
    world = load_world(directory, wanted.scans)
    if out is not None:
        count = write_submission(out, read.trajectories, wanted, world, source=result)
        show_text(f"{out}: {count} episodes of {name}, ready for the leaderboard")
    elif read.split is not None:
        refuse_invalid(leaderboard_entries(read.trajectories), wanted, world, result)
        show_text(f"{result}: fine; --out FILE writes the leaderboard file")
    else:
        count = check_submission(result, wanted, world)
        show_text(f"{result}: {count} episodes of {name}, the leaderboard will accept it")
