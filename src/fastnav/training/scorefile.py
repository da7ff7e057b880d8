"""A learned score in a file: plain tensors and a description, nothing that is run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastnav.agents.shipped import FOLDER
from fastnav.agents.tensorfile import read_tensors, write_tensors
from fastnav.data.files import is_there, sha256_of
from fastnav.errors import DataError, MalformedFile
from fastnav.search.learned import LearnedScore
from fastnav.search.scoring import LOCAL_SCORES, LocalScore, score_named
from fastnav.search.signals import SIGNALS

_FORMAT = "fastnav-score"
_VERSION = 1
#: The learned score that comes with fastnav: taught by an SMNA that was trained on dev_train, on dev_unseen.
SHIPPED = FOLDER / "scores" / "learned.safetensors"
#: What it is called wherever a score is named.
LEARNED = "learned"
#: The fields of a score, in their order.
_TENSORS = ("centre", "scale", "into", "bias", "out", "level")
_REMEDY = "name a file that `fastnav train score` wrote"


def save_score(path: Path, score: LearnedScore, facts: Mapping[str, Any]) -> None:
    """Write a score, whole or not at all; `facts` tells people what it was learnt from."""
    description = {"format": _FORMAT, "version": _VERSION, "signals": list(SIGNALS), "facts": dict(facts)}
    write_tensors(path, {name: getattr(score, name) for name in _TENSORS}, description)


def score_called(name: str) -> LocalScore | LearnedScore:
    """A local score by its name, or the learned one in a file."""
    if name in LOCAL_SCORES or name == LEARNED or not is_there(Path(name)):
        return load_score(SHIPPED) if name == LEARNED else score_named(name, others=(LEARNED,))
    return load_score(Path(name))


def load_score(path: Path) -> LearnedScore:
    """Read a score; one for other signals is refused."""
    tensors, description = read_tensors(path)
    if description.get("format") != _FORMAT:
        problem = f"not a learned score, but {str(description.get('format'))[:40]!r}"
        raise MalformedFile(path, problem, remedy=_REMEDY)
    if description.get("version") != _VERSION or description.get("signals") != list(SIGNALS):
        raise DataError(f"{path}: a score for other signals than this fastnav's; train it anew")
    hidden = tensors["bias"].shape[0] if "bias" in tensors and tensors["bias"].ndim == 1 else -1
    count = len(SIGNALS)
    shapes = {"centre": (count,), "scale": (count,), "into": (count, hidden), "bias": (hidden,)}
    shapes |= {"out": (hidden,), "level": ()}
    for name in _TENSORS:
        if name not in tensors or tuple(tensors[name].shape) != shapes[name]:
            raise MalformedFile(path, f"tensor {name!r} is missing or of another shape", remedy=_REMEDY)
    name = f"learned-{sha256_of(path)[:8]}"
    centre, scale, into, bias, out, level = (tensors[each].double() for each in _TENSORS)
    return LearnedScore(centre, scale, into, bias, out, level, name)
