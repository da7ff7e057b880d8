"""check_agent: whether an agent keeps the contract that search relies on.

Hidden states are the agent's own affair, so they are compared by what the agent says next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fastnav.agents.interface import Agent, StepOutput
from fastnav.errors import AgentError, FastnavError
from fastnav.search.border import check_output, check_rows
from fastnav.testing.plans import Moment, walk_at_random
from fastnav.world.graph import World

#: Of different lengths, since padding is where rows most often disturb each other.
SENTENCES = (
    "Walk straight ahead and stop at the door.",
    "Stop.",
    "Turn left, go up the stairs, pass the table with four chairs, and wait by the window on your right.",
    "Go into the kitchen, then leave it by the other door. Stop there.",
    "Turn around.",
)
_STEPS = 4
_TOLERANCE = 1e-4

AnyAgent = Agent[Any, Any]


@dataclass(frozen=True)
class Trial:
    """The same walk in other company, and what it means if the agent then says something else."""

    company: str
    rows: Int[Tensor, " row"]
    problem: str = ""
    taken: Int[Tensor, " taken"] | None = None  # rows of the rows, taken after the first step
    joined: bool = False  # take the state apart after the first step, and join it
    ask_twice: bool = False
    disguised: bool = False  # other values in masked slots


@dataclass(frozen=True)
class Answer:
    """What an agent said at one step, and to which rows of the walk."""

    rows: Int[Tensor, " row"]
    output: StepOutput


def check_agent(
    agent: AnyAgent,
    world: World,
    *,
    sentences: Sequence[str] = SENTENCES,
    seed: int = 0,
    tolerance: float = _TOLERANCE,
) -> None:
    """Raise an `AgentError` that says what is wrong with `agent`; return if all is well.

    It is led along random walks in `world`, together, alone, permuted, doubled, and with its rows taken and
    joined; it must say the same each time, to `tolerance` (float32 sums differ a little by batch).
    """
    world = world if isinstance(world.neighbour, Tensor) else world.to("cpu")
    plan = walk_at_random(world, len(sentences), _STEPS, seed)
    with torch.inference_mode():
        said = _lead(agent, sentences, plan, Trial("a batch", torch.arange(len(sentences))))
        for trial in trials(len(sentences)):
            again = _lead(agent, sentences, plan, trial)
            _compare(agent, said, again, trial.problem, tolerance)


def trials(batch: int) -> Iterator[Trial]:
    """All that is tried, the commonest faults first, so that the message names the cause."""
    rows = torch.arange(batch)
    yield Trial(
        "the same batch again",
        rows,
        "says something else when asked the same again; put it into evaluation mode, draw no random numbers",
    )
    yield Trial(
        "the same batch again",
        rows,
        "says something else when step() is called twice with the same state; return a new state and leave "
        "the given one as it was, for search comes back to it",
        ask_twice=True,
    )
    for row in range(batch):
        yield Trial(
            "a batch of one row",
            rows[row : row + 1],
            "says something else alone than in a batch; mask padding, of words and of actions, and use no "
            "statistics over the batch (BatchNorm in training mode does)",
        )
    yield Trial(
        "a permuted batch",
        rows.flip(0),
        "says something else when the rows are in another order; a row may not depend on its place",
    )
    yield from _trials_of_rows(rows)
    yield Trial(
        "other padding",
        rows,
        "minds what stands in masked slots; mask them in every attention and every mean",
        disguised=True,
    )


def _trials_of_rows(rows: Int[Tensor, " row"]) -> Iterator[Trial]:
    yield Trial(
        "rows that were taken",
        rows,
        "says something else after take(); return just the rows asked for, in that order",
        taken=rows.roll(1),
    )
    yield Trial(
        "rows that were taken twice",
        rows,
        "says something else when a row was taken twice; search goes on from one place in several directions",
        taken=torch.cat([rows, rows]),
    )
    yield Trial(
        "rows that were joined",
        rows,
        "says something else after join(); keep the order of the parts, and of the rows in them",
        joined=True,
    )


def _lead(agent: AnyAgent, sentences: Sequence[str], plan: list[Moment], trial: Trial) -> list[Answer]:
    """Lead the agent along the plan; its own exceptions are told as faults of the company it was in."""
    try:
        return list(_answers(agent, sentences, plan, trial))
    except FastnavError:
        raise
    except Exception as error:
        raise AgentError(agent, f"fails on {trial.company} with {type(error).__name__}: {error}") from error


def _answers(agent: AnyAgent, sentences: Sequence[str], plan: list[Moment], trial: Trial) -> Iterator[Answer]:
    rows = trial.rows
    instruction = agent.encode([sentences[row] for row in rows.tolist()])
    check_rows(agent, "the instruction that encode() returned", instruction, len(rows))
    state = agent.begin(instruction)
    check_rows(agent, "the state that begin() returned", state, len(rows))
    for number, moment in enumerate(plan):
        if number == 1 and trial.taken is not None:
            instruction, state, rows = (
                instruction.take(trial.taken),
                state.take(trial.taken),
                rows[trial.taken],
            )
        if number == 1 and trial.joined:
            numbers = torch.arange(len(rows))
            state = type(state).join([state.take(numbers[:2]), state.take(numbers[2:])])
        here = moment.take(rows)
        here = here.with_other_padding() if trial.disguised else here
        if trial.ask_twice:
            agent.step(instruction, state, here.view, here.arrival)
        state, output = agent.step(instruction, state, here.view, here.arrival)
        check_rows(agent, "the state that step() returned", state, len(rows))
        check_output(agent, output, here.view.mask)
        yield Answer(rows, _legal_only(output, here))


def _legal_only(output: StepOutput, moment: Moment) -> StepOutput:
    """What is said of masked slots does not count."""
    return StepOutput(output.logits.masked_fill(~moment.view.mask, 0.0), output.progress)


def _compare(
    agent: AnyAgent, said: list[Answer], again: list[Answer], problem: str, tolerance: float
) -> None:
    """Refuse answers that are not those that the same rows got in the whole batch."""
    for number, (first, second) in enumerate(zip(said, again, strict=True)):
        one, other = first.output, second.output
        gaps = {"logits": _largest_gap(one.logits[second.rows], other.logits)}
        if (one.progress is None) != (other.progress is None):
            raise AgentError(agent, "gives progress at some times only; give it always, or always None")
        if one.progress is not None and other.progress is not None:
            gaps["progress"] = _largest_gap(one.progress[second.rows], other.progress)
        for what, gap in gaps.items():
            if gap > tolerance:
                raise AgentError(agent, f"{problem} ({what} at step {number} differ by {gap:.2g})")


def _largest_gap(one: Float[Tensor, "..."], other: Float[Tensor, "..."]) -> float:
    """The largest difference, in proportion where the numbers are large."""
    one, other = one.double(), other.double()
    return float(((one - other).abs() / one.abs().clamp(min=1.0)).max())
