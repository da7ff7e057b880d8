"""Settings: an unknown or impossible one is an error, and each that is left changes the training."""

import json
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest
import torch

from fastnav.agents.kinds import KINDS
from fastnav.agents.settings import settings_of
from fastnav.errors import UnknownName, UsageError
from fastnav.training.config import TrainingConfig
from fastnav.training.course import load_course
from fastnav.training.imitation import _surprise
from fastnav.training.learner import Learner
from fastnav.training.presets import PRESETS, defaults_of, preset_named, refuse_idle
from tests.training.small import CONFIG, write_training_data

#: For each setting another value; how often one looks and saves is not to change any weight.
OTHERS = {
    "iterations": 13,
    "batch": 9,
    "steps": 2,
    "sampled": 0.25,
    "steered": 1,
    "progress_by_hops": 1,
    "progress_weight": 0.5,
    "smoothing": 0.3,
    "rate": 1e-2,
    "last_rate": 0.5,
    "warm_up": 5,
    "weight_decay": 0.3,
    "beta1": 0.8,
    "beta2": 0.9,
    "clip": 0.01,
    "average": 0.1,
    "word_width": 6,
    "width": 12,
    "dropout": 0.1,
    "published": 1,
}
#: What would change nothing in a kind.
_OF_SMNA = ("progress_weight", "progress_by_hops", "published")
IDLE: dict[str, tuple[str, ...]] = {"smna": (), "follower": _OF_SMNA, "seq2seq": _OF_SMNA}
#: How often one looks, what changes nothing without features, and what changes the lessons themselves.
UNSEEN = ("validate_every", "save_every", "feature_dropout", "readings", "mirror")


def test_json_round_trip() -> None:
    """A config is its JSON, and unknown names and wrong kinds are refused."""
    assert settings_of(TrainingConfig, json.loads(json.dumps(asdict(CONFIG)))) == CONFIG
    with pytest.raises(UnknownName, match="unknown setting 'drop_out'; did you mean dropout"):
        settings_of(TrainingConfig, {"drop_out": 0.1})
    with pytest.raises(UsageError, match="setting 'batch': expected a whole number"):
        settings_of(TrainingConfig, {"batch": 1.5})
    with pytest.raises(UsageError, match="setting 'rate': expected a number"):
        settings_of(TrainingConfig, {"rate": True})
    with pytest.raises(UsageError, match="setting 'steps' is 10000000000; give 1000000000 or less"):
        settings_of(TrainingConfig, {"steps": 10**10})


@pytest.mark.parametrize(
    ("name", "value"),
    [("iterations", 0), ("dropout", 1.0), ("width", 3), ("rate", 0.0), ("clip", -1.0), ("warm_up", -1)],
)
def test_impossible_values(name: str, value: float) -> None:
    """What cannot be trained with is refused by name."""
    with pytest.raises(UsageError, match=name):
        replace(TrainingConfig(), **{name: value})  # type: ignore[arg-type]


def test_rate_rises_and_falls() -> None:
    """A third of the full rate at the first of three steps; hardly more than the last part at the end."""
    config = replace(TrainingConfig(), warm_up=3, iterations=1000)
    assert config.rate_at(0) == pytest.approx(config.rate / 3)
    assert config.rate_at(500) == pytest.approx(config.rate * 0.51)
    assert config.rate_at(999) == pytest.approx(config.rate * config.last_rate, rel=1e-2)


def test_the_average_forgets_its_beginning() -> None:
    """The first step replaces it; later it is renewed by a thousandth."""
    config = TrainingConfig()
    assert config.renewal_at(0) == 1
    assert config.renewal_at(1_000_000) == pytest.approx(0.001)


@pytest.mark.parametrize("kind", KINDS)
def test_each_setting_matters(tmp_path: Path, kind: str) -> None:
    """Every setting changes the weights, but for how often one looks and saves; what cannot is refused."""
    data, low_level = write_training_data(tmp_path / "data"), KINDS[kind].agent.low_level
    course = load_course(data, "train", "none", torch.device("cpu"), low_level=low_level)
    assert {*OTHERS, *UNSEEN} == {field.name for field in fields(TrainingConfig)}

    def weights(config: TrainingConfig) -> list[float]:
        learner = Learner(kind, config, course, seed=1)
        for iteration in range(3):
            learner.step(iteration)
        return [float(weight.detach().double().sum()) for weight in learner.average.parameters()]

    # Steps enough for somebody to leave the way, in low-level moves too.
    base = replace(CONFIG, iterations=7, clip=1.0, steps=8)
    plain = weights(base)
    assert weights(replace(base, validate_every=2, save_every=3)) == plain
    for name, value in OTHERS.items():
        changed = replace(base, **{name: value})  # type: ignore[arg-type]
        if name in IDLE[kind]:
            with pytest.raises(UsageError, match=f"setting '{name}' changes nothing in a {kind}"):
                refuse_idle(KINDS[kind], changed)
        else:
            refuse_idle(KINDS[kind], changed)
            assert weights(changed) != plain, name


def test_smoothing_counts_legal_actions_alone() -> None:
    """Of two legal actions with chances 3/4 and 1/4, by hand; without smoothing, plain cross entropy."""
    logits = torch.tensor([[3.0, 1.0, 0.0]]).log()
    three_quarters, quarter = torch.tensor([0.75, 0.25]).log()
    right = torch.tensor([0])
    torch.testing.assert_close(_surprise(logits, right, 0.0)[0], -three_quarters)
    expected = -0.9 * three_quarters - 0.1 * (three_quarters + quarter) / 2
    torch.testing.assert_close(_surprise(logits, right, 0.1)[0], expected)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_settings_of_their_kind(name: str) -> None:
    """Each can be trained with, changes every setting that it names, and is refused for another kind."""
    kind, changes = PRESETS[name]
    base = defaults_of(kind)
    config = settings_of(TrainingConfig, {**asdict(base), **preset_named(name, kind)})
    refuse_idle(KINDS[kind], config)
    assert all(
        asdict(config)[setting] == value != asdict(base)[setting] for setting, value in changes.items()
    )
    other = next(each for each in KINDS if each != kind)
    with pytest.raises(UnknownName, match=f"unknown preset for {other} '{name}'; .*{other}-paper"):
        preset_named(name, other)
