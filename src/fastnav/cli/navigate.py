"""`fastnav navigate`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import count, progress, say, shell, show_text
from fastnav.errors import MissingFile, UnknownName, UsageError

if TYPE_CHECKING:
    from fastnav.evaluation.record import RunRecord
    from fastnav.studies.trained import Outing

EXAMPLES = (
    "fastnav navigate random --data houses --split val_unseen --out random.json",
    "fastnav navigate smna-r2r --data R2R --out short.json",
    "fastnav navigate run --data R2R --split val_seen --strategy fast-short --out fast.json",
    "fastnav navigate run --data R2R --strategy fast-short --score mean-logit",
    "fastnav navigate run/seed-2 --data R2R --strategy beam-5 --episodes 17_0,18 --record",
)

#: How a trained agent searches where nothing else is said.
_STRATEGY = "fast-short"


def navigate(
    system: Annotated[
        str,
        typer.Argument(
            help="A run of `fastnav train`, a checkpoint, one of `fastnav weights`, random, stop or shortest."
        ),
    ],
    data: options.Data = None,
    split: options.SplitName = "val_unseen",
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", help="How a trained agent searches.", show_default=_STRATEGY),
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            "--score",
            help="The local score: mean-logit, ..., learned, or a file of `fastnav train score`.",
            show_default="the strategy's own",
        ),
    ] = None,
    episodes: Annotated[
        str | None,
        typer.Option(
            "--episodes", help="Only these instructions, paths or buildings (17_0,18).", show_default="all"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The run record to write.", show_default="SYSTEM[-STRATEGY]-SPLIT.json"),
    ] = None,
    seed: options.Seed = 1,
    device: options.Device = "cpu",
    trace: Annotated[
        bool, typer.Option("--record", help="Keep the search trees of all episodes walked, too.")
    ] = False,
) -> None:
    """Let a system walk all episodes of a split and write what it did.

    A trained agent is driven by a search (--strategy): [bold]greedy[/bold], [bold]fast-short[/bold],
    [bold]fast-thrifty[/bold], [bold]fast-long[/bold], [bold]beam-N[/bold], [bold]state-factored-N[/bold],
    [bold]progress-inference-N[/bold], or the released code's [bold]compat-*[/bold].

    Trained agents that come with fastnav ([bold]smna-r2r[/bold], [bold]follower-r2r[/bold]) are listed by
    `fastnav weights`; a file or folder of such a name goes first.

    Without weights, [bold]random[/bold] faces a random direction and goes five times forward;
    [bold]stop[/bold] stops where it starts; [bold]shortest[/bold] knows the goal and is an upper bound.
    """
    from fastnav.studies.navigate import SYSTEMS
    from fastnav.studies.navigate import navigate as walk

    folder = options.data_directory(data)
    if system in SYSTEMS:
        given = {"--strategy": strategy, "--score": score, "--episodes": episodes, "--record": trace or None}
        _refuse_search(system, given)
        record = walk(system, folder, split, seed=seed)
        default = f"{system}-{split}.json"
    else:
        _refuse_unknown(system)
        options.needs_torch()
        from fastnav.studies.trained import Outing

        searched = strategy or _STRATEGY
        record = _walk_trained(
            Outing(Path(system), folder, split, searched, score or "", episodes or "", device, trace)
        )
        default = f"{Path(system).stem}-{searched}-{split}.json"
    target = out or Path(default)
    record.save(target)
    show_text(str(target))
    command = "submit" if split == "test" else "evaluate"  # nobody but the leaderboard can score test
    say(f"{count(len(record.trajectories), 'episode')}; next: {shell(command, target, '--data', data)}")


def _walk_trained(outing: "Outing") -> "RunRecord":
    """The walk of a trained agent, with a progress bar."""
    from fastnav.studies.trained import navigate_trained

    with progress(unit="episodes") as bar:
        task = bar.add_task("walking", total=None)
        return navigate_trained(
            outing, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )


def _refuse_unknown(system: str) -> None:
    """Whatever is no file is more likely a misspelt name."""
    from fastnav.agents.shipped import found_at, shipped_agents
    from fastnav.data.files import is_there
    from fastnav.studies.navigate import SYSTEMS

    try:
        found = is_there(found_at(Path(system)))
    except MissingFile:
        found = False
    if not found:
        raise UnknownName(
            "system (nor is there a run or checkpoint of that name)", system, (*SYSTEMS, *shipped_agents())
        )


def _refuse_search(system: str, given: Mapping[str, str | bool | None]) -> None:
    for option, value in given.items():
        if value is not None:
            raise UsageError(f"{option}: {system} does not search; leave it out, or name a trained agent")
