"""A network, the running average of its weights, and what makes one step of learning."""

import copy
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fastnav.agents.kinds import Kind, kind_named
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.sight import GEOMETRY, Sight
from fastnav.training.config import TrainingConfig
from fastnav.training.course import Course
from fastnav.training.imitation import Batch, rollout
from fastnav.training.meanings import Meanings
from fastnav.training.recorded import Recorded
from fastnav.training.team import Team

#: What AdamW remembers of each weight.
_MEMORY = ("step", "exp_avg", "exp_avg_sq")
#: Between the seeds of processes that learn together, so that no two roll the same dice.
_RANKS_APART = 1_000_000


class Learner:
    """All that changes while an agent learns; `state` is the whole of it."""

    def __init__(
        self,
        agent: str,
        config: TrainingConfig,
        course: Course,
        seed: int,
        *,
        half: bool = False,
        team: Team | None = None,
    ) -> None:
        self.config, self.course = config, course
        self._team = team or Team()
        self._half = half  # on the CPU: matrix products in bfloat16
        self.teacher = replace(course.teacher, by_hops=bool(config.progress_by_hops), steered=config.steered)
        self.device = self.teacher.metres.device
        torch.manual_seed(seed)
        self._draws = torch.Generator().manual_seed(seed)
        self._kind = kind_named(agent)
        network = _network(self._kind, config, course).to(self.device)
        self.average = copy.deepcopy(network).eval()
        for part in self.average.modules():
            if isinstance(part, torch.nn.LSTM):
                part.flatten_parameters()  # a copy is scattered in a GPU's memory, which slows every call
        self._network = network.train()
        self._agent = self._standing(network)
        self._weights, self._averaged = list(network.parameters()), list(self.average.parameters())
        # Tensors, not numbers: a recorded step reads what they hold when it is replayed.
        self._rate = torch.tensor(config.rate, device=self.device)
        self._renewal = torch.tensor(1.0, device=self.device)
        on_gpu = self.device.type == "cuda"
        self._optimizer = torch.optim.AdamW(
            self._weights,
            lr=self._rate,
            weight_decay=config.weight_decay,
            betas=(config.beta1, config.beta2),
            fused=True,
            capturable=on_gpu,
        )
        sampled = torch.arange(config.batch, device=self.device) < int(config.batch * config.sampled)
        self._sampled = self._team.rows(sampled)
        # Messages between processes are no part of a recording.
        self._step = Recorded(self._learn) if self._team.size == 1 else self._learn
        if not self._team.leads:
            torch.manual_seed(seed + self._team.rank * _RANKS_APART)  # all began with the same weights

    def agent(self) -> Learned[Any, Any]:
        """The agent with averaged weights."""
        return self._standing(self.average)

    def step(self, iteration: int) -> Float[Tensor, " 3"]:
        """Learn from one batch: the sums of both losses, and of the steps they were taken over."""
        self._rate.fill_(self.config.rate_at(iteration))
        self._renewal.fill_(self.config.renewal_at(iteration))
        batch = self.course.lessons.draw(self.config.batch, self._draws)
        return self._step(batch if self._team.size == 1 else self._team.share(batch))

    def _standing(self, network: LearnedNetwork) -> Learned[Any, Any]:
        """The agent that has `network`, where it learns."""
        return self._kind.agent(network, self.course.world, self.course.sight, self.course.vocabulary)

    def _learn(self, batch: Batch) -> Float[Tensor, " 3"]:
        config = self.config
        self._optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._half):
            result = rollout(
                self._agent,
                self.teacher,
                batch,
                sampled=self._sampled,
                steps=config.steps,
                smoothing=config.smoothing,
            )
        figures = torch.stack([result.action_loss.detach(), result.progress_loss.detach(), result.steps])
        figures = self._team.summed(figures)
        loss = (result.action_loss + config.progress_weight * result.progress_loss) / figures[2]
        loss.backward()  # type: ignore[no-untyped-call]
        self._team.sum_up(weight.grad for weight in self._weights if weight.grad is not None)
        nn.utils.clip_grad_norm_(self._weights, config.clip)
        self._optimizer.step()
        with torch.no_grad():
            for average, weight in zip(self._averaged, self._weights, strict=True):
                average.lerp_(weight, self._renewal)
        return figures

    def state(self) -> dict[str, Tensor]:
        """Everything that the next steps depend on, by name."""
        held = {f"weights.{name}": weight for name, weight in self._network.state_dict().items()}
        held |= {f"average.{name}": weight for name, weight in self.average.state_dict().items()}
        for number, weight in enumerate(self._weights):
            memory = self._optimizer.state[weight]
            held |= {f"adam.{number}.{name}": memory[name] for name in _MEMORY}
        held["dice.draws"] = self._draws.get_state()
        for rank, dice in enumerate(self._team.gathered(self._dice())):
            held[_dice_of(rank)] = dice.cpu()
        return held

    def _dice(self) -> Tensor:
        """What this process's random numbers depend on, dropout's and samples', where messages take it."""
        dice = torch.get_rng_state()
        if self.device.type == "cuda":
            dice = torch.cat([dice, torch.cuda.get_rng_state(self.device)]).to(self.device)
        return dice

    def restore(self, held: Mapping[str, Tensor]) -> None:
        """Go back to a `state`; a KeyError, RuntimeError or ValueError where it is another network's."""
        self._network.load_state_dict(_part(held, "weights."))
        self.average.load_state_dict(_part(held, "average."))
        for number, weight in enumerate(self._weights):
            memory = {name: held[f"adam.{number}.{name}"] for name in _MEMORY}
            _refuse_misfits(memory, weight, number)
            moved = {name: value.to(self.device) for name, value in memory.items() if name != "step"}
            # AdamW counts its steps on the CPU, unless they are part of a recording.
            count = memory["step"].to(self.device if self.device.type == "cuda" else "cpu")
            self._optimizer.state[weight] = {"step": count, **moved}
        self._draws.set_state(held["dice.draws"])
        if _dice_of(self._team.size - 1) not in held or _dice_of(self._team.size) in held:
            raise ValueError(f"it was not saved by {self._team.size} processes")
        dice, on_cpu = held[_dice_of(self._team.rank)], len(torch.get_rng_state())
        torch.set_rng_state(dice[:on_cpu])
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(dice[on_cpu:], self.device)


