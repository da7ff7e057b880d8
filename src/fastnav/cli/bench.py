"""`fastnav bench`: every speed that we claim, beside a baseline run in the same command."""

import typer

from fastnav.cli import options
from fastnav.cli.console import show, show_json, table

app = typer.Typer(help="Measure speeds, each as a ratio to a baseline run beside it.", no_args_is_help=True)


@app.callback()
def _root() -> None:
    pass


def world(data: options.Data = None, as_json: options.AsJson = False) -> None:
    """Steps a second through the tables, beside a plain walk over adjacency lists; and loading times."""
    from fastnav.studies.bench_world import bench_data

    rows = bench_data(options.data_directory(data))
    if as_json:
        show_json([row.to_json() for row in rows])
        return
    made = table("world", "", "measured", "baseline", "ratio")
    for row in rows:
        made.add_row(row.name, row.measured, row.baseline, row.ratio)
    show(made)


options.add_command(app, "world", world, ("fastnav bench world --data R2R",))
