"""Spoilt records: JSON of the right shape that says what cannot be."""

import json
import random
from collections.abc import Callable
from typing import Any

from tests.bad_input.mutations import HOSTILE, NUMBERS, dump

Change = Callable[[random.Random, Any], None]


def spoil_format(rng: random.Random, path: str, content: bytes) -> tuple[str, bytes]:
    """A fault that only a reader of this very format can find."""
    changes = next(changes for part, changes in _CHANGES if part in path)
    name, change = rng.choice(changes)
    value = json.loads(content)
    change(rng, value)
    return name, dump(value)


def has_format(path: str) -> bool:
    """Whether faults are known for that kind of file."""
    return any(part in path for part, _ in _CHANGES)


def _one_way(rng: random.Random, graph: Any) -> None:
    k = rng.randrange(len(graph))
    row = graph[k]["unobstructed"]
    other = rng.choice([j for j in range(len(row)) if j != k])
    row[other] = not row[other]


def _self_edge(rng: random.Random, graph: Any) -> None:
    k = rng.randrange(len(graph))
    graph[k]["unobstructed"][k] = True


def _same_place(rng: random.Random, graph: Any) -> None:
    for record in graph:
        for k in (3, 7, 11):
            record["pose"][k] = rng.choice((0.0, 1e-200, 5e-324)) if rng.random() < 0.9 else record["pose"][k]


def _bad_pose(rng: random.Random, graph: Any) -> None:
    record = rng.choice(graph)
    if rng.random() < 0.2:
        record["pose"] = record["pose"][: rng.randrange(16)]
    else:
        record["pose"][rng.choice((3, 7, 11, rng.randrange(16)))] = rng.choice(NUMBERS)


def _excluded(rng: random.Random, graph: Any) -> None:
    for record in rng.sample(graph, rng.randrange(1, len(graph) + 1)):
        record["included"] = False


def _renamed(rng: random.Random, graph: Any) -> None:
    rng.choice(graph)["image_id"] = rng.choice((*HOSTILE, "A", "S", "Z"))


def _no_edges(rng: random.Random, graph: Any) -> None:
    lonely = rng.sample(range(len(graph)), rng.randrange(1, len(graph) + 1))
    for k, record in enumerate(graph):
        row = record["unobstructed"]
        record["unobstructed"] = [e and k not in lonely and j not in lonely for j, e in enumerate(row)]


def _short_row(rng: random.Random, graph: Any) -> None:
    record = rng.choice(graph)
    record["unobstructed"] = rng.choice(
        (record["unobstructed"][1:], [*record["unobstructed"], True], [0] * 5)
    )


def _unknown_place(rng: random.Random, split: Any) -> None:
    path = rng.choice(split)["path"]
    path[rng.choice((0, -1, rng.randrange(len(path))))] = rng.choice(("Z", "nowhere", *HOSTILE))


def _unknown_building(rng: random.Random, split: Any) -> None:
    rng.choice(split)["scan"] = rng.choice(("seenhouse01", "testhouse01", "nohouse", *HOSTILE))


def _repeated_path(rng: random.Random, split: Any) -> None:
    split.append(dict(rng.choice(split)))


def _bad_path(rng: random.Random, split: Any) -> None:
    rng.choice(split)["path"] = rng.choice(([], ["S"], ["S", "G"], ["S"] * 500, ["S", 1], "SCG", [["S"]]))


def _bad_number(rng: random.Random, split: Any) -> None:
    rng.choice(split)[rng.choice(("heading", "path_id", "distance"))] = rng.choice(NUMBERS)


def _bad_words(rng: random.Random, split: Any) -> None:
    words = rng.choice(([], [""], [" "], ["x"] * 50, [None], "text", list(HOSTILE[:-5]), ["x" * 200_000]))
    rng.choice(split)["instructions"] = words


def _entries(value: Any) -> list[Any]:
    if isinstance(value, dict) and "episodes" not in value:
        return list(value.values())
    return list(value["episodes"] if isinstance(value, dict) else value)


def _walk(rng: random.Random, value: Any) -> Any:
    return rng.choice(_entries(value))["trajectory"]


