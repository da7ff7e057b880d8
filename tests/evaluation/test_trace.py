"""Traces: what they tell, how they are read, and that nobody needs them to score a walk."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fastnav.errors import ResultError
from fastnav.evaluation.record import read_record
from fastnav.evaluation.results import read_result
from fastnav.evaluation.trace import SearchRecord, Trace
from tests.evaluation.traced import NAMES, SENTENCE, traced_record

Change = Callable[[dict[str, Any]], object]


def written(folder: Path, value: Any) -> Path:
    path = folder / "run.json"
    path.write_text(json.dumps(value))
    return path


def trace_of(folder: Path, value: dict[str, Any] | None = None) -> Trace:
    trace = read_record(written(folder, value or traced_record())).trace
    assert trace is not None
    return trace


@pytest.fixture
def search(tmp_path: Path) -> SearchRecord:
    return trace_of(tmp_path).searches["30_0"]


def letters(places: tuple[int, ...]) -> str:
    return "".join(NAMES[place] for place in places)


def test_what_is_read_is_written_again(tmp_path: Path) -> None:
    record = read_record(written(tmp_path, traced_record()))
    record.save(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text()) == traced_record()


def test_a_record_without_a_trace_is_as_before(tmp_path: Path) -> None:
    older = {name: value for name, value in traced_record().items() if name != "trace"}
    record = read_record(written(tmp_path, older))
    assert record.trace is None
    assert record.to_json() == older


def test_scoring_does_not_look_at_the_trace(tmp_path: Path) -> None:
    spoilt = {**traced_record(), "trace": {"schema": 99}}
    assert list(read_result(written(tmp_path, spoilt)).trajectories) == ["30_0"]


def test_what_is_no_record_has_no_trace(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="is no run record"):
        read_record(written(tmp_path, []))


def test_a_replay_knows_where_search_could_go(search: SearchRecord) -> None:
    tree = search.tree
    assert search.instruction == SENTENCE
    # Before anything is popped nothing is seen; then the STOP, A, B and C; and so on.
    frontiers = [tree.frontier(pops) for pops in range(len(tree.popped) + 1)]
    assert frontiers[:4] == [(), (1, 2, 3, 4), (1, 3, 4, 5, 6), (1, 3, 4, 5, 7)]
    assert frontiers[-1] == (1, 3, 5, 7, 8)
    # All along the best of the frontier is popped next, but where the agent's favourite is followed.
    for pops, node in list(enumerate(tree.popped))[1:]:
        best = max(frontiers[pops], key=lambda other: tree.score[other] or 0.0)
        assert node in (best, *tree.greedy)


def test_a_replay_knows_the_candidates_and_both_ways(search: SearchRecord) -> None:
    tree = search.tree
    assert tree.expanded == (0, 2, 6, 4, 9)
    assert tree.candidates == (1, 5, 7, 8, 10)
    assert [node for node in range(len(tree)) if tree.is_stop(node)] == [1, 5, 7, 8, 10]
    assert tree.path(10) == (0, 4, 9, 10)
    assert letters(search.clean_path) == "SCG"


def test_a_smaller_budget_sees_the_beginning(search: SearchRecord) -> None:
    tree = search.tree.within(2)  # S and A
    assert (len(tree), tree.popped, tree.expanded) == (7, (0, 2), (0, 2))
    assert (tree.greedy, tree.final, tree.candidates) == ((2, 6), (1, 5), (1, 5))
    assert search.tree.within(5) == search.tree.within(40) == search.tree


def test_what_is_popped_together_is_not_cut(tmp_path: Path) -> None:
    value = traced_record()
    value["trace"]["episodes"]["30_0"]["tree"]["round"] = [0, 1, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="pops several nodes together"):
        trace_of(tmp_path, value).searches["30_0"].tree.within(2)


def _at(*keys: Any, to: Any) -> Change:
    """Set one value of the trace; `...` removes it."""

    def change(trace: dict[str, Any]) -> None:
        *way, last = keys
        held: Any = trace
        for key in way:
            held = held[key]
        if to is ...:
            del held[last]
        else:
            held[last] = to

    return change


EPISODE = ("episodes", "30_0")
TREE = (*EPISODE, "tree")
PLAN = ("buildings", "newhouse001")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_at("schema", to=2), "its trace is written in schema 2 by a newer fastnav; upgrade"),
        (_at("schema", to=0), "trace: field 'schema': expected a version number, found 0"),
        (_at("strategy", to=...), "trace, strategy: expected an object, found null"),
        (_at("strategy", "width", to=0), "trace, strategy: field 'width': expected 1 or more, found 0"),
        (_at("strategy", "score", to=1), "field 'score': expected text, found the number 1"),
        (_at("buildings", to=[]), "trace: field 'buildings': expected an object, found a list"),
        (
            _at(*PLAN, "viewpoints", 1, to="S"),
            "building newhouse001: field 'viewpoints': expected names, each",
        ),
        (_at(*PLAN, "position", 1, to=[0, 1]), "field 'position[1]': expected 3 entries, found 2"),
        (_at(*PLAN, "edges", 2, to=[0, 5]), "field 'edges[2][1]': expected a whole number from 0 to 4"),
        (_at("episodes", "31_0", to={}), "trace, episode 31_0: the record holds no walk of it"),
        (_at(*EPISODE, "building", to="other"), "other is not among the trace's buildings"),
        (_at(*PLAN, "viewpoints", 2, to="Z"), "field 'building': has no viewpoint B, where the walk leads"),
        (_at(*EPISODE, "instruction", to=""), "field 'instruction': expected non-empty text"),
        (_at(*EPISODE, "goal", to=11), "field 'goal[0]': expected a whole number from 0 to 10"),
        (_at(*EPISODE, "goal_score", 0, to=...), "field 'goal_score': expected 5 entries, found 4"),
        (_at(*EPISODE, "arrived", 1, to=4), "field 'arrived': expected places of the walk in order"),
        (_at(*EPISODE, "arrived", 5, to=7), "field 'arrived[5]': expected a whole number from 0 to 6"),
        (_at(*TREE, to=None), "episode 30_0, tree: expected an object, found null"),
        (_at(*TREE, "viewpoint", to=[]), "field 'viewpoint': expected at least the start"),
        (_at(*TREE, "viewpoint", 3, to=4), "field 'viewpoint[3]': action 2 does not lead there"),
        (_at(*TREE, "viewpoint", 1, to=1), "field 'viewpoint[1]': action 0 does not lead there"),
        (_at(*TREE, "view", 3, to=36), "field 'view[3]': expected a whole number from 0 to 35"),
        (_at(*TREE, "view", 3, to=True), "field 'view[3]': expected a whole number from 0 to 35, found true"),
        (_at(*TREE, "parent", 0, to=0), "field 'parent[0]': the start has no parent"),
        (_at(*TREE, "parent", 5, to=3), "field 'parent[5]': node 3 was not expanded before"),
        (_at(*TREE, "slot", 3, to=1), "field 'slot[3]': nodes must stand in the order of their creation"),
        (_at(*TREE, "logit", 3, to=1e300), "field 'logit[3]': the number is not finite or absurdly large"),
        (_at(*TREE, "score", 3, to="1"), "field 'score[3]': expected a number, found text '1'"),
        (_at(*TREE, "greedy", 0, to=9), "field 'greedy': expected nodes in order, each once"),
        (_at(*TREE, "final", 0, to=...), "field 'final': node 1 is a STOP, and is not among them"),
        (_at(*TREE, "popped", 0, to=1), "field 'popped': search begins at the start"),
        (_at(*TREE, "popped", 5, to=2), "field 'popped[5]': node 2 was not open any more, or not yet"),
        (_at(*TREE, "round", 0, to=3), "field 'round': expected rounds in order"),
        (_at(*TREE, "progress", to=[0.5]), "field 'progress': expected 5 entries, found 1"),
    ],
)
def test_each_fault_is_named(tmp_path: Path, change: Change, said: str) -> None:
    value = traced_record()
    change(value["trace"])
    path = written(tmp_path, value)
    with pytest.raises(ResultError) as refused:
        read_record(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert message.endswith(("`fastnav navigate --record` writes it anew", "(known: 1)"))
