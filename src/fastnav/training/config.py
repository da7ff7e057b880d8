"""How to train: sizes and rates in one frozen value, which a run keeps beside its results."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from fastnav.errors import UsageError

#: Counts beyond it fit into no tensor's shape.
_LARGEST = 10**9


@dataclass(frozen=True)
class TrainingConfig:
    """Every choice of a training but its data; `agents.settings.settings_of` reads one from JSON."""

    iterations: int = 4000
    batch: int = 512
    steps: int = 10  # actions of a rollout
    sampled: float = 0.5  # the part of a batch that follows its own sampled actions; the others the teacher
    steered: int = 0  # who samples and is so many moves off the way follows the teacher; 0: nobody
    progress_by_hops: int = 0  # whether progress is learnt in metres (0) or in moves (1)
    progress_weight: float = 1.0  # of the loss of the progress estimate beside that of the actions
    smoothing: float = 0.1  # how much of the teacher's certainty is given to all legal actions

    rate: float = 1e-3
    last_rate: float = 0.02  # the part of `rate` that is left at the end of the cosine
    warm_up: int = 300  # iterations in which the rate rises
    weight_decay: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.98
    clip: float = 5.0  # largest norm of the gradient
    average: float = 0.999  # how much of the weights' running average each iteration keeps

    word_width: int = 256
    width: int = 288
    dropout: float = 0.4
    feature_dropout: float = 0.4
    readings: int = 4  # of the sentence, each compared with what is seen; 0 for none
    mirror: int = 1  # whether every house that is learnt from has a mirrored twin
    published: int = 0  # 1: SMNA's network as it was published

    validate_every: int = 500
    save_every: int = 500

    def __post_init__(self) -> None:
        self._refuse_huge()
        positive = ("iterations", "batch", "steps", "word_width", "width", "validate_every", "save_every")
        others = ("weight_decay", "progress_weight", "warm_up", "steered", "readings")
        for name, least in (*((name, 1) for name in positive), *((name, 0) for name in others)):
            if getattr(self, name) < least:
                raise UsageError(f"setting {name!r} is {getattr(self, name)}; give {least} or more")
        for name in ("progress_by_hops", "mirror", "published"):
            if getattr(self, name) not in (0, 1):
                raise UsageError(f"setting {name!r} is {getattr(self, name)}; give 0 or 1")
        if self.width % 2:
            raise UsageError(f"setting 'width' is {self.width}; give an even number, for two directions")
        parts = ("sampled", "smoothing", "last_rate", "beta1", "beta2", "average")
        for name in (*parts, "dropout", "feature_dropout"):
            value = getattr(self, name)
            if not 0 <= value <= 1 or (value == 1 and name not in ("sampled", "last_rate")):
                raise UsageError(f"setting {name!r} is {value}; give a part of 1")
        if not (self.rate > 0 and self.clip > 0):
            raise UsageError("settings 'rate' and 'clip' must be more than 0")

    def _refuse_huge(self) -> None:
        for name, value in vars(self).items():
            if value > _LARGEST:
                raise UsageError(f"setting {name!r} is {str(value)[:20]}; give {_LARGEST} or less")

    def rate_at(self, iteration: int) -> float:
        """The learning rate: a rise, and half a cosine all along."""
        rise = min(1.0, (iteration + 1) / max(self.warm_up, 1))
        fall = 0.5 * (1 + math.cos(math.pi * iteration / self.iterations))
        return self.rate * rise * (fall * (1 - self.last_rate) + self.last_rate)

    def renewal_at(self, iteration: int) -> float:
        """How much of the average is renewed: early on much, so that it forgets the random beginning."""
        return max(1 - self.average, 2 / (iteration + 2))


@dataclass(frozen=True)
class Plan:
    """A training: what to learn from, how, and where the results go."""

    data: Path
    out: Path
    agent: str = "smna"  # one of agents.kinds
    features: str = "captions+objects"
    split: str = "dev_train"
    seeds: tuple[int, ...] = (1,)
    config: TrainingConfig = field(default_factory=TrainingConfig)
    device: str = "cpu"
    precision: str = "auto"  # one of training.precision
    resume: bool = False
