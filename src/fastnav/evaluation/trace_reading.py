"""JSON -> Trace; whatever a replay could stumble over is one error that names the episode and the field."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from fastnav.data.checking import Record, kind_of
from fastnav.errors import MalformedFile, ResultError
from fastnav.evaluation.trace import (
    NODE_LISTS,
    TRACE_SCHEMA,
    Manner,
    PlanRecord,
    SearchRecord,
    Trace,
    TreeRecord,
)
from fastnav.evaluation.trajectories import Trajectory, shown_name
from fastnav.world.graph import World
from fastnav.world.views import VIEWS

#: More slots than any viewpoint has neighbours, and wider than any search.
_MOST_SLOTS = 10_000


def parse_trace(value: Any, path: Path, trajectories: Mapping[str, Trajectory]) -> Trace:
    """The trace in `value`, which was read from the run record `path` with these walks."""
    try:
        record = Record.of(value, path, "trace")
        _refuse_newer(record)
        plans = {
            scan: _plan(Record.of(plan, path, f"trace, building {shown_name(scan)}"))
            for scan, plan in _objects(record, "buildings").items()
        }
        manner = _manner(Record.of(record.fields.get("strategy"), path, "trace, strategy"))
        searches = {}
        for instr_id, search in _objects(record, "episodes").items():
            episode = Record.of(search, path, f"trace, episode {shown_name(instr_id)}")
            if instr_id not in trajectories:
                raise MalformedFile(path, "the record holds no walk of it", where=episode.where)
            searches[instr_id] = _search(episode, plans, trajectories[instr_id])
    except MalformedFile as error:
        raise ResultError(
            f"{path}: {error.where}: {error.problem}; `fastnav navigate --record` writes it anew"
        ) from None
    return Trace(manner, plans, searches)


def _refuse_newer(record: Record) -> None:
    schema = record.integer("schema")
    if schema < 1:
        raise record.error("schema", f"expected a version number, found {schema}")
    if schema > TRACE_SCHEMA:
        raise ResultError(
            f"{record.path}: its trace is written in schema {str(schema)[:9]} by a newer fastnav; upgrade to "
            f"read it (known: {TRACE_SCHEMA})"
        )


def _manner(record: Record) -> Manner:
    score = record.fields.get("score")
    if not isinstance(score, str):
        raise record.error("score", f"expected text, found {kind_of(score)}")
    width = record.integer("width")
    if width < 1:
        raise record.error("width", f"expected 1 or more, found {width}")
    return Manner(record.text("name"), score, width, record.flag("stops_compete"))


def _plan(record: Record) -> PlanRecord:
    names = record.texts("viewpoints")
    if not names or len(set(names)) < len(names):
        raise record.error("viewpoints", "expected names, each of them once")
    places = []
    for k, place in enumerate(record.items("position", length=len(names))):
        wrapped = Record(record.path, record.where, {f"position[{k}]": place})
        places.append(wrapped.numbers(f"position[{k}]", length=3))
    edges = []
    for k, edge in enumerate(record.items("edges")):
        wrapped = Record(record.path, record.where, {f"edges[{k}]": edge})
        first, second = _whole(wrapped, f"edges[{k}]", len(names), length=2)
        edges.append((first, second))
    return PlanRecord(names, tuple(places), tuple(edges))


def _search(record: Record, plans: Mapping[str, PlanRecord], walk: Trajectory) -> SearchRecord:
    building = record.text("building")
    if building not in plans:
        raise record.error("building", f"{shown_name(building)} is not among the trace's buildings")
    plan = plans[building]
    tree = _tree(Record.of(record.fields.get("tree"), record.path, f"{record.where}, tree"), plan)
    strangers = set(walk.viewpoints).difference(plan.viewpoints)
    if strangers:
        raise record.error("building", f"has no viewpoint {shown_name(min(strangers))}, where the walk leads")
    (goal,) = _whole(Record(record.path, record.where, {"goal": [record.integer("goal")]}), "goal", len(tree))
    arrived = _whole(record, "arrived", len(walk.viewpoints), length=len(tree.popped))
    if any(before > after for before, after in pairwise(arrived)):
        raise record.error("arrived", "expected places of the walk in order")
    return SearchRecord(
        building=building,
        instruction=record.text("instruction"),
        tree=tree,
        goal_score=_scores(record, "goal_score", len(tree.candidates)),
        goal=goal,
        arrived=arrived,
    )


def _tree(record: Record, plan: PlanRecord) -> TreeRecord:
    nodes = len(record.items("viewpoint"))
    if not nodes:
        raise record.error("viewpoint", "expected at least the start, found an empty list")
    popped = _whole(record, "popped", nodes)
    tree = TreeRecord(
        viewpoint=_whole(record, "viewpoint", len(plan.viewpoints)),
        view=_whole(record, "view", VIEWS, length=nodes),
        parent=_whole(record, "parent", nodes, least=TreeRecord.NO_NODE, length=nodes),
        slot=_whole(record, "slot", _MOST_SLOTS, length=nodes),
        logit=record.numbers("logit", length=nodes),
        sum_logit=record.numbers("sum_logit", length=nodes),
        sum_logp=record.numbers("sum_logp", length=nodes),
        score=_scores(record, "score", nodes),
        greedy=_whole(record, "greedy", nodes),
        final=_whole(record, "final", nodes),
        popped=popped,
        round=_whole(record, "round", nodes, length=len(popped)),
        progress=None if record.fields.get("progress") is None else record.numbers("progress"),
    )
    _refuse_misordered(record, tree)
    _refuse_misgrown(record, tree)
    _refuse_teleports(record, tree, plan)
    return tree


def _refuse_misgrown(record: Record, tree: TreeRecord) -> None:
    """Every node but the start has a parent that was expanded, in the order of the expansions."""
    turn = {node: k for k, node in enumerate(tree.expanded)}
    for node, parent in enumerate(tree.parent[1:], start=1):
        if parent not in turn or parent >= node:
            raise record.error(f"parent[{node}]", f"node {parent} was not expanded before")
    made = [(turn[parent], slot) for parent, slot in zip(tree.parent[1:], tree.slot[1:], strict=True)]
    for node, (before, after) in enumerate(pairwise(made), start=2):
        if before >= after:
            raise record.error(f"slot[{node}]", "nodes must stand in the order of their creation, each once")
    if tree.progress is not None and len(tree.progress) != len(turn):
        raise record.error("progress", f"expected {len(turn)} entries, found {len(tree.progress)}")


def _refuse_misordered(record: Record, tree: TreeRecord) -> None:
    """Search begins at the start, goes nowhere twice, and only to what it has seen."""
    if tree.parent[TreeRecord.ROOT] != TreeRecord.NO_NODE:
        raise record.error("parent[0]", "the start has no parent; expected -1")
    if tree.popped[:1] != (TreeRecord.ROOT,):
        raise record.error("popped", "search begins at the start; expected 0 first")
    seen: set[int] = {TreeRecord.NO_NODE}
    for k, node in enumerate(tree.popped):
        if node in seen or tree.parent[node] not in seen:
            raise record.error(f"popped[{k}]", f"node {node} was not open any more, or not yet")
        seen.add(node)
    if any(before > after for before, after in pairwise(tree.round)):
        raise record.error("round", "expected rounds in order")
    for name in NODE_LISTS:
        if any(before >= after for before, after in pairwise(getattr(tree, name))):
            raise record.error(name, "expected nodes in order, each once")
    stops = {node for node in range(len(tree)) if tree.is_stop(node)}
    if not stops.issubset(tree.final):
        raise record.error(
            "final", f"node {min(stops.difference(tree.final))} is a STOP, and is not among them"
        )


def _refuse_teleports(record: Record, tree: TreeRecord, plan: PlanRecord) -> None:
    """STOP stays, and every other action follows an edge."""
    joined = {frozenset(edge) for edge in plan.edges}
    for node, parent in enumerate(tree.parent[1:], start=1):
        here, there = tree.viewpoint[parent], tree.viewpoint[node]
        stays = tree.slot[node] == World.STOP
        if stays != (here == there) or not (stays or frozenset((here, there)) in joined):
            raise record.error(f"viewpoint[{node}]", f"action {tree.slot[node]} does not lead there")


def _objects(record: Record, field: str) -> dict[str, Any]:
    value = record.fields.get(field)
    if not isinstance(value, dict):
        raise record.error(field, f"expected an object, found {kind_of(value)}")
    return value


def _whole(
    record: Record, field: str, below: int, *, least: int = 0, length: int | None = None
) -> tuple[int, ...]:
    """A list of whole numbers from `least` to less than `below`."""
    values: Sequence[Any] = record.items(field, length=length)
    for k, value in enumerate(values):
        if type(value) is not int or not least <= value < below:
            problem = f"expected a whole number from {least} to {below - 1}, found {kind_of(value)}"
            raise record.error(f"{field}[{k}]", problem)
    return tuple(values)


def _scores(record: Record, field: str, length: int) -> tuple[float | None, ...]:
    """A list of numbers, or null for what was no finite number."""
    values = record.items(field, length=length)
    finite = Record(record.path, record.where, {field: [0.0 if value is None else value for value in values]})
    return tuple(
        None if value is None else number for value, number in zip(values, finite.numbers(field), strict=True)
    )
