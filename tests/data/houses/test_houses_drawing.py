"""Plans from disk, and the drawings made of them."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fastnav.data.houses import Plan, draw_plan, read_plan
from fastnav.data.houses.plans import plan_of, plan_record
from fastnav.data.houses.scene import Scene
from fastnav.errors import MalformedFile, UnknownName, UsageError


@pytest.fixture
def plan(scenes: list[Scene]) -> Plan:
    """The plan of a house with stairs."""
    scene = next(scene for scene in scenes if scene.house.flights)
    return plan_of(scene.house, scene.viewpoints)


def test_a_plan_comes_back_from_disk_as_it_was(houses: Path, scenes: list[Scene]) -> None:
    for scene in scenes:
        path = houses / "plans" / f"{scene.house.scan}.json"
        assert read_plan(path) == plan_of(scene.house, scene.viewpoints)


def test_a_drawing_names_every_room_and_shows_every_floor(plan: Plan) -> None:
    root = ElementTree.fromstring(draw_plan(plan))
    words = " ".join(
        "".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")
    ).lower()
    assert "ground floor" in words and "first floor" in words and "up" in words and "dn" in words
    for room in plan.house.rooms:
        assert room.kind == "stairs" or room.kind.split()[0] in words
    dots = [c for c in root.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "2.9"]
    assert len(dots) == sum(viewpoint.included for viewpoint in plan.viewpoints)


def test_a_route_is_drawn_with_its_ends(plan: Plan) -> None:
    i, j = plan.edges[0]
    names = [plan.viewpoints[i].name, plan.viewpoints[j].name]
    drawn = draw_plan(plan, route=names)
    assert ">S</text>" in drawn and ">G</text>" in drawn and drawn.count("url(#way)") == 1
    assert "url(#way)" not in draw_plan(plan)


def test_one_floor_without_its_graph(plan: Plan) -> None:
    drawn = draw_plan(plan, floor=1, graph=False)
    assert "First floor" in drawn and "Ground floor" not in drawn and 'r="2.9"' not in drawn


def test_mistakes_are_told(plan: Plan) -> None:
    with pytest.raises(UsageError, match="has floors 0 to"):
        draw_plan(plan, floor=9)
    with pytest.raises(UnknownName, match="viewpoint"):
        draw_plan(plan, route=["nowhere"])


def test_a_spoilt_plan_is_refused(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    record = plan_record(plan)
    for spoilt in ({**record, "format": 99}, {**record, "edges": [[1]]}, {**record, "house": {"scan": "x"}}):
        path.write_text(json.dumps(spoilt))
        with pytest.raises(MalformedFile, match="build the houses again"):
            read_plan(path)
