"""Leaderboard files: what is written is always accepted; what the server would refuse is never written."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data.splits import Split
from fastnav.errors import MalformedFile, ResultError
from fastnav.evaluation.results import read_result
from fastnav.evaluation.submission import check_submission, refuse_invalid, write_submission
from fastnav.evaluation.trajectories import Trajectory
from fastnav.world.toy import two_buildings
from tests.evaluation.cases import Case, Plan, plans, split_of, strolls, trajectory, walks_of

#: first: A - B, second: A - B - C. Two paths, three episodes: 10_0, 10_1 and 11_0.
CASES = (Case("second", ("A", "B", "C"), ("A", "B", "A", "B", "C"), 2), Case("first", ("B", "A"), ("B",)))

Entries = list[dict[str, Any]]
Change = Callable[[Entries], object]


def sound() -> Entries:
    """A leaderboard file that is fine."""
    return [{"instr_id": name, "trajectory": walk.triples()} for name, walk in walks_of(CASES).items()]


def check(entries: Any, tmp_path: Path, split: Split | None = None) -> int:
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(entries))
    return check_submission(path, split or split_of(CASES), two_buildings())


@st.composite
def walked(draw: st.DrawFn) -> tuple[Plan, list[Case]]:
    plan = draw(plans())
    return plan, draw(st.lists(strolls(plan), min_size=1, max_size=6))


@given(walked())
def test_whatever_is_written_is_accepted_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, walked: tuple[Plan, list[Case]]
) -> None:
    world, cases = walked[0].world(), walked[1]
    path = tmp_path_factory.getbasetemp() / "written.json"
    split, walks = split_of(cases, name="test", goals=False), walks_of(cases)
    count = write_submission(path, walks, split, world, source=Path("run.json"))
    assert check_submission(path, split, world) == count == len(split.scored)
    scored = {episode.instr_id: walks[episode.instr_id] for episode in split.scored}
    assert read_result(path).trajectories == scored


def test_the_file_has_the_shape_that_the_server_reads(tmp_path: Path) -> None:
    path = tmp_path / "submission.json"
    walks = {"10_0": Trajectory(("A", "B"), (0.5, 1.25), (0.0, -0.5))}
    split = split_of([Case("second", ("A",), ("A", "B"))], name="test", goals=False)
    assert write_submission(path, walks, split, two_buildings(), source=Path("run.json")) == 1
    assert path.read_text() == '[{"instr_id":"10_0","trajectory":[["A",0.5,0.0],["B",1.25,-0.5]]}]\n'


def test_a_sound_file_is_accepted_in_any_order_and_without_headings(tmp_path: Path) -> None:
    bare = [{**entry, "trajectory": [[place[0]] for place in entry["trajectory"]]} for entry in sound()]
    assert check(sound()[::-1], tmp_path) == check(bare, tmp_path) == 3


def test_instructions_that_are_not_scored_are_left_out(tmp_path: Path) -> None:
    cases = [Case("first", ("A",), ("A",), 4)]
    path = tmp_path / "submission.json"
    assert write_submission(path, walks_of(cases), split_of(cases), two_buildings(), source=path) == 3
    assert [entry["instr_id"] for entry in json.loads(path.read_text())] == ["10_0", "10_1", "10_2"]


def walk(entries: Entries, *places: Any) -> None:
    entries[1]["trajectory"] = list(places)


BROKEN: dict[str, tuple[Change, str]] = {
    "jump": (lambda e: walk(e, ["A", 0, 0], ["C", 0, 0]), "episode 10_1: jumps from A to C, which no edge"),
    "late jump": (lambda e: walk(e, ["A"], ["B"], ["C"], ["C"], ["A"]), "episode 10_1: jumps from C to A"),
    "wrong start": (lambda e: walk(e, ["B", 0, 0]), "episode 10_1: starts at B, not at A"),
    "missing": (lambda e: e.pop(1), "episode 10_1: is missing"),
    "double": (lambda e: e.append(e[1]), "episode 10_1: is there twice"),
    "of another split": (lambda e: e.append({**e[0], "instr_id": "99_0"}), "episode 99_0: is not scored"),
    "not scored": (lambda e: e.append({**e[0], "instr_id": "10_3"}), "episode 10_3: is not scored on val"),
    "empty": (lambda e: walk(e), r"episode 10_1: expected a list of places, the start first, found \[\]"),
    "no trajectory": (lambda e: e[1].pop("trajectory"), "episode 10_1: expected a list of places.* null"),
    "no list": (lambda e: e[1].update(trajectory={"A": 0}), "episode 10_1: expected a list of places"),
    "unknown place": (lambda e: walk(e, ["A"], ["Z"]), "episode 10_1: building second has no viewpoint Z"),
    "unknown start": (lambda e: walk(e, ["Z"]), "episode 10_1: starts at Z, not at A"),
    "other building": (
        lambda e: e[2].update(trajectory=[["B"], ["C"]]),
        "episode 11_0: building first has no viewpoint C",
    ),
    "huge heading": (lambda e: walk(e, ["A", 1e13, 0]), "episode 10_1: place 0 must be .viewpoint, heading"),
    "endless heading": (lambda e: walk(e, ["A", 10**400, 0]), "episode 10_1: place 0 must be"),
    "heading in text": (lambda e: walk(e, ["A", "0", 0]), "episode 10_1: place 0 must be"),
    "heading null": (lambda e: walk(e, ["A", None, None]), "episode 10_1: place 0 must be"),
    "two elements": (lambda e: walk(e, ["A"], ["B", 0]), "episode 10_1: place 1 must be"),
    "four elements": (lambda e: walk(e, ["A", 0, 0, 0]), "episode 10_1: place 0 must be"),
    "bare name": (lambda e: walk(e, "A", "B"), "episode 10_1: place 0 must be"),
    "step of places": (lambda e: walk(e, ["A"], ["B", "A", "B"]), "episode 10_1: place 1 must be"),
    "step of lists": (lambda e: walk(e, ["A"], [["B"], ["C"]]), "episode 10_1: place 1 must be"),
    "name, then lists": (lambda e: walk(e, ["A", ["B"], ["C"]]), "episode 10_1: place 0 must be"),
    "name no text": (lambda e: walk(e, ["A"], [7, 0, 0]), "episode 10_1: place 1 must be"),
    "id no text": (lambda e: e[1].update(instr_id=101), "entry 1: expected an object with 'instr_id'"),
    "entry no object": (lambda e: e.append("10_1"), "entry 3: expected an object with 'instr_id'"),
}


@pytest.mark.parametrize("change, told", BROKEN.values(), ids=BROKEN)
def test_what_the_server_would_refuse_is_refused_and_named(change: Change, told: str, tmp_path: Path) -> None:
    entries = sound()
    change(entries)
    with pytest.raises(
        ResultError, match=rf"submission\.json: the leaderboard for val would refuse .*\n  - {told}"
    ):
        check(entries, tmp_path)


@pytest.mark.parametrize(("value", "found"), [({}, "an object"), (None, "null"), ("[]", "text '..'")])
def test_what_is_no_list_is_refused(value: Any, found: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=rf"expected a list of episodes, found {found}"):
        check(value, tmp_path)


def test_a_heading_that_is_no_number_in_json_is_refused(tmp_path: Path) -> None:
    entries = sound()
    walk(entries, ["A", math.nan, 0])
    with pytest.raises(MalformedFile, match=r"submission\.json: .*NaN"):
        check(entries, tmp_path)
    with pytest.raises(ResultError, match="episode 10_1: place 0 must be"):
        refuse_invalid(entries, split_of(CASES), two_buildings(), tmp_path)


@pytest.mark.parametrize("before", [None, "what stood here"])
@pytest.mark.parametrize(
    "bad",
    [
        trajectory("AC"),
        trajectory("B"),
        replace(trajectory("A"), headings=(math.nan,)),
        replace(trajectory("A"), elevations=(math.inf,)),
        Trajectory((), (), ()),
        None,
    ],
)
def test_nothing_is_written_when_an_episode_is_refused(
    bad: Trajectory | None, before: str | None, tmp_path: Path
) -> None:
    out = tmp_path / "submission.json"
    if before is not None:
        out.write_text(before)
    walks = walks_of(CASES)
    del walks["10_1"]
    if bad is not None:
        walks["10_1"] = bad
    with pytest.raises(ResultError, match=r"run\.json: .*\n  - episode 10_1: "):
        write_submission(out, walks, split_of(CASES), two_buildings(), source=Path("run.json"))
    assert [path.name for path in tmp_path.glob("*submission*")] == ([] if before is None else [out.name])
    assert before is None or out.read_text() == before


def test_only_the_first_problems_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    with pytest.raises(ResultError) as caught:
        check([{"instr_id": f"9{k}_0", "trajectory": []} for k in range(20)], tmp_path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 7
    assert lines[-1] == "  - and 18 more"  # 20 that are not of the split, 3 missing, 5 shown


def test_names_are_printed_short_and_safe(tmp_path: Path) -> None:
    entries = sound()
    entries.append({"instr_id": "\x1b[31m" + "9" * 10_000, "trajectory": []})
    walk(entries, ["\x1b[31m" * 1000, 0, 0])
    with pytest.raises(ResultError) as caught:
        check(entries, tmp_path)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 700
