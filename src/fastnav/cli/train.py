"""`fastnav train`: weights from examples."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress

from fastnav.cli import options
from fastnav.cli.console import progress, say, shell, show_text
from fastnav.errors import UsageError

if TYPE_CHECKING:
    from fastnav.training.config import Plan, TrainingConfig

app = typer.Typer(help="Train an agent, to be driven by any search.", no_args_is_help=True)


Features = Annotated[str, typer.Option("--features", help="What is seen: tables joined by +, or none.")]
Out = Annotated[Path, typer.Option("--out", help="The folder of the run.")]
Seeds = Annotated[int, typer.Option("--seeds", min=1, max=1000, help="Train with seeds 1 to so many.")]
Iterations = Annotated[
    int | None, typer.Option("--iterations", min=1, help="Batches to learn from.", show_default="6000")
]
Batch = Annotated[int | None, typer.Option("--batch", min=1, help="Episodes of a batch.", show_default="512")]
Preset = Annotated[
    str | None,
    typer.Option("--preset", help="Settings of a paper; --set changes them.", show_default=False),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", help="Another setting, such as smoothing=0.1; may be given again."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")]
Precision = Annotated[
    str, typer.Option("--precision", help="Of matrix products on the CPU: auto, float32, bfloat16.")
]
TrainSplit = Annotated[
    str, typer.Option("--train-split", help="dev_train, or for a final model all of train.")
]


def trainer(kind: str, about: str) -> Callable[..., None]:
    """The command that trains a kind of agent; `about` begins its help."""

    def command(
        data: options.Data = None,
        features: Features = "captions+objects",
        out: Out = Path("run"),
        seeds: Seeds = 1,
        iterations: Iterations = None,
        batch: Batch = None,
        preset: Preset = None,
        changes: Changes = None,
        resume: Resume = False,
        train_split: TrainSplit = "dev_train",
        device: options.Device = "cpu",
        precision: Precision = "auto",
    ) -> None:
        options.needs_torch()
        from fastnav.training.config import Plan

        folder = options.data_directory(data)
        given = {"iterations": iterations, "batch": batch}
        base = _base(kind, preset, out if resume else None)
        plan = Plan(
            folder,
            out,
            agent=kind,
            features=features,
            split=train_split,
            seeds=tuple(range(1, seeds + 1)),
            config=_config(base, given, changes or ()),
            device=device,
            precision=precision,
            resume=resume,
        )
        _train(plan)

    command.__doc__ = f"{about}\n\n{_HELP}"
    return command


_HELP = """Each seed has a folder under --out with its checkpoint, and with curves of greedy SR, SPL and TL on
dev_unseen and val_seen. On dev_train the checkpoint is the best on dev_unseen; on train it is the last.

A run that was killed goes on with --resume, to the same weights as if it had not been."""


def _train(plan: "Plan") -> None:
    from fastnav.training.rundir import best_checkpoint
    from fastnav.training.side_by_side import train_seeds

    with _one_voice():
        say("reading the data")
        with watching() as watchers:
            for path in train_seeds(plan, watchers):
                show_text(str(path))
        best = best_checkpoint(plan.out)
        say(f"next: {shell('navigate', best, '--data', plan.data, '--split', 'val_seen')}")


@contextmanager
def _one_voice() -> Iterator[None]:
    """Of several processes that train together only the first prints, but for errors."""
    from fastnav.training.team import leads

    if leads():
        yield
        return
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _base(kind: str, preset: str | None, resumed: Path | None) -> dict[str, Any]:
    """A kind's own settings, or those of the run that is resumed; on top, those of a preset."""
    from dataclasses import asdict

    from fastnav.data.files import is_there
    from fastnav.training.presets import defaults_of, preset_named
    from fastnav.training.rundir import begun_with

    begun = resumed is not None and is_there(resumed / "run.json")
    config = begun_with(resumed) if resumed is not None and begun else defaults_of(kind)
    return {**asdict(config), **(preset_named(preset, kind) if preset else {})}


