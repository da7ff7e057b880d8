"""Houses on disk, in the layout and formats of the real files; the folder appears whole or not at all."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from fastnav.data.files import (
    HOUSES_MANIFEST,
    output_error,
    read_json,
    write_bytes,
    write_json,
    write_text,
)
from fastnav.data.houses.config import HousesConfig
from fastnav.data.houses.dice import Dice
from fastnav.data.houses.house import BuiltHouse, build_house
from fastnav.data.houses.workers import spread_over
from fastnav.data.packing import packed
from fastnav.errors import DataError, OutputError, UsageError

SPLITS = ("train", "val_seen", "val_unseen", "test")
FORMAT = 1
#: Below this many houses, starting further processes takes longer than building alone.
WORTH_A_POOL = 40


def build_houses(
    out: Path,
    config: HousesConfig,
    *,
    workers: int | None = None,
    on_house: Callable[[int, int], None] | None = None,
    overwrite: bool = False,
) -> None:
    """Build houses and write them to the folder `out`, which must be new or empty.

    `workers` processes share the work (by default as many as there are processors, for large numbers of
    houses); the bytes do not depend on it. `on_house(done, total)` is called after each house. With
    `overwrite`, a folder that this function wrote before is replaced, once the new one is whole.
    """
    out = Path(out)
    if workers is not None and workers < 1:
        raise UsageError(f"houses: workers is {workers}; give 1 or more")
    _check_free(out, overwrite)
    count = workers or (os.cpu_count() or 1 if config.houses >= WORTH_A_POOL else 1)
    with _whole_folder(out) as beside, _built(config, count) as houses:
        _write(beside, config, _counted(houses, config.houses, on_house))


def _check_free(out: Path, overwrite: bool) -> None:
    try:
        if not out.exists():
            return
        if not out.is_dir():
            raise OutputError(f"{out}: is a file; choose a new folder for the houses")
        if not any(out.iterdir()):
            return
    except (OSError, ValueError) as error:
        raise OutputError(f"{out}: cannot be used for houses ({error}); choose another --out") from None
    if not _made_here(out / HOUSES_MANIFEST):
        raise OutputError(f"{out}: is not empty and was not written by fastnav; choose a new folder")
    if not overwrite:
        raise OutputError(f"{out}: already holds houses; `--overwrite` (overwrite=True) replaces them")


def _made_here(manifest: Path) -> bool:
    """Whether a folder's manifest is one that this module wrote: nothing else may ever be replaced."""
    try:
        value = read_json(manifest)
    except DataError:
        return False
    return isinstance(value, dict) and value.get("made_by") == "fastnav"


@contextmanager
def _whole_folder(out: Path) -> Iterator[Path]:
    """A hidden folder beside `out` that takes its place if the block succeeds, and is removed if not."""
    out = out.absolute()
    beside = out.with_name(f".{out.name}.{os.getpid()}.partial")
    former = out.with_name(f".{out.name}.{os.getpid()}.former")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside.mkdir()
        yield beside
        if out.exists():
            out.replace(former)
        beside.replace(out)
    except OSError as error:
        raise output_error(out, error) from None
    except OutputError as error:  # of one of the files: the user knows the folder by its own name
        raise OutputError(str(error).replace(str(beside), str(out))) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if former.exists() and not out.exists():
            former.replace(out)
        shutil.rmtree(former, ignore_errors=True)


def _built(config: HousesConfig, workers: int) -> AbstractContextManager[Iterable[BuiltHouse]]:
    """The houses in their order, made here or by a pool of processes."""
    build = partial(build_house, config)
    if workers == 1:
        return nullcontext(map(build, range(config.houses)))
    return spread_over(build, range(config.houses), workers)


def _counted(
    houses: Iterable[BuiltHouse], total: int, on_house: Callable[[int, int], None] | None
) -> Iterator[BuiltHouse]:
    for done, house in enumerate(houses, start=1):
        yield house
        if on_house is not None:
            on_house(done, total)


def _write(folder: Path, config: HousesConfig, houses: Iterable[BuiltHouse]) -> None:
    episodes: dict[str, list[dict[str, Any]]] = {split: [] for split in SPLITS}
    scans: dict[str, list[str]] = {split: [] for split in SPLITS}
    boxes: dict[str, bytes] = {}
    for house in houses:
        write_json(folder / "connectivity" / f"{house.scan}_connectivity.json", house.connectivity)
        write_json(folder / "captions" / f"{house.scan}.json", house.captions)
        write_json(folder / "plans" / f"{house.scan}.json", house.plan)
        boxes |= {f"{house.scan}_{name}.json": _json(name, found) for name, found in house.objects.items()}
        for split, found in house.episodes.items():
            episodes[split] += found
            scans[split].append(house.scan)
    every = sorted({scan for found in scans.values() for scan in found})
    write_text(folder / "connectivity" / "scans.txt", "".join(f"{scan}\n" for scan in every))
    write_bytes(folder / "objects" / "REVERIE_BBox.tar.gz", packed("BBox", boxes))
    _write_episodes(folder, config, episodes)
    manifest = {"format": FORMAT, "made_by": "fastnav", "config": asdict(config), "scans": scans}
    write_json(folder / HOUSES_MANIFEST, manifest, indent=1)


def _write_episodes(folder: Path, config: HousesConfig, episodes: dict[str, list[dict[str, Any]]]) -> None:
    """The four splits, shuffled over their houses, with path ids that are unique over all of them."""
    dice = Dice(config.seed, config.houses, "order")
    number = 0
    for split in SPLITS:
        records = []
        for episode in dice.shuffled(episodes[split]):
            number += 1
            records.append({**episode, "path_id": number})
        write_json(folder / "r2r" / f"R2R_{split}.json", records)


def _json(name: str, found: dict[str, Any]) -> bytes:
    return json.dumps({name: found}, separators=(",", ":")).encode()
