"""Training and walking with what was trained, from the command line."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from fastnav.training.rundir import best_checkpoint
from tests.cli.conftest import Command
from tests.training.small import write_training_data

TINY = ("--set", "width=16", "--set", "word_width=8", "--set", "steps=3", "--batch", "4")
TRAIN = ("train", "smna", "--data", "data", "--features", "none", *TINY)


@pytest.fixture(autouse=True)
def one_thread(data: Path) -> None:
    """For networks as small as these, other threads would only wait; and a second house to train on."""
    torch.set_num_threads(1)
    write_training_data(data)


def test_from_training_to_the_leaderboard(fastnav: Command) -> None:
    """Train, walk by two searches, score, compare and submit: each command takes what the last one wrote."""
    ran = fastnav(*TRAIN, "--iterations", 2, "--seeds", 2, "--out", "run")
    assert ran.code == 0, ran.err
    assert ran.out.split() == [f"run/seed-{k}/checkpoint.safetensors" for k in (1, 2)]
    assert "seed 2: begins" in ran.err and "iteration 2: loss" in ran.err and "dev_unseen SR" in ran.err
    again = fastnav("train", "smna", "--data", "data", "--features", "none", "--resume", "--seeds", 2)
    assert (again.code, again.out) == (0, ran.out)  # finished, with the run's own settings
    for strategy in ("greedy", "fast-short"):
        walked = fastnav("navigate", "run", "--data", "data", "--strategy", strategy, "--split", "val_unseen")
        assert walked.code == 0, walked.err
        assert walked.out == f"run-{strategy}-val_unseen.json\n"
    scores = json.loads(fastnav("evaluate", "run-greedy-val_unseen.json", "--data", "data", "--json").out)
    assert 0 <= scores["SR"]["mean"] <= 1
    records = ("run-greedy-val_unseen.json", "run-fast-short-val_unseen.json")
    compared = json.loads(fastnav("compare", *records, "--data", "data", "--json").out)
    assert [row["system"] for row in compared["systems"]] == ["smna greedy", "smna fast-short"]
    assert fastnav("submit", records[1], "--data", "data", "--out", "s.json").code == 0


def test_the_record_tells_who_walked_and_how(fastnav: Command) -> None:
    """Strategy, checkpoint, features and seed; the best seed of a run is taken, and batches do not matter."""
    fastnav(*TRAIN, "--iterations", 1, "--seeds", 3, "--out", "run")
    fastnav("navigate", "run", "--data", "data", "--out", "all.json")
    record = json.loads(Path("all.json").read_text())
    best = best_checkpoint(Path("run"))
    settings = record["settings"]
    assert settings["checkpoint"] == str(best) and f"seed-{settings['seed']}" == best.parent.name
    assert settings["strategy"] == "fast-short" and settings["features"] == "none"
    ran = fastnav("navigate", best, "--data", "data", "--episodes", "30, 31_1", "--out", "some.json")
    assert "4 episodes" in ran.err
    some = json.loads(Path("some.json").read_text())
    assert some["episodes"] == [
        e for e in record["episodes"] if e["instr_id"] in ("30_0", "30_1", "30_2", "31_1")
    ]
    refused = fastnav("evaluate", "some.json", "--data", "data")
    assert refused.code == 4 and "2 of 6 episodes of val_unseen are missing" in refused.err


def test_a_killed_training_is_resumed(fastnav: Command) -> None:
    """Killed from outside, a run is gone on with by `--resume` alone, and by its own settings alone."""
    command = (*TRAIN, "--iterations", "2000", "--set", "save_every=1", "--out", "run")
    script = f"import torch; torch.set_num_threads(1); from fastnav.cli import run; run({[*command]!r})"
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    state = Path("run/seed-1/resume.safetensors")
    while not state.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    refused = fastnav(*TRAIN, "--out", "run")
    assert refused.code == 2 and "--resume goes on with it" in refused.err
    other = fastnav(*TRAIN, "--iterations", 3, "--out", "run", "--resume")
    assert other.code == 2 and "begun with iterations 2000, not 3" in " ".join(other.err.split())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((*TRAIN, "--set", "widht=3"), 2, "unknown setting 'widht'; did you mean width"),
        ((*TRAIN, "--set", "width=wide"), 2, "write NAME=NUMBER"),
        ((*TRAIN, "--set", "batch=1.5"), 2, "setting 'batch': expected a whole number"),
        ((*TRAIN, "--set", "rate=inf"), 2, "setting 'rate': expected a number"),
        ((*TRAIN, "--train-split", "val_unseen"), 2, "unknown training split 'val_unseen'"),
        ((*TRAIN, "--features", "captions"), 3, "features build captions"),
        ((*TRAIN, "--device", "cuba"), 2, "device 'cuba' cannot be used"),
        ((*TRAIN, "--precision", "float16"), 2, "unknown precision 'float16'; did you mean"),
        (("navigate", "runn", "--data", "data"), 2, "nor is there a run or checkpoint"),
        (("navigate", "data", "--data", "data"), 3, "holds no checkpoint.safetensors"),
        (("navigate", "data/r2r/R2R_train.json", "--data", "data"), 3, "not a whole safetensors file"),
        (("navigate", "data", "--data", "data", "--strategy", "fast-shrt"), 2, "did you mean fast-short"),
        (("navigate", "stop", "--data", "data", "--strategy", "greedy"), 2, "stop needs none"),
    ],
)
def test_mistakes(fastnav: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    """Exit code and message of each; nothing is written."""
    ran = fastnav(*arguments)
    assert (ran.code, ran.out) == (code, ""), ran.err
    assert said in " ".join(ran.err.split())
    assert not Path("run").exists()


def test_mistakes_with_a_checkpoint(fastnav: Command, data: Path) -> None:
    """An episode that is not there, and features that are not those of the training."""
    fastnav(*TRAIN, "--iterations", 1, "--out", "run")
    missing = fastnav("navigate", "run", "--data", "data", "--episodes", "99_0")
    assert missing.code == 2 and "no episode '99_0'" in missing.err
    made = Path("run/seed-1/checkpoint.safetensors")
    made.write_bytes(made.read_bytes().replace(b'\\"features\\": \\"none\\"', b'\\"features\\": \\"what\\"'))
    assert "features build" in fastnav("navigate", "run", "--data", "data").err
