"""Training and walking with what was trained, from the command line."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from fastnav.agents.kinds import KINDS
from fastnav.evaluation.record import read_record
from fastnav.training.rundir import best_checkpoint
from tests.cli.conftest import Command
from tests.training.small import write_training_data

TINY = ("--set", "width=16", "--set", "word_width=8", "--set", "steps=3", "--batch", "4")
LESSON = ("--data", "data", "--features", "none", *TINY)
TRAIN = ("train", "smna", *LESSON)


@pytest.fixture(autouse=True)
def one_thread(data: Path) -> None:
    """For networks as small as these, other threads would only wait; and a second house to train on."""
    torch.set_num_threads(1)
    write_training_data(data)


@pytest.mark.parametrize("kind", KINDS)
def test_from_training_to_the_leaderboard(fastnav: Command, kind: str) -> None:
    """Train, walk by two searches, score, compare and submit: each command takes what the last one wrote."""
    ran = fastnav("train", kind, *LESSON, "--iterations", 2, "--seeds", 2, "--out", "run")
    assert ran.code == 0, ran.err
    assert ran.out.split() == [f"run/seed-{k}/checkpoint.safetensors" for k in (1, 2)]
    assert "seed 2: begins" in ran.err and "iteration 2: loss" in ran.err and "dev_unseen SR" in ran.err
    again = fastnav("train", kind, "--data", "data", "--features", "none", "--resume", "--seeds", 2)
    assert (again.code, again.out) == (0, ran.out)  # finished, with the run's own settings
    for strategy in ("greedy", "fast-short"):
        walked = fastnav("navigate", "run", "--data", "data", "--strategy", strategy, "--split", "val_unseen")
        assert walked.code == 0, walked.err
        assert walked.out == f"run-{strategy}-val_unseen.json\n"
    scores = json.loads(fastnav("evaluate", "run-greedy-val_unseen.json", "--data", "data", "--json").out)
    assert 0 <= scores["SR"]["mean"] <= 1
    records = ("run-greedy-val_unseen.json", "run-fast-short-val_unseen.json")
    compared = json.loads(fastnav("compare", *records, "--data", "data", "--json").out)
    assert [row["system"] for row in compared["systems"]] == [f"{kind} greedy", f"{kind} fast-short"]
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


def test_a_score_is_learnt_and_searched_by(fastnav: Command) -> None:
    """Learn a score from a run's own searches; walk by it, and by one that has a name."""
    fastnav(*TRAIN, "--iterations", 2, "--out", "run")
    lonely = fastnav("train", "score", "run", "--data", "data", "--out", "score.safetensors")
    assert lonely.code == 0 and "too few houses" in lonely.err  # dev_unseen is a single house here
    where = ("--split", "train", "--out", "score.safetensors", "--json")
    learnt = fastnav("train", "score", "run", "--data", "data", *where)
    assert learnt.code == 0, learnt.err
    assert json.loads(learnt.out)["surprise"] >= 0
    for score, named in (("score.safetensors", "learned-"), ("mean-logp", "mean-logp")):
        walked = fastnav("navigate", "run", "--data", "data", "--score", score, "--out", "walk.json")
        assert walked.code == 0, walked.err
        assert json.loads(Path("walk.json").read_text())["settings"]["score"].startswith(named)
    misspelt = fastnav("navigate", "run", "--data", "data", "--score", "mean-logq")
    assert misspelt.code == 2 and "did you mean mean-logp" in misspelt.err
    agent = fastnav("navigate", "run", "--data", "data", "--score", "run/seed-1/checkpoint.safetensors")
    assert agent.code == 3 and "not a learned score, but 'fastnav-agent'" in agent.err


def test_presets(fastnav: Command) -> None:
    """A preset's settings are those of the run, what is said besides goes first; its agent walks as any."""
    ran = fastnav(*TRAIN, "--preset", "smna-paper", "--iterations", 2, "--out", "paper")
    assert ran.code == 0, ran.err
    config = json.loads(Path("paper/run.json").read_text())["config"]
    assert (config["published"], config["rate"], config["batch"], config["iterations"]) == (1, 1e-4, 4, 2)
    assert fastnav("navigate", "paper", "--data", "data", "--split", "val_seen").code == 0


