"""A data directory with a few of the real buildings, whose feature tables are built in seconds."""

import json
import tarfile
from collections import Counter
from pathlib import Path

from fastnav.data.captions import captions_path
from fastnav.data.connectivity import connectivity_path
from fastnav.data.objects import ARCHIVE, FOLDER
from fastnav.data.splits import load_split, split_path
from tests.toy_data import write_json

SPLITS = ("val_seen", "val_unseen")
#: The smallest buildings of each split that together have so many episodes.
ENOUGH = 50


def link_sample(real: Path, folder: Path) -> Path:
    """What is needed of the real data, as links where that can be; of train next to nothing."""
    scans: set[str] = set()
    for name in SPLITS:
        chosen = _smallest(real, name)
        paths = [path for path in json.loads(split_path(real, name).read_text()) if path["scan"] in chosen]
        write_json(split_path(folder, name), paths)
        scans |= chosen
    write_json(split_path(folder, "train"), json.loads(split_path(real, "train").read_text())[:10])
    _unpack_objects(real, folder, scans)
    for scan in scans:
        for path in (connectivity_path(real, scan), captions_path(real, scan)):
            _link(path, folder / path.relative_to(real))
    (folder / "connectivity" / "scans.txt").write_text("".join(f"{scan}\n" for scan in sorted(scans)))
    return folder


def _smallest(real: Path, name: str) -> set[str]:
    episodes = Counter(episode.scan for episode in load_split(real, name).scored)
    chosen: set[str] = set()
    for scan in sorted(episodes, key=lambda scan: captions_path(real, scan).stat().st_size):
        if sum(episodes[each] for each in chosen) < ENOUGH:
            chosen.add(scan)
    return chosen


def _unpack_objects(real: Path, folder: Path, scans: set[str]) -> None:
    with tarfile.open(real / ARCHIVE) as archive:
        for member in archive:
            name = Path(member.name).name
            stream = archive.extractfile(member) if name.split("_")[0] in scans else None
            if stream is not None:
                (folder / FOLDER).mkdir(parents=True, exist_ok=True)
                (folder / FOLDER / name).write_bytes(stream.read())


def _link(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    to.symlink_to(path)
