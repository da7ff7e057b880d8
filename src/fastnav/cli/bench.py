"""`fastnav bench`: every speed that we claim, beside a baseline run in the same command."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import progress, say, show, show_json, table

if TYPE_CHECKING:
    from fastnav.studies.bench_rows import BenchRow

app = typer.Typer(help="Measure speeds, each as a ratio to a baseline run beside it.", no_args_is_help=True)


@app.callback()
def _root() -> None:
    pass


def world(data: options.Data = None, as_json: options.AsJson = False) -> None:
    """Steps a second through the tables, beside a plain walk over adjacency lists; and loading times."""
    from fastnav.studies.bench_world import bench_data

    _show_rows("world", bench_data(options.data_directory(data)), as_json)


def search(
    run: Annotated[
        Path | None,
        typer.Argument(help="A run of `fastnav train`, or a checkpoint.", show_default="untrained"),
    ] = None,
    data: options.Data = None,
    split: options.SplitName = "val_unseen",
    features: Annotated[
        str, typer.Option("--features", help="What an untrained network sees.")
    ] = "captions+objects",
    as_json: options.AsJson = False,
) -> None:
    """FAST over a whole split, beside FAST the plain way; and the memory that search trees take.

    The plain way is as the released code does it: heaps, loops, an agent asked for 64 episodes at a time, or
    for one. It is timed on a sample and scaled. Without a RUN an untrained network of the default sizes
    searches: each step costs as much, but FAST-short makes fewer of them than a trained agent's.
    """
    options.needs_torch()
    from fastnav.studies.bench_search import arena_of, bench_search

    arena = arena_of(run, options.data_directory(data), split, features)
    say(f"searching with {arena.who}")
    with _watched("searching", "searches") as told:
        rows = bench_search(arena, told)
    _show_rows(f"search on {split}, with {arena.who}", rows, as_json)


def train(
    data: options.Data = None,
    features: Annotated[str, typer.Option("--features", help="What is seen.")] = "captions+objects",
    batch: Annotated[int, typer.Option("--batch", min=2, help="Episodes of a batch.")] = 256,
    device: options.Device = "cpu",
    as_json: options.AsJson = False,
) -> None:
    """Steps that agents take a second while they learn, beside training the plain way.

    The plain way is as released code trains: each row an environment in Python, batches padded, rows that
    have stopped computed on. Both learn in turn from the same batches.
    """
    options.needs_torch()
    from fastnav.studies.bench_train import bench_train
    from fastnav.training.config import TrainingConfig
    from fastnav.training.course import load_course
    from fastnav.training.loop import usable_device

    say("reading the data")
    config, folder = TrainingConfig(batch=batch), options.data_directory(data)
    course = load_course(folder, "dev_train", features, usable_device(device), mirror=bool(config.mirror))
    with _watched("training", "rounds") as told:
        rows = bench_train(course, config, told)
    _show_rows("train", rows, as_json)


@contextmanager
def _watched(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, and the function that moves it."""
    with progress(unit=unit) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _show_rows(title: str, rows: Sequence["BenchRow"], as_json: bool) -> None:
    if as_json:
        show_json([row.to_json() for row in rows])
        return
    made = table(title, "", "measured", "baseline", "ratio")
    for row in rows:
        made.add_row(row.name, row.measured, row.baseline, row.ratio)
    show(made)


options.add_command(app, "world", world, ("fastnav bench world --data R2R",))
options.add_command(
    app,
    "search",
    search,
    ("fastnav bench search run --data R2R", "fastnav bench search --data houses --features none --json"),
)
options.add_command(
    app,
    "train",
    train,
    (
        "fastnav bench train --data R2R",
        "fastnav bench train --data houses --features none --batch 256 --device cuda --json",
    ),
)
