"""Where the settings of each kind of agent begin, named sets of them, and what means nothing to a kind."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from fastnav.agents.kinds import KINDS, Kind
from fastnav.agents.seq2seq import Seq2Seq
from fastnav.agents.settings import settings_of
from fastnav.errors import UnknownName, UsageError
from fastnav.training.config import TrainingConfig

#: What a kind needs that is not as in `TrainingConfig`.
DEFAULTS: Mapping[str, Mapping[str, int | float]] = {"seq2seq": {"steps": Seq2Seq.longest}}
#: What the published trainings have in common: plain Adam at one rate, the last weights, no feature hidden.
_PLAIN: Mapping[str, int | float] = {
    "sampled": 1.0,
    "rate": 1e-4,
    "last_rate": 1.0,
    "warm_up": 0,
    "weight_decay": 5e-4,
    "beta2": 0.999,
    "clip": 1e6,
    "average": 0.0,
    "feature_dropout": 0.0,
    "smoothing": 0.0,
    "mirror": 0,
    "width": 512,
    "dropout": 0.5,
}
_SMNA_PAPER = {**_PLAIN, "iterations": 60_000, "batch": 64, "weight_decay": 0.0, "published": 1}
#: For procedural houses on a CPU: as good after two minutes as it gets in them.
_SMNA_QUICK: Mapping[str, int | float] = {
    "iterations": 700,
    "batch": 64,
    "steps": 8,
    "sampled": 0.75,
    "smoothing": 0.0,
    "rate": 0.003,
    "warm_up": 30,
    "average": 0.99,
    "word_width": 128,
    "width": 128,
    "dropout": 0.1,
    "feature_dropout": 0.1,
    "mirror": 0,
    "validate_every": 350,
    "save_every": 200,
}
#: Named sets of settings: the kind that each is for, and what it changes. docs/agents.md says what they lack.
PRESETS: Mapping[str, tuple[str, Mapping[str, int | float]]] = {
    "smna-quick": ("smna", _SMNA_QUICK),
    "smna-paper": ("smna", _SMNA_PAPER),
    "smna-fast": (
        "smna",
        {**_SMNA_PAPER, "iterations": 20_000, "weight_decay": 5e-4, "progress_by_hops": 1, "steered": 2},
    ),
    "follower-paper": ("follower", {**_PLAIN, "iterations": 20_000, "batch": 100, "word_width": 300}),
    "seq2seq-paper": ("seq2seq", {**_PLAIN, "iterations": 20_000, "batch": 100}),
}
#: Settings of what only agents that estimate progress learn.
_OF_PROGRESS = ("progress_weight", "progress_by_hops")


def defaults_of(kind: str) -> TrainingConfig:
    """The settings with which a kind of agent is trained if nothing else is said."""
    return settings_of(TrainingConfig, DEFAULTS.get(kind, {}))


def preset_named(name: str, kind: str) -> Mapping[str, int | float]:
    """What a named set of settings for a kind of agent changes."""
    known = {each: changes for each, (of, changes) in PRESETS.items() if of == kind}
    if name not in known:
        raise UnknownName(f"preset for {kind}", name, known)
    return known[name]


def refuse_idle(kind: Kind, config: TrainingConfig) -> None:
    """Refuse a setting that was changed and would change nothing."""
    own, of_networks = _sizes(kind), set().union(*map(_sizes, KINDS.values()))
    plain = asdict(TrainingConfig())
    for name, value in asdict(config).items():
        idle = name in of_networks - own or (name in _OF_PROGRESS and not kind.agent.estimates_progress)
        if idle and value != plain[name]:
            raise UsageError(f"setting {name!r} changes nothing in a {kind.name}; leave it out")


def _sizes(kind: Kind) -> set[str]:
    return {field.name for field in fields(kind.config)}
