"""How exactly a CPU multiplies matrices while training: in bfloat16 where it has instructions for that.

Those are about twice as fast. Weights, their memory, losses and examinations stay in float32.
"""

from contextlib import suppress
from pathlib import Path

import torch

from fastnav.errors import UnknownName, UsageError

#: What one may ask for; `auto` is bfloat16 where it pays.
PRECISIONS = ("auto", "float32", "bfloat16")
HALF = "bfloat16"
#: What a processor says that multiplies in bfloat16 by itself.
_FLAGS = {"avx512_bf16", "amx_bf16", "bf16"}
_PROCESSOR = Path("/proc/cpuinfo")


def settled(precision: str, device: torch.device) -> str:
    """The precision that is asked for, and what `auto` means on `device`."""
    if precision not in PRECISIONS:
        raise UnknownName("precision", precision, PRECISIONS)
    if device.type != "cpu":
        if precision == HALF:
            raise UsageError(f"precision {HALF} is for the CPU; leave it out on {device.type}")
        return "float32"
    if precision == "auto":
        return HALF if _pays() else "float32"
    return precision


def _pays() -> bool:
    """Whether the processor has instructions for it; where nothing says so, it has none."""
    with suppress(OSError):
        return not _FLAGS.isdisjoint(_PROCESSOR.read_text().split())
    return False
