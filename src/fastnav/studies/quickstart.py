"""The whole system on procedural houses: walk, score, and say how sure the figures are."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastnav.data.files import write_text
from fastnav.data.houses import draw_plan, read_plan
from fastnav.data.splits import load_split
from fastnav.evaluation.scoring import Scorer, Scores
from fastnav.studies.navigate import navigate
from fastnav.world.of_split import load_world_of

SPLIT = "val_unseen"
#: From the worst to the best that is possible.
SYSTEMS = ("stop", "random", "shortest")


@dataclass(frozen=True, eq=False)
class QuickRun:
    """One system's run record on disk, and its scores."""

    system: str
    record: Path
    scores: Scores


def run_baselines(houses: Path, out: Path, *, seed: int, on_system: Callable[[str], None]) -> list[QuickRun]:
    """Let each system walk the unseen houses, write its run record under `out`, and score it."""
    split = load_split(houses, SPLIT)
    scorer = Scorer(load_world_of(houses, split), split)
    runs = []
    for system in SYSTEMS:
        on_system(system)
        record = navigate(system, houses, SPLIT, seed=seed)
        path = out / f"{system}.json"
        record.save(path)
        runs.append(QuickRun(system, path, scorer.score(record.trajectories, str(path))))
    return runs


def draw_first_episode(houses: Path, path: Path) -> str:
    """Draw the first unseen episode's annotated path on the plan of its house; the instruction given."""
    split = load_split(houses, SPLIT)
    episode = split.scored[0]
    plan = read_plan(houses / "plans" / f"{episode.scan}.json")
    write_text(path, draw_plan(plan, route=split.references[episode.path_id].path))
    return episode.instruction.strip()
