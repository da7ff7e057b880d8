"""Choices that cannot be meant: settings, strategies, scores, features, episodes, devices, agents."""

import random

from tests.bad_input.base import Tree
from tests.bad_input.cases import Case
from tests.bad_input.commands import Command, Repertoire
from tests.bad_input.options import ODD
from tests.bad_input.trained_commands import checkpoint_of, navigate, reproduce, resume, train, train_score
from tests.bad_input.trained_tree import CUT, SCORE
from tests.bad_input.verdict import Expected

_NUMBERS = (
    "-1",
    "0",
    "1",
    "2",
    "7",
    "0.5",
    "1e308",
    "1e400",
    "nan",
    "inf",
    "-0.0",
    "",
    " ",
    "x",
    "1_0",
    "0x1",
    "9" * 30,
)
_SETTINGS = (
    *(
        "iterations",
        "batch",
        "steps",
        "sampled",
        "progress_weight",
        "rate",
        "warm_up",
        "weight_decay",
        "beta1",
    ),
    *("beta2", "clip", "average", "word_width", "width", "dropout", "feature_dropout", "readings", "mirror"),
    *("published", "validate_every", "save_every", "smoothing", "last_rate", "progress_by_hops", "steered"),
    *("with", "Width", "", " ", "[/bold]", "\x1b[2J", "width=width", "--set"),
)
_STRATEGIES = (
    *(
        "fast",
        "fast-short ",
        "FAST-SHORT",
        "beam",
        "beam-0",
        "beam--1",
        "beam-x",
        "beam-1e3",
        "beam-" + "9" * 30,
    ),
    *(
        "state-factored-0",
        "progress-inference-0",
        "progress-inference-2",
        "compat-fast",
        "greedy-2",
        "beam-2",
    ),
)
_SCORES = (
    "mean-logits",
    "sum-logp-over-progress",
    "learned",
    SCORE,
    checkpoint_of("smna"),
    "runs/smna",
    "data",
)
_FEATURES = (
    *(
        "captions",
        "clip",
        "captions+",
        "+",
        "captions+captions",
        "none+captions",
        "shuffled:",
        "shuffled:none",
    ),
    *("shuffled:captions", "captions+shuffled:objects", "../captions", "CAPTIONS", "captions objects"),
)
_AGENTS = (
    CUT,
    "runs",
    "runs/smna/seed-1",
    "runs/smna/run.json",
    SCORE,
    "data",
    "smna-r2r",
    "smna-r2",
    f"{CUT}/seed-1",
)
#: No network could be so wide, nor a table.
_WIDE = "10000000000000"


def odd_choice(rng: random.Random, tree: Tree, commands: Repertoire) -> Case:
    """A choice that a trained agent or a training cannot make."""
    command, option, value = rng.choice(
        (_setting, _setting, _strategy, _score, _features, _episodes, _device, _agent)
    )(rng)
    names = (value or option, option.strip("-"), value.split("=")[0] or "setting", *command.reads, "run.json")
    return Case("", f"{option} {value[:40]!r}", command.argv, Expected(names))


Choice = tuple[Command, str, str]


def _with(command: Command, option: str, value: str) -> Choice:
    return Command((*command.argv, option, value), command.reads), option, value


def _setting(rng: random.Random) -> Choice:
    name = rng.choice(_SETTINGS)
    number = rng.choice((*_NUMBERS, _WIDE) if name in ("width", "word_width") else _NUMBERS)
    if name in ("iterations", "batch", "steps", "readings") and number == "9" * 30:
        number = "-9"  # what is right, but never ends, is no case
    change = rng.choice((f"{name}={number}", f"{name}={number}", f"{name}={number}", name, f"={number}"))
    return _with(rng.choice((train, train, resume))(rng), "--set", change)


def _strategy(rng: random.Random) -> Choice:
    return _with(navigate(rng), "--strategy", rng.choice((*_STRATEGIES, rng.choice(ODD))))


def _score(rng: random.Random) -> Choice:
    return _with(navigate(rng), "--score", rng.choice((*_SCORES, rng.choice(ODD))))


def _features(rng: random.Random) -> Choice:
    return _with(rng.choice((train, resume))(rng), "--features", rng.choice((*_FEATURES, rng.choice(ODD))))


def _episodes(rng: random.Random) -> Choice:
    return _with(
        navigate(rng), "--episodes", rng.choice(("30_0,", ",", "99_9", "30_0,nowhere", rng.choice(ODD)))
    )


def _device(rng: random.Random) -> Choice:
    command = rng.choice((navigate, train, train_score, reproduce))(rng)
    return _with(
        command, "--device", rng.choice(("cuda", "cuda:9", "gpu", "meta", "mps", "cpu:7", rng.choice(ODD)))
    )


def _agent(rng: random.Random) -> Choice:
    """Another file or folder in place of a run."""
    command = rng.choice((navigate, train_score, reproduce))(rng)
    place = next(k for k, word in enumerate(command.argv) if word.startswith("runs/"))
    agent = rng.choice((*_AGENTS, rng.choice(ODD)))
    argv = (*command.argv[:place], agent, *command.argv[place + 1 :])
    return Command(argv, (*command.reads, agent)), "RUN", agent
