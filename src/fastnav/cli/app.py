"""All commands, in the order in which a newcomer meets them."""

from typing import Annotated

import typer

import fastnav
from fastnav.cli import (
    bench,
    compare,
    data,
    evaluate,
    features,
    navigate,
    quickstart,
    reproduce,
    submit,
    train,
    train_score,
    weights,
)
from fastnav.cli.options import add_command

app = typer.Typer(
    name="fastnav",
    help="Decides where an instruction-following agent goes next: walk, search, score, compare.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool | None) -> None:
    if wanted:
        typer.echo(f"fastnav {fastnav.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool | None,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = None,
) -> None:
    pass


add_command(app, "quickstart", quickstart.quickstart, quickstart.EXAMPLES)
app.add_typer(data.app, name="data")
app.add_typer(features.app, name="features")
add_command(train.app, "score", train_score.score, train_score.EXAMPLES)
app.add_typer(train.app, name="train")
add_command(app, "weights", weights.weights, weights.EXAMPLES)
add_command(app, "navigate", navigate.navigate, navigate.EXAMPLES)
add_command(app, "evaluate", evaluate.evaluate, evaluate.EXAMPLES)
add_command(app, "compare", compare.compare, compare.EXAMPLES)
add_command(app, "submit", submit.submit, submit.EXAMPLES)
app.add_typer(reproduce.app, name="reproduce")
app.add_typer(bench.app, name="bench")
