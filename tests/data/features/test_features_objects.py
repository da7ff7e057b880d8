"""The table of objects: where they stand, which viewpoints see them, and in which views.

B(-1,2)   lamp (1,3)                       the lamp is annotated at S, B and C,
     \\                                     the bench at S and C, the clock at A alone
clock
  A --- S --- C --- G        all at height 0; S = (0,0); A 2 m to the left, C and G 2 and 4 m to the right
            bench (2,-1.5)
"""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastnav.data.connectivity import ScanGraph
from fastnav.data.features import FeatureTable, build_objects
from fastnav.data.features.placing import USUAL_DISTANCE, collect_rays, place_objects
from fastnav.data.features.showing import SHOWN, show
from fastnav.data.features.stores import NOTHING, Weighted
from fastnav.data.features.views import FRAMES, off_centre, ray
from fastnav.data.features.visibility import straight_ways, visible_pairs
from fastnav.data.objects import parse_objects, read_objects
from fastnav.world.toy import toy_graph
from fastnav.world.views import nearest_view
from tests.data.features.samples import SCANS, THINGS, HashEncoder, views_of
from tests.toy_data import EDGES, PLACES, write_json

ROWS = {(SCANS[0], name): row for row, name in enumerate(PLACES)}
EYES = np.array(list(PLACES.values()))
LABELS = sorted(label.replace("#", " ") for label, _, _ in THINGS.values())


def of_first_scan(data: Path):  # type: ignore[no-untyped-def]
    """The objects of one building, and its rays."""
    return collect_rays([found for found in read_objects(data) if found.scan == SCANS[0]], ROWS)


def shown(table: FeatureTable, name: str) -> dict[str, set[int]]:
    """For each label the views of a viewpoint that it shows in."""
    assert isinstance(table.store, Weighted)
    index = table.store.index[table.rows([(SCANS[0], name)])][0]
    labels = sorted(LABELS, key=lambda label: (len(label.split()), label))
    return {
        label: {int(view) for view in np.flatnonzero((index == code).any(axis=1))}
        for code, label in enumerate(labels)
    }


def test_the_middle_of_each_view_looks_where_the_view_does() -> None:
    """The direction of a view's middle is nearest to that very view."""
    middle = ray(np.arange(36), np.tile([320.0, 240.0], (36, 1)))
    heading, elevation = np.arctan2(middle[:, 0], middle[:, 1]) % (2 * math.pi), np.arcsin(middle[:, 2])
    assert nearest_view(heading, elevation).tolist() == list(range(36))
    np.testing.assert_allclose(FRAMES @ FRAMES.transpose(0, 2, 1), np.tile(np.eye(3), (36, 1, 1)), atol=1e-12)


@given(st.tuples(*[st.floats(-5, 5)] * 3), st.tuples(*[st.floats(-5, 5)] * 3))
def test_pixels_and_rays_undo_each_other(eye: tuple[float, ...], point: tuple[float, ...]) -> None:
    """A point's pixel, found by turning axes one by one, leads back to its direction, in all its views."""
    step = np.subtract(point, eye)
    distance = float(np.linalg.norm(step))
    if distance < 0.1:
        return
    across, upward = off_centre(step[None])
    seen = views_of(eye, point)  # type: ignore[arg-type]
    edge = np.isclose(across[0], 1) | np.isclose(upward[0], 1)
    inside = (across[0] <= 1) & (upward[0] <= 1)
    assert all(inside[view] == (view in seen) for view in range(36) if not edge[view])
    for view, pixel in seen.items():
        np.testing.assert_allclose(ray(np.array([view]), np.array([pixel]))[0], step / distance, atol=1e-6)