def test_a_record_with_its_trees_is_a_record(fastnav: Command) -> None:
    """`--record` adds the trees and changes nothing else; whoever reads records goes on reading it."""
    fastnav(*TRAIN, "--iterations", 1, "--out", "run")
    for name, option in (("plain", ()), ("traced", ("--record",))):
        ran = fastnav("navigate", "run", "--data", "data", "--out", f"{name}.json", *option)
        assert ran.code == 0, ran.err
    plain, traced = (json.loads(Path(f"{name}.json").read_text()) for name in ("plain", "traced"))
    trace = traced.pop("trace")
    assert traced == plain
    assert list(trace["episodes"]) == [episode["instr_id"] for episode in plain["episodes"]]
    record = read_record(Path("traced.json"))
    assert record.trace is not None and record.trace.manner.name == "fast-short"
    for command in ("evaluate", "compare", "submit"):
        ran = fastnav(command, "traced.json", "--data", "data")
        assert ran.code == 0, ran.err
    some = fastnav(
        "navigate", "run", "--data", "data", "--episodes", "30_1", "--record", "--out", "some.json"
    )
    assert some.code == 0
    found = read_record(Path("some.json")).trace
    assert found is not None and found.searches == {"30_1": record.trace.searches["30_1"]}


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
    other = fastnav("train", "follower", *LESSON, "--out", "run", "--resume")
    assert other.code == 2 and 'begun with agent "smna", not "follower"' in " ".join(other.err.split())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((*TRAIN, "--set", "widht=3"), 2, "unknown setting 'widht'; did you mean width"),
        ((*TRAIN, "--set", "width=wide"), 2, "write NAME=NUMBER"),
        ((*TRAIN, "--set", "batch=1.5"), 2, "setting 'batch': expected a whole number"),
        ((*TRAIN, "--set", "rate=inf"), 2, "setting 'rate': expected a number"),
        (("train", "follower", *LESSON, "--set", "progress_weight=2"), 2, "changes nothing in a follower"),
        (
            (*TRAIN, "--preset", "smna-papr"),
            2,
            "unknown preset for smna 'smna-papr'; did you mean smna-paper",
        ),
        ((*TRAIN, "--train-split", "val_unseen"), 2, "unknown training split 'val_unseen'"),
        ((*TRAIN, "--features", "captions"), 3, "features build captions"),
        ((*TRAIN, "--device", "cuba"), 2, "device 'cuba' cannot be used"),
        ((*TRAIN, "--precision", "float16"), 2, "unknown precision 'float16'; did you mean"),
        (("navigate", "runn", "--data", "data"), 2, "nor is there a run or checkpoint"),
        (("navigate", "data", "--data", "data"), 3, "holds no checkpoint.safetensors"),
        (("navigate", "data/r2r/R2R_train.json", "--data", "data"), 3, "not a whole safetensors file"),
        (("navigate", "data", "--data", "data", "--strategy", "fast-shrt"), 2, "did you mean fast-short"),
        (
            ("navigate", "stop", "--data", "data", "--strategy", "greedy"),
            2,
            "--strategy: stop does not search",
        ),
        (("navigate", "stop", "--data", "data", "--record"), 2, "--record: stop does not search"),
    ],
)
def test_mistakes(fastnav: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    """Exit code and message of each; nothing is written."""
    ran = fastnav(*arguments)
    assert (ran.code, ran.out) == (code, ""), ran.err
    assert said in " ".join(ran.err.split())
    assert not Path("run").exists()


def test_mistakes_with_a_checkpoint(fastnav: Command, data: Path) -> None:
    """An episode and a device that are not there, and features that are not those of the training."""
    fastnav(*TRAIN, "--iterations", 1, "--out", "run")
    no_device = fastnav("navigate", "run", "--data", "data", "--device", "cuba")
    assert no_device.code == 2 and "device 'cuba' cannot be used" in no_device.err
    missing = fastnav("navigate", "run", "--data", "data", "--episodes", "99_0")
    assert missing.code == 2 and "no episode '99_0'" in missing.err
    made = Path("run/seed-1/checkpoint.safetensors")
    made.write_bytes(made.read_bytes().replace(b'\\"features\\": \\"none\\"', b'\\"features\\": \\"what\\"'))
    assert "features build" in fastnav("navigate", "run", "--data", "data").err
