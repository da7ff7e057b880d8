"""Result files: every published shape is read; what is broken is refused in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.errors import FastnavError, MalformedFile, MissingFile, ResultError
from fastnav.evaluation import trajectories
from fastnav.evaluation.record import RunRecord
from fastnav.evaluation.results import read_result
from fastnav.evaluation.trajectories import Trajectory, parse_trajectory, trajectory_of
from fastnav.world.route import route_through
from fastnav.world.toy import stairs

Written = Callable[[Any], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(value: Any) -> Path:
        path = tmp_path / "mine.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


def names(value: Any) -> tuple[str, ...]:
    return parse_trajectory(value, Path("mine.json"), "walk").viewpoints


def record(**changes: Any) -> dict[str, Any]:
    """A sound record as JSON, with some fields changed; a field set to `...` is taken out."""
    episodes = [{"instr_id": "17_0", "trajectory": [["a", 0.5, -0.25], ["b", 1, 0]]}]
    sound: dict[str, Any] = {
        "format": "fastnav-run",
        "schema": 1,
        "fastnav": "0.1.0",
        "system": "random",
        "split": "val_seen",
        "settings": {"seed": 1},
        "episodes": episodes,
    }
    return {name: value for name, value in (sound | changes).items() if value is not ...}


angles = st.floats(-1e6, 1e6)
waypoints = st.tuples(st.text(min_size=1, max_size=5), angles, angles)
runs = st.dictionaries(
    st.text(min_size=1, max_size=6), st.lists(waypoints, min_size=1, max_size=6), min_size=1
)
plain = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5)


@settings(max_examples=60, deadline=None)
@given(runs, st.dictionaries(st.text(), plain, max_size=3))
def test_a_record_comes_back_as_it_was_saved(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, Any], chosen: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "record.json"
    walked = {name: Trajectory(*zip(*places, strict=True)) for name, places in rows.items()}
    saved = RunRecord("fast-short", "val_unseen", walked, chosen, "0.1.0")
    saved.save(path)
    result = read_result(path)
    assert (result.system, result.split) == ("fast-short", "val_unseen")
    assert result.trajectories == walked
    assert list(result.trajectories) == list(walked)
    assert json.loads(path.read_text())["settings"] == chosen


def test_a_record_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    RunRecord(
        "random", "val_seen", {"17_0": Trajectory(("a",), (0.5,), (-0.25,))}, {"seed": 1}, "0.1.0"
    ).save(path)
    assert json.loads(path.read_text()) == record(
        episodes=[{"instr_id": "17_0", "trajectory": [["a", 0.5, -0.25]]}]
    )


def test_a_route_is_written_with_the_directions_it_was_walked_in() -> None:
    world = stairs()
    walked = trajectory_of(world, route_through(world, [0, 1, 2], first_view=12))
    assert walked.viewpoints == ("A", "B", "U")
    assert walked.headings == pytest.approx((0, 3.14159265 / 2, 3.14159265 / 2))
    assert walked.elevations == pytest.approx((0, 0, 3.14159265 / 6))


@pytest.mark.parametrize(
    "trajectory",
    [
        [["a", 0, 0], ["b", 0, 0], ["c", 0, 0]],
        [["a"], ["b"], ["c"]],
        ["a", "b", "c"],
        [["a"], ["b", "c"]],
        [["a", "b", "c"]],
        [[["a", 0, 0], ["b", 0, 0]], [["c", 0, 0]]],
        [[["a"]], [["b"], "c"]],
        ["a", ["b", 0, 0], ["c"]],
    ],
)
def test_every_published_shape_of_a_trajectory_is_read(trajectory: list[Any]) -> None:
    assert names(trajectory) == ("a", "b", "c")


def test_headings_and_elevations_are_kept() -> None:
    read = parse_trajectory([["a", 1, -2.5], ["b"], [["c", 0.25, 4]]], Path("mine.json"), "walk")
    assert read.triples() == [["a", 1.0, -2.5], ["b", 0.0, 0.0], ["c", 0.25, 4.0]]


@pytest.mark.parametrize(
    "value",
    [
        [{"instr_id": "17_0", "trajectory": [["a", 0.1, 0]], "details": {"more": [1]}}],
        {"17_0": {"trajectory": [["a", 0.1, 0]], "score": 3}},
        {"17_0": [["a", 0.1, 0]]},
    ],
)
def test_lists_and_dictionaries_of_others_are_read(value: Any, written: Written) -> None:
    result = read_result(written(value))
    assert result.trajectories == {"17_0": Trajectory(("a",), (0.1,), (0.0,))}
    assert (result.system, result.split) == ("mine", None)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (record(schema=2), "written in schema 2 by a newer fastnav; upgrade"),
        (record(schema=10**40), "written in schema 100000000 by a newer"),
        (record(schema=...), "field 'schema': expected a version number, found null"),
        (record(schema=True), "field 'schema': .* found true"),
        (record(schema=0), "field 'schema': .* found the number 0"),
        (record(system=...), "field 'system': expected non-empty text, found null"),
        (record(split=""), "field 'split': expected non-empty text, found empty text"),
        (record(split=["val_seen"]), "field 'split': .* found a list"),
        (record(settings=[]), "field 'settings': expected an object, found a list"),
        (record(fastnav=1), "field 'fastnav': expected a version, found the number 1"),
        (record(episodes=...), "field 'episodes': expected a list, found null"),
        (record(episodes={"17_0": []}), "field 'episodes': expected a list, found an object"),
        (record(episodes=[]), "the file holds no episodes"),
        (record(episodes=[3]), "entry 0: expected an object with 'instr_id'"),
        ([], "the file holds no episodes"),
        ({}, "the file holds no episodes"),
        ("null", "expected a list of episodes, found null"),
        ('"17_0"', "expected a list of episodes, found text '17_0'"),
        ([["17_0", "a"]], "entry 0: expected an object with 'instr_id'"),
        ([{"trajectory": ["a"]}], "entry 0: expected an object with 'instr_id'"),
        ([{"instr_id": 170, "trajectory": ["a"]}], "entry 0: expected an object with 'instr_id'"),
        ([{"instr_id": "", "trajectory": ["a"]}], "entry 0: expected an object with 'instr_id'"),
        ([{"instr_id": "17_0"}], "entry 0 .episode 17_0.: field 'trajectory' is missing"),
        ([{"instr_id": "17_0", "trajectory": ["a"]}] * 2, "entry 1: episode 17_0 is there twice"),
        ({"17_0": {"path": ["a"]}}, "episode 17_0: field 'trajectory' is missing .it holds 'path'"),
        ({"17_0": []}, "episode 17_0: trajectory: the trajectory is empty"),
        ({"17_0": "a"}, "episode 17_0: trajectory: expected a list of places, found text 'a'"),
        ({"\x1b[2J": []}, r"episode '\\x1b\[2J': trajectory: the trajectory is empty"),
        ({"9" * 10_000: []}, "episode '9{40}': trajectory: the trajectory is empty"),
    ],
)
def test_broken_files_are_refused(value: Any, told: str, written: Written) -> None:
    with pytest.raises(ResultError, match=rf"mine\.json: {told}") as caught:
        read_result(written(value))
    assert len(str(caught.value).split("mine.json")[-1]) < 300


@pytest.mark.parametrize(
    "place",
    [
        None,
        3,
        True,
        "",
        {},
        [],
        [""],
        [3],
        ["a", 0],
        ["a", 0, 0, 0],
        ["a", 0, None],
        ["a", 0, True],
        ["a", "0", 0],
        ["a", 1e13, 0],
        ["a", 10**400, 0],
        ["a", float("nan"), 0],
        ["a", 0, float("-inf")],
        [0, 0, "a"],
        [["a"], ["b", 1]],
        [[["a", 0, 0]], "b"],
        ["a", [], "b"],
        [9] * 100_000,
    ],
)
def test_what_is_no_place_is_refused_and_named(place: Any) -> None:
    with pytest.raises(
        ResultError, match=r"^mine\.json: walk\[1\]: expected \[viewpoint, heading, el"
    ) as caught:
        names(["a", place])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ('[{"instr_id": "17_0", "traj', "not JSON"),
        ('[{"instr_id": "17_0", "trajectory": [["a", NaN, 0]]}]', "NaN"),
        ('[{"instr_id": "17_0", "trajectory": [["a", 1' + "0" * 5000 + ", 0]]}]", "not usable JSON"),
        ('{"17_0": ["a"], "17_0": ["b"]}', "'17_0' is there twice"),
        ('[{"instr_id": "17_0", "trajectory": ["a"], "instr_id": "17_1"}]', "'instr_id' is there twice"),
        ("[" * 200_000 + "]" * 200_000, "not usable JSON"),
        ('{"17_0":' * 100_000 + "1" + "}" * 100_000, "not usable JSON"),
    ],
)
def test_what_is_no_json_is_refused(text: str, told: str, written: Written) -> None:
    with pytest.raises(MalformedFile, match=rf"mine\.json: .*{told}") as caught:
        read_result(written(text))
    assert len(str(caught.value).split("mine.json")[-1]) < 300


def test_what_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"none\.json: no such file"):
        read_result(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe[]")
    with pytest.raises(MalformedFile, match=r"bytes\.json: not UTF-8"):
        read_result(tmp_path / "bytes.json")


def test_an_endless_walk_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "LONGEST", 10)
    assert len(names([["a", 0, 0]] * 10)) == 10
    for endless in ([["a", 0, 0]] * 11, [["a", "b"] * 6], ["a"] * 10**6, [["a"] * 10**6]):
        with pytest.raises(ResultError, match=r"^mine\.json: walk: more than 10 places"):
            names(endless)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["instr_id", "trajectory", "17_0"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(json_values)
def test_any_json_is_read_or_refused_never_worse(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(value))
    try:
        result = read_result(path)
    except FastnavError as error:
        assert str(path) in str(error)
    else:
        assert all(walk.viewpoints for walk in result.trajectories.values())
