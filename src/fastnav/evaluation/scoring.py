"""Trajectories and references -> one row of metrics an episode."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fastnav.data.episodes import Episode
from fastnav.data.splits import Split
from fastnav.errors import DataError, ResultError
from fastnav.evaluation import metrics
from fastnav.evaluation.trajectories import Trajectory, shown_name
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World

METRICS = ("TL", "NE", "SR", "OSR", "SPL", "nDTW", "SDTW", "CLS")

_OTHER_DATA = "score it with the --data and --split that it was walked on"

#: Episodes are scored in blocks of about this many padded places, to bound the memory.
_BLOCK_PLACES = 200_000


@dataclass(frozen=True, eq=False)
class Scores:
    """The metrics of each scored episode, in the split's order."""

    instr_ids: tuple[str, ...]
    path: Int[np.ndarray, " episode"]  # path_id
    building: Int[np.ndarray, " episode"]
    values: Float[np.ndarray, "episode metric"]  # columns as METRICS
    jumps: tuple[str, ...]  # episodes that go from a place to one that is not next to it
    extra: int  # episodes of the file that the split does not score

    def column(self, metric: str) -> Float[np.ndarray, " episode"]:
        """One metric of every episode."""
        return self.values[:, METRICS.index(metric)]

    def columns(self, names: Sequence[str]) -> Float[np.ndarray, "episode metric"]:
        """Some metrics of every episode, in that order."""
        return self.values[:, [METRICS.index(name) for name in names]]


@dataclass(frozen=True, eq=False)
class _Walk:
    """One episode as global viewpoint indices."""

    places: Int[np.ndarray, " step"]
    path: Int[np.ndarray, " node"]


