"""An agent that breaks its contract is told so once, by name, with what to do."""

from dataclasses import dataclass
from typing import Any

import pytest
import torch

from fastnav.agents.interface import StepOutput
from fastnav.agents.scripted import Numbered, TableAgent
from fastnav.errors import AgentError, UsageError
from fastnav.search import named
from fastnav.search.loop import search
from tests.search.playground import poses, run, world_and_agent

WORLD, SOUND = world_and_agent((5, 0.6, 3, 1))


@dataclass(frozen=True)
class Faulty(TableAgent):
    """Sound, but for what `spoil` does to its answer."""

    spoil: Any = None

    def step(self, *args: Any) -> Any:
        return self.spoil(*super().step(*args))


def spoiled(logits: Any) -> Any:
    return lambda state, output: (state, _output(logits(output)))


def _output(logits: Any, progress: Any = None) -> StepOutput:
    """A StepOutput of anything: the shape checks of the tests would refuse it before search does."""
    output = object.__new__(StepOutput)
    object.__setattr__(output, "logits", logits)
    object.__setattr__(output, "progress", progress)
    return output


def with_value(value: float, slot: int) -> Any:
    def change(output: StepOutput) -> torch.Tensor:
        logits = output.logits.clone()
        logits[-1, slot] = value
        return logits

    return change


def with_progress(progress: Any) -> Any:
    return lambda state, output: (state, _output(output.logits, progress(len(output.logits))))


FAULTS = {
    "logits with one axis more": (
        spoiled(lambda output: output.logits[None]),
        r"logits has shape \(1, 5, \d\), not \(5, \d\); give one number for each \(row, action\)",
    ),
    "logits too few": (spoiled(lambda output: output.logits[:, 1:]), r"logits has shape"),
    "whole numbers": (spoiled(lambda output: output.logits.long()), r"logits is of torch.int64; give float"),
    "a list": (spoiled(lambda output: output.logits.tolist()), r"logits is an object of list; give a tensor"),
    "nan": (spoiled(with_value(float("nan"), 0)), r"legal action 0 in row 4 is nan; give every action"),
    "infinite": (spoiled(with_value(float("inf"), 0)), r"legal action 0 in row 4 is inf"),
    "minus infinite": (spoiled(with_value(-float("inf"), 0)), r"legal action 0 in row 4 is -inf"),
    "progress of two axes": (
        with_progress(lambda rows: torch.zeros(rows, 1)),
        r"progress has shape \(5, 1\), not \(5,\); give one number for each \(row\)",
    ),
    "progress nan": (
        with_progress(lambda rows: torch.full((rows,), torch.nan)),
        r"progress is not finite in some row",
    ),
    "state of fewer rows": (
        lambda state, output: (Numbered(state.number[:2]), output),
        r"the state that step\(\) returned has 2 rows in 'number' for a batch of 5",
    ),
    "state that is no rows": (
        lambda state, output: (state.number, output),
        r"the state that step\(\) returned is an object of Tensor; make it a subclass of Rows",
    ),
    "no StepOutput": (
        lambda state, output: (state, output.logits),
        r"step\(\) returned an object of Tensor as its second value; return a StepOutput",
    ),
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_faults_are_named(fault: str) -> None:
    spoil, message = FAULTS[fault]
    with pytest.raises(AgentError, match=r"^Faulty: .*" + message):
        run(WORLD, Faulty(SOUND.logits, spoil=spoil), named.fast_short())


def test_masked_slots_may_hold_anything() -> None:
    logits = SOUND.logits.masked_fill(~torch.tensor(WORLD.mask), torch.nan)
    strategy = named.fast_long()
    tree, spotless = run(WORLD, TableAgent(logits), strategy), run(WORLD, SOUND, strategy)
    assert torch.equal(tree.sum_logit, spotless.sum_logit)
    assert torch.equal(tree.expanded, spotless.expanded)


def test_instructions_and_starts_must_fit() -> None:
    with pytest.raises(
        AgentError, match=r"TableAgent: the instruction has 3 rows in 'number' for a batch of 2"
    ):
        search(SOUND, WORLD, poses([0, 1]), SOUND.encode(["a", "b", "c"]), strategy=named.greedy())


@pytest.mark.parametrize(
    "strategy", [named.progress_inference(), named.fast_short(named.score_named("sum-logp-over-progress"))]
)
def test_progress_that_is_needed_and_missing(strategy: Any) -> None:
    with pytest.raises(UsageError, match="needs an estimate of progress, and this agent gives none"):
        run(WORLD, TableAgent(SOUND.logits), strategy)
