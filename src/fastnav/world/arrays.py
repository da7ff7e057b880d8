"""One code for numpy arrays and torch tensors: the world needs no torch, but follows it to any device."""

from types import ModuleType
from typing import Any

import numpy as np

#: A numpy array or a torch tensor. Shapes stand beside it: `Int[Array, "batch action"]`.
Array = Any


def namespace(array: Array) -> ModuleType:
    """The module, numpy or torch, whose functions take `array`."""
    if isinstance(array, np.ndarray | np.generic):
        return np
    import torch  # a tensor is at hand, so torch is installed and imported already

    return torch
