"""What is seen in a world: feature tables in the order of its viewpoints."""

from pathlib import Path

import numpy as np
from jaxtyping import Float16

from fastnav.data.features import load_features
from fastnav.world.graph import World


def features_of(world: World, data: Path, expression: str) -> Float16[np.ndarray, "viewpoint view feature"]:
    """The features that `expression` names."""
    numbers = zip(world.scan.tolist(), world.viewpoint_ids, strict=True)
    return load_features(data, expression, [(world.scans[k], name) for k, name in numbers])
