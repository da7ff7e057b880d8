"""The kinds of agents that can be trained, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastnav.agents.follower import Follower, FollowerConfig, FollowerNetwork
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.published import smna_network
from fastnav.agents.seq2seq import Seq2Seq, Seq2SeqConfig, Seq2SeqNetwork
from fastnav.agents.smna import SMNA, SMNAConfig
from fastnav.errors import UnknownName


@dataclass(frozen=True)
class Kind:
    """How an agent of this kind is made."""

    name: str
    config: type  # its sizes: a frozen dataclass of numbers
    network: Callable[[Any], LearnedNetwork]
    agent: type[Learned[Any, Any]]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("smna", SMNAConfig, smna_network, SMNA),
        Kind("follower", FollowerConfig, FollowerNetwork, Follower),
        Kind("seq2seq", Seq2SeqConfig, Seq2SeqNetwork, Seq2Seq),
    )
}


def kind_named(name: str) -> Kind:
    """A kind of agent by its name."""
    if name not in KINDS:
        raise UnknownName("kind of agent", name, KINDS)
    return KINDS[name]


def kind_of_agent(agent: Learned[Any, Any]) -> Kind:
    """The kind that an agent is of."""
    return next(kind for kind in KINDS.values() if kind.agent is type(agent))