class Scorer:
    """Scores any number of systems on one split; the shortest paths are computed once."""

    def __init__(self, world: World, split: Split) -> None:
        if not split.references:
            raise ResultError(
                f"split {split.name} has no public goals, so nothing can be scored on it; "
                "`fastnav submit` writes its leaderboard file"
            )
        self._world = world
        self._geodesics = Geodesics.of(world)
        self._split = split
        self._episodes = split.scored
        self._paths = {path_id: self._path(path_id) for path_id in {e.path_id for e in self._episodes}}

    @property
    def split(self) -> Split:
        """The split that is scored."""
        return self._split

    def score(self, trajectories: Mapping[str, Trajectory], source: str) -> Scores:
        """Score one system; `source` names its file in errors."""
        self._refuse_missing(trajectories, source)
        walks = [self._walk(episode, trajectories[episode.instr_id], source) for episode in self._episodes]
        values = np.empty((len(walks), len(METRICS)))
        jumps: set[int] = set()
        for rows in _blocks([len(walk.places) for walk in walks]):
            values[rows] = self._measure([walks[row] for row in rows])
            jumps.update(row for row in rows if self._jumps(walks[row].places))
        self._refuse_unreachable(values, source)
        scans = self._split.scans
        return Scores(
            instr_ids=tuple(episode.instr_id for episode in self._episodes),
            path=np.array([episode.path_id for episode in self._episodes]),
            building=np.array([scans.index(episode.scan) for episode in self._episodes]),
            values=values,
            jumps=tuple(self._episodes[row].instr_id for row in sorted(jumps)),
            extra=len(trajectories) - len(walks),
        )

    def _refuse_missing(self, trajectories: Mapping[str, Trajectory], source: str) -> None:
        missing = [e.instr_id for e in self._episodes if e.instr_id not in trajectories]
        if not missing:
            return
        if len(missing) == len(self._episodes):
            some = shown_name(next(iter(trajectories), "nothing"))
            raise ResultError(
                f"{source}: holds no episode of {self._split.name} (but {some}); choose its own --split"
            )
        raise ResultError(
            f"{source}: {len(missing)} of {len(self._episodes)} episodes of {self._split.name} are missing, "
            f"the first is {missing[0]}; a score over a part would not be comparable"
        )

    def _walk(self, episode: Episode, trajectory: Trajectory, source: str) -> _Walk:
        where = f"{source}: episode {episode.instr_id}"
        names = trajectory.viewpoints
        if names[0] != episode.start:
            raise ResultError(
                f"{where}: starts at {shown_name(names[0])}, but the episode starts at "
                f"{shown_name(episode.start)}; {_OTHER_DATA}"
            )
        places = [self._world.find(episode.scan, name) for name in names]
        if None in places:
            name = shown_name(names[places.index(None)])
            raise ResultError(
                f"{where}: building {shown_name(episode.scan)} has no viewpoint {name} "
                f"that one can stand at; {_OTHER_DATA}"
            )
        return _Walk(np.array(places, dtype=np.int64), self._paths[episode.path_id])

    def _path(self, path_id: int) -> Int[np.ndarray, " node"]:
        """An annotated path as global indices; one that cannot be walked is a fault of the data."""
        reference = self._split.references[path_id]
        places = [self._world.find(reference.scan, name) for name in reference.path]
        if None not in places:
            path = np.array(places, dtype=np.int64)
            if np.isfinite(self._geodesics.distance(path[:-1], path[1:])).all():
                return path
        raise DataError(
            f"{self._split.place}: annotated path {path_id} cannot be walked in building "
            f"{shown_name(reference.scan)}; `fastnav data check` says which files are whole"
        )

    def _jumps(self, places: Int[np.ndarray, " step"]) -> bool:
        pairs = zip(places.tolist(), places[1:].tolist(), strict=False)
        return any(u != v and self._world.slot(u, v) is None for u, v in pairs)

    def _measure(self, walks: Sequence[_Walk]) -> Float[np.ndarray, "episode metric"]:
        steps, nodes = _lengths([w.places for w in walks]), _lengths([w.path for w in walks])
        places, path = _padded([w.places for w in walks]), _padded([w.path for w in walks])
        distance = self._geodesics.distance
        goal = path[:, -1]
        to_goal = distance(places, goal[:, None])
        between = distance(places[:, :, None], path[:, None, :])
        walked = metrics.trajectory_length(distance(places[:, :-1], places[:, 1:]))
        path_length = metrics.trajectory_length(distance(path[:, :-1], path[:, 1:]))
        succeeded = metrics.success(to_goal)
        ndtw = metrics.normalised_dtw(between, steps, nodes)
        real_node = np.arange(path.shape[1])[None, :] < nodes[:, None]
        columns = {
            "TL": walked,
            "NE": metrics.navigation_error(to_goal),
            "SR": succeeded,
            "OSR": metrics.oracle_success(to_goal),
            "SPL": metrics.success_by_path_length(succeeded, distance(path[:, 0], goal), walked),
            "nDTW": ndtw,
            "SDTW": metrics.success_weighted_dtw(succeeded, ndtw),
            "CLS": metrics.coverage_by_length(between, real_node, path_length, walked),
        }
        return np.stack([columns[name] for name in METRICS], axis=1)

    def _refuse_unreachable(self, values: Float[np.ndarray, "episode metric"], source: str) -> None:
        lost = ~np.isfinite(values).all(axis=1)
        if lost.any():
            episode = self._episodes[int(lost.argmax())]
            raise ResultError(
                f"{source}: episode {episode.instr_id}: passes a viewpoint from which no path leads to the "
                "goal; a walk must follow the edges of the navigation graph"
            )


def _blocks(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows in blocks of similar length, so that one endless walk does not pad all the others."""
    block: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if block and (len(block) + 1) * lengths[row] > _BLOCK_PLACES:
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _lengths(sequences: Sequence[Int[np.ndarray, " _"]]) -> Int[np.ndarray, " episode"]:
    return np.array([len(sequence) for sequence in sequences])


def _padded(sequences: Sequence[Int[np.ndarray, " _"]]) -> Int[np.ndarray, "episode place"]:
    """Each row padded by repeating its last place."""
    longest = int(_lengths(sequences).max())
    return np.stack([np.pad(sequence, (0, longest - len(sequence)), mode="edge") for sequence in sequences])
