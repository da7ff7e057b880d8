"""fastnav decides where an instruction-following agent goes next.

The public names are loaded when they are first used, so that `import fastnav` is quick and needs no torch.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

#: Public name -> the module it lives in. Not the function `search`, since `fastnav.search` is its room.
_PUBLIC = {
    "Agent": "fastnav.agents.interface",
    "Arrival": "fastnav.agents.interface",
    "Budget": "fastnav.search.strategies",
    "Episode": "fastnav.data.episodes",
    "FastnavError": "fastnav.errors",
    "Geodesics": "fastnav.world.geodesics",
    "Goal": "fastnav.search.strategies",
    "Growth": "fastnav.search.growth",
    "HousesConfig": "fastnav.data.houses",
    "LowLevel": "fastnav.world.lowlevel",
    "Observation": "fastnav.world.simulator",
    "Pose": "fastnav.world.simulator",
    "Reference": "fastnav.data.references",
    "Route": "fastnav.world.route",
    "Rows": "fastnav.agents.interface",
    "RunRecord": "fastnav.evaluation.record",
    "Scorer": "fastnav.evaluation.scoring",
    "SearchTree": "fastnav.search.tree",
    "Split": "fastnav.data.splits",
    "StepOutput": "fastnav.agents.interface",
    "Strategy": "fastnav.search.strategies",
    "TensorRows": "fastnav.agents.interface",
    "Vocabulary": "fastnav.data.vocabulary",
    "Walking": "fastnav.search.walking",
    "World": "fastnav.world.graph",
    "build_houses": "fastnav.data.houses",
    "clean_routes": "fastnav.search.routes",
    "load_split": "fastnav.data.splits",
    "load_world": "fastnav.world.loading",
    "read_record": "fastnav.evaluation.record",
    "read_result": "fastnav.evaluation.results",
    "score_named": "fastnav.search.scoring",
    "strategy_named": "fastnav.search.named",
    "walked_routes": "fastnav.search.routes",
}

__all__ = ["__version__", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"fastnav has no public name {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__
