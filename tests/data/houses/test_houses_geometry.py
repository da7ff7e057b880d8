"""Walls, sight and boxes, checked against slow and separate geometry."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from fastnav.data.houses.boxes import AXES, FOCAL, annotate
from fastnav.data.houses.geometry import hidden, turned, walls_of
from fastnav.data.houses.plan import Door, Room
from fastnav.data.houses.scene import Scene

Point = tuple[float, float]


def holes(scene: Scene, start: Point, end: Point, floor: int) -> list[Point]:
    """Where a straight line pierces a wall away from every door, found two centimetres at a time."""
    house = scene.house
    rooms: list[Room] = [room for room in house.rooms if room.floor == floor]
    doors: list[Door] = [door for door in house.doors if door.floor == floor]

    def room_at(point: Point) -> int:
        return next((room.index for room in rooms if room.rect.holds(point, -1e-9)), -1)

    count = max(2, int(math.dist(start, end) / 0.02))
    walk = [
        (start[0] + (end[0] - start[0]) * k / count, start[1] + (end[1] - start[1]) * k / count)
        for k in range(count + 1)
    ]
    pierced = []
    for one, two in itertools.pairwise(walk):
        if room_at(one) == room_at(two):
            continue
        middle = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
        if not any(_in_gap(door, middle) for door in doors):
            pierced.append(middle)
    return pierced


def _in_gap(door: Door, point: Point) -> bool:
    xs, ys = sorted((door.start[0], door.end[0])), sorted((door.start[1], door.end[1]))
    return xs[0] - 0.02 <= point[0] <= xs[1] + 0.02 and ys[0] - 0.02 <= point[1] <= ys[1] + 0.02


def _grazes_a_post(scene: Scene, start: Point, end: Point) -> bool:
    """Whether a straight line passes within 5 cm of the side of a door on the ground floor."""
    posts = [post for door in scene.house.doors if door.floor == 0 for post in (door.start, door.end)]
    length = math.dist(start, end)
    return any(
        abs((end[0] - start[0]) * (start[1] - y) - (start[0] - x) * (end[1] - start[1])) < 0.05 * length
        for x, y in posts
    )


def test_no_edge_goes_through_a_wall(scenes: list[Scene]) -> None:
    checked = 0
    for scene in scenes[:2]:
        viewpoints = scene.viewpoints
        for i, j in np.argwhere(np.triu(viewpoints.unobstructed)).tolist():
            if viewpoints.floor[i] == viewpoints.floor[j]:
                assert holes(scene, scene.point(i), scene.point(j), int(viewpoints.floor[i])) == []
                checked += 1
    assert checked > 100


def test_floors_are_joined_by_stairs_alone(scenes: list[Scene]) -> None:
    climbs = 0
    for scene in scenes:
        viewpoints = scene.viewpoints
        for i, j in np.argwhere(viewpoints.unobstructed).tolist():
            if viewpoints.floor[i] != viewpoints.floor[j]:
                assert viewpoints.on_stairs[i] and viewpoints.on_stairs[j]
                climbs += 1
            rise = abs(viewpoints.position[i, 2] - viewpoints.position[j, 2])
            assert rise < 1.1
    assert climbs > 0


def test_sight_ends_at_walls(scenes: list[Scene]) -> None:
    scene, seen, unseen = scenes[0], 0, 0
    points = scene.viewpoints.position[:, :2]
    on_ground = np.flatnonzero(scene.viewpoints.floor == 0)[::4]
    blind = hidden(points[on_ground], points[on_ground], walls_of(scene.house, 0))
    assert (blind == blind.T).all()
    dividers = [flight for flight in scene.house.flights if flight.floor == 0]
    for a, i in enumerate(on_ground.tolist()):
        for b, j in enumerate(on_ground.tolist()):
            if not dividers or not (scene.viewpoints.on_stairs[i] or scene.viewpoints.on_stairs[j]):
                if i != j and _grazes_a_post(scene, scene.point(i), scene.point(j)):
                    continue  # too close to call for a walk in steps of two centimetres
                pierced = holes(scene, scene.point(i), scene.point(j), 0) if i != j else []
                assert bool(pierced) == bool(blind[a, b])
                seen, unseen = seen + (not pierced), unseen + bool(pierced)
    assert seen > 10 and unseen > 10


def test_rooms_do_not_overlap_and_doors_lie_in_walls(scenes: list[Scene]) -> None:
    for scene in scenes:
        for floor in range(scene.house.floors):
            rooms = scene.house.rooms_on(floor)
            for one in rooms:
                others = [room for room in rooms if room.index > one.index]
                assert not any(one.rect.meets(other.rect, -1e-6) for other in others)
        for door in scene.house.doors:
            for index in door.rooms:
                assert scene.house.rooms[index].rect.holds(door.centre, -1e-6)
                assert scene.house.rooms[index].floor == door.floor


def test_furniture_stands_in_its_room_and_clear_of_doors(scenes: list[Scene]) -> None:
    for scene in scenes:
        for thing in scene.house.things:
            assert thing.rect.within(scene.house.rooms[thing.room].rect)
            assert 0 <= thing.bottom < thing.top < 3.0
            if thing.blocks:
                ways = [door for door in scene.house.doors if thing.room in door.rooms]
                assert not any(thing.rect.holds(door.centre, -0.3) for door in ways)


def test_boxes_of_several_viewpoints_meet_in_the_thing(scenes: list[Scene]) -> None:
    rays: dict[int, list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)
    scene = scenes[0]
    for index in range(len(scene.viewpoints.names)):
        camera = scene.viewpoints.position[index]
        for identity, found in annotate(scene, index).items():
            for view, (x, y, width, height) in zip(found["visible_pos"], found["bbox2d"], strict=True):
                whole = x > 0 and y > 0 and x + width < 640 and y + height < 480
                if whole:  # a box that the picture cuts has its middle elsewhere
                    right, up, forward = AXES[view]
                    ray = forward * FOCAL + right * (x + width / 2 - 320) - up * (y + height / 2 - 240)
                    rays[int(identity)].append((camera, ray / np.linalg.norm(ray)))
    checked = 0
    for identity, found_rays in rays.items():
        if len({tuple(camera) for camera, _ in found_rays}) < 2:
            continue
        thing = scene.house.things[identity]
        middle = np.array([*thing.centre, thing.floor * 3.0 + (thing.bottom + thing.top) / 2])
        assert np.linalg.norm(_nearest_point(found_rays) - middle) < 0.06
        checked += 1
    assert checked > 20


def _nearest_point(rays: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The point closest to all rays, by least squares."""
    left, right = np.zeros((3, 3)), np.zeros(3)
    for camera, ray in rays:
        across = np.eye(3) - np.outer(ray, ray)
        left += across
        right += across @ camera
    return np.linalg.solve(left, right)


@pytest.mark.parametrize(
    ("angle", "expected"), [(0.1, 0.1), (4.0, 4.0 - 2 * math.pi), (-4.0, 2 * math.pi - 4.0)]
)
def test_turns_are_the_short_way_round(angle: float, expected: float) -> None:
    assert turned(angle) == pytest.approx(expected)
