"""Trace: all that the searches of a run saw, for replaying them without agents, torch or the data.

It is the optional field "trace" of a run record, with a schema version of its own: a reader that knows only
walks passes over it.

{"schema": 1,
 "strategy": {"name": "fast-short", "score": "sum-logit", "width": 1, "stops_compete": true},
 "buildings": {scan: {"viewpoints": [name, ...], "position": [[x, y, z], ...], "edges": [[0, 1], ...]}},
 "episodes": {instr_id: {"building": scan, "instruction": "Leave the ...", "tree": {column: [...]},
                         "goal_score": [...], "goal": 17, "arrived": [0, 1, 3]}}}

Viewpoints are numbers into their building's names, nodes are numbers into the tree's columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from fastnav.world.graph import World

TRACE_SCHEMA = 1


@dataclass(frozen=True)
class TreeRecord:
    """A finished search tree in plain columns, one entry for each node.

    Node 0 is the start, the others stand in the order in which they were created: a node is an action that
    was taken somewhere, and what it led to. Actions that the search pruned, as they closed a loop, are left
    out: an expansion without a favourite is one whose favourite was pruned.
    """

    ROOT: ClassVar[int] = 0
    NO_NODE: ClassVar[int] = -1

    viewpoint: tuple[int, ...]  # where the action leads
    view: tuple[int, ...]  # the view faced on arrival, 0 to 35
    parent: tuple[int, ...]  # the node where the action was taken; NO_NODE for the start
    slot: tuple[int, ...]  # the action; 0 is STOP
    logit: tuple[float, ...]  # of the action; 0 for the start
    sum_logit: tuple[float, ...]  # over the path from the start
    sum_logp: tuple[float, ...]
    score: tuple[float | None, ...]  # by which open nodes were popped; None where it is no finite number
    greedy: tuple[int, ...]  # the nodes that the agent liked best where it chose
    final: tuple[int, ...]  # the nodes that end a path: STOP, and those at the limit of depth
    popped: tuple[int, ...]  # the nodes that search went to, in order
    round: tuple[int, ...]  # of each of these: nodes of one round were popped together
    progress: tuple[float, ...] | None  # the agent's estimate at each expanded node; None if it gives none

    def __len__(self) -> int:
        return len(self.viewpoint)

    def is_stop(self, node: int) -> bool:
        """Whether a node is a STOP child."""
        return self.slot[node] == World.STOP and node != TreeRecord.ROOT

    @property
    def expanded(self) -> tuple[int, ...]:
        """The nodes where the agent looked around, in order."""
        final = set(self.final)
        return tuple(node for node in self.popped if node not in final)

    @property
    def candidates(self) -> tuple[int, ...]:
        """Where the goal could be: all STOP children, and final nodes that search went to."""
        popped = set(self.popped)
        return tuple(node for node in self.final if self.is_stop(node) or node in popped)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from the start to `node`, both included."""
        nodes = [node]
        while nodes[-1] != TreeRecord.ROOT:
            nodes.append(self.parent[nodes[-1]])
        return tuple(nodes[::-1])

    def frontier(self, pops: int) -> tuple[int, ...]:
        """What had been seen and not gone to after so many pops, STOP children included."""
        gone = set(self.popped[:pops])
        return tuple(node for node, parent in enumerate(self.parent) if parent in gone and node not in gone)

    def within(self, expansions: int) -> "TreeRecord":
        """The tree as a budget of so many expansions would have left it: trees only ever grow.

        It holds for searches that pop one node at a time; of nodes popped together a smaller budget would
        have left out some and gone on with the others.
        """
        if len(set(self.round)) < len(self.round):
            raise ValueError("a search that pops several nodes together cannot be cut to a smaller budget")
        kept, left_out = self.expanded[:expansions], self.expanded[expansions:]
        pops = self.popped.index(left_out[0]) if left_out else len(self.popped)
        parents = set(kept)
        nodes = 1 + sum(parent in parents for parent in self.parent)
        changed: dict[str, Any] = {name: getattr(self, name)[:nodes] for name in COLUMNS}
        changed |= {name: tuple(n for n in getattr(self, name) if n < nodes) for name in NODE_LISTS}
        progress = None if self.progress is None else self.progress[: len(kept)]
        return TreeRecord(**changed, popped=self.popped[:pops], round=self.round[:pops], progress=progress)

    def to_json(self) -> dict[str, Any]:
        """The columns as JSON lists."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: None if values is None else list(values) for name, values in columns.items()}


#: The columns with an entry for each node, and the lists of some nodes.
COLUMNS = ("viewpoint", "view", "parent", "slot", "logit", "sum_logit", "sum_logp", "score")
NODE_LISTS = ("greedy", "final")


@dataclass(frozen=True)
class SearchRecord:
    """One episode's search."""

    building: str
    instruction: str
    tree: TreeRecord
    goal_score: tuple[
        float | None, ...
    ]  # of each of the tree's candidates; None where it is no finite number
    goal: int  # the node chosen
    arrived: tuple[int, ...]  # for each pop, the place of the trajectory up to which it was walked

    @property
    def clean_path(self) -> tuple[int, ...]:
        """The viewpoints from the start to the goal, as if the agent had known."""
        path = self.tree.path(self.goal)
        return tuple(self.tree.viewpoint[node] for node in path if not self.tree.is_stop(node))

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            "building": self.building,
            "instruction": self.instruction,
            "tree": self.tree.to_json(),
            "goal_score": list(self.goal_score),
            "goal": self.goal,
            "arrived": list(self.arrived),
        }


@dataclass(frozen=True)
class PlanRecord:
    """What is needed to draw a building's graph."""

    viewpoints: tuple[str, ...]
    position: tuple[tuple[float, ...], ...]  # x, y, z in metres
    edges: tuple[tuple[int, int], ...]  # each once, the lower number first

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            "viewpoints": list(self.viewpoints),
            "position": [list(place) for place in self.position],
            "edges": [list(edge) for edge in self.edges],
        }


@dataclass(frozen=True)
class Manner:
    """How was searched, as far as a replay needs to know."""

    name: str  # of the strategy
    score: str  # by which nodes were popped; empty if it has no name
    width: int  # how many nodes were popped together
    stops_compete: bool  # whether STOP children could be popped; else they were candidates only

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return dict(vars(self))


@dataclass(frozen=True)
class Trace:
    """The searches of a run, by instr_id, and the buildings that they were made in."""

    manner: Manner
    plans: Mapping[str, PlanRecord]
    searches: Mapping[str, SearchRecord]

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            "schema": TRACE_SCHEMA,
            "strategy": self.manner.to_json(),
            "buildings": {scan: plan.to_json() for scan, plan in self.plans.items()},
            "episodes": {instr_id: search.to_json() for instr_id, search in self.searches.items()},
        }
