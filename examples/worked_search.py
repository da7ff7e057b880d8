"""One small map, one scripted agent, three strategies: what search does, step by step.

    python examples/worked_search.py

docs/search.md tells the story of what it prints.
"""

import torch

from fastnav.agents.scripted import Says, ScriptedAgent
from fastnav.search.loop import search
from fastnav.search.named import strategy_named
from fastnav.search.routes import clean_routes, pops, walked_routes
from fastnav.search.strategies import Strategy
from fastnav.search.tree import SearchTree
from fastnav.world import toy
from fastnav.world.graph import World
from fastnav.world.simulator import reset

# region agent
# Where it stands -> the logit of stopping there, and of going to each neighbour.
SAID = {
    "S": {"stop": 0, "A": 3, "B": 1, "C": 2},
    "A": {"stop": -3, "S": 1, "B": 4},
    "B": {"stop": -6, "A": 2, "S": 5},
    "C": {"stop": 0, "S": 1, "G": 3},
    "G": {"stop": 4, "C": 1},
}

world = toy.loop_and_arm()
letter = world.viewpoint_ids


def script(sentence: str, way: tuple[int, ...]) -> Says:
    """What the agent says at the end of `way`: here, always the same in the same place."""
    here = way[-1]
    said = SAID[letter[here]]
    logits = [0.0] * world.actions
    logits[World.STOP] = said["stop"]
    for slot in range(1, int(world.mask[here].sum())):
        logits[slot] = said[letter[world.neighbour[here, slot]]]
    return Says(logits)


agent = ScriptedAgent(script)
# endregion


# region search
def show(strategy: Strategy) -> None:
    """Search from S, and print where search went, what it could have chosen, and what was walked."""
    starts = reset(torch.tensor([world.index("toy", "S")]), torch.tensor([0.0]))
    tree = search(agent, world, starts, agent.encode(["Leave the loop."]), strategy=strategy)
    goal = strategy.goal.choose(tree)
    (walked,) = walked_routes(tree, world, goal, strategy.walking)
    (clean,) = clean_routes(tree, world, goal)
    went = [f"{name(tree, node)} {float(tree.sum_logit[0, node]):g}" for node in next(pops(tree))[1:]]
    ends = tree.candidates[0].nonzero()[:, 0].tolist()
    print(f"{strategy.name}")
    print(f"  went to     {', '.join(went)}")
    print(f"  candidates  {', '.join(f'{name(tree, n)} {float(tree.sum_logit[0, n]):g}' for n in ends)}")
    print(f"  walked      {letters(walked.viewpoints)}, {walked.length(world):.1f} m")
    print(f"  clean path  {letters(clean.viewpoints)}, {clean.length(world):.1f} m")


# endregion


def name(tree: SearchTree, node: int) -> str:
    """A node by the places on its path; a stop ends in a full stop."""
    places = tree.viewpoint[0, tree.path(0, node)].tolist()
    return letters(places[:-1]) + "." if bool(tree.is_stop[node]) else letters(places)


def letters(viewpoints: tuple[int, ...] | list[int]) -> str:
    """Places by their letters."""
    return "".join(letter[place] for place in viewpoints)


def main() -> None:
    """Each strategy in turn."""
    for strategy in ("greedy", "fast-short", "fast-long"):
        show(strategy_named(strategy))


if __name__ == "__main__":
    main()
