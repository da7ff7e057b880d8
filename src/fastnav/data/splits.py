"""R2R files -> episodes and references, by split name."""

import hashlib
import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fastnav.data.checking import Record, as_list
from fastnav.data.episodes import Episode
from fastnav.data.files import read_json
from fastnav.data.references import Reference
from fastnav.errors import MalformedFile, UnknownName

#: Splits with a file of their own. Only `test` has no goals.
FILE_SPLITS = ("train", "val_seen", "val_unseen", "test")
#: `dev_unseen` is 8 houses of train, for choosing; `dev_train` is the rest of train.
DERIVED_SPLITS = ("dev_train", "dev_unseen")
SPLITS = FILE_SPLITS + DERIVED_SPLITS

DEV_HOUSES = 8
#: At most this part of the train houses is held out where there are few.
DEV_SHARE = 0.25


@dataclass(frozen=True)
class Split:
    """The episodes of a split, and the references by path where they are public."""

    name: str
    episodes: tuple[Episode, ...]
    references: Mapping[int, Reference]  # by path_id; empty for test
    source: Path | None = None  # the file that it was read from

    @property
    def place(self) -> str:
        """What to blame in messages: the file where there is one."""
        return f"split {self.name}" if self.source is None else str(self.source)

    @property
    def scored(self) -> tuple[Episode, ...]:
        """The episodes that the benchmark counts."""
        return tuple(episode for episode in self.episodes if episode.scored)

    @property
    def scans(self) -> tuple[str, ...]:
        """The buildings, sorted."""
        return tuple(sorted({episode.scan for episode in self.episodes}))


def split_path(data: Path, name: str) -> Path:
    """The file that split `name` is read from."""
    if name not in SPLITS:
        raise UnknownName("split", name, SPLITS)
    return data / "r2r" / f"R2R_{'train' if name in DERIVED_SPLITS else name}.json"


def load_split(data: Path, name: str) -> Split:
    """Read split `name` from the data directory `data`."""
    split = read_r2r(split_path(data, name), name)
    if name not in DERIVED_SPLITS:
        return split
    held_out = dev_houses(Counter(reference.scan for reference in split.references.values()))
    kept = held_out if name == "dev_unseen" else set(split.scans) - held_out
    if not kept:
        problem = f"holds a single building, which dev_unseen takes, so that {name} is empty"
        raise MalformedFile(split_path(data, name), problem, remedy="choose another --split")
    return _restrict(split, kept)


def dev_houses(paths_per_scan: Mapping[str, int]) -> set[str]:
    """The train houses held out for choosing: a rule, so that every data directory has a fixed list.

    Houses with less than half the median number of paths are passed over (they would say little); of the
    others the first in the order of their names' digests are taken, which is as good as random.
    """
    enough = statistics.median(paths_per_scan.values()) / 2
    large = [scan for scan, paths in paths_per_scan.items() if paths >= enough]
    ranked = sorted(large, key=lambda scan: hashlib.sha256(scan.encode()).digest())
    return set(ranked[: min(DEV_HOUSES, max(1, int(DEV_SHARE * len(paths_per_scan))))])


def read_r2r(path: Path, name: str) -> Split:
    """Read one R2R file; every fault is an error that names the record and field."""
    episodes: list[Episode] = []
    references: dict[int, Reference] = {}
    seen: dict[int, int] = {}
    for number, value in enumerate(as_list(read_json(path), path)):
        record = Record.of(value, path, f"record {number}")
        path_id = record.integer("path_id")
        record = record.named(f"record {number} (path_id {path_id})")
        if path_id in seen:
            raise record.error("path_id", f"already used by record {seen[path_id]}")
        seen[path_id] = number
        episodes.extend(_episodes(record, path_id))
        walked = record.texts("path")
        if name != "test":
            references[path_id] = Reference(path_id, record.text("scan"), walked)
    if not episodes:
        raise MalformedFile(path, "the file holds no episodes")
    return Split(name, tuple(episodes), references, path)


def _episodes(record: Record, path_id: int) -> list[Episode]:
    scan, heading = record.text("scan"), record.number("heading")
    path = record.texts("path")
    if not path:
        raise record.error("path", "expected at least the start viewpoint, found an empty list")
    instructions = record.texts("instructions")
    if not instructions:
        raise record.error("instructions", "expected at least one instruction, found an empty list")
    return [
        Episode(f"{path_id}_{k}", path_id, scan, path[0], heading, instruction)
        for k, instruction in enumerate(instructions)
    ]


def _restrict(split: Split, scans: set[str]) -> Split:
    episodes = tuple(episode for episode in split.episodes if episode.scan in scans)
    references = {key: value for key, value in split.references.items() if value.scan in scans}
    return replace(split, episodes=episodes, references=references)
