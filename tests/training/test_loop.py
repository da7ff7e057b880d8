"""A training that is stopped at any moment ends with the very bytes of one that never was."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from fastnav.agents.checkpoint import load_checkpoint
from fastnav.agents.tensorfile import read_tensors, write_tensors
from fastnav.data.features import build_captions
from fastnav.errors import FastnavError, MalformedFile, TrainingError, UsageError
from fastnav.training import learner
from fastnav.training.learner import Learner
from fastnav.training.loop import train
from tests.data.features.samples import HashEncoder, captions
from tests.toy_data import PLACES, SPLITS, write_json
from tests.training.small import CONFIG, Notes, plan_of, write_training_data

#: How many trainings are killed; more of them by hand.
KILLS = int(os.environ.get("FASTNAV_KILLS", "1"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_training_data(tmp_path_factory.mktemp("training") / "data")


@pytest.fixture(scope="module")
def undisturbed(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """What each split's run leaves behind."""
    kept = {}
    for split in ("dev_train", "train"):
        out = tmp_path_factory.mktemp("whole") / "run"
        train(plan_of(data, out, split=split), Notes())
        kept[split] = files(out)
    return kept


def files(out: Path) -> dict[str, bytes]:
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def test_what_a_run_leaves(undisturbed: dict[str, dict[str, bytes]]) -> None:
    """The settings, and for the seed its checkpoint, curves and end; nothing else."""
    left = undisturbed["dev_train"]
    names = ("checkpoint.safetensors", "curves.jsonl", "fastnav.tfevents", "finished.json")
    assert set(left) == {"run.json", *(f"seed-1/{name}" for name in names)}
    rows = [json.loads(line) for line in left["seed-1/curves.jsonl"].splitlines()]
    assert [row["iteration"] for row in rows] == [9, 18, 20]
    assert list(rows[0]) == ["iteration", "train", "dev_unseen", "val_seen"]
    assert set(rows[0]["dev_unseen"]) == {"SR", "SPL", "TL", "loss", "progress_loss"}
    assert all(row[split]["loss"] > 0 for row in rows for split in ("train", "dev_unseen", "val_seen"))


