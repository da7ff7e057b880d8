"""The kinds of agents that can be trained, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.smna import SMNA, SMNAConfig, SMNANetwork
from fastnav.agents.speaker import Speaker, SpeakerConfig, SpeakerNetwork
from fastnav.errors import UnknownName


@dataclass(frozen=True)
class Kind:
    """How an agent of this kind is made."""

    name: str
    config: type  # its sizes: a frozen dataclass of numbers
    network: Callable[[Any], LearnedNetwork]
    agent: Callable[..., Any]  # of a network, a world, eyes and a word list


#: Agents: they walk.
KINDS = {kind.name: kind for kind in (Kind("smna", SMNAConfig, SMNANetwork, SMNA),)}
#: What else is trained: it describes paths.
SPEAKER = Kind("speaker", SpeakerConfig, SpeakerNetwork, Speaker)


def kind_named(name: str) -> Kind:
    """A kind by its name."""
    if name == SPEAKER.name:
        return SPEAKER
    if name not in KINDS:
        raise UnknownName("kind of agent", name, KINDS)
    return KINDS[name]


def kind_of(agent: Learned[Any, Any] | Speaker) -> Kind:
    """The kind that an agent is of."""
    return next(kind for kind in (*KINDS.values(), SPEAKER) if kind.agent is type(agent))