def _config(
    base: Mapping[str, Any], given: Mapping[str, int | None], changes: Sequence[str]
) -> "TrainingConfig":
    """The settings given, on top of others."""
    from fastnav.agents.settings import settings_of
    from fastnav.training.config import TrainingConfig

    values = {name: value for name, value in given.items() if value is not None}
    return settings_of(TrainingConfig, {**base, **values, **_changed(changes)})


def _changed(changes: Sequence[str]) -> dict[str, int | float]:
    """Settings written as NAME=NUMBER."""
    changed: dict[str, int | float] = {}
    for change in changes:
        name, _, text = change.partition("=")
        try:
            changed[name.strip()] = float(text) if any(mark in text for mark in ".einfa") else int(text)
        except ValueError:
            raise UsageError(f"--set {change!r}: write NAME=NUMBER, such as --set smoothing=0.1") from None
    return changed


@contextmanager
def watching() -> Iterator[Callable[[int], "_Bar"]]:
    """What makes a bar for each seed."""
    with progress(unit="iterations") as bars:
        yield lambda seed: _Bar(bars, seed)


class _Bar:
    """A progress bar with the time left, and a line for each examination."""

    def __init__(self, bars: Progress, seed: int) -> None:
        self._bars, self._seed = bars, seed
        self._task = bars.add_task("reading", total=None)

    def begins(self, seed: int, iteration: int, iterations: int) -> None:
        """A seed begins, or goes on; perhaps another than the last."""
        self._seed = seed
        self._bars.reset(self._task, description=f"seed {seed}", total=iterations, completed=iteration)
        say(f"seed {seed}: {'begins' if iteration == 0 else f'goes on at iteration {iteration}'}")

    def learnt(self, iteration: int) -> None:
        """So many iterations are done."""
        self._bars.update(self._task, completed=iteration)

    def examined(self, row: Mapping[str, Any]) -> None:
        """A line of the curves."""
        parts = [f"seed {self._seed}, iteration {row['iteration']}: loss {row['train']['loss']:.3f}"]
        parts += [
            f"{name} SR {figures['SR']:.1%}, SPL {figures['SPL']:.1%}, TL {figures['TL']:.1f} m, loss "
            f"{figures['loss']:.3f}"
            for name, figures in row.items()
            if name not in ("iteration", "train")
        ]
        say("; ".join(parts))


options.add_command(
    app,
    "smna",
    trainer(
        "smna",
        """Train a self-monitoring agent by imitation; half of each batch follows a teacher, half its own
        actions. It estimates, too, how much of the way is done.""",
    ),
    (
        "fastnav train smna --data R2R --features captions+objects --out run --seeds 4 --device cuda",
        "fastnav train smna --data houses --features none --out blind --iterations 300 --batch 64",
        "fastnav train smna --data R2R --out final --train-split train --resume",
        "torchrun --nproc-per-node 2 -m fastnav train smna --data R2R --out run",
        "fastnav train smna --data R2R --preset smna-paper --set iterations=20000 --device cuda",
    ),
)
options.add_command(
    app,
    "follower",
    trainer(
        "follower",
        """Train the Speaker-Follower's follower by imitation; half of each batch follows a teacher, half its
        own actions. It looks all around, and estimates no progress.""",
    ),
    (
        "fastnav train follower --data R2R --out follower --seeds 4 --device cuda",
        "fastnav train follower --data houses --features none --out blind --iterations 300 --batch 64",
    ),
)
options.add_command(
    app,
    "seq2seq",
    trainer(
        "seq2seq",
        """Train the first R2R agent by imitation; half of each batch follows a teacher, half its own actions.
        It turns and walks in low-level steps, and sees only the view that it faces.""",
    ),
    (
        "fastnav train seq2seq --data R2R --out seq2seq --seeds 4 --device cuda",
        "fastnav train seq2seq --data houses --features none --out blind --iterations 300 --batch 64",
    ),
)
