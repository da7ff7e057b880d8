"""The border with agents: what they return is checked here, once, before search relies on it."""

from dataclasses import fields

import torch
from jaxtyping import Bool
from torch import Tensor

from fastnav.agents.interface import Rows, StepOutput, TensorRows
from fastnav.errors import AgentError


def check_rows(agent: object, what: str, held: object, rows: int) -> None:
    """Refuse what is not `Rows`, or holds another number of rows, as far as that can be seen."""
    if not isinstance(held, Rows):
        raise AgentError(
            agent, f"{what} is {_kind(held)}; make it a subclass of Rows, which can take and join rows"
        )
    if isinstance(held, TensorRows):
        for field in fields(held):
            found = len(getattr(held, field.name))
            if found != rows:
                raise AgentError(
                    agent, f"{what} has {found} rows in {field.name!r} for a batch of {rows}; give a row each"
                )


def check_output(agent: object, output: object, mask: Bool[Tensor, "row action"]) -> None:
    """Refuse logits and progress that search could not compare."""
    if not isinstance(output, StepOutput):
        raise AgentError(agent, f"step() returned {_kind(output)} as its second value; return a StepOutput")
    _check_numbers(agent, "logits", output.logits, tuple(mask.shape))
    wrong = mask & ~output.logits.isfinite()
    if bool(wrong.any()):
        row, slot = (int(k) for k in wrong.nonzero()[0])
        value = float(output.logits[row, slot])
        raise AgentError(
            agent,
            f"the logit of legal action {slot} in row {row} is {value}; "
            "give every action that the mask allows a finite number",
        )
    if output.progress is not None:
        _check_numbers(agent, "progress", output.progress, tuple(mask.shape[:1]))
        if not bool(output.progress.isfinite().all()):
            raise AgentError(agent, "progress is not finite in some row; give a number, or None for all rows")


def _check_numbers(agent: object, what: str, given: object, shape: tuple[int, ...]) -> None:
    if not isinstance(given, torch.Tensor):
        raise AgentError(agent, f"{what} is {_kind(given)}; give a tensor of shape {shape}")
    if tuple(given.shape) != shape:
        axes = "row, action" if len(shape) > 1 else "row"
        raise AgentError(
            agent, f"{what} has shape {tuple(given.shape)}, not {shape}; give one number for each ({axes})"
        )
    if not given.is_floating_point():
        raise AgentError(agent, f"{what} is of {given.dtype}; give floating-point numbers")


def _kind(given: object) -> str:
    return f"an object of {type(given).__name__}"
