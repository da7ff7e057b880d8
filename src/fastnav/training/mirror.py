"""Every house has a mirrored twin: east and west change places, and in the sentences left and right.

Twice as many houses to learn from, with nothing made up: a route that turns left at the sofa becomes one that
turns right at the same sofa.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fastnav.data.vocabulary import Vocabulary
from fastnav.training.imitation import Batch
from fastnav.training.lessons import Lessons
from fastnav.world.graph import World
from fastnav.world.views import HEADINGS, TURN, VIEWS

#: What one becomes in a mirror, the other way round too.
_EXCHANGED = (
    ("left", "right"),
    ("leftmost", "rightmost"),
    ("lefthand", "righthand"),
    ("clockwise", "counterclockwise"),
    ("lefts", "rights"),
)
_SUFFIX = " mirrored"

#: Each view's own place in a mirror.
MIRRORED_VIEW = np.array([(-view) % HEADINGS + view // HEADINGS * HEADINGS for view in range(VIEWS)])


def with_twins(world: World, scans: Sequence[str]) -> tuple[World, Int[np.ndarray, " viewpoint"]]:
    """The world, then the twins of some of its houses; and for each viewpoint its twin, or itself."""
    originals = np.flatnonzero(np.isin(world.scan, [world.scans.index(scan) for scan in scans]))
    twin = np.arange(len(world))
    twin[originals] = len(world) + np.arange(len(originals))
    numbers, scan_of = np.unique(world.scan[originals], return_inverse=True)
    position = world.position[originals] * np.array([-1.0, 1.0, 1.0])
    added = {
        "scan": len(world.scans) + scan_of,
        "position": position.astype(world.position.dtype),
        "neighbour": twin[world.neighbour[originals]],
        "mask": world.mask[originals],
        "heading": (TURN - world.heading[originals]) % TURN,
        "elevation": world.elevation[originals],
        "distance": world.distance[originals],
        "view": np.where(world.mask[originals], MIRRORED_VIEW[world.view[originals]], 0),
    }
    joined = replace(
        world,
        scans=world.scans + tuple(world.scans[number] + _SUFFIX for number in numbers),
        viewpoint_ids=world.viewpoint_ids + tuple(world.viewpoint_ids[row] for row in originals),
        **{name: np.concatenate([getattr(world, name), table]) for name, table in added.items()},
    )
    return joined, twin


def views_with_twins(
    views: Float[np.ndarray, "viewpoint view feature"], twin: Int[np.ndarray, " viewpoint"]
) -> Float[np.ndarray, "both view feature"]:
    """The features of a world with twins, from those of the world without."""
    originals = np.flatnonzero(twin != np.arange(len(twin)))
    return np.concatenate([views, views[originals][:, MIRRORED_VIEW]])


def lessons_with_twins(lessons: Lessons, twin: Int[np.ndarray, " viewpoint"], words: Vocabulary) -> Lessons:
    """The lessons, and the same again in the twin houses."""
    device = lessons.batches[0].tokens.device
    place = torch.as_tensor(twin, device=device)
    view = torch.as_tensor(MIRRORED_VIEW, device=device)
    word = torch.as_tensor(exchanged_words(words), device=device)
    return Lessons(tuple(_with_twin(batch, place, view, word) for batch in lessons.batches))


def exchanged_words(vocabulary: Vocabulary) -> Int[np.ndarray, " word"]:
    """The number of what each word becomes; of a pair of which only one is known, none changes."""
    number = {word: k for k, word in enumerate(vocabulary.words)}
    exchanged = np.arange(len(vocabulary))
    for one, other in _EXCHANGED:
        if one in number and other in number:
            exchanged[[number[one], number[other]]] = number[other], number[one]
    return exchanged


def _with_twin(
    batch: Batch, place: Int[Tensor, " viewpoint"], view: Int[Tensor, " view"], word: Int[Tensor, " word"]
) -> Batch:
    return Batch(
        tokens=torch.cat([batch.tokens, word[batch.tokens]]),
        viewpoint=torch.cat([batch.viewpoint, place[batch.viewpoint]]),
        view=torch.cat([batch.view, view[batch.view]]),
        goal=torch.cat([batch.goal, place[batch.goal]]),
    )
