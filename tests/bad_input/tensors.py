"""Spoilt tensors: safetensors files and arrays that are whole, and hold what cannot be used."""

import io
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from safetensors.torch import load, save

from tests.bad_input.mutations import HOSTILE, NUMBERS, OTHERS, dump, spoil_json, spoil_value

#: Where fastnav's description stands in a safetensors file.
_KEY = "fastnav"
Tensors = dict[str, torch.Tensor]


def spoil_tensors(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    """A whole safetensors file with one tensor, or the description, that is wrong."""
    tensors = load(content)
    text = _description(content)
    if rng.random() < 0.5:
        name, change = rng.choice(_TENSORS)
        name += f": {change(rng, tensors)}"
    else:
        name, text = rng.choice((_field, _field, _described, _hostile))(rng, text)
    return name, save(tensors, metadata={_KEY: text.decode(errors="replace")})


def _description(content: bytes) -> bytes:
    length = int.from_bytes(content[:8], "little")
    text: str = json.loads(content[8 : 8 + length])["__metadata__"][_KEY]
    return text.encode()


def _described(rng: random.Random, text: bytes) -> tuple[str, bytes]:
    return spoil_json(rng, text)


def _hostile(rng: random.Random, text: bytes) -> tuple[str, bytes]:
    return spoil_value(rng, text)


def _field(rng: random.Random, text: bytes) -> tuple[str, bytes]:
    """One of the fields that decide how a file is read."""
    value = json.loads(text)
    odd = (*HOSTILE, *NUMBERS, *OTHERS)
    choices: dict[str, tuple[Any, ...]] = {
        "version": (0, 2, 99, "1", None, True, 1.0, *odd),
        "format": ("fastnav-agent", "fastnav-score", "fastnav-training-state", None, *odd),
        "agent": ("smna", "follower", "seq2seq", "speaker", *odd),
        "features": ("none", "captions", "objects", "clip", "captions+", "shuffled:captions+objects", *odd),
        "width": (0, 1, 3, 8, 10**9, *odd),
        "signals": ([], ["logit"], *odd),
        "seed": odd,
        "iteration": (0, 1, 3, 4, 10**9, *odd),
    }
    name = rng.choice([name for name in value if name in choices])
    value[name] = rng.choice(choices[name])
    return f"{name} is {str(value[name])[:20]!r}", dump(value)


def _pick(rng: random.Random, tensors: Tensors) -> str:
    return rng.choice(sorted(tensors))


def _nonsense(rng: random.Random, tensors: Tensors) -> str:
    name = _pick(rng, tensors)
    if not tensors[name].is_floating_point():
        return _typed(rng, tensors)
    flat = tensors[name].clone().reshape(-1)
    if len(flat):
        flat[rng.randrange(len(flat))] = rng.choice((float("nan"), float("inf"), -float("inf")))
    tensors[name] = flat.reshape(tensors[name].shape)
    return name


def _huge(rng: random.Random, tensors: Tensors) -> str:
    name = _pick(rng, tensors)
    tensors[name] = torch.full_like(
        tensors[name], rng.choice((1e30, -1e30, 3e38)) if _real(tensors[name]) else 7
    )
    return name


def _real(tensor: torch.Tensor) -> bool:
    return tensor.dtype in (torch.float32, torch.float64)


def _shaped(rng: random.Random, tensors: Tensors) -> str:
    name = _pick(rng, tensors)
    old = tensors[name]
    shapes = [
        old[None],
        old.reshape(-1),
        old[:0] if old.dim() else old[None],
        old.T if old.dim() == 2 else old[None],
    ]
    if old.dim():
        shapes += [old[:-1], torch.cat([old, old[:1]])]
    tensors[name] = rng.choice(shapes).contiguous().clone()
    return name


def _typed(rng: random.Random, tensors: Tensors) -> str:
    name = _pick(rng, tensors)
    tensors[name] = tensors[name].to(
        rng.choice((torch.float16, torch.float64, torch.bfloat16, torch.int64, torch.bool, torch.uint8))
    )
    return name


def _lost(rng: random.Random, tensors: Tensors) -> str:
    name = _pick(rng, tensors)
    del tensors[name]
    return name


def _unknown(rng: random.Random, tensors: Tensors) -> str:
    name = rng.choice((*HOSTILE[:4], "another", "space.captions.mean", "space.clip.mean"))
    tensors[name] = torch.zeros(2)
    return ascii(name)


def _swapped(rng: random.Random, tensors: Tensors) -> str:
    one, other = rng.sample(sorted(tensors), 2)
    tensors[one], tensors[other] = tensors[other], tensors[one]
    return f"{one}, {other}"


_TENSORS: tuple[tuple[str, Callable[[random.Random, Tensors], str]], ...] = (
    ("no number", _nonsense),
    ("no number", _nonsense),
    ("huge numbers", _huge),
    ("another shape", _shaped),
    ("another shape", _shaped),
    ("another type", _typed),
    ("missing tensor", _lost),
    ("unknown tensor", _unknown),
    ("swapped tensors", _swapped),
)


def spoil_array(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    """A whole .npy file of another shape or type, or with values that mean nothing."""
    name, change = rng.choice(_ARRAYS)
    made = io.BytesIO()
    np.save(made, change(rng, np.load(io.BytesIO(content))), allow_pickle=True)
    return name, made.getvalue()


def _no_number(rng: random.Random, array: np.ndarray) -> np.ndarray:
    flat = array.reshape(-1).copy()
    for _ in range(rng.choice((1, 10, len(flat)))):
        odd = (np.nan, np.inf, -np.inf) if flat.dtype.kind == "f" else (-2, 10**6, 2**31 - 1, -(2**31))
        flat[rng.randrange(len(flat))] = rng.choice(odd)
    return flat.reshape(array.shape)


def _other_shape(rng: random.Random, array: np.ndarray) -> np.ndarray:
    axis = rng.randrange(array.ndim)
    return rng.choice(
        (
            array[None],
            array.reshape(-1),
            array[:0],
            array.take(range(array.shape[axis] - 1), axis),
            np.concatenate([array, array], axis),
            array.swapaxes(0, -1),
            np.array(array.flat[0]),
        )
    )


def _other_type(rng: random.Random, array: np.ndarray) -> np.ndarray:
    return array.astype(rng.choice(("f8", "i8", "i2", "U8", "?", "O", "c8", ">f2")))


_ARRAYS: tuple[tuple[str, Callable[[random.Random, np.ndarray], np.ndarray]], ...] = (
    ("no numbers", _no_number),
    ("another shape", _other_shape),
    ("another type", _other_type),
)
