"""Scoring whole splits: the slow reference agrees, and who shares the batch never matters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastnav.data.references import Reference
from fastnav.data.splits import Split
from fastnav.errors import DataError, ResultError
from fastnav.evaluation import scoring
from fastnav.evaluation.scoring import METRICS, Scorer, Scores
from fastnav.world.graph import World
from fastnav.world.toy import corridor, loop_and_arm, toy_world, two_buildings
from tests.evaluation import slow
from tests.evaluation.cases import Case, Plan, plans, split_of, teleports, trajectory, walks_of


@st.composite
def batches(draw: st.DrawFn) -> tuple[Plan, list[Case]]:
    plan = draw(plans())
    return plan, draw(st.lists(teleports(plan), min_size=1, max_size=6))


def score(world: World, cases: Sequence[Case]) -> Scores:
    return Scorer(world, split_of(cases)).score(walks_of(cases), "test")


def expected(world: World, cases: Sequence[Case]) -> list[list[float]]:
    metres = slow.all_distances(world)
    rows = []
    for case in cases:
        walk = [world.index(case.scan, name) for name in case.walk]
        path = [world.index(case.scan, name) for name in case.path]
        found = slow.all_metrics(metres, walk, path)
        rows += [[found[name] for name in METRICS]] * min(case.instructions, 3)
    return rows


@settings(max_examples=150, deadline=None)
@given(batches())
def test_all_metrics_equal_the_slow_reference(batch: tuple[Plan, list[Case]]) -> None:
    world, cases = batch[0].world(), batch[1]
    np.testing.assert_allclose(score(world, cases).values, expected(world, cases), rtol=1e-11, atol=1e-11)


@settings(max_examples=60, deadline=None)
@given(batches(), st.permutations(range(6)))
def test_companions_never_matter(batch: tuple[Plan, list[Case]], order: list[int]) -> None:
    """Alone, together, and in another order: the very same digits."""
    world, cases = batch[0].world(), batch[1]
    cases = [replace(case, instructions=1) for case in cases]
    together = score(world, cases).values
    order = [k for k in order if k < len(cases)]
    np.testing.assert_array_equal(score(world, [cases[k] for k in order]).values, together[order])
    for case, row in zip(cases, together, strict=True):
        np.testing.assert_array_equal(score(world, [case]).values[0], row)


def test_much_longer_companions_do_not_change_the_last_digit() -> None:
    cases = [Case("toy", tuple("SABSCG" * 2), tuple(("SABSCGCSBA" * 9)[:length])) for length in range(1, 91)]
    together = score(loop_and_arm(), cases).values
    alone = [score(loop_and_arm(), [case]).values[0] for case in cases]
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("size", [1, 3, 20, 10**6])
def test_the_size_of_blocks_never_matters(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = corridor()
    lengths = [1, 9, 2, 2, 30, 5, 1]
    cases = [Case("toy", tuple("ABCD"), tuple(("ABCDCB" * 6)[:length])) for length in lengths]
    plain = score(world, cases)
    monkeypatch.setattr(scoring, "_BLOCK_PLACES", size)
    again = score(world, cases)
    np.testing.assert_array_equal(again.values, plain.values)
    np.testing.assert_array_equal(again.column("TL"), [2.0 * (length - 1) for length in lengths])


@pytest.mark.parametrize("size", [1, 10, 64, 10**6])
def test_blocks_hold_every_row_once_and_stay_small(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_BLOCK_PLACES", size)
    lengths = [7, 1, 3, 3, 60, 2, 9, 9, 9]
    blocks = list(scoring._blocks(lengths))
    assert sorted(row for block in blocks for row in block) == list(range(len(lengths)))
    for block in blocks:
        assert len(block) == 1 or len(block) * max(lengths[row] for row in block) <= size


def test_rows_are_in_the_split_s_order_and_tell_path_and_building() -> None:
    cases = [
        Case("second", ("A",), ("A", "B"), 2),
        Case("first", ("B",), ("B",)),
        Case("second", ("C",), ("C",)),
    ]
    walks = dict(reversed(walks_of(cases).items()))  # the order of the file does not matter
    scores = Scorer(two_buildings(), split_of(cases)).score(walks, "test")
    assert scores.instr_ids == ("10_0", "10_1", "11_0", "12_0")
    assert scores.path.tolist() == [10, 10, 11, 12]
    assert scores.building.tolist() == [1, 1, 0, 1]
    assert scores.column("TL").tolist() == [2, 2, 0, 0]


def test_fourth_instructions_and_foreign_episodes_are_extra() -> None:
    cases = [Case("toy", ("A", "B"), ("A", "B"), 4)]
    walks = walks_of(cases)
    walks["10_3"] = trajectory(["D"])  # would fail if it were scored
    walks["99_0"] = trajectory(["nowhere"])
    scores = Scorer(corridor(), split_of(cases)).score(walks, "test")
    assert scores.instr_ids == ("10_0", "10_1", "10_2")
    assert scores.extra == 2
    assert scores.column("SR").tolist() == [1, 1, 1]


def test_jumps_are_told() -> None:
    cases = [Case("toy", ("A",), tuple(walk)) for walk in ("ABB", "AC", "ABCD", "ABD")]
    assert score(corridor(), cases).jumps == ("11_0", "13_0")


def test_the_same_name_in_another_building_is_another_place() -> None:
    cases = [Case("second", ("A", "B", "C"), ("A", "B", "C")), Case("first", ("A", "B"), ("A", "B"))]
    assert score(two_buildings(), cases).column("NE").tolist() == [0, 0]
    with pytest.raises(ResultError, match=r"episode 10_0: building first has no viewpoint C "):
        score(two_buildings(), [Case("first", ("A", "B"), ("A", "B", "C"))])


def test_missing_episodes_are_refused() -> None:
    cases = [Case("toy", ("A",), ("A",), 2)]
    walks = walks_of(cases)
    del walks["10_1"]
    with pytest.raises(ResultError, match=r"mine\.json: 1 of 2 episodes of val are missing, .* 10_1"):
        Scorer(corridor(), split_of(cases)).score(walks, "mine.json")


@pytest.mark.parametrize(("walks", "told"), [({}, "nothing"), ({"7_0\n": trajectory("A")}, r"'7_0\\n'")])
def test_a_file_of_another_split_is_refused(walks: dict[str, Any], told: str) -> None:
    scorer = Scorer(corridor(), split_of([Case("toy", ("A",), ("A",))]))
    with pytest.raises(ResultError, match=rf"mine\.json: holds no episode of val \(but {told}\)"):
        scorer.score(walks, "mine.json")


def test_a_wrong_start_is_refused() -> None:
    scorer = Scorer(corridor(), split_of([Case("toy", ("A",), ("A",))]))
    with pytest.raises(ResultError, match=r"mine\.json: episode 10_0: starts at B, .* starts at A"):
        scorer.score({"10_0": trajectory("BA")}, "mine.json")


def test_a_walk_over_no_path_at_all_is_refused() -> None:
    apart = toy_world({"A": (0.0, 0.0, 0.0), "B": (1.0, 0.0, 0.0), "C": (9.0, 0.0, 0.0)}, "AB")
    for walk in ("AC", "ACA"):
        with pytest.raises(ResultError, match=r"episode 10_0: .*no path leads"):
            score(apart, [Case("toy", ("A", "B"), tuple(walk))])


@pytest.mark.parametrize("path", [("A", "Z"), ("A", "C"), ("A", "C", "A")])
def test_an_annotated_path_that_cannot_be_walked_is_blamed_on_the_data(path: tuple[str, ...]) -> None:
    apart = toy_world({"A": (0.0, 0.0, 0.0), "B": (1.0, 0.0, 0.0), "C": (9.0, 0.0, 0.0)}, "AB")
    with pytest.raises(DataError, match=r"split val: annotated path 10 .*fastnav data check"):
        Scorer(apart, split_of([Case("toy", path, ("A",))]))


def test_a_split_without_goals_cannot_be_scored() -> None:
    with pytest.raises(ResultError, match=r"split test has no public goals.*fastnav submit"):
        Scorer(corridor(), split_of([Case("toy", ("A",), ("A",))], name="test", goals=False))


def test_only_scored_paths_need_references() -> None:
    split = split_of([Case("toy", ("A",), ("A",))])
    more = Split(split.name, split.episodes, {**split.references, 99: Reference(99, "elsewhere", ("Q",))})
    assert Scorer(corridor(), more).split is more
