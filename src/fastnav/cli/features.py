"""`fastnav features`: derive what can be seen, once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import progress, say, show_json, show_text

if TYPE_CHECKING:
    from fastnav.data.features import FeatureTable, TransformerEncoder

app = typer.Typer(help="Derive the tables of what can be seen from each viewpoint.", no_args_is_help=True)
build = typer.Typer(help="Build one table; a killed build goes on where it was.", no_args_is_help=True)
app.add_typer(build, name="build")

Encoder = Annotated[
    str, typer.Option("--encoder", help="A sentence-transformers model: its name, or its folder (offline).")
]
Precision = Annotated[
    str, typer.Option("--precision", help="auto, float32, or bfloat16 (faster where the CPU has it).")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Build again even what is up to date.")]
Source = Annotated[Path, typer.Option("--from", help="The feature file.", show_default=False)]

#: The default of `--encoder`. Written out, for the module that defines it is loaded only when needed.
_ENCODER = "all-MiniLM-L6-v2"


def captions(
    data: options.Data = None,
    encoder: Encoder = _ENCODER,
    width: Annotated[int, typer.Option("--width", min=1, help="Dimensions kept of each sentence.")] = 128,
    precision: Precision = "auto",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Each view as two sentences: its caption and the one below, through a sentence encoder."""
    from fastnav.data.features import build_captions

    folder, model = options.data_directory(data), _encoder(encoder, precision)
    with _following("sentences") as follow:
        table = build_captions(folder, model, width=width, overwrite=overwrite, progress=follow)
    _tell(table, as_json)


def objects(
    data: options.Data = None,
    encoder: Encoder = _ENCODER,
    width: Annotated[int, typer.Option("--width", min=1, help="Dimensions kept of each label.")] = 64,
    precision: Precision = "auto",
    overwrite: Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Each view as the objects in it: triangulated, and shown wherever they would be seen."""
    from fastnav.data.features import build_objects

    folder, model = options.data_directory(data), _encoder(encoder, precision)
    with _following("steps") as follow:
        table = build_objects(folder, model, width=width, overwrite=overwrite, progress=follow)
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


def _encoder(name: str, precision: str) -> "TransformerEncoder":
    from fastnav.data.features import TransformerEncoder

    say(f"loading the sentence encoder {name}")
    return TransformerEncoder(name, precision=precision)


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
    ("fastnav features build captions --data R2R", "fastnav features build captions --encoder ~/my-encoder"),
)
options.add_command(build, "objects", objects, ("fastnav features build objects --data R2R",))
options.add_command(
    build, "resnet", resnet, ("fastnav features build resnet --from ResNet-152-imagenet.tsv --data R2R",)
)
options.add_command(
    build,
    "hdf5",
    hdf5,
    ("fastnav features build hdf5 --from CLIP-ViT-B-32.hdf5 --name clip --width 512 --data R2R",),
)