def test_objects_are_put_where_they_stand(data: Path) -> None:
    """Seen from two places or more: exactly there. From one: on the ray, at the median distance."""
    rays = of_first_scan(data)
    placed = place_objects(rays, EYES)
    at = dict(zip(rays.names, placed.position, strict=True))
    assert dict(zip(rays.names, placed.triangulated.tolist(), strict=True)) == {
        "red lamp": True,
        "bench": True,
        "old clock": False,
    }
    np.testing.assert_allclose(at["red lamp"], THINGS["1"][1], atol=1e-9)
    np.testing.assert_allclose(at["bench"], THINGS["2"][1], atol=1e-9)
    distances = [math.dist(PLACES[name], point) for _, point, seen in THINGS.values() for name in seen]
    assert placed.usual == pytest.approx(float(np.median(distances[:5])))
    toward = np.subtract(THINGS["3"][1], PLACES["A"])
    wanted = PLACES["A"] + placed.usual * toward / np.linalg.norm(toward)
    np.testing.assert_allclose(at["old clock"], wanted, atol=1e-9)
    assert placed.miss.max() < 1e-9


@pytest.mark.parametrize(
    ("views", "why"),
    [((12, 12), "the rays run side by side"), ((33, 27), "the rays lead apart")],
)
def test_rays_that_do_not_meet(tmp_path: Path, views: tuple[int, int], why: str) -> None:
    """Then the object is put on its rays at the usual distance, whatever the least squares say."""
    found = []
    for name, view in zip("AC", views, strict=True):
        value = {name: {"7": {"name": "vase", "visible_pos": [view], "bbox2d": [[310, 230, 20, 20]]}}}
        path = tmp_path / f"{SCANS[0]}_{name}.json"
        write_json(path, value)
        found.append(parse_objects(path.read_bytes(), path))
    placed = place_objects(collect_rays(found, ROWS), EYES)
    assert not placed.triangulated.any(), why
    assert placed.usual == USUAL_DISTANCE
    ends = [PLACES[name] + USUAL_DISTANCE * FRAMES[view, 2] for name, view in zip("AC", views, strict=True)]
    np.testing.assert_allclose(placed.position[0], np.mean(ends, axis=0), atol=1e-9)


def test_a_box_cut_by_the_edge_counts_less_than_a_whole_one(tmp_path: Path) -> None:
    """Of several views of one viewpoint, the one that has the box nearest its middle tells where it is."""
    value = {
        "A": {"7": {"name": "vase", "visible_pos": [13, 12], "bbox2d": [[0, 230, 4, 20], [310, 230, 20, 20]]}}
    }
    path = tmp_path / f"{SCANS[0]}_A.json"
    write_json(path, value)
    rays = collect_rays([parse_objects(path.read_bytes(), path)], ROWS)
    np.testing.assert_allclose(rays.direction, [[0, 1, 0]], atol=1e-12)


def test_who_sees_whom() -> None:
    """One can walk straight from G through C to S, not round the corner to B; and not to another floor."""
    graph = toy_graph(PLACES, EDGES)
    ways = straight_ways(graph)
    names = "".join(graph.viewpoint_ids)
    assert {names[row] + names[k] for row, k in np.argwhere(ways) if row < k} == {
        a + b for a, b in ("SA", "SB", "SC", "SG", "AB", "AC", "AG", "CG")
    }
    annotated = np.zeros((5, 2), dtype=bool)
    annotated[names.index("G")] = True
    position = np.array([[4.0, 1.0, 0.0], [4.0, 1.0, 2.5]])
    viewpoint, thing = visible_pairs(graph, position, annotated)
    assert {names[v] for v, t in zip(viewpoint, thing, strict=True) if t == 0} == set("SACG")
    assert {names[v] for v, t in zip(viewpoint, thing, strict=True) if t == 1} == {"G"}


def test_nothing_is_seen_beyond_the_radius() -> None:
    """A corridor of 2 m steps: an object at its end shows for 8 m."""
    names = "ABCDEFG"
    graph = toy_graph({name: (2.0 * k, 0.0, 0.0) for k, name in enumerate(names)}, "AB BC CD DE EF FG")
    annotated = np.zeros((7, 1), dtype=bool)
    annotated[0] = True
    viewpoint, _ = visible_pairs(graph, np.array([[0.0, 0.1, 0.0]]), annotated)
    assert "".join(names[v] for v in viewpoint) == "ABCD"


