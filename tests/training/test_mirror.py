"""Twins: a mirrored house is a house, and everything in it is where a mirror would show it."""

import math

import numpy as np
import pytest
import torch

from fastnav.data.vocabulary import Vocabulary
from fastnav.training.imitation import Batch
from fastnav.training.lessons import Lessons
from fastnav.training.mirror import (
    MIRRORED_VIEW,
    exchanged_words,
    lessons_with_twins,
    views_with_twins,
    with_twins,
)
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import build_world
from fastnav.world.views import VIEWS, turn_between, view_elevation, view_heading
from tests.world.worlds import House

HOUSES = [House(name, 6, seed, 0.5).graph() for seed, name in enumerate(("one", "two", "three"))]
WORLD = build_world(HOUSES)
CHOSEN = ("one", "three")


@pytest.fixture(scope="module")
def twins():  # type: ignore[no-untyped-def]
    return with_twins(WORLD, CHOSEN)


def test_views_lie_where_a_mirror_shows_them() -> None:
    """The same row, the heading the other way round; twice mirrored is nothing changed."""
    views = np.arange(VIEWS)
    np.testing.assert_array_equal(MIRRORED_VIEW[MIRRORED_VIEW], views)
    np.testing.assert_array_equal(view_elevation(MIRRORED_VIEW), view_elevation(views))
    np.testing.assert_allclose(np.sin(view_heading(MIRRORED_VIEW)), -np.sin(view_heading(views)), atol=1e-12)
    np.testing.assert_allclose(np.cos(view_heading(MIRRORED_VIEW)), np.cos(view_heading(views)), atol=1e-12)


def test_a_twin_is_the_house_that_its_mirrored_graph_would_make(twins) -> None:  # type: ignore[no-untyped-def]
    """Every table of a twin equals that of a house built from mirrored positions."""
    joined, twin = twins
    for number, graph in enumerate(HOUSES):
        if graph.scan not in CHOSEN:
            continue
        built = build_world(
            [type(graph)(graph.scan, graph.viewpoint_ids, graph.position * [-1, 1, 1], graph.edges)]
        )
        rows = twin[WORLD.scan == number]
        first = rows[0]
        np.testing.assert_array_equal(joined.neighbour[rows, : built.actions] - first, built.neighbour)
        for table in ("mask", "elevation", "distance"):
            np.testing.assert_allclose(getattr(joined, table)[rows, : built.actions], getattr(built, table))
        gap = turn_between(joined.heading[rows, : built.actions], built.heading)
        np.testing.assert_allclose(gap, 0, atol=1e-9)
        np.testing.assert_array_equal(joined.view[rows, : built.actions], built.view)


def test_distances_and_slots_stay(twins) -> None:  # type: ignore[no-untyped-def]
    """What is farther in a house is farther in its twin; who has no twin stands for itself."""
    joined, twin = twins
    assert joined.scans == ("one", "two", "three", "one mirrored", "three mirrored")
    ways = Geodesics.of(joined)
    for house in (0, 2):
        here = np.flatnonzero(WORLD.scan == house)
        np.testing.assert_allclose(
            ways.distance(here[:, None], here[None]), ways.distance(twin[here][:, None], twin[here][None])
        )
    alone = np.flatnonzero(WORLD.scan == 1)
    np.testing.assert_array_equal(twin[alone], alone)
    np.testing.assert_array_equal(joined.neighbour[: len(WORLD)], WORLD.neighbour)


def test_a_left_turn_becomes_a_right_turn(twins) -> None:  # type: ignore[no-untyped-def]
    """From any view to any neighbour: the same angle, to the other side."""
    joined, twin = twins
    here = np.flatnonzero(WORLD.scan == 0)
    for view in np.array([12, 17, 23]):
        turn = turn_between(WORLD.heading[here], view_heading(view))
        other = turn_between(joined.heading[twin[here]], view_heading(MIRRORED_VIEW[view]))
        np.testing.assert_allclose(np.sin(other), -np.sin(turn), atol=1e-9)
        np.testing.assert_allclose(np.cos(other), np.cos(turn), atol=1e-9)


def test_what_is_seen_goes_along(twins) -> None:  # type: ignore[no-untyped-def]
    """The view in which a neighbour lies shows the same in both houses."""
    joined, twin = twins
    views = np.random.default_rng(0).normal(size=(len(WORLD), VIEWS, 3)).astype(np.float16)
    both = views_with_twins(views, twin)
    assert len(both) == len(joined)
    for place in np.flatnonzero(WORLD.scan == 2):
        for slot in np.flatnonzero(WORLD.mask[place])[1:]:
            seen = both[twin[place], joined.view[twin[place], slot]]
            # A heading halfway between two views may be rounded to the other one in a mirror.
            halfway = abs((WORLD.heading[place, slot] / (math.pi / 6)) % 1 - 0.5) < 1e-6
            assert halfway or (seen == views[place, WORLD.view[place, slot]]).all()


def test_sentences_exchange_left_and_right() -> None:
    """Only these words change, and where one of a pair is not known, neither does."""
    words = Vocabulary.build(["turn left at the right door , leftmost sofa"], least_count=1)
    number = {word: k for k, word in enumerate(words.words)}
    exchanged = exchanged_words(words)
    assert exchanged[number["left"]] == number["right"] and exchanged[number["right"]] == number["left"]
    others = [k for word, k in number.items() if word not in ("left", "right")]
    np.testing.assert_array_equal(exchanged[others], others)


def test_lessons_are_given_twice(twins) -> None:  # type: ignore[no-untyped-def]
    """The lessons themselves, then those of the twins, in the twins' places and with the other words."""
    _, twin = twins
    words = Vocabulary.build(["turn left or right"], least_count=1)
    tokens = torch.tensor([words.encode("turn left"), words.encode("turn right")])
    batch = Batch(tokens, torch.tensor([0, 1]), torch.tensor([13, 12]), torch.tensor([2, 3]))
    (both,) = lessons_with_twins(Lessons((batch,)), twin, words).batches
    assert words.decode(both.tokens[2].tolist()) == "turn right"
    assert words.decode(both.tokens[3].tolist()) == "turn left"
    assert both.viewpoint.tolist() == [0, 1, twin[0], twin[1]] and both.goal.tolist()[2:] == [
        twin[2],
        twin[3],
    ]
    assert both.view.tolist() == [13, 12, 23, 12]
