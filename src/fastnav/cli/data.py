"""`fastnav data`: get the real files, or build houses."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import progress, say, shell, show_json, show_text

app = typer.Typer(
    help="Get the benchmark's files, check them, or build procedural houses.", no_args_is_help=True
)

Target = Annotated[Path, typer.Option("--data", envvar="FASTNAV_DATA", help="The data directory to fill.")]
Groups = Annotated[
    list[str] | None, typer.Argument(help="r2r, connectivity, captions, objects; all of them by default.")
]


def fetch(
    groups: Groups = None,
    data: Target = Path("R2R"),
    mirror: Annotated[
        str | None, typer.Option("--mirror", help="A URL under which the files of a data directory lie.")
    ] = None,
) -> None:
    """Download the real files by their public addresses; what is there and whole is kept, cut ones go on."""
    from fastnav.data.sources import fetch as get

    with progress(unit="bytes") as bar:
        tasks: dict[str, int] = {}

        def follow(name: str, done: int, total: int | None) -> None:
            if name not in tasks:
                tasks[name] = int(bar.add_task(name, total=total))
            bar.update(tasks[name], completed=done, total=total, visible=done != total)  # type: ignore[arg-type]

        report = get(data, groups or None, mirror=mirror, progress=follow)
    for line in report.lines():
        show_text(line)


def import_(
    source: Annotated[
        Path, typer.Argument(help="A folder or archive (.zip, .tar, .tar.gz) that holds files.")
    ],
    groups: Groups = None,
    data: Target = Path("R2R"),
    accept_edited: Annotated[
        bool, typer.Option("--accept-edited", help="Take files that differ from the published ones, too.")
    ] = False,
) -> None:
    """Take the real files from a folder or archive you have; found by name and digest wherever they lie."""
    from fastnav.data.sources import import_from

    report = import_from(source, data, groups or None, accept_edited=accept_edited)
    for line in report.lines():
        show_text(line)
    report.raise_if_empty()


def check(data: options.Data = None, as_json: options.AsJson = False) -> None:
    """Say which files are whole, missing or edited, and what each missing one costs."""
    from fastnav.data.sources import check as look

    report = look(options.data_directory(data))
    if as_json:
        show_json(report.as_dict())
    else:
        for line in report.lines():
            show_text(line)
    if not report.whole:
        raise typer.Exit(code=3)


def houses(
    out: Annotated[Path, typer.Option("--out", help="The data directory to build.")] = Path("houses"),
    size: Annotated[
        str, typer.Option("--size", help="small, medium (quickstart) or full (the size of R2R).")
    ] = "small",
    seed: options.Seed = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace houses built before.")] = False,
) -> None:
    """Build procedural houses with instructions, in exactly the formats of the real files."""
    build(out, size=size, seed=seed, overwrite=overwrite)
    show_text(str(out))
    say(f"next: {shell('navigate', 'random', '--data', out)}")


def build(out: Path, *, size: str, seed: int, overwrite: bool) -> None:
    """Build houses with a progress bar."""
    from fastnav.data.houses import HousesConfig, build_houses

    sizes: dict[str, Callable[..., HousesConfig]] = {
        "small": HousesConfig.small,
        "medium": HousesConfig.medium,
        "full": HousesConfig.full,
    }
    config = sizes[options.checked("size", size, tuple(sizes))](seed=seed)
    with progress(unit="houses") as bar:
        task = bar.add_task("building", total=None)
        build_houses(
            out,
            config,
            overwrite=overwrite,
            on_house=lambda done, total: bar.update(task, completed=done, total=total),
        )


options.add_command(app, "fetch", fetch, ("fastnav data fetch r2r connectivity --data R2R",))
options.add_command(app, "import", import_, ("fastnav data import ~/Matterport3DSimulator --data R2R",))
options.add_command(app, "check", check, ("fastnav data check --data R2R",))
options.add_command(
    app, "houses", houses, ("fastnav data houses --out houses", "fastnav data houses --out full --size full")
)
