"""Every spoilt field is one error that names the file, the record and the field, and says what to do."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data.captions import read_captions
from fastnav.data.connectivity import read_connectivity
from fastnav.data.files import read_bytes
from fastnav.data.objects import parse_objects
from fastnav.data.splits import read_r2r
from fastnav.errors import MalformedFile
from tests.data import samples

ABSENT = object()


class Format(NamedTuple):
    file: str
    sample: Callable[[], Any]
    read: Callable[[Path], Any]


FORMATS = {
    "r2r": Format("R2R_train.json", samples.r2r, lambda path: read_r2r(path, "train")),
    "connectivity": Format(
        "house_connectivity.json", samples.connectivity, lambda path: read_connectivity(path, "house")
    ),
    "captions": Format("house.json", samples.captions, read_captions),
    "objects": Format("house_a1.json", samples.objects, lambda path: parse_objects(read_bytes(path), path)),
}

#: format, where in the file, the value put there (or ABSENT), and what the message must name.
CASES: list[tuple[str, list[Any], Any, list[str]]] = [
    # R2R: the top level and the record
    ("r2r", [], {}, ["expected a list at the top level", "an object"]),
    ("r2r", [], [], ["the file holds no episodes"]),
    ("r2r", [1], "text", ["record 1", "expected an object", "text 'text'"]),
    ("r2r", [1], None, ["record 1", "expected an object", "null"]),
    ("r2r", [1, "path_id"], ABSENT, ["record 1", "'path_id' is missing"]),
    ("r2r", [1, "path_id"], "8", ["record 1", "'path_id'", "whole number", "text '8'"]),
    ("r2r", [1, "path_id"], 8.0, ["record 1", "'path_id'", "whole number", "the number 8.0"]),
    ("r2r", [1, "path_id"], True, ["record 1", "'path_id'", "whole number", "true"]),
    ("r2r", [1, "path_id"], 10**400, ["record 1", "'path_id'", "absurdly large"]),
    ("r2r", [1, "path_id"], 7, ["record 1 (path_id 7)", "'path_id'", "already used by record 0"]),
    # R2R: the other fields, blamed under the record's better name
    ("r2r", [1, "scan"], ABSENT, ["record 1 (path_id 8)", "'scan' is missing"]),
    ("r2r", [1, "scan"], "", ["record 1 (path_id 8)", "'scan'", "empty text"]),
    ("r2r", [1, "scan"], 5, ["record 1 (path_id 8)", "'scan'", "the number 5"]),
    ("r2r", [1, "heading"], ABSENT, ["record 1 (path_id 8)", "'heading' is missing"]),
    ("r2r", [1, "heading"], "north", ["record 1 (path_id 8)", "'heading'", "expected a number"]),
    ("r2r", [1, "heading"], False, ["record 1 (path_id 8)", "'heading'", "expected a number", "false"]),
    ("r2r", [1, "heading"], 1e300, ["record 1 (path_id 8)", "'heading'", "absurdly large"]),
    ("r2r", [1, "path"], ABSENT, ["record 1 (path_id 8)", "'path' is missing"]),
    ("r2r", [1, "path"], "c3", ["record 1 (path_id 8)", "'path'", "expected a list"]),
    ("r2r", [1, "path"], [], ["record 1 (path_id 8)", "'path'", "at least the start viewpoint"]),
    ("r2r", [1, "path", 2], 7, ["record 1 (path_id 8)", "'path[2]'", "the number 7"]),
    ("r2r", [1, "instructions"], ABSENT, ["record 1 (path_id 8)", "'instructions' is missing"]),
    ("r2r", [1, "instructions"], {}, ["record 1 (path_id 8)", "'instructions'", "expected a list"]),
    ("r2r", [1, "instructions"], [], ["record 1 (path_id 8)", "'instructions'", "at least one"]),
    ("r2r", [1, "instructions", 3], "", ["record 1 (path_id 8)", "'instructions[3]'", "empty text"]),
    # connectivity
    ("connectivity", [], {"a": 1}, ["expected a list at the top level"]),
    ("connectivity", [], [], ["no viewpoint is included"]),
    ("connectivity", [1], [], ["viewpoint 1", "expected an object", "a list"]),
    ("connectivity", [1, "image_id"], ABSENT, ["viewpoint 1", "'image_id' is missing"]),
    ("connectivity", [1, "image_id"], 3, ["viewpoint 1", "'image_id'", "the number 3"]),
    (
        "connectivity",
        [1, "image_id"],
        "a1",
        ["viewpoint 1 (a1)", "'image_id'", "already used by viewpoint 0"],
    ),
    ("connectivity", [1, "included"], "true", ["viewpoint 1 (b2)", "'included'", "true or false"]),
    ("connectivity", [1, "included"], 1, ["viewpoint 1 (b2)", "'included'", "the number 1"]),
    ("connectivity", [1, "pose"], ABSENT, ["viewpoint 1 (b2)", "'pose' is missing"]),
    (
        "connectivity",
        [1, "pose"],
        [0.0] * 15,
        ["viewpoint 1 (b2)", "'pose'", "expected 16 entries, found 15"],
    ),
    ("connectivity", [1, "pose", 7], None, ["viewpoint 1 (b2)", "'pose[7]'", "null"]),
    ("connectivity", [3, "pose", 0], "1", ["viewpoint 3 (gone)", "'pose[0]'", "text '1'"]),
    ("connectivity", [1, "pose", 3], 1e13, ["viewpoint 1 (b2)", "'pose[3]'", "absurdly large"]),
    (
        "connectivity",
        [0, "unobstructed"],
        [True],
        ["viewpoint 0 (a1)", "'unobstructed'", "expected 4 entries"],
    ),
    ("connectivity", [2, "unobstructed", 1], 1, ["viewpoint 2 (c3)", "'unobstructed[1]'", "true or false"]),
    ("connectivity", [2, "unobstructed", 1], False, ["viewpoint 1 (b2)", "'unobstructed[2]'", "leads to c3"]),
    (
        "connectivity",
        [0, "unobstructed", 2],
        True,
        ["viewpoint 0 (a1)", "'unobstructed[2]'", "not lead back"],
    ),
    ("connectivity", [1, "unobstructed", 1], True, ["viewpoint 1 (b2)", "'unobstructed[1]'", "to itself"]),
    # captions
    ("captions", [], [], ["the top level", "expected an object"]),
    ("captions", ["b2"], "text", ["viewpoint b2", "'b2'", "expected a list"]),
    ("captions", ["b2"], ["x"] * 7, ["viewpoint b2", "'b2'", "expected 8 entries, found 7"]),
    ("captions", ["b2", 5], None, ["viewpoint b2", "'b2[5]'", "null"]),
    ("captions", ["b2", 5], "", ["viewpoint b2", "'b2[5]'", "empty text"]),
    ("captions", ["b2", 5], "down: a\ntop: b", ["viewpoint b2", "'b2[5]'", "expected three lines"]),
    # objects
    ("objects", [], [], ["the top level", "expected an object"]),
    ("objects", [], {"b2": {}}, ["'a1'", "the viewpoint of the file's name is missing"]),
    ("objects", ["a1"], [], ["viewpoint a1", "expected an object"]),
    ("objects", ["a1", "31"], 1, ["object 31", "expected an object"]),
    ("objects", ["a1", "31", "name"], ABSENT, ["object 31", "'name' is missing"]),
    ("objects", ["a1", "31", "name"], None, ["object 31", "'name'", "null"]),
    ("objects", ["a1", "31", "visible_pos"], ABSENT, ["object 31", "'visible_pos' is missing"]),
    ("objects", ["a1", "31", "visible_pos", 1], 36, ["object 31", "'visible_pos[1]'", "a view from 0 to 35"]),
    ("objects", ["a1", "31", "visible_pos", 1], -1, ["object 31", "'visible_pos[1]'", "a view from 0 to 35"]),
    ("objects", ["a1", "31", "visible_pos", 0], True, ["object 31", "'visible_pos[0]'", "a view"]),
    ("objects", ["a1", "31", "bbox2d"], [[0, 0, 1, 1]], ["object 31", "'bbox2d'", "expected 2 entries"]),
    ("objects", ["a1", "31", "bbox2d", 0], [0, 0, 1], ["object 31", "'bbox2d[0]'", "expected 4 entries"]),
    ("objects", ["a1", "31", "bbox2d", 1, 2], "w", ["object 31", "'bbox2d[1][2]'", "expected a number"]),
]


def spoilt(value: Any, place: list[Any], new: Any) -> Any:
    """`value` with `new` at `place`, or without what stands there."""
    if not place:
        return new
    *way, last = place
    value = copy.deepcopy(value)
    holder = value
    for key in way:
        holder = holder[key]
    if new is ABSENT:
        del holder[last]
    else:
        holder[last] = new
    return value


@pytest.mark.parametrize(
    ("kind", "place", "new", "named"),
    CASES,
    ids=[f"{kind}-{'.'.join(map(str, place))}-{k}" for k, (kind, place, _, _) in enumerate(CASES)],
)
def test_a_spoilt_field_is_named(
    tmp_path: Path, kind: str, place: list[Any], new: Any, named: list[str]
) -> None:
    form = FORMATS[kind]
    path = tmp_path / form.file
    path.write_text(json.dumps(spoilt(form.sample(), place, new)))
    with pytest.raises(MalformedFile) as caught:
        form.read(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert [words for words in named if words not in message] == []
    assert "; `fastnav data check` says" in message or "; fetch" in message


def test_two_neighbours_in_the_very_same_place_are_named(tmp_path: Path) -> None:
    value = samples.connectivity()
    value[1]["pose"] = list(value[2]["pose"])
    path = tmp_path / "house_connectivity.json"
    path.write_text(json.dumps(value))
    with pytest.raises(
        MalformedFile, match=r"viewpoint 1 \(b2\).*'pose'.*of its neighbour viewpoint 2 \(c3\)"
    ):
        read_connectivity(path, "house")


def test_an_object_file_of_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "noviewpoint.json"
    with pytest.raises(MalformedFile, match=r"the name is not <scan>_<viewpoint>\.json; remove or rename it"):
        parse_objects(b"{}", path)


def places_in(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value inside a JSON value stands, itself included."""
    keys: Any = {dict: lambda v: v, list: lambda v: range(len(v))}.get(type(value), lambda v: ())(value)
    return [place, *(inner for key in keys for inner in places_in(value[key], (*place, key)))]


ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("kind", FORMATS)
@given(data=st.data())
def test_whatever_stands_in_a_field_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    form = FORMATS[kind]
    sample = form.sample()
    place = data.draw(st.sampled_from(places_in(sample)))
    path = tmp_path_factory.getbasetemp() / form.file
    path.write_text(json.dumps(spoilt(sample, list(place), data.draw(ANY_JSON))))
    try:
        form.read(path)
    except MalformedFile as error:
        assert str(error).startswith(str(path))
