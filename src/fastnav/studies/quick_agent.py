"""The part of the quickstart that learns: tables, an agent, and three ways of searching with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import torch

from fastnav.agents.settings import settings_of
from fastnav.data.features import WordEncoder, build_captions, build_objects
from fastnav.search.named import fast_long, fast_short, greedy
from fastnav.search.scoring import score_named
from fastnav.search.strategies import Strategy
from fastnav.studies.quickstart import SPLIT, Contest, QuickRun
from fastnav.studies.trained import Ground, load_traveller, travel
from fastnav.training.config import Plan, TrainingConfig
from fastnav.training.loop import Watcher, train
from fastnav.training.presets import preset_named

KIND, PRESET = "smna", "smna-quick"
#: Half precision would make so small a network no faster.
PRECISION = "float32"
#: By the name that people read; the last with the score that did best on dev_unseen.
SEARCHES: dict[str, Strategy] = {
    "greedy": greedy(),
    "FAST-short": fast_short(),
    "FAST-long": fast_long(score_named("mean-logit")),
}


def build_tables(houses: Path) -> None:
    """What is seen in the houses, in words; no encoder need be installed."""
    for build in (build_captions, build_objects):
        build(houses, WordEncoder())


def train_agent(houses: Path, out: Path, *, seed: int, watcher: Watcher) -> Path:
    """Train an agent, or go on where that was interrupted; the path of its checkpoint."""
    config = settings_of(TrainingConfig, preset_named(PRESET, KIND))
    plan = Plan(houses, out, agent=KIND, split="train", seeds=(seed,), config=config, resume=True)
    with _one_thread():
        (checkpoint,) = train(replace(plan, precision=PRECISION), watcher)
    return checkpoint


def run_searches(contest: Contest, checkpoint: Path, *, on_search: Callable[[str], None]) -> list[QuickRun]:
    """Let the agent walk by each search."""
    traveller = load_traveller(checkpoint, Ground.of(contest.houses, SPLIT))
    runs = []
    for name, strategy in SEARCHES.items():
        on_search(name)
        runs.append(contest.keep(name, travel(traveller, strategy), strategy.name))
    return runs


@contextmanager
def _one_thread() -> Iterator[None]:
    """So small a network learns faster on one: several would mostly wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
