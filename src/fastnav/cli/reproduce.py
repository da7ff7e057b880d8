"""`fastnav reproduce`: the paper's tables and figures from trained agents."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from fastnav.cli import options
from fastnav.cli.console import progress, say, show, show_json, table
from fastnav.studies.reproduce.registry import STUDIES, Study

if TYPE_CHECKING:
    from fastnav.studies.reproduce.findings import Finding

app = typer.Typer(help="Make the paper's tables and figures from trained agents.", no_args_is_help=True)


def _command(study: Study) -> Callable[..., None]:
    def command(
        runs: Annotated[
            list[Path], typer.Argument(help="Runs of `fastnav train`, with all their seeds, or checkpoints.")
        ],
        data: options.Data = None,
        split: options.SplitName = "val_unseen",
        out: Annotated[
            Path, typer.Option("--out", help="Where run records, figures as JSON, and plots go.")
        ] = Path("reproduced"),
        device: options.Device = "cpu",
        as_json: options.AsJson = False,
    ) -> None:
        options.needs_torch()
        if study.draws:
            options.needs_package("matplotlib", "plots", "report")
        from fastnav.cli.scored import warn_if_edited
        from fastnav.studies.reproduce.fieldwork import Fieldwork, Request

        folder = options.data_directory(data)
        with _watching() as watcher:
            work = Fieldwork(Request(tuple(runs), folder, split, out, device), watcher)
            warn_if_edited(folder, work.ground.split)
            finding = study.run(work)
        for path in finding.save(out):
            say(f"wrote {path}")
        _show(finding, as_json=as_json)

    command.__doc__ = f"""{study.about}

    Walks that lie under --out already, made by the same agents, are not made again."""
    return command


def _show(finding: "Finding", *, as_json: bool) -> None:
    if as_json:
        show_json(finding.data)
        return
    for sheet in finding.sheets:
        made = table(sheet.title, *sheet.columns)
        for row in sheet.rows:
            made.add_row(*row)
        show(made)


@contextmanager
def _watching() -> Iterator["_Bar"]:
    with progress(unit="episodes") as bars:
        yield _Bar(bars)


class _Bar:
    """A progress bar for the split that is being walked, and a line for each."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task = bars.add_task("reading", total=None)

    def begins(self, walk: str) -> None:
        """A split is about to be walked."""
        say(f"walking: {walk}")
        self._bars.reset(self._task, description=walk, total=None, completed=0)

    def walked(self, done: int, total: int) -> None:
        """So many of its episodes are."""
        self._bars.update(self._task, completed=done, total=total)

    def kept(self, walk: str) -> None:
        """A split need not be walked: its record is there."""
        say(f"walked before: {walk}")


for _study in STUDIES:
    options.add_command(
        app,
        _study.name,
        _command(_study),
        (
            f"fastnav reproduce {_study.name} run --data R2R --out reproduced --device cuda",
            f"fastnav reproduce {_study.name} first/seed-1 second/seed-1 --data R2R --split val_seen --json",
        ),
    )
