"""Valid commands on the tree, and what each reads and writes."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bad_input.base import ARCHIVES, RESULTS, SCANS, TRACED
from tests.toy_data import SPLITS

DATA = ("--data", "data")


@dataclass(frozen=True)
class Command:
    """One command line that works as long as nothing is spoilt."""

    argv: tuple[str, ...]
    reads: tuple[str, ...]  # the files it reads, relative to the tree
    works: bool = True  # False for those that refuse even the valid tree

    @property
    def writes(self) -> str | None:
        """The file or folder that it writes, as its own arguments and defaults say."""
        return written(self.argv)


@dataclass(frozen=True)
class Repertoire:
    """The commands that cases are made of; one that is there twice is taken twice as often."""

    reading: tuple[Callable[[random.Random], Command], ...]
    writing: tuple[Callable[[random.Random], Command], ...]
    every: tuple[Callable[[random.Random], Command], ...]


def written(argv: tuple[str, ...]) -> str | None:
    """The output of a command line: the last value of its option, or else the default."""
    words = [word for word in argv if not word.startswith("-")]
    name = " ".join(words[:2]) if words[:1] in (["data"], ["train"]) else (words or [""])[0]
    if name == "features":
        return f"{_value(argv, '--data')}/features"
    option = "--data" if name in ("data import", "data fetch") else "--out"
    for k in range(len(argv) - 1, -1, -1):
        if argv[k] == option and k + 1 < len(argv):
            return argv[k + 1]
        if argv[k].startswith(f"{option}="):
            return argv[k].removeprefix(f"{option}=")
    if name == "navigate" and len(words) > 1:
        return _default_record(argv, words[1])
    return _DEFAULTS.get(name)


_DEFAULTS = {
    **{"data import": "R2R", "data fetch": "R2R", "data houses": "houses", "reproduce": "reproduced"},
    **{
        "train score": "score.safetensors",
        "train smna": "run",
        "train follower": "run",
        "train seq2seq": "run",
    },
}


def _default_record(argv: tuple[str, ...], system: str) -> str:
    split = _value(argv, "--split") or "val_unseen"
    if system in ("random", "stop", "shortest"):
        return f"{system}-{split}.json"
    return f"{Path(system).stem}-{_value(argv, '--strategy') or 'fast-short'}-{split}.json"


def _value(argv: tuple[str, ...], option: str) -> str | None:
    places = [k for k, word in enumerate(argv[:-1]) if word == option]
    return argv[places[-1] + 1] if places else None


def split_files(split: str) -> tuple[str, ...]:
    """The files behind a split."""
    if split.startswith("dev_"):
        return ("data/r2r/R2R_train.json",)
    return (f"data/r2r/R2R_{split}.json", f"data/connectivity/{SPLITS[split][0]}_connectivity.json")


def navigate(rng: random.Random) -> Command:
    """A walk, written to a new file, over an old one, or to the default name."""
    system = rng.choice(("random", "stop", "shortest"))
    splits = ("train", "val_seen", "val_unseen", "dev_train", "dev_unseen")
    split = rng.choice(splits if system == "shortest" else (*splits, "test"))
    out = rng.choice(
        (("--out", "out/new.json"), ("--out", "out/old.json"), ("--out", "out/deep/new.json"), ())
    )
    return Command(("navigate", system, *DATA, "--split", split, *out), split_files(split))


def evaluate(rng: random.Random) -> Command:
    """Scores of a result in any of its forms."""
    result = rng.choice((*RESULTS, "results/other.json"))
    cluster = rng.choice(((), ("--cluster", "path"), ("--cluster", "building")))
    as_json = rng.choice(((), ("--json",)))
    argv = ("evaluate", result, *DATA, "--split", "val_unseen", *cluster, *as_json)
    return Command(argv, (result, result, *split_files("val_unseen")))


def compare(rng: random.Random) -> Command:
    """Two results side by side."""
    results = ("results/run.json", rng.choice((*RESULTS, "results/other.json")))
    argv = ("compare", *results, *DATA, "--split", "val_unseen", *rng.choice(((), ("--json",))))
    return Command(argv, (*dict.fromkeys(results), *split_files("val_unseen")))


def submit(rng: random.Random) -> Command:
    """A leaderboard file written, or one checked."""
    result, split = rng.choice((*((name, "val_unseen") for name in RESULTS), ("results/test.json", "test")))
    out = () if result == "results/dict.json" else rng.choice(((), ("--out", "out/new.json")))
    argv = ("submit", result, *DATA, "--split", split, *out)
    return Command(argv, (result, result, *split_files(split)), result != "results/dict.json")


def check(rng: random.Random) -> Command:
    """A report on the data directory."""
    reads = (
        *(f"data/captions/{scan}.json" for scan in SCANS),
        *(f"data/connectivity/{scan}_connectivity.json" for scan in SCANS),
        *(f"data/r2r/R2R_{split}.json" for split in SPLITS),
        "data/connectivity/scans.txt",
        "data/objects/REVERIE_BBox.tar.gz",
    )
    return Command(("data", "check", *DATA, *rng.choice(((), ("--json",)))), reads)


def import_(rng: random.Random) -> Command:
    """Files out of a folder or archive."""
    source = rng.choice(("source", *ARCHIVES))
    accept = rng.choice(((), ("--accept-edited",), ("--accept-edited",)))
    reads = ("source/r2r/R2R_train.json",) if source == "source" else (source,)
    argv = ("data", "import", source, "r2r", "--data", "target", *accept)
    return Command(argv, reads, bool(accept))


def fetch(rng: random.Random) -> Command:
    """Downloads from a mirror on disk, whose files are not the published ones."""
    argv = ("data", "fetch", "r2r", "--data", "target", "--mirror", "file://{root}/mirror")
    return Command(argv, ("mirror/r2r/R2R_train.json", "mirror/r2r/R2R_val_seen.json"), False)


def houses(rng: random.Random) -> Command:
    """Houses built anew, over those of the tree, or refused as some are there."""
    out, *rest = rng.choice((("out/houses",), ("data", "--overwrite"), ("data",), ("results",)))
    argv = ("data", "houses", "--out", out, "--size", "small", *rest)
    return Command(argv, (), out == "out/houses" or bool(rest))


def read_captions(rng: random.Random) -> Command:
    """The library's reader of captions, which no command but the feature builders calls."""
    path = f"data/captions/{rng.choice(SCANS)}.json"
    return Command(("read-captions", path), (path,))


def read_objects(rng: random.Random) -> Command:
    """The library's reader of object boxes."""
    return Command(("read-objects", "data"), ("data/objects/REVERIE_BBox.tar.gz",))


def read_traced(rng: random.Random) -> Command:
    """The library's reader of search trees, which no command that scores calls."""
    return Command(("read-record", TRACED), (TRACED,))


def read_scans(rng: random.Random) -> Command:
    """The library's reader of the list of buildings."""
    return Command(("read-scans", "data"), ("data/connectivity/scans.txt",))


_READING: tuple[Callable[[random.Random], Command], ...] = (
    *(navigate, navigate, navigate, evaluate, evaluate, evaluate, compare, submit, submit),
    *(check, check, import_, fetch, read_captions, read_objects, read_scans, read_traced),
)
PLAIN = Repertoire(
    reading=_READING,
    writing=(navigate, navigate, navigate, submit, submit, import_, houses),
    every=(navigate, evaluate, compare, submit, check, import_, fetch, houses),
)
