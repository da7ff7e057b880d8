"""A small tree of valid files to spoil: remembered, compared after each case, and put right again."""

import gzip
import io
import json
import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastnav.data.sources import published
from fastnav.data.sources.procedural import MARKER
from fastnav.evaluation.record import leaderboard_entries
from fastnav.studies.navigate import navigate
from tests.evaluation.traced import traced_record
from tests.toy_data import PLACES, SPLITS, entries, write_json, write_toy_data

SCANS = tuple(sorted({scan for scan, _, _ in SPLITS.values()}))
CACHE = "cache"
TRACED = "results/traced.json"
RESULTS = ("results/run.json", "results/board.json", "results/dict.json")
ARCHIVES = ("packed/source.zip", "packed/source.tar", "packed/source.tar.gz")
#: What files hold that outputs are to replace.
OLD_OUTPUT = b'{"old": true}\n'


@dataclass(frozen=True)
class Item:
    """What lies at a path: a file's bytes, a link's target, or nothing more for folders and pipes."""

    kind: str
    content: bytes = b""


Snapshot = dict[str, Item]


class Tree:
    """The valid files under `root`, which is the working directory of all cases."""

    def __init__(self, root: Path, add: Callable[[Path], None] = lambda root: None) -> None:
        """`add` writes what only some commands read."""
        self.root = root
        _write_data(root / "data")
        _write_results(root)
        _write_sources(root)
        for name in ("out", CACHE):
            (root / name).mkdir(exist_ok=True)
        (root / "out" / "old.json").write_bytes(OLD_OUTPUT)
        add(root)
        self.pristine = self.look()
        for name in ("", *self.pristine):
            _open_to_all(root / name)

    def look(self) -> Snapshot:
        """All that lies in the tree but the cache, parents first."""
        found: Snapshot = {}
        for folder, folders, names in os.walk(self.root):
            if folder == str(self.root):
                folders.remove(CACHE)
            for name in (*folders, *names):
                path = Path(folder, name)
                found[str(path.relative_to(self.root))] = _item(path)
        return found

    def restore(self) -> None:
        """Put everything back as it was."""
        found = self.look()
        for name in sorted(found, reverse=True):
            if self.pristine.get(name) != found[name]:
                remove(self.root / name)
        for name, item in self.pristine.items():
            path = self.root / name
            if item.kind == "folder":
                path.mkdir(exist_ok=True)
            elif not path.exists():
                path.write_bytes(item.content)
            else:
                continue
            _open_to_all(path)

    def leftovers(self) -> list[str]:
        """Half-written files in the cache, which the snapshots leave out."""
        return [path.name for path in (self.root / CACHE).rglob("*.partial")]

    def clear_cache(self) -> None:
        """Forget what was derived."""
        shutil.rmtree(self.root / CACHE)
        (self.root / CACHE).mkdir()
        _open_to_all(self.root / CACHE)


def remove(path: Path) -> None:
    """Whatever lies at `path` is gone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _item(path: Path) -> Item:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return Item("link", os.fsencode(path.readlink()))
    if stat.S_ISDIR(mode):
        return Item("folder")
    return Item("file", path.read_bytes()) if stat.S_ISREG(mode) else Item("special")


def _open_to_all(path: Path) -> None:
    """So that an unprivileged user may work here."""
    path.chmod(0o777 if path.is_dir() else 0o666)


def _write_data(data: Path) -> None:
    write_toy_data(data)
    # A second building to train in, so that one is left beside those that are held out.
    more = [{**entry, "path_id": entry["path_id"] + 900} for entry in entries("val_unseen")]
    write_json(data / "r2r" / "R2R_train.json", [*entries("train"), *more])
    (data / MARKER).write_text('{"made_by": "fastnav"}')
    sides = [f"down: a rug at {k}\nmiddle: a hall\ntop: a lamp" for k in range(8)]
    for scan in SCANS:
        write_json(data / "captions" / f"{scan}.json", {name: sides for name in PLACES})
    chair = {"name": "arm#chair", "visible_pos": [3, 4], "bbox2d": [[1, 2, 30, 40], [0, 0, 9.5, 9]]}
    packed = _tar({f"BBox/{scan}_S.json": json.dumps({"S": {"17": chair}}).encode() for scan in SCANS})
    (data / "objects").mkdir()
    (data / "objects" / "REVERIE_BBox.tar.gz").write_bytes(gzip.compress(packed, mtime=0))


def _write_results(root: Path) -> None:
    data = root / "data"
    for name, system, split in (
        ("run", "random", "val_unseen"),
        ("other", "shortest", "val_unseen"),
        ("test", "stop", "test"),
    ):
        record = navigate(system, data, split)
        record.save(root / "results" / f"{name}.json")
        if name == "run":
            walks: list[dict[str, Any]] = leaderboard_entries(record.trajectories)
            write_json(root / "results" / "board.json", walks)
            write_json(root / "results" / "dict.json", {walk["instr_id"]: walk for walk in walks})
    write_json(root / TRACED, traced_record())


def _write_sources(root: Path) -> None:
    """Copies of the toy files under published names, as a folder, as archives and as a mirror."""
    named = {name: root / "data" / name for name in ("r2r/R2R_train.json", "r2r/R2R_val_seen.json")}
    for group, model in (
        ("connectivity", f"{SCANS[0]}_connectivity.json"),
        ("captions", f"{SCANS[0]}.json"),
    ):
        known = next(g for g in published().groups if g.name == group)
        building = next(file.path for file in known.files if file.path.endswith(".json"))
        named[building] = root / "data" / group / model
    contents = {name: path.read_bytes() for name, path in named.items()}
    for folder in ("source", "mirror"):
        for name, content in contents.items():
            (root / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (root / folder / name).write_bytes(content)
    (root / "packed").mkdir()
    with zipfile.ZipFile(root / ARCHIVES[0], "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    packed = _tar(contents)
    (root / ARCHIVES[1]).write_bytes(packed)
    (root / ARCHIVES[2]).write_bytes(gzip.compress(packed, mtime=0))


def _tar(contents: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()