def _jump(rng: random.Random, value: Any) -> None:
    walk = _walk(rng, value)
    walk.insert(rng.randrange(len(walk) + 1), [rng.choice(("G", "A", "Z", *HOSTILE)), 0.0, 0.0])


def _bad_angle(rng: random.Random, value: Any) -> None:
    rng.choice(_walk(rng, value))[rng.choice((1, 2))] = rng.choice((*NUMBERS, None, "0", []))


def _long_walk(rng: random.Random, value: Any) -> None:
    walk = _walk(rng, value)
    walk.extend([walk[-1]] * rng.choice((300, 300, 3_000)))


def _bad_place(rng: random.Random, value: Any) -> None:
    walk = _walk(rng, value)
    walk[rng.randrange(len(walk))] = rng.choice(
        ([], ["S", 1], ["S", 1, 2, 3], "S", [["S"]], {}, 1, [None], "Z")
    )


def _bad_id(rng: random.Random, value: Any) -> None:
    new = rng.choice(("30_0", "30_9", "1_0", "30", "_", "30_", 30, None, *HOSTILE))
    if isinstance(value, dict) and "episodes" not in value:
        value[str(new)] = value.pop(rng.choice(list(value)))
    else:
        rng.choice(_entries(value))["instr_id"] = new


def _fewer(rng: random.Random, value: Any) -> None:
    entries = value.get("episodes", value) if isinstance(value, dict) else value
    for key in rng.sample(list(entries) if isinstance(entries, dict) else [0], 1):
        del entries[key]


def _header(rng: random.Random, value: Any) -> None:
    if isinstance(value, dict) and "episodes" in value:
        key = rng.choice(("format", "schema", "system", "split", "settings", "fastnav"))
        value[key] = rng.choice((*HOSTILE, *NUMBERS, None, [], {}, 2, "train", "test", "val_unsen"))
    else:
        _bad_id(rng, value)


def _bad_column(rng: random.Random, record: Any) -> None:
    (search,) = record["trace"]["episodes"].values()
    columns = rng.choice((search, search["tree"]))
    name = rng.choice(list(columns))
    if isinstance(columns[name], list) and rng.random() < 0.8:
        columns[name][rng.randrange(len(columns[name]))] = rng.choice((*NUMBERS, -1, 0, 3, 99, None, True))
    else:
        columns[name] = rng.choice(([], [0], None, {}, 1, "x", *HOSTILE))


def _bad_trace(rng: random.Random, record: Any) -> None:
    trace = record["trace"]
    part = rng.choice((record["trace"], *trace["buildings"].values(), trace["strategy"], trace["buildings"]))
    part[rng.choice(list(part))] = rng.choice((*HOSTILE, *NUMBERS, None, [], {}, [[0, 1]], [[0, 1, 2]], 7))


_CONNECTIVITY: tuple[tuple[str, Change], ...] = (
    ("one-way edge", _one_way),
    ("self edge", _self_edge),
    ("zero-length edges", _same_place),
    ("bad pose", _bad_pose),
    ("excluded viewpoints", _excluded),
    ("renamed viewpoint", _renamed),
    ("no edges", _no_edges),
    ("row of another length", _short_row),
)
_R2R: tuple[tuple[str, Change], ...] = (
    ("unknown viewpoint", _unknown_place),
    ("unknown building", _unknown_building),
    ("path_id twice", _repeated_path),
    ("bad path", _bad_path),
    ("bad number", _bad_number),
    ("bad instructions", _bad_words),
)
_RESULT: tuple[tuple[str, Change], ...] = (
    ("jump", _jump),
    ("bad angle", _bad_angle),
    ("endless walk", _long_walk),
    ("bad place", _bad_place),
    ("bad instr_id", _bad_id),
    ("missing episode", _fewer),
    ("bad header", _header),
)
_TRACE: tuple[tuple[str, Change], ...] = (
    ("bad column of a search", _bad_column),
    ("bad trace", _bad_trace),
    *_RESULT,
)
_CHANGES = (
    ("_connectivity.json", _CONNECTIVITY),
    ("/R2R_", _R2R),
    ("traced.json", _TRACE),
    ("results/", _RESULT),
)
