"""What a table was made from, so that a changed source makes it stale."""

from collections.abc import Callable, Mapping
from pathlib import Path

from fastnav.data.captions import captions_path
from fastnav.data.connectivity import connectivity_path, read_scan_names
from fastnav.data.features.workshop import digest_of_files
from fastnav.data.files import files_in, is_folder
from fastnav.data.objects import ARCHIVE, FOLDER
from fastnav.data.splits import split_path


def source_digests(data: Path, names: tuple[str, ...]) -> dict[str, str]:
    """The digests of some of a data directory's parts, as they are now."""
    return {name: _DIGESTS[name](data) for name in names}


def changed_sources(data: Path, digests: Mapping[str, str]) -> list[str]:
    """Those of the parts whose digests are no longer these."""
    return [name for name, digest in digests.items() if name in _DIGESTS and _DIGESTS[name](data) != digest]


def _captions(data: Path) -> str:
    return digest_of_files(captions_path(data, scan) for scan in read_scan_names(data))


def _connectivity(data: Path) -> str:
    return digest_of_files(connectivity_path(data, scan) for scan in read_scan_names(data))


def _objects(data: Path) -> str:
    folder = data / FOLDER
    return digest_of_files(files_in(folder, ".json") if is_folder(folder) else [data / ARCHIVE])


def _train(data: Path) -> str:
    return digest_of_files([split_path(data, "train")])


_DIGESTS: dict[str, Callable[[Path], str]] = {
    "captions": _captions,
    "connectivity": _connectivity,
    "objects": _objects,
    "train": _train,
}
