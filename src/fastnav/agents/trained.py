"""A checkpoint becomes an agent that stands in a world."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.agents.checkpoint import Checkpoint
from fastnav.agents.kinds import Kind, kind_named, kind_of_agent
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.settings import settings_of
from fastnav.agents.sight import GEOMETRY, Sight
from fastnav.data.features.space import Space
from fastnav.errors import MalformedFile, UsageError
from fastnav.world.graph import World

_REMEDY = "the file was changed, or made by other code: take the one that `fastnav train` wrote"


def checkpoint_of(
    agent: Learned[Any, Any],
    *,
    features: str,
    facts: dict[str, Any],
    spaces: Mapping[str, Space] | None = None,
) -> Checkpoint:
    """What makes an agent, apart from its world."""
    network = agent.network
    return Checkpoint(
        agent=kind_of_agent(agent).name,
        config=vars(network.config),
        vocabulary=agent.vocabulary,
        features=features,
        width=agent.sight.width - GEOMETRY,
        weights=network.state_dict(),
        facts=facts,
        spaces=spaces or {},
    )


def agent_of(
    checkpoint: Checkpoint, world: World, views: Float[Tensor, "viewpoint view feature"], path: Path
) -> Learned[Any, Any]:
    """The agent in `world`, which holds tensors, looking through `views`; `path` names its file in errors."""
    kind = kind_named(checkpoint.agent)
    if views.shape[-1] != checkpoint.width:
        raise UsageError(
            f"{path}: was trained with features {checkpoint.features!r} that are {checkpoint.width} wide, "
            f"and cannot look through some that are {views.shape[-1]} wide; build the same tables"
        )
    network = _network(kind, checkpoint, path).to(views.device).eval()
    return kind.agent(network, world, Sight.of(views), checkpoint.vocabulary)


def _network(kind: Kind, checkpoint: Checkpoint, path: Path) -> LearnedNetwork:
    """The network with the checkpoint's weights; whatever does not fit is refused by name."""
    config = _config(kind, checkpoint, path)
    try:
        with torch.device("meta"):  # shapes only: nothing is filled with random numbers first
            network = kind.network(config)
    except (RuntimeError, ValueError, TypeError) as error:
        raise MalformedFile(path, f"no network has these sizes ({error})", remedy=_REMEDY) from None
    _refuse_misfits(network.state_dict(), checkpoint, path)
    network = network.to_empty(device="cpu")
    network.load_state_dict(dict(checkpoint.weights))
    return network


def _config(kind: Kind, checkpoint: Checkpoint, path: Path) -> Any:
    try:
        config: Any = settings_of(kind.config, checkpoint.config)
    except UsageError as error:
        raise MalformedFile(path, str(error), where="field 'config'", remedy=_REMEDY) from None
    expected = {
        "words": len(checkpoint.vocabulary),
        "features": checkpoint.width + GEOMETRY,
        "geometry": GEOMETRY,
    }
    for name, value in expected.items():
        if getattr(config, name) != value:
            problem = f"{name!r} is {getattr(config, name)}, where {value} is needed"
            raise MalformedFile(path, problem, where="field 'config'", remedy=_REMEDY)
    return config


def _refuse_misfits(expected: dict[str, Tensor], checkpoint: Checkpoint, path: Path) -> None:
    found = checkpoint.weights
    missing, unknown = sorted(expected.keys() - found.keys()), sorted(found.keys() - expected.keys())
    if missing or unknown:
        what = f"tensor {missing[0]!r} is missing" if missing else f"tensor {unknown[0][:60]!r} is not known"
        raise MalformedFile(path, what, remedy=_REMEDY)
    for name, weight in expected.items():
        if found[name].shape != weight.shape:
            problem = f"tensor {name!r} has shape {tuple(found[name].shape)}, not {tuple(weight.shape)}"
            raise MalformedFile(path, problem, remedy=_REMEDY)
