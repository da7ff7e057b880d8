"""The eight metrics: known answers, worked out by hand on worlds that can be drawn."""

import math

import pytest

from fastnav.evaluation.scoring import METRICS
from fastnav.world.graph import World
from fastnav.world.toy import corridor, loop_and_arm, shortcut, stairs, toy_world
from tests.evaluation.cases import row_of, score_one


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def grid() -> World:
    """Four columns by three rows of places 1 m apart; "12" is column 1, row 2."""
    names = [f"{x}{y}" for x in range(4) for y in range(3)]
    places = {chr(65 + k): (float(name[0]), float(name[1]), 0.0) for k, name in enumerate(names)}
    letter = {name: chr(65 + k) for k, name in enumerate(names)}
    across = [letter[f"{x}{y}"] + letter[f"{x + 1}{y}"] for x in range(3) for y in range(3)]
    up = [letter[f"{x}{y}"] + letter[f"{x}{y + 1}"] for x in range(4) for y in range(2)]
    return toy_world(places, " ".join(across + up))


def on_grid(cells: str) -> str:
    """ "00 10" -> the letters of those cells."""
    return "".join(chr(65 + 3 * int(cell[0]) + int(cell[1])) for cell in cells.split())


def test_the_annotated_path_itself_is_perfect() -> None:
    found = score_one(corridor(), "ABCD", "ABCD")
    assert found == {"TL": 6, "NE": 0, "SR": 1, "OSR": 1, "SPL": 1, "nDTW": 1, "SDTW": 1, "CLS": 1}


def test_stopping_at_the_start() -> None:
    found = score_one(corridor(), "A", "ABCD")
    assert [found[name] for name in ("TL", "NE", "SR", "OSR", "SPL", "SDTW")] == [0, 6, 0, 0, 0, 0]
    # A is 0, 2, 4 and 6 m from the four nodes: 12 m over 4 nodes x 3 m.
    assert found["nDTW"] == near(math.exp(-1))
    coverage = (1 + math.exp(-2 / 3) + math.exp(-4 / 3) + math.exp(-2)) / 4
    assert found["CLS"] == near(coverage / 2)  # a walk of no length is off by all that was expected


def test_every_step_back_is_walked() -> None:
    found = score_one(corridor(), "ABABC", "ABC")
    assert (found["TL"], found["SR"], found["SPL"]) == (8, 1, 0.5)
    # The surplus A, or the surplus B, is 2 m from what it is matched with; 3 nodes x 3 m.
    assert found["nDTW"] == found["SDTW"] == near(math.exp(-2 / 9))
    assert found["CLS"] == near(4 / (4 + 4))  # all covered, 4 m expected, 8 m walked


def test_passing_the_goal_is_oracle_success_only() -> None:
    found = score_one(corridor(), "ABCDCBA", "ABCD")
    assert (found["SR"], found["OSR"], found["NE"], found["SPL"], found["SDTW"]) == (0, 1, 6, 0, 0)
    assert found["nDTW"] > 0


@pytest.mark.parametrize(("spacing", "succeeds"), [(3.0, 0.0), (2.9999, 1.0), (3.0001, 0.0)])
def test_three_metres_exactly_is_a_failure(spacing: float, succeeds: float) -> None:
    found = score_one(row_of(spacing, 3), "AB", "ABC")
    assert (found["SR"], found["OSR"]) == (succeeds, succeeds)
    assert found["NE"] == near(spacing)


def test_three_metres_over_two_edges_is_a_failure_too() -> None:
    assert score_one(row_of(1.5, 3), "A", "ABC")["SR"] == 0


def test_a_staying_walk_costs_no_metres_but_lists_its_place_again() -> None:
    found = score_one(corridor(), "AAAB", "AB")
    assert (found["TL"], found["SPL"], found["CLS"]) == (2, 1, 1)
    assert found["nDTW"] == 1  # the path's A is matched with all three


def test_efficiency_is_measured_against_the_shortest_path_not_the_annotated_one() -> None:
    found = score_one(shortcut(), "AXD", "AXD")
    detour = 2 * math.hypot(1.5, 4)
    assert found["TL"] == near(detour)
    assert found["SPL"] == near(3 / detour)
    assert (found["nDTW"], found["CLS"]) == (1, 1)


def test_a_short_cut_over_the_shortest_path_is_not_rewarded_beyond_one() -> None:
    # On the loop A-B-S the way by S is longer than the edge A-B.
    found = score_one(loop_and_arm(), "AB", "ASB")
    assert found["SPL"] == 1
    assert found["TL"] == near(math.hypot(1, 2))


def test_distances_are_walked_not_flown_and_count_the_climb() -> None:
    found = score_one(stairs(), "AB", "ABUV")
    assert found["NE"] == near(math.hypot(3, 3) + 2)
    assert score_one(stairs(), "ABU", "ABU")["TL"] == near(2 + math.hypot(3, 3))


def test_a_jump_has_the_length_of_the_shortest_way_between() -> None:
    found = score_one(corridor(), "AD", "ABCD")
    assert (found["TL"], found["SPL"]) == (6, 1)
    assert found["nDTW"] == near(math.exp(-(2 + 2) / 12))


def test_one_place_as_path_and_walk_is_perfect() -> None:
    found = score_one(corridor(), "B", "B")
    assert [found[name] for name in METRICS] == [0, 0, 1, 1, 1, 1, 1, 1]


def test_leaving_a_goal_that_one_stands_at_has_no_efficiency() -> None:
    found = score_one(corridor(), "BAB", "B")
    assert (found["SR"], found["SPL"], found["CLS"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("00 10 11 21 22 32", 1.0),
        ("00 01 11 21 31 32", 0.81994915125863865),
        ("01 11 21 31", 0.44197196102702557),
    ],
)
def test_cls_agrees_with_the_values_its_authors_print(path: str, expected: float) -> None:
    found = score_one(grid(), on_grid("00 10 11 21 22 32"), on_grid(path))
    assert found["CLS"] == pytest.approx(expected, rel=1e-12)


def test_ndtw_agrees_with_the_value_its_authors_print() -> None:
    found = score_one(grid(), on_grid("00 10 20 30"), on_grid("00 10 21 32"))
    assert found["nDTW"] == found["SDTW"] == pytest.approx(0.77880078307140488, rel=1e-12)


def test_sdtw_is_zero_where_the_walk_fails() -> None:
    found = score_one(grid(), on_grid("00 10"), on_grid("00 10 21 32"))
    assert found["nDTW"] > 0
    assert found["SDTW"] == 0
