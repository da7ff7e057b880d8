"""The whole system on procedural houses: walk, score, and say how sure the figures are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastnav.data.files import write_text
from fastnav.data.houses import draw_plan, read_plan
from fastnav.data.splits import load_split
from fastnav.evaluation.record import RunRecord
from fastnav.evaluation.scoring import Scorer, Scores
from fastnav.evaluation.significance import Difference, Interval, differences, intervals
from fastnav.studies.navigate import navigate
from fastnav.world.of_split import load_world_of

SPLIT = "val_unseen"
#: From the worst to the best that is possible, with what people read.
BASELINES = {"stop": "stop at the start", "random": "random", "shortest": "shortest (knows the goal)"}
METRICS = ("SR", "SPL", "TL")


@dataclass(frozen=True, eq=False)
class QuickRun:
    """One system's run record on disk, and its scores."""

    name: str  # for people
    record: Path
    scores: Scores

    def sure(self) -> list[Interval]:
        """The METRICS with intervals by path."""
        return intervals(self.scores.columns(METRICS), self.scores.path)

    def minus(self, other: "QuickRun") -> list[Difference]:
        """The METRICS less another's, on the same episodes."""
        own, others = (run.scores.columns(METRICS) for run in (self, other))
        return differences(own, others, self.scores.path)


class Contest:
    """The unseen houses, where each system walks in turn; records are kept under `out`."""

    def __init__(self, houses: Path, out: Path) -> None:
        split = load_split(houses, SPLIT)
        self.houses, self._out = houses, out
        self._scorer = Scorer(load_world_of(houses, split), split)

    def keep(self, name: str, record: RunRecord, stem: str) -> QuickRun:
        """Write what a system walked, and score it."""
        path = self._out / f"{stem}.json"
        record.save(path)
        return QuickRun(name, path, self._scorer.score(record.trajectories, str(path)))


def run_baselines(contest: Contest, *, seed: int, on_system: Callable[[str], None]) -> list[QuickRun]:
    """Let each system without weights walk."""
    runs = []
    for system, name in BASELINES.items():
        on_system(system)
        runs.append(contest.keep(name, navigate(system, contest.houses, SPLIT, seed=seed), system))
    return runs


def gains(runs: Sequence[QuickRun]) -> list[tuple[str, list[Difference]]]:
    """What each of the other runs has more than the first."""
    first, *others = runs
    return [(f"{run.name} minus {first.name}", run.minus(first)) for run in others]


def draw_first_episode(houses: Path, path: Path) -> str:
    """Draw the first unseen episode's annotated path on the plan of its house; the instruction given."""
    split = load_split(houses, SPLIT)
    episode = split.scored[0]
    plan = read_plan(houses / "plans" / f"{episode.scan}.json")
    write_text(path, draw_plan(plan, route=split.references[episode.path_id].path))
    return episode.instruction.strip()
