"""Fieldwork: all walks that the studies need, each made once and kept as an ordinary run record.

A record that lies there already is taken as it is if the same checkpoint made it, by the same search, on the
same episodes; so a study that was interrupted goes on where it was, and studies share what they walk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import fastnav
from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.shipped import called
from fastnav.data.files import is_file
from fastnav.errors import FastnavError, UsageError
from fastnav.evaluation.record import RunRecord, read_record
from fastnav.evaluation.scoring import Scorer, Scores
from fastnav.evaluation.trace import Trace
from fastnav.search.named import greedy
from fastnav.search.strategies import Strategy
from fastnav.studies.recording import score_name
from fastnav.studies.trained import Ground, Traveller, digest_of, load_traveller, travel
from fastnav.training.rundir import checkpoints_of


@dataclass(frozen=True)
class Request:
    """Which agents are to walk where, and where the results go."""

    runs: tuple[Path, ...]  # training runs, of which all seeds count, or checkpoints
    data: Path
    split: str
    out: Path
    device: str = "cpu"


@runtime_checkable
class Watcher(Protocol):
    """Somebody who wants to know how the work goes."""

    def begins(self, walk: str) -> None:
        """A split is about to be walked."""

    def walked(self, done: int, total: int) -> None:
        """So many of its episodes are."""

    def kept(self, walk: str) -> None:
        """A split need not be walked: its record is there."""


@dataclass(frozen=True)
class Trained:
    """A checkpoint that is to walk."""

    path: Path
    kind: str  # such as "smna"
    digest: str
    seed: int | None

    @property
    def name(self) -> str:
        """By which records call it."""
        seed = "" if self.seed is None else f"-seed-{self.seed}"
        return f"{self.kind}{seed}-{self.digest[:8]}"

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        return {"kind": self.kind, "seed": self.seed, "checkpoint": called(self.path), "sha256": self.digest}


class Fieldwork:
    """Makes walks, or finds them made, and scores them."""

    def __init__(self, request: Request, watcher: Watcher) -> None:
        self.crews = _crews(request.runs)
        self.ground = Ground.of(request.data, request.split)
        self.scorer = Scorer(self.ground.world, self.ground.split)
        self._request = request
        self._watcher = watcher
        self._standing: tuple[str, Traveller] | None = None

    def describe(self) -> dict[str, Any]:
        """What every result of this work has in common."""
        return {
            "fastnav": fastnav.__version__,
            "split": self.ground.split.name,
            "agents": [agent.to_json() for crew in self.crews.values() for agent in crew],
        }

    def scores(self, kind: str, strategies: Sequence[Strategy]) -> list[list[Scores]]:
        """For each strategy, how each seed of a kind did by it."""
        by_seed = [[self.scores_of(agent, each) for each in strategies] for agent in self.crews[kind]]
        return [list(column) for column in zip(*by_seed, strict=True)]

    def scores_of(self, agent: Trained, strategy: Strategy) -> Scores:
        """How one agent did by a strategy."""
        return self.score(self.record(agent, strategy))

    def score(self, record: RunRecord) -> Scores:
        """The metrics of a walk."""
        return self.scorer.score(record.trajectories, record.system)

    def record(self, agent: Trained, strategy: Strategy, *, trace: bool = False) -> RunRecord:
        """The walk of one agent by one search, `trace` with its search trees."""
        path = self._path(agent, strategy, trace=trace)
        walk = f"{agent.name} {_name(strategy)}"
        record = self._made(path, agent, strategy, trace=trace)
        if record is not None:
            self._watcher.kept(walk)
            return record
        traveller = self._stand(agent)
        self._watcher.begins(walk)
        record = travel(traveller, strategy, trace=trace, progress=self._watcher.walked)
        record.save(path)
        return record

    def trace(self, agent: Trained, strategy: Strategy) -> Trace:
        """What the agent saw when it walked by a search."""
        trace = self.record(agent, strategy, trace=True).trace
        if trace is None:
            raise AssertionError("a record that was asked for with its trace has none")
        return trace

    def gives_progress(self, kind: str) -> bool:
        """Whether agents of a kind estimate their progress; the first one is asked at its first episode."""
        traveller = self._stand(self.crews[kind][0])
        first = self.ground.split.scored[0].instr_id
        trace = travel(traveller, greedy(), first, trace=True).trace
        return trace is not None and trace.searches[first].tree.progress is not None

    def _path(self, agent: Trained, strategy: Strategy, *, trace: bool = False) -> Path:
        ending = "-trace" if trace else ""
        name = f"{agent.name}-{_name(strategy)}-{self.ground.split.name}{ending}.json"
        return self._request.out / "records" / name

    def _stand(self, agent: Trained) -> Traveller:
        """The agent in its world; the last one is kept, as it often walks again."""
        if self._standing is None or self._standing[0] != agent.digest:
            self._standing = None  # before the next one is loaded: a device may not hold two
            traveller = load_traveller(agent.path, self.ground, self._request.device)
            self._standing = agent.digest, traveller
        return self._standing[1]

    def _made(self, path: Path, agent: Trained, strategy: Strategy, *, trace: bool) -> RunRecord | None:
        """The record at `path` if it is just what would be made anew."""
        if not is_file(path):
            return None
        try:
            record = read_record(path)
        except FastnavError:
            return None  # cut short or changed by hand: it is made anew
        wanted = {
            "strategy": strategy.name,
            "score": score_name(strategy.score),
            "sha256": agent.digest,
            "data": self.ground.digest,
        }
        same = all(record.settings.get(name) == value for name, value in wanted.items())
        starts = {episode.instr_id: episode.start for episode in self.ground.split.scored}
        walked = {name: walk.viewpoints[0] for name, walk in record.trajectories.items()}
        fits = same and record.version == fastnav.__version__ and walked == starts
        return record if fits and (record.trace is not None) == trace else None


def _name(strategy: Strategy) -> str:
    """A strategy with the score that makes it differ from others of its name."""
    return f"{strategy.name}-{score_name(strategy.score)}"


def _crews(runs: Sequence[Path]) -> Mapping[str, tuple[Trained, ...]]:
    """The agents of all runs by kind, each kind's seeds together."""
    crews: dict[str, tuple[Trained, ...]] = {}
    seen: dict[str, Path] = {}
    for path in (path for run in runs for path in checkpoints_of(run)):
        digest = digest_of(path)
        if digest in seen:
            raise UsageError(
                f"{path}: is the same agent as {seen[digest]}, and no second seed; name each agent once"
            )
        seen[digest] = path
        checkpoint = load_checkpoint(path)
        trained = checkpoint.facts.get("trained")
        seed = trained.get("seed") if isinstance(trained, dict) else None
        agent = Trained(path, checkpoint.agent, digest, seed if isinstance(seed, int) else None)
        crews[agent.kind] = (*crews.get(agent.kind, ()), agent)
    return crews