def _refuse_misfits(memory: Mapping[str, Tensor], weight: Tensor, number: int) -> None:
    """Fused AdamW believes what it is given: it would write beyond the end of a memory that is too small."""
    for name, value in memory.items():
        shape = torch.Size() if name == "step" else weight.shape
        if value.shape != shape or value.dtype != weight.dtype:
            raise ValueError(f"adam.{number}.{name} is {value.dtype} of shape {tuple(value.shape)}")


def _dice_of(rank: int) -> str:
    return f"dice.{rank}"


def new_network(kind: Kind, config: TrainingConfig, words: int, sight: Sight) -> LearnedNetwork:
    """A new network of the sizes that are asked for."""
    own = {field.name for field in fields(kind.config)}
    chosen = {name: value for name, value in asdict(config).items() if name in own}
    return kind.network(kind.config(words=words, features=sight.width, geometry=GEOMETRY, **chosen))


def _network(kind: Kind, config: TrainingConfig, course: Course) -> LearnedNetwork:
    """A new network; words begin where they mean something."""
    network = new_network(kind, config, len(course.vocabulary), course.sight)
    if course.meanings is not None:
        _place_words(network, course.meanings)
    return network


def _place_words(network: LearnedNetwork, meanings: Meanings) -> None:
    """Words begin where they mean something."""
    vectors = network.encoder.embedding
    width = min(vectors.embedding_dim, meanings.places.shape[1])
    places = meanings.places[:, :width]
    known = places.abs().sum(dim=1) > 0
    with torch.no_grad():
        vectors.weight[known, :width] = places[known]
        if network.matcher is not None:
            network.matcher.meanings.copy_(meanings.seen)


def _part(held: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in held.items() if name.startswith(prefix)}
