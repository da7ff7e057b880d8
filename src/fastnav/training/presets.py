"""Where the settings of each kind of agent begin, and which of them mean nothing to a kind."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from fastnav.agents.kinds import KINDS, Kind
from fastnav.agents.seq2seq import Seq2Seq
from fastnav.agents.settings import settings_of
from fastnav.errors import UsageError
from fastnav.training.config import TrainingConfig

#: What a kind needs that is not as in `TrainingConfig`.
DEFAULTS: Mapping[str, Mapping[str, int | float]] = {"seq2seq": {"steps": Seq2Seq.longest}}
#: Settings of what only agents that estimate progress learn.
_OF_PROGRESS = ("progress_weight", "progress_by_hops")


def defaults_of(kind: str) -> TrainingConfig:
    """The settings with which a kind of agent is trained if nothing else is said."""
    return settings_of(TrainingConfig, DEFAULTS.get(kind, {}))


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
