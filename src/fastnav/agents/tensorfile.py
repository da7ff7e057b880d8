"""Named tensors and a description in one safetensors file: plain numbers and JSON, nothing that is run."""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from fastnav.data.files import parse_json, read_bytes, write_bytes
from fastnav.errors import MalformedFile

#: Where in the file's own metadata the description stands.
_KEY = "fastnav"
_REMEDY = "it may be cut short: copy or make it again"
#: The file begins with the length of its header.
_LENGTH = struct.Struct("<Q")


def write_tensors(path: Path, tensors: Mapping[str, Tensor], description: Mapping[str, Any]) -> None:
    """Write the tensors and what they are, whole or not at all."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    text = json.dumps(description, allow_nan=False)
    write_bytes(path, save(held, metadata={_KEY: text}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors, on the CPU, and what they are."""
    content = read_bytes(path)
    description = _description(content, path)
    try:
        tensors: dict[str, Tensor] = load(content)
    except (SafetensorError, ValueError, RuntimeError) as error:
        raise MalformedFile(path, f"the tensors cannot be read ({error})", remedy=_REMEDY) from None
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not torch.isfinite(tensor).all():
            problem = f"tensor {name!r} holds values that are no numbers"
            raise MalformedFile(path, problem, remedy="take an earlier file, or make it again")
    return tensors, description


def _description(content: bytes, path: Path) -> dict[str, Any]:
    metadata = _header(content, path).get("__metadata__")
    text = metadata.get(_KEY) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        problem = "a safetensors file without fastnav's description"
        raise MalformedFile(path, problem, remedy="name a file that `fastnav train` wrote")
    description = parse_json(text.encode(errors="surrogatepass"), path)
    if not isinstance(description, dict):
        raise MalformedFile(path, "its description is no object", remedy=_REMEDY)
    return description


def _header(content: bytes, path: Path) -> dict[str, Any]:
    """The JSON that the file begins with."""
    length = _LENGTH.unpack_from(content)[0] if len(content) >= _LENGTH.size else 0
    header = content[_LENGTH.size : _LENGTH.size + length]
    if not header.startswith(b"{") or len(header) < length:
        problem = "not a whole safetensors file"
        raise MalformedFile(path, problem, remedy=f"name a file that `fastnav train` wrote; {_REMEDY}")
    value: dict[str, Any] = parse_json(header, path)
    return value