@pytest.mark.parametrize(("split", "stop_after"), [("dev_train", 3), ("dev_train", 18), ("train", 12)])
def test_interrupted_training_goes_on(
    undisturbed: dict[str, dict[str, bytes]], data: Path, tmp_path: Path, split: str, stop_after: int
) -> None:
    """Whether before the first save, between saves, or just after an examination: the same bytes."""
    plan = plan_of(data, tmp_path / "run", split=split)
    with pytest.raises(KeyboardInterrupt):
        train(plan, Notes(stop_after))
    torch.manual_seed(99)  # whatever was drawn meanwhile
    notes = Notes()
    train(replace(plan, resume=True), notes)
    assert notes.began == [(1, stop_after // 4 * 4)]
    assert files(plan.out) == undisturbed[split]


@pytest.mark.parametrize("kill", range(KILLS))
def test_killed_training_goes_on(
    undisturbed: dict[str, dict[str, bytes]], data: Path, tmp_path: Path, kill: int
) -> None:
    """Killed at a random iteration, with no chance to tidy up, it goes on to the same bytes."""
    place = random.Random(kill).randrange(1, CONFIG.iterations)
    command = [sys.executable, "-m", "tests.training.small", data, tmp_path / "run", str(place)]
    killed = subprocess.run(list(map(str, command)), check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    train(plan_of(data, tmp_path / "run", resume=True), Notes())
    assert files(tmp_path / "run") == undisturbed["dev_train"]


def test_a_finished_run_is_left_alone_and_may_get_more_seeds(data: Path, tmp_path: Path) -> None:
    """Going on with it does nothing; another seed is trained beside it, to other weights."""
    plan = plan_of(data, tmp_path / "run", config=replace(CONFIG, iterations=2))
    (first,) = train(plan, Notes())
    before, notes = first.read_bytes(), Notes()
    one, other = train(replace(plan, resume=True, seeds=(1, 2)), notes)
    assert notes.began == [(2, 0)]
    assert one.read_bytes() == before != other.read_bytes()


def test_the_checkpoint_is_the_best_on_dev_unseen(data: Path, tmp_path: Path) -> None:
    """It is the first of the examinations with the highest SR + SPL, and says so."""
    (path,) = train(
        plan_of(data, tmp_path / "run", config=replace(CONFIG, iterations=6, validate_every=1)), Notes()
    )
    rows = [json.loads(line) for line in (path.parent / "curves.jsonl").read_text().splitlines()]
    scores = [row["dev_unseen"]["SR"] + row["dev_unseen"]["SPL"] for row in rows]
    facts = load_checkpoint(path, agent="smna").facts
    assert facts["trained"]["iteration"] == 1 + scores.index(max(scores))
    assert facts["chosen"] == {"by": "greedy SR + SPL on dev_unseen", "score": max(scores)}
    assert facts["figures"]["dev_unseen"] == rows[scores.index(max(scores))]["dev_unseen"]


def test_all_of_train_is_not_chosen_by_what_it_learns(undisturbed: dict[str, dict[str, bytes]]) -> None:
    """The last average is kept, and dev_unseen, which it has seen, is not shown."""
    rows = [json.loads(line) for line in undisturbed["train"]["seed-1/curves.jsonl"].splitlines()]
    assert all(set(row) == {"iteration", "train", "val_seen"} for row in rows)
    assert json.loads(undisturbed["train"]["seed-1/finished.json"])["chosen"] == {"by": "being the last"}


def test_a_run_is_not_begun_twice_nor_changed(data: Path, tmp_path: Path) -> None:
    """Without --resume an existing run is refused; with it, so is another setting, by name."""
    plan = plan_of(data, tmp_path / "run", config=replace(CONFIG, iterations=1))
    train(plan, Notes())
    with pytest.raises(UsageError, match="holds a training run already; --resume goes on"):
        train(plan, Notes())
    changed = replace(plan, resume=True, config=replace(plan.config, rate=0.5))
    with pytest.raises(UsageError, match=r"begun with rate 0\.001, not 0\.5"):
        train(changed, Notes())
    with pytest.raises(UsageError, match='begun with split "dev_train", not "train"'):
        train(replace(plan, resume=True, split="train"), Notes())


def test_a_loss_that_is_no_number_stops(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One message names the iteration and what to do; the last good state is still there."""
    step = Learner.step
    monkeypatch.setattr(
        Learner, "step", lambda self, number: step(self, number) * (float("nan") if number == 8 else 1)
    )
    with pytest.raises(TrainingError, match=r"not a number at iteration 9 of seed 1; .* --set rate"):
        train(plan_of(data, tmp_path / "run"), Notes())
    assert (tmp_path / "run" / "seed-1" / "resume.safetensors").exists()
    monkeypatch.undo()
    notes = Notes()
    train(plan_of(data, tmp_path / "run", resume=True), notes)
    assert notes.began == [(1, 8)]


def test_a_state_of_something_else_is_refused(data: Path, tmp_path: Path) -> None:
    """A damaged or foreign state is one message that names the file."""
    plan = plan_of(data, tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(plan, Notes(5))
    state = tmp_path / "run" / "seed-1" / "resume.safetensors"
    whole = state.read_bytes()
    (made,) = train(plan_of(data, tmp_path / "other", config=replace(CONFIG, iterations=1)), Notes())
    for content in (whole[:-10], made.read_bytes()):
        state.write_bytes(content)
        with pytest.raises(FastnavError, match=r"resume\.safetensors"):
            train(replace(plan, resume=True), Notes())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"split": "val_seen"}, "unknown training split 'val_seen'"),
        ({"device": "tpu9"}, "device 'tpu9' cannot be used"),
        ({"features": "captions"}, "features build captions"),
    ],
)
def test_mistakes(data: Path, tmp_path: Path, changes: dict[str, str], said: str) -> None:
    """Each is one message, and no folder is made."""
    with pytest.raises(FastnavError, match=said):
        train(plan_of(data, tmp_path / "run", **changes), Notes())
    assert not (tmp_path / "run").exists()


def test_words_begin_where_the_captions_put_them(tmp_path: Path) -> None:
    """With captions a known word's vector begins at its place there, by a common scale; others at random."""
    data = write_training_data(tmp_path / "data")
    for scan in {scan for scan, _, _ in SPLITS.values()}:
        write_json(data / "captions" / f"{scan}.json", {name: captions(scan, name) for name in PLACES})
    table = build_captions(data, HashEncoder(), width=6)
    course = learner_course(data)
    assert course.meanings is not None and set(course.tables) == {"captions"}
    network = learner._network(learner.kind_named("smna"), CONFIG, course)
    words, places = table.words()
    number = course.vocabulary.words.index("the")
    expected = places[words.words.index("the")].astype("f4") / places.astype("f4").std()
    torch.testing.assert_close(network.encoder.embedding.weight[number, :6].detach(), torch.tensor(expected))
    train(plan_of(data, tmp_path / "run", features="captions", config=replace(CONFIG, iterations=2)), Notes())
    assert load_checkpoint(tmp_path / "run/seed-1/checkpoint.safetensors").features == "captions"


def learner_course(data: Path) -> learner.Course:
    from fastnav.training.course import load_course

    return load_course(data, "train", "captions", torch.device("cpu"))


def test_what_a_lone_word_would_look_like(tmp_path: Path) -> None:
    """Meanings lie as features do, the space once for each part of a view; the comparison begins there."""
    data = write_training_data(tmp_path / "data")
    for scan in {scan for scan, _, _ in SPLITS.values()}:
        write_json(data / "captions" / f"{scan}.json", {name: captions(scan, name) for name in PLACES})
    build_captions(data, HashEncoder(), width=6)
    course = learner_course(data)
    assert course.meanings is not None
    places, seen = course.meanings.places, course.meanings.seen
    assert seen.shape[1] == course.sight.views.shape[-1] == 12  # a view's own caption, and the one below
    torch.testing.assert_close(seen, torch.cat([places, places], dim=1))
    network = learner._network(learner.kind_named("smna"), CONFIG, course)
    assert network.matcher is not None
    torch.testing.assert_close(network.matcher.meanings, seen)


@pytest.fixture(scope="module")
def cut_off(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was interrupted after it was saved."""
    plan = plan_of(data, tmp_path_factory.mktemp("cut") / "run")
    with pytest.raises(KeyboardInterrupt):
        train(plan, Notes(13))
    return plan.out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t, n: t.update({"adam.3.exp_avg": t["adam.3.exp_avg"].reshape(-1)[:1]}), "adam.3.exp_avg is"),
        (lambda t, n: t.update({"adam.0.step": torch.zeros(2)}), "adam.0.step is torch.float32 of shape"),
        (lambda t, n: t.update({"adam.1.exp_avg_sq": t["adam.1.exp_avg_sq"].double()}), "is torch.float64"),
        (lambda t, n: t.pop("dice.0"), "was not saved by 1 processes"),
        (lambda t, n: n.update(iteration=20), "saved at iteration 20"),
        (lambda t, n: n.update(iteration="8"), "another seed"),
        (lambda t, n: n.update(seed=2), "another seed"),
        (lambda t, n: n.update(best="high"), "its figures are no numbers"),
        (lambda t, n: n["rows"][0]["train"].update(loss="low"), "its figures are no numbers"),
        (lambda t, n: n["rows"][0]["train"].update(loss=1e308), "its figures are no numbers"),
        (lambda t, n: n["rows"].append(None), "its figures are no numbers"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(
    cut_off: Path, data: Path, tmp_path: Path, change: Any, said: str
) -> None:
    """Before anything is computed with it; fused AdamW would even write beyond a memory that is too small."""
    out = shutil.copytree(cut_off, tmp_path / "run")
    state = out / "seed-1" / "resume.safetensors"
    tensors, notes = read_tensors(state)
    assert notes["rows"] and "adam.3.exp_avg" in tensors
    change(tensors, notes)
    write_tensors(state, tensors, notes)
    with pytest.raises(
        MalformedFile, match=rf"resume\.safetensors: does not fit the run .*{said}.*remove it"
    ):
        train(plan_of(data, out, resume=True), Notes())


def test_what_was_half_written_goes_away(
    undisturbed: dict[str, dict[str, bytes]], cut_off: Path, data: Path, tmp_path: Path
) -> None:
    """A process that is killed while it writes cannot tidy up; the next one does."""
    out = shutil.copytree(cut_off, tmp_path / "run")
    for half in (out / ".run.json.x1.partial", out / "seed-1" / ".resume.safetensors.x2.partial"):
        half.write_bytes(b"half")
    train(plan_of(data, out, resume=True), Notes())
    assert files(out) == undisturbed["dev_train"]
