"""The walk that knows the way: an upper bound, no agent."""

from collections.abc import Mapping

import numpy as np

from fastnav.data.splits import Split
from fastnav.errors import UsageError
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.route import Route, route_through
from fastnav.world.views import snapped_view


def walk_shortest(world: World, split: Split) -> Mapping[str, Route]:
    """The shortest path from start to goal, by metres."""
    if not split.references:
        raise UsageError(f"split {split.name} has no public goals, so no shortest path can be walked on it")
    geodesics = Geodesics.of(world)
    routes = {}
    for episode in split.scored:
        start = world.index(episode.scan, episode.start)
        goal = world.index(episode.scan, split.references[episode.path_id].goal)
        view = int(snapped_view(np.array(episode.heading)))
        routes[episode.instr_id] = route_through(world, geodesics.path(start, goal), view)
    return routes
