"""fastnav decides where an instruction-following agent goes next.

The public names are loaded when they are first used, so that `import fastnav` is quick and needs no torch.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

#: Public name -> the module it lives in.
_PUBLIC = {
    "Episode": "fastnav.data.episodes",
    "FastnavError": "fastnav.errors",
    "Geodesics": "fastnav.world.geodesics",
    "HousesConfig": "fastnav.data.houses",
    "LowLevel": "fastnav.world.lowlevel",
    "Reference": "fastnav.data.references",
    "Route": "fastnav.world.route",
    "RunRecord": "fastnav.evaluation.record",
    "Scorer": "fastnav.evaluation.scoring",
    "Split": "fastnav.data.splits",
    "Vocabulary": "fastnav.data.vocabulary",
    "World": "fastnav.world.graph",
    "build_houses": "fastnav.data.houses",
    "load_split": "fastnav.data.splits",
    "load_world": "fastnav.world.loading",
    "read_result": "fastnav.evaluation.results",
}

__all__ = ["__version__", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"fastnav has no public name {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__
