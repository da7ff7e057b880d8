"""`fastnav features`: derive what can be seen, once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import progress, say, show_json, show_text
from fastnav.errors import UsageError

if TYPE_CHECKING:
    from fastnav.data.features import FeatureTable, SentenceEncoder, Space

app = typer.Typer(help="Derive the tables of what can be seen from each viewpoint.", no_args_is_help=True)
build = typer.Typer(help="Build one table; a killed build goes on where it was.", no_args_is_help=True)
app.add_typer(build, name="build")

Encoder = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        help="A sentence-transformers model: its name, or its folder (offline). Or words: sums of words.",
        show_default="all-MiniLM-L6-v2",
    ),
]
Precision = Annotated[
    str, typer.Option("--precision", help="auto, float32, or bfloat16 (faster where the CPU has it).")
]
Like = Annotated[
    Path | None,
    typer.Option(
        "--like",
        help="Put sentences where an agent looks for them: a run, a checkpoint, or one of `fastnav weights`.",
        show_default=False,
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Build again even what is up to date.")]
Source = Annotated[Path, typer.Option("--from", help="The feature file.", show_default=False)]


def captions(
    data: options.Data = None,
    encoder: Encoder = None,
    width: Annotated[
        int | None,
        typer.Option("--width", min=1, help="Dimensions kept of each sentence.", show_default="128"),
    ] = None,
    like: Like = None,
    precision: Precision = "auto",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Each view as two sentences: its caption and the one below, through a sentence encoder."""
    from fastnav.data.features import build_captions
    from fastnav.data.features.captions import WIDTH

    folder, space = options.data_directory(data), _space(like, "captions", width)
    model = _encoder(encoder or (space.encoder if space else None), precision)
    with _following("sentences") as follow:
        table = build_captions(
            folder, model, width=width or WIDTH, space=space, overwrite=overwrite, progress=follow
        )
    _tell(table, as_json)


def objects(
    data: options.Data = None,
    encoder: Encoder = None,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="Dimensions kept of each label.", show_default="64")
    ] = None,
    like: Like = None,
    precision: Precision = "auto",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Each view as the objects in it: triangulated, and shown wherever they would be seen."""
    from fastnav.data.features import build_objects
    from fastnav.data.features.objects import WIDTH

    folder, space = options.data_directory(data), _space(like, "objects", width)
    model = _encoder(encoder or (space.encoder if space else None), precision)
    with _following("steps") as follow:
        table = build_objects(
            folder, model, width=width or WIDTH, space=space, overwrite=overwrite, progress=follow
        )
    _tell(table, as_json)


def resnet(
    source: Source,
    data: options.Data = None,
    width: Annotated[int, typer.Option("--width", min=1, help="Entries of each view's feature.")] = 2048,
    name: Annotated[str, typer.Option("--name", help="What to call the table.")] = "resnet",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """The classic TSV of photographs' features, such as ResNet-152-imagenet.tsv (unpacked)."""
    from fastnav.data.features import build_resnet

    folder = options.data_directory(data)
    with _following("bytes") as follow:
        table = build_resnet(folder, source, width=width, name=name, overwrite=overwrite, progress=follow)
    _tell(table, as_json)


def hdf5(
    source: Source,
    data: options.Data = None,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="Take the first so many entries; all by default.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What to call the table, such as clip.")] = "hdf5",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """An HDF5 store of photographs' features, with keys <scan>_<viewpoint> (CLIP, ViT)."""
    from fastnav.data.features import build_hdf5

    folder = options.data_directory(data)
    with _following("viewpoints") as follow:
        table = build_hdf5(folder, source, width=width, name=name, overwrite=overwrite, progress=follow)
    _tell(table, as_json)


def _encoder(name: str | None, precision: str) -> "SentenceEncoder":
    from fastnav.data.features import DEFAULT_ENCODER, encoder_named

    chosen = name or DEFAULT_ENCODER
    say(f"loading the sentence encoder {chosen}")
    return encoder_named(chosen, precision=precision)


def _space(like: Path | None, table: str, width: int | None) -> "Space | None":
    """The space of a table that an agent knows."""
    if like is None:
        return None
    if width is not None:
        raise UsageError(f"--width {width}: the agent of --like says how wide the table is; leave it out")
    options.needs_torch()
    from fastnav.studies.eyes import space_known_to

    return space_known_to(like, table)


@contextmanager
def _following(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, as something to call."""
    with progress(unit=unit) as bar:
        task = bar.add_task("building", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(table: "FeatureTable", as_json: bool) -> None:
    facts = table.facts()
    if as_json:
        show_json({"folder": str(table.folder), **facts})
        return
    show_text(str(table.folder))
    for name, value in facts.items():
        show_text(f"  {name.replace('_', ' ')}: {value}")


options.add_command(
    build,
    "captions",
    captions,
    (
        "fastnav features build captions --data R2R",
        "fastnav features build captions --data R2R --like smna-r2r",
        "fastnav features build captions --data houses --encoder words",
        "fastnav features build captions --encoder ~/my-encoder",
    ),
)
options.add_command(
    build,
    "objects",
    objects,
    (
        "fastnav features build objects --data R2R",
        "fastnav features build objects --data R2R --like smna-r2r",
    ),
)
options.add_command(
    build, "resnet", resnet, ("fastnav features build resnet --from ResNet-152-imagenet.tsv --data R2R",)
)
options.add_command(
    build,
    "hdf5",
    hdf5,
    ("fastnav features build hdf5 --from CLIP-ViT-B-32.hdf5 --name clip --width 512 --data R2R",),
)
