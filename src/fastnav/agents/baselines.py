"""Agents without weights that know nothing of the goal: the first rows of every table."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int

from fastnav.data.episodes import Episode
from fastnav.world.graph import World
from fastnav.world.lowlevel import LowLevel, Move
from fastnav.world.route import Route
from fastnav.world.simulator import Pose, reset
from fastnav.world.views import HEADINGS

#: The benchmark's random agent faces a random direction and then goes this often forward.
FORWARD_STEPS = 5


def stop_at_start(world: World, episodes: Sequence[Episode]) -> dict[str, Route]:
    """Stop at once."""
    pose = _start(world, episodes)
    return {
        episode.instr_id: Route((int(viewpoint),), (int(view),))
        for episode, viewpoint, view in zip(episodes, pose.viewpoint, pose.view, strict=True)
    }


def walk_randomly(world: World, episodes: Sequence[Episode], seed: int) -> dict[str, Route]:
    """Turn to a random direction, then go five times forward; where nothing is ahead, turn right until it is.

    The direction depends on the seed and the episode alone, not on who shares the batch.
    """
    low = LowLevel.of(world)
    pose = _start(world, episodes)
    turns = np.array([_turns(episode, seed) for episode in episodes])
    forward = np.zeros(len(episodes), dtype=np.int64)
    walked: list[list[tuple[int, int]]] = [[place] for place in _places(pose)]
    # A row needs at most a full turn before each move; one where no way leads anywhere ends after as many.
    for _ in range(HEADINGS * (FORWARD_STEPS + 1)):
        move = _random_move(low, pose, turns, forward)
        turns = turns - (turns > 0)
        forward = forward + (move == Move.FORWARD)
        pose = low.step(pose, move)
        for row, place in enumerate(_places(pose)):
            if move[row] == Move.FORWARD:
                walked[row].append(place)
        if pose.finished.all():
            break
    return {
        episode.instr_id: Route(tuple(v for v, _ in places), tuple(view for _, view in places))
        for episode, places in zip(episodes, walked, strict=True)
    }


def _random_move(
    low: LowLevel, pose: Pose, turns: Int[np.ndarray, " batch"], forward: Int[np.ndarray, " batch"]
) -> Int[np.ndarray, " batch"]:
    blocked = ~low.legal(pose)[:, Move.FORWARD]
    move = np.where((turns > 0) | blocked, int(Move.RIGHT), int(Move.FORWARD))
    return np.where(forward >= FORWARD_STEPS, int(Move.STOP), move)


def _turns(episode: Episode, seed: int) -> int:
    number = int(episode.instr_id.rpartition("_")[2])
    entropy = (seed, abs(episode.path_id), episode.path_id < 0, number)
    return int(np.random.default_rng(entropy).integers(HEADINGS))


def _start(world: World, episodes: Sequence[Episode]) -> Pose:
    viewpoint = np.array([world.index(episode.scan, episode.start) for episode in episodes], dtype=np.int64)
    return reset(viewpoint, np.array([episode.heading for episode in episodes], dtype=float))


def _places(pose: Pose) -> list[tuple[int, int]]:
    return list(zip(pose.viewpoint.tolist(), pose.view.tolist(), strict=True))
