"""Valid commands that build feature tables, train agents, and let them walk."""

import random

from tests.bad_input.base import SCANS
from tests.bad_input.commands import Command, Repertoire, split_files
from tests.bad_input.trained_tree import CUT, DATA, HDF5, REPRODUCED, RUNS, SCORE, SMALL, TSV

STRATEGIES = (
    "greedy",
    "beam-2",
    "state-factored-2",
    "fast-short",
    "fast-thrifty",
    "fast-long",
    "compat-fast-short",
)
STUDIES = ("table2", "table2", "table3", "figure-recovery", "figure-budget")
CONNECTIVITY = tuple(f"data/connectivity/{scan}_connectivity.json" for scan in SCANS)
_SPACE = ("mean.npy", "basis.npy", "words.npy", "codes.npy", "index.npy", "meta.json", "viewpoints.json")
TABLES = {"captions": _SPACE, "objects": (*_SPACE, "weight.npy", "scalars.npy")}


def table_files(features: str) -> tuple[str, ...]:
    """The files of the tables that an expression names."""
    return tuple(
        f"data/features/{table}/{name}"
        for table in features.split("+")
        for name in TABLES.get(table, ())
        if features != "none"
    )


def checkpoint_of(kind: str) -> str:
    """The file of a run's only seed."""
    return f"runs/{kind}/seed-1/checkpoint.safetensors"


def build(rng: random.Random) -> Command:
    """A table of captions or objects, up to date or built anew."""
    table = rng.choice(("captions", "objects"))
    more = rng.choice(((), ("--overwrite",), ("--overwrite", "--json")))
    source = {"captions": tuple(f"data/captions/{scan}.json" for scan in SCANS)}.get(
        table, ("data/objects/REVERIE_BBox.tar.gz",) * 3
    )
    reads = (*source, *CONNECTIVITY[:1], "data/connectivity/scans.txt", "data/r2r/R2R_train.json")
    like = rng.random() < 0.4
    space = ("--like", "runs/smna") if like else ("--width", "4")
    reads += (checkpoint_of("smna"),) * (3 if like else 0)
    return Command(("features", "build", table, *DATA, "--encoder", "words", *space, *more), reads)


def build_stored(rng: random.Random) -> Command:
    """A table of photographs' features from a file of others."""
    name, source = rng.choice((("resnet", TSV), ("hdf5", HDF5)))
    argv = ("features", "build", name, *DATA, "--from", source, "--width", "4")
    return Command(argv, (source, source, "data/connectivity/scans.txt"))


def train(rng: random.Random) -> Command:
    """A training from the beginning."""
    kind, features = rng.choice(tuple(RUNS.items()))
    split = rng.choice((("dev_train", *split_files("val_seen")), ("train", *split_files("val_seen"))))
    argv = (
        "train",
        kind,
        *DATA,
        *SMALL,
        "--features",
        features,
        "--train-split",
        split[0],
        "--out",
        "out/run",
    )
    return Command(argv, ("data/r2r/R2R_train.json", *split[1:], *table_files(features)))


def resume(rng: random.Random) -> Command:
    """A training that goes on, or has nothing left to do."""
    run = rng.choice((CUT, CUT, CUT, "runs/smna"))
    state = "resume.safetensors" if run == CUT else "finished.json"
    files = (f"{run}/run.json", f"{run}/seed-1/{state}", f"{run}/seed-1/{state}")
    # What is said again must be what the run was begun with; with the sizes, no other run would never end.
    same = ("--features", RUNS["smna"], "--precision", "float32", "--iterations", "3", "--batch", "4")
    argv = ("train", "smna", *DATA, *same, "--resume", "--out", run)
    return Command(argv, files)


def train_score(rng: random.Random) -> Command:
    """A learned score."""
    kind = rng.choice(tuple(RUNS))
    argv = (
        "train",
        "score",
        f"runs/{kind}",
        *DATA,
        "--out",
        rng.choice(("out/new.safetensors", SCORE)),
    )
    return Command(argv, (checkpoint_of(kind),) * 3 + table_files(RUNS[kind]))


def navigate(rng: random.Random) -> Command:
    """A walk of a trained agent."""
    kind = rng.choice(("smna", "smna", *RUNS))
    named = rng.choice((f"runs/{kind}", checkpoint_of(kind)))
    split = rng.choice(("val_seen", "val_unseen", "dev_unseen", "test"))
    by_file = rng.random() < 0.4
    score = ("--score", SCORE) if by_file else rng.choice(((), ("--score", "mean-logit")))
    # A learned score gives no sense to strategies that have none of their own to replace; FAST takes it.
    strategy = ("--strategy", rng.choice(("fast-short", "fast-long") if score else STRATEGIES))
    out = rng.choice((("--out", "out/new.json"), ("--out", "out/old.json"), ()))
    more = rng.choice(((), ("--record",)))
    reads = (
        *(checkpoint_of(kind),) * 4,
        *table_files(RUNS[kind]),
        *split_files(split),
        *(SCORE,) * (6 * by_file),
    )
    return Command(("navigate", named, *DATA, "--split", split, *strategy, *score, *out, *more), reads)


def reproduce(rng: random.Random) -> Command:
    """A study, anew or beside walks that are there."""
    kinds = rng.sample(tuple(RUNS), rng.choice((1, 1, 2)))
    study = rng.choice(STUDIES)
    argv = (
        "reproduce",
        study,
        *(f"runs/{kind}" for kind in kinds),
        *DATA,
        "--out",
        rng.choice(("out/new", REPRODUCED)),
    )
    return Command(argv, tuple(checkpoint_of(kind) for kind in kinds))


def bench(rng: random.Random) -> Command:
    """Speeds of a trained agent, or of an untrained one."""
    kind, features = rng.choice((("smna", RUNS["smna"]), ("follower", RUNS["follower"])))
    untrained = Command(("bench", "search", *DATA, "--features", features), table_files(features))
    trained = Command(
        ("bench", "search", f"runs/{kind}", *DATA), (checkpoint_of(kind), *table_files(features))
    )
    learning = Command(
        ("bench", "train", *DATA, "--features", features, "--batch", "2"), table_files(features)
    )
    return rng.choice((untrained, trained, trained, learning))


def weights(rng: random.Random) -> Command:
    """What comes with fastnav."""
    return Command(rng.choice((("weights",), ("weights", "--json"), ("weights", "smna-r2r"))), ())


_COMMON = (navigate, navigate, navigate, navigate, build, build, build_stored, train, train, resume, resume)
COMMANDS = Repertoire(
    reading=(*_COMMON, *_COMMON, train_score, reproduce, bench),
    writing=(navigate, build, build_stored, train, resume, train_score, reproduce),
    every=(*_COMMON, train_score, reproduce, bench, weights),
)
