"""A trained agent in one file, independent of any world: its weights, sizes, word list and eyes.

    tensors        the weights by name, in float32 or, for shipping, in float16
    description    {"format": "fastnav-agent", "version": 1, "agent": "smna", "config": {...},
                    "vocabulary": [word, ...], "features": "captions+objects", "width": 322, "facts": {...},
                    "spaces": {"captions": "all-MiniLM-L6-v2", ...}}

For each table whose sentences were put into a space, the tensors space.TABLE.mean and .basis hold that space,
and `spaces` names the encoder: tables for other buildings can be made that this agent understands.

`facts` tells people what the agent was trained on and what it was chosen by; nothing depends on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from fastnav.agents.kinds import KINDS
from fastnav.agents.tensorfile import read_tensors, write_tensors
from fastnav.data.checking import kind_of
from fastnav.data.features.expressions import tables_of
from fastnav.data.features.space import Space
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary
from fastnav.errors import DataError, MalformedFile, UsageError

FORMAT = "fastnav-agent"
VERSION = 1

#: The tensors of a space.
_SPACE_PARTS = ("mean", "basis")
_REMEDY = "take the file that `fastnav train` wrote"

#: The description's other fields, and what JSON holds there.
_FIELDS: dict[str, type] = {
    "agent": str,
    "config": dict,
    "vocabulary": list,
    "features": str,
    "width": int,
    "facts": dict,
}


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """All that makes an agent but the world that it is in."""

    agent: str  # its kind, such as "smna"
    config: Mapping[str, Any]
    vocabulary: Vocabulary
    features: str  # the expression of the tables that it was trained with
    width: int  # how wide these are
    weights: Mapping[str, Tensor]
    facts: Mapping[str, Any] = field(default_factory=dict)
    spaces: Mapping[str, Space] = field(default_factory=dict)  # of the tables, by name


def save_checkpoint(path: Path, checkpoint: Checkpoint, *, half: bool = False) -> None:
    """Write a checkpoint, whole or not at all; `half` keeps weights in float16, half as large."""
    dtype = torch.float16 if half else torch.float32
    description = {
        "format": FORMAT,
        "version": VERSION,
        "agent": checkpoint.agent,
        "config": dict(checkpoint.config),
        "vocabulary": list(checkpoint.vocabulary.words),
        "features": checkpoint.features,
        "width": checkpoint.width,
        "facts": dict(checkpoint.facts),
        "spaces": {table: space.encoder for table, space in checkpoint.spaces.items()},
    }
    tensors = {**checkpoint.weights, **_space_tensors(checkpoint.spaces)}
    write_tensors(path, {name: tensor.to(dtype) for name, tensor in tensors.items()}, description)


def load_checkpoint(path: Path, *, agent: str | None = None) -> Checkpoint:
    """Read a checkpoint, of the kind `agent` if that is given; its weights become float32."""
    read, description = read_tensors(path)
    tensors = {name: tensor.float() for name, tensor in read.items()}
    if description.get("format") != FORMAT:
        problem = f"not a trained agent, but {str(description.get('format'))[:40]!r}"
        raise MalformedFile(path, problem, remedy="name a checkpoint that `fastnav train` wrote")
    _refuse_newer(path, description.get("version"))
    for name, kind in _FIELDS.items():
        if not isinstance(description.get(name), kind):
            found = kind_of(description[name]) if name in description else "nothing"
            raise MalformedFile(path, f"expected {kind.__name__}, found {found}", where=f"field {name!r}")
    _refuse_strange(path, description)
    if agent is not None and description["agent"] != agent:
        raise UsageError(
            f"{path}: is an agent of kind {description['agent'][:40]!r}, where one of kind {agent!r} is "
            "needed"
        )
    return Checkpoint(
        agent=description["agent"],
        config=description["config"],
        vocabulary=_vocabulary(path, description["vocabulary"]),
        features=description["features"],
        width=description["width"],
        facts=description["facts"],
        spaces=_take_spaces(path, tensors, description.get("spaces", {})),
        weights=tensors,
    )


def _refuse_strange(path: Path, description: Mapping[str, Any]) -> None:
    """Refuse a kind of agent or an expression of features that no file of ours holds."""
    if description["agent"] not in KINDS:
        problem = f"an unknown kind of agent, {description['agent'][:40]!r} (known: {', '.join(KINDS)})"
        raise MalformedFile(path, problem, where="field 'agent'", remedy=_REMEDY)
    try:
        tables_of(description["features"])
    except UsageError as error:
        raise MalformedFile(path, str(error), where="field 'features'", remedy=_REMEDY) from None


def _space_tensors(spaces: Mapping[str, Space]) -> dict[str, Tensor]:
    return {
        _space_tensor(table, part): torch.from_numpy(np.array(getattr(space, part), dtype=np.float32))
        for table, space in spaces.items()
        for part in _SPACE_PARTS
    }


def _space_tensor(table: str, part: str) -> str:
    return f"space.{table}.{part}"


def _take_spaces(path: Path, tensors: dict[str, Tensor], encoders: Any) -> dict[str, Space]:
    """The spaces of the tables, which are taken out of `tensors`."""
    if not isinstance(encoders, dict) or not all(isinstance(name, str) for name in encoders.values()):
        problem = "expected the name of an encoder for each table"
        raise MalformedFile(path, problem, where="field 'spaces'", remedy=_REMEDY)
    spaces = {}
    for table, encoder in encoders.items():
        mean, basis = (tensors.pop(_space_tensor(table, part), None) for part in _SPACE_PARTS)
        if mean is None or basis is None or mean.dim() != 1 or basis.shape[:-1] != mean.shape:
            problem = f"the space of the table {table[:40]!r} is missing or has another shape"
            raise MalformedFile(path, problem, where="field 'spaces'", remedy=_REMEDY)
        spaces[table] = Space(mean.numpy(), basis.numpy(), encoder)
    return spaces


def _refuse_newer(path: Path, version: Any) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        problem = f"expected a version number, found {kind_of(version)}"
        raise MalformedFile(path, problem, where="field 'version'")
    if version > VERSION:
        raise DataError(
            f"{path}: written in version {str(version)[:9]} of the format by a newer fastnav; upgrade to "
            f"read it (known: {VERSION})"
        )


def _vocabulary(path: Path, words: list[Any]) -> Vocabulary:
    if not all(isinstance(word, str) for word in words) or tuple(words[:4]) != SPECIAL_WORDS:
        problem = f"expected a word list that begins with {' '.join(SPECIAL_WORDS)}"
        raise MalformedFile(path, problem, where="field 'vocabulary'")
    return Vocabulary(tuple(cast(list[str], words)))