def test_an_object_shows_where_it_was_never_annotated(data: Path) -> None:
    """At G, 4 m to its right, the lamp lies at 315 degrees: 15 degrees off the views at 300 and 330.

    The clock is put 1.56 m or so from A; S and C see it through A, but B lies aside.
    """
    table = build_objects(data, HashEncoder())
    seen = shown(table, "G")
    assert seen["red lamp"] == set(views_of(PLACES["G"], THINGS["1"][1]))
    assert {22, 23} <= seen["red lamp"] and not {12, 21} & seen["red lamp"]
    assert seen["bench"] == set(views_of(PLACES["G"], THINGS["2"][1]))
    assert {view % 12 for view in shown(table, "S")["old clock"]} <= {8, 9, 10, 11}
    facts = table.facts()
    assert (facts["objects"], facts["triangulated"]) == (9, 6)
    assert facts["objects_per_viewpoint"] == pytest.approx(6 / 5)
    assert facts["objects_per_viewpoint_shown"] > 2


def test_a_view_is_the_weighted_sum_of_its_objects(data: Path) -> None:
    """By hand, for the view from G that shows the bench lowest."""
    encoder = HashEncoder()
    table = build_objects(data, encoder, width=5)
    assert table.width == 7
    features = table.dense([(SCANS[0], "G")])[0]
    eye, view = PLACES["G"], 20  # 240 degrees, level: the bench lies at 233
    inside = [thing for thing in THINGS.values() if view in views_of(eye, thing[1])]
    assert [label for label, _, _ in inside] == ["bench"]
    distance = math.dist(eye, inside[0][1])
    across = abs(views_of(eye, inside[0][1])[view][0] - 320) / 320
    weight = 0.25 ** (across**2) / (1 + distance / 2)
    wanted = weight * table.space().project(encoder.encode(["bench"]))[0].astype(float)
    np.testing.assert_allclose(features[view, :5], wanted, atol=2e-3)
    np.testing.assert_allclose(features[view, 5:], [math.log(2), 1 / (1 + distance)], atol=1e-3)
    empty = [k for k in range(36) if not any(k in views for views in shown(table, "G").values())]
    assert empty and not features[empty].any()


def test_a_full_view_keeps_what_counts_most() -> None:
    """Of twelve objects straight ahead, the eight nearest; all are counted."""
    metres = np.array([5.0, 1, 4, 2, 3, 6, 7, 1.5, 2.5, 3.5, 4.5, 5.5])
    step = np.stack([0 * metres, metres, 0 * metres], axis=1)
    index, weight, scalars = show(np.zeros(12, dtype=np.int64), step, np.arange(12), 1)
    assert index[0, 12].tolist() == np.argsort(metres)[:SHOWN].tolist()
    np.testing.assert_allclose(weight[0, 12], 1 / (1 + np.sort(metres)[:SHOWN] / 2), atol=1e-3)
    np.testing.assert_allclose(scalars[0, 12], [math.log(13), 0.5], atol=1e-3)
    assert Counter((index[0] != NOTHING).any(axis=1).tolist())[True] == 9  # three headings in three rows


def test_a_building_without_objects(data: Path) -> None:
    """Its viewpoints have empty views; only a data directory without any object is refused."""
    for path in (data / "objects" / "BBox").glob(f"{SCANS[0]}_*"):
        path.write_text("{}")
    assert not build_objects(data, HashEncoder()).dense([(SCANS[0], "S")]).any()
    for path in (data / "objects" / "BBox").glob("*.json"):
        path.write_text("{}")
    with pytest.raises(Exception, match="no object is seen at any viewpoint"):
        build_objects(data, HashEncoder(), overwrite=True)


def test_a_building_of_one_viewpoint() -> None:
    """It sees what was annotated there."""
    graph = ScanGraph("one", ("A",), np.zeros((1, 3)), np.zeros((0, 2), dtype=np.int64))
    viewpoint, thing = visible_pairs(graph, np.ones((1, 3)), np.ones((1, 1), dtype=bool))
    assert viewpoint.tolist() == thing.tolist() == [0]
