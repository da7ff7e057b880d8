"""A training that takes a second: two toy houses to learn from, and a network of a few thousand weights."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from fastnav.training.config import Plan, TrainingConfig
from fastnav.training.loop import train
from tests.toy_data import entries, write_json, write_toy_data

CONFIG = TrainingConfig(
    iterations=20,
    batch=4,
    steps=3,
    warm_up=3,
    word_width=8,
    width=16,
    validate_every=9,
    save_every=4,
)


@dataclass
class Notes:
    """Writes down how training goes, and may end it at some iteration."""

    stop_after: int = -1
    kill: bool = False
    began: list[tuple[int, int]] = field(default_factory=list)
    rows: list[Mapping[str, Any]] = field(default_factory=list)
    done: int = 0

    def begins(self, seed: int, iteration: int, iterations: int) -> None:
        self.began.append((seed, iteration))

    def learnt(self, iteration: int) -> None:
        self.done = iteration
        if iteration == self.stop_after:
            if self.kill:
                os.kill(os.getpid(), signal.SIGKILL)
            raise KeyboardInterrupt

    def examined(self, row: Mapping[str, Any]) -> None:
        self.rows.append(row)


def write_training_data(data: Path) -> Path:
    """The toy data with a second house in train, which dev_unseen or dev_train takes."""
    write_toy_data(data)
    # Both houses need as many paths, or the smaller would be passed over as too small to tell anything.
    others = [
        {**entry, "path_id": 100 + k, "path": list(path)}
        for k, path in enumerate(("SCG", "BSC", "ASC"))
        for entry in entries("val_unseen")[:1]
    ]
    train_path = data / "r2r" / "R2R_train.json"
    write_json(train_path, json.loads(train_path.read_text()) + others)
    return data


def plan_of(data: Path, out: Path, **changes: Any) -> Plan:
    """A short training without features."""
    return replace(Plan(data, out, features="none", config=CONFIG), **changes)


if __name__ == "__main__":
    torch.set_num_threads(1)
    train(plan_of(Path(sys.argv[1]), Path(sys.argv[2])), Notes(int(sys.argv[3]), kill=True))
