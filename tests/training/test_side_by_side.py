"""Seeds that are trained at once leave what they leave one after the other."""

import queue
from dataclasses import replace
from multiprocessing import Process
from pathlib import Path

import pytest

from fastnav.errors import TrainingError, UsageError
from fastnav.training import side_by_side
from fastnav.training.loop import train
from fastnav.training.side_by_side import train_seeds, train_side_by_side
from tests.training.small import CONFIG, Notes, plan_of, write_training_data

SHORT = replace(CONFIG, iterations=3, validate_every=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_training_data(tmp_path_factory.mktemp("seeds") / "data")


def files(out: Path) -> dict[str, bytes]:
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def test_the_same_as_one_after_the_other(data: Path, tmp_path: Path) -> None:
    """To the byte; each seed has its own watcher, who is told all."""
    in_turn = plan_of(data, tmp_path / "in turn", config=SHORT, seeds=(1, 2))
    assert len(train(in_turn, Notes())) == 2
    at_once = replace(in_turn, out=tmp_path / "at once")
    watchers = {1: Notes(), 2: Notes()}
    paths = train_side_by_side(at_once, watchers.__getitem__)
    assert paths == [at_once.out / f"seed-{seed}/checkpoint.safetensors" for seed in (1, 2)]
    assert files(at_once.out) == files(in_turn.out)
    for seed, notes in watchers.items():
        assert (notes.began, notes.done) == ([(seed, 0)], 3)
        assert [row["iteration"] for row in notes.rows] == [2, 3]


def test_a_failure_is_told_in_words(data: Path, tmp_path: Path) -> None:
    """The process says what is wrong with its seed, as the last of its news."""
    plan = plan_of(data, tmp_path / "run", config=SHORT, resume=True, seeds=(3,))
    (plan.out / "seed-3").mkdir(parents=True)
    (plan.out / "seed-3/resume.safetensors").write_bytes(b"nonsense")
    news: queue.Queue[side_by_side._Told] = queue.Queue()
    side_by_side._train(plan, news)  # type: ignore[arg-type]
    told = news.get_nowait()
    assert (told.seed, told.name) == (3, "ended") and "resume.safetensors: " in told.facts[0]
    ends: dict[int, Path | str] = {}
    news.put(told)
    assert not list(side_by_side._news(news, {3: Process()}, ends))  # type: ignore[arg-type]
    assert ends == {3: told.facts[0]}


def test_a_process_that_is_gone_is_missed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word from it, its exit code is told, and what goes on."""
    monkeypatch.setattr(side_by_side, "_PATIENCE", 0.05)
    monkeypatch.setattr(side_by_side, "_train", exit)
    with pytest.raises(TrainingError, match=r"seed 1: its process ended .*--resume goes on with it"):
        train_side_by_side(plan_of(data, tmp_path / "run", config=SHORT), lambda seed: Notes())


def test_mistakes_are_found_before_there_are_processes(data: Path, tmp_path: Path) -> None:
    """A device that is not there, and a folder that is taken."""
    plan = plan_of(data, tmp_path / "run", config=SHORT)
    with pytest.raises(UsageError, match="'tpu9' cannot be used"):
        train_side_by_side(replace(plan, device="tpu9"), lambda seed: Notes())
    assert not plan.out.exists()
    train(plan, Notes())
    with pytest.raises(UsageError, match="holds a training run already"):
        train_side_by_side(plan, lambda seed: Notes())


@pytest.mark.parametrize(
    ("device", "seeds", "together", "at_once"),
    [
        ("cuda", 2, 1, True),
        ("cuda:1", 2, 1, True),
        ("cuda", 1, 1, False),
        ("cuda", 2, 2, False),
        ("cpu", 2, 1, False),
    ],
)
def test_at_once_on_a_gpu_alone(
    device: str, seeds: int, together: int, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless there is one seed, or several processes train it together."""
    monkeypatch.setenv("WORLD_SIZE", str(together))
    monkeypatch.setattr(side_by_side, "train", lambda plan, watcher: [Path("in turn")])
    monkeypatch.setattr(side_by_side, "train_side_by_side", lambda plan, watchers: [Path("at once")])
    plan = plan_of(tmp_path, tmp_path, device=device, seeds=tuple(range(1, seeds + 1)))
    assert train_seeds(plan, lambda seed: Notes()) == [Path("at once" if at_once else "in turn")]
