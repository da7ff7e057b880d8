"""Two tiny trained agents, and agents without weights that take their places where answers must be known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch

from fastnav.agents.scripted import TableAgent
from fastnav.studies.reproduce import fieldwork
from fastnav.studies.reproduce.fieldwork import Fieldwork, Request
from fastnav.studies.trained import Ground, Traveller, digest_of
from fastnav.training.loop import train
from tests.training.small import Notes, plan_of, write_training_data


@dataclass
class Log:
    """A watcher that writes down what happens."""

    began: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    done: list[tuple[int, int]] = field(default_factory=list)

    def begins(self, walk: str) -> None:
        self.began.append(walk)

    def walked(self, done: int, total: int) -> None:
        self.done.append((done, total))

    def kept(self, walk: str) -> None:
        self.found.append(walk)


@pytest.fixture(autouse=True, scope="package")
def one_thread() -> Iterator[None]:
    """For networks as small as these, other threads would only wait."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="package")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A data directory with toy houses, and a run of two seeds that learnt hardly anything there."""
    folder = tmp_path_factory.mktemp("trained")
    data = write_training_data(folder / "data")
    train(plan_of(data, folder / "run", seeds=(1, 2)), Notes())
    return data, folder / "run"


Work = Callable[..., tuple[Fieldwork, Log]]


@pytest.fixture
def work(trained: tuple[Path, Path], tmp_path: Path) -> Work:
    """Begin fieldwork with both agents, or with the runs that are named."""

    def begin(*runs: Path, out: Path | None = None, split: str = "val_unseen") -> tuple[Fieldwork, Log]:
        data, run = trained
        log = Log()
        request = Request(runs or (run,), data, split, out or tmp_path / "out")
        return Fieldwork(request, log), log

    return begin


#: Where it stands -> the logit of stopping there, and of going to each neighbour: docs/search.md.
SAID = {
    "S": {"stop": 0, "A": 3, "B": 1, "C": 2},
    "A": {"stop": -3, "S": 1, "B": 4},
    "B": {"stop": -6, "A": 2, "S": 5},
    "C": {"stop": 0, "S": 1, "G": 3},
    "G": {"stop": 4, "C": 1},
}


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """All checkpoints hold the agent of docs/search.md, which has no estimate of progress."""

    def load(path: Path, ground: Ground, device: str) -> Traveller:
        world = ground.world
        logits = torch.zeros(world.mask.shape)
        for place, name in enumerate(world.viewpoint_ids):
            logits[place, 0] = SAID[name]["stop"]
            for slot in range(1, int(world.mask[place].sum())):
                logits[place, slot] = SAID[name][world.viewpoint_ids[world.neighbour[place, slot]]]
        agent = TableAgent(logits)
        return Traveller(agent, "smna", ground, world.to("cpu"), {"sha256": digest_of(path)})

    monkeypatch.setattr(fieldwork, "load_traveller", load)
