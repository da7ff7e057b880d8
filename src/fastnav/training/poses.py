"""Learning to walk in low-level steps: the same lessons and shortest paths, among poses."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fastnav.training.lessons import Lessons
from fastnav.training.teacher import Teacher
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.lowlevel import LowLevel, Move, turned
from fastnav.world.poses import viewpoint_of
from fastnav.world.views import VIEWS

_TURNS = (Move.LEFT, Move.RIGHT, Move.UP, Move.DOWN)
#: More turns than lead from any view to any other.
_NEVER = 99


def lessons_in_poses(lessons: Lessons) -> Lessons:
    """The same episodes, each beginning at the pose where it begins."""
    return Lessons(
        tuple(replace(batch, viewpoint=batch.viewpoint * VIEWS + batch.view) for batch in lessons.batches)
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseTeacher(Teacher):
    """The shortest way by metres, and at each viewpoint the fewest turns. Places are poses, goals viewpoints.

    Some neighbours lie behind another whichever way one looks, so that forward never leads to them: the way
    is the shortest of those that can be gone. Distances are those of everybody.
    """

    moves: Int[Tensor, "viewpoint view action"]  # the next move of who wants to take a slot

    @classmethod
    def among_poses(cls, teacher: Teacher, world: World, device: Any) -> "PoseTeacher":
        """The teacher of `world`, which holds numpy arrays and whose distances `teacher` knows."""
        ahead = LowLevel.of(world).ahead
        passable = Teacher.of(world, Geodesics.of(replace(world, mask=_passable(world, ahead))), device)
        return cls(
            neighbour=teacher.neighbour,
            first=teacher.first,
            size=teacher.size,
            base=teacher.base,
            metres=teacher.metres,
            following=passable.following,
            hops=passable.hops,
            moves=torch.tensor(_moves_towards(ahead, world.actions), device=device),
        )

    def action(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """The move on the way to the goal; STOP at the goal."""
        viewpoint = viewpoint_of(place)
        slot = super().action(viewpoint, goal)
        return self.moves[viewpoint, place % VIEWS, slot].long()

    def distance(self, place: Int[Tensor, " batch"], goal: Int[Tensor, " batch"]) -> Float[Tensor, " batch"]:
        """Metres to the goal."""
        return super().distance(viewpoint_of(place), goal)

    def path(
        self, start: Int[Tensor, " batch"], goal: Int[Tensor, " batch"], moves: int
    ) -> Int[Tensor, "batch node"]:
        """The viewpoints of the way."""
        return super().path(viewpoint_of(start), goal, moves)

    def leads_back(
        self, place: Int[Tensor, " batch"], path: Int[Tensor, "batch node"]
    ) -> Bool[Tensor, " batch"]:
        """Who is so far off the path that the teacher's action takes the place of a sampled one."""
        return super().leads_back(viewpoint_of(place), path)


def _passable(world: World, ahead: Int[np.ndarray, "viewpoint view"]) -> Bool[np.ndarray, "viewpoint action"]:
    """Which slots forward takes from some view."""
    mask = np.zeros_like(world.mask)
    mask[np.arange(len(world))[:, None], ahead] = True
    mask[:, World.STOP] = True
    return mask


def _moves_towards(
    ahead: Int[np.ndarray, "viewpoint view"], actions: int
) -> Int[np.ndarray, "viewpoint view action"]:
    """The move towards where forward takes a slot, by the fewest turns; STOP for what it never takes."""
    view = np.arange(VIEWS)
    after = [turned(view, np.full_like(view, move)) for move in _TURNS]
    takes = ahead[:, :, None] == np.arange(actions)
    turns = np.where(takes, 0, _NEVER).astype(np.int8)
    for _ in range(VIEWS):  # more rounds than any way between two views is long
        turns = np.minimum(turns, 1 + np.min([turns[:, there] for there in after], axis=0))
    best = np.argmin([turns[:, there] for there in after], axis=0)
    move = np.where(takes, Move.FORWARD, np.array(_TURNS)[best])
    move[turns >= _NEVER] = Move.STOP
    move[:, :, World.STOP] = Move.STOP
    return move.astype(np.int8)
