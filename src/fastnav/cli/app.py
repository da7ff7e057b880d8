"""All commands, in the order in which a newcomer meets them."""

from typing import Annotated

import typer

import fastnav
from fastnav.cli import bench, compare, data, evaluate, navigate, quickstart, submit

app = typer.Typer(
    name="fastnav",
    help="Decides where an instruction-following agent goes next: walk, search, score, compare.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fastnav {fastnav.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("quickstart", epilog=quickstart.EXAMPLES)(quickstart.quickstart)
app.add_typer(data.app, name="data")
app.command("navigate", epilog=navigate.EXAMPLES)(navigate.navigate)
app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command("compare", epilog=compare.EXAMPLES)(compare.compare)
app.command("submit", epilog=submit.EXAMPLES)(submit.submit)
app.add_typer(bench.app, name="bench")
