"""The Speaker-Follower's follower: it looks all around, reads, and chooses among the actions.

Fried et al. 2018, with changes: the sentence is encoded both ways, STOP is seen as the place itself,
places passed on the present path are marked, and training hides features for a whole episode, not for a step.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import Arrival, StepOutput, TensorRows
from fastnav.agents.layers import PAD, Dropout, SentenceEncoder, attend, dots
from fastnav.agents.learned import Learned, LearnedNetwork
from fastnav.agents.sight import nothing_passed, passed_among, with_passed
from fastnav.world.simulator import Observation
from fastnav.world.views import VIEWS, view_elevation, view_heading

#: sin and cos of where a view lies: sideways from the view that is faced, and up from the horizon.
ANGLES = 4
#: Width of the space in which views are compared with what is looked for.
_LOOK = 256


@dataclass(frozen=True)
class FollowerConfig:
    """Sizes, and what training switches off at random."""

    words: int
    features: int  # of an action, geometry included
    geometry: int  # of these, the last ones: never dropped
    word_width: int = 256
    width: int = 512
    dropout: float = 0.5
    feature_dropout: float = 0.4


@dataclass(frozen=True)
class FollowerInstruction(TensorRows):
    """Encoded sentences."""

    context: Float[Tensor, "batch token width"]
    mask: Bool[Tensor, "batch token"]
    hidden: Float[Tensor, "batch width"]
    cell: Float[Tensor, "batch width"]
    keep: Float[Tensor, "batch feature"]  # which features this episode shows, while training


@dataclass(frozen=True)
class FollowerState(TensorRows):
    """What a row remembers."""

    hidden: Float[Tensor, "batch width"]
    cell: Float[Tensor, "batch width"]
    passed: Int[Tensor, "batch passed"]


@dataclass(frozen=True, eq=False)
class Surroundings:
    """All that is seen from one place."""

    views: Float[Tensor, "batch view seen"]
    angles: Float[Tensor, "batch view angle"]
    actions: Float[Tensor, "batch action feature"]
    arrival: Float[Tensor, "batch feature"]  # the action that led here


class FollowerNetwork(LearnedNetwork):
    """The weights, apart from any world."""

    def __init__(self, config: FollowerConfig) -> None:
        super().__init__()
        self.config = config
        width, views = config.width, config.features - config.geometry + ANGLES
        self.encoder = SentenceEncoder(config.words, config.word_width, width, config.dropout)
        self.begin = nn.Linear(width, 2 * width)
        self.look = nn.Linear(width, _LOOK)
        self.view = nn.Linear(views, _LOOK, bias=False)
        self.cell = nn.LSTMCell(config.features + views, width)
        self.read = nn.Linear(width, width, bias=False)
        self.ground = nn.Linear(2 * width, width, bias=False)
        self.choose = nn.Linear(width, width)
        self.action = nn.Linear(config.features, width)
        self.matcher = None
        self.dropout = Dropout(config.dropout)

    def encode(self, tokens: Int[Tensor, "batch token"]) -> FollowerInstruction:
        """Read the sentences."""
        context, summary = self.encoder(tokens)
        hidden, cell = torch.tanh(self.begin(summary)).chunk(2, dim=1)
        keep = self.kept_features(len(tokens), tokens.device)
        return FollowerInstruction(context, tokens != PAD, hidden, cell, keep)

    def forward(
        self, instruction: FollowerInstruction, state: FollowerState, seen: Surroundings
    ) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"], StepOutput]:
        """One step: the new hidden and cell state, and what is thought of each action."""
        keep = instruction.keep
        looked = self._look(state.hidden, seen, keep)
        arrival = seen.arrival * keep
        hidden, cell = self.cell(torch.cat([arrival, looked], dim=-1), (state.hidden, state.cell))
        dropped = self.dropout(hidden)
        read, _ = attend(self.read(dropped), instruction.context, instruction.mask)
        grounded = torch.tanh(self.ground(torch.cat([read, dropped], dim=-1)))
        actions = self.action(seen.actions * keep[:, None])
        logits = dots(self.choose(grounded), actions)
        return hidden, cell, StepOutput(logits)

    def _look(
        self, hidden: Float[Tensor, "batch width"], seen: Surroundings, keep: Float[Tensor, "batch feature"]
    ) -> Float[Tensor, "batch look"]:
        """The mean of what is seen all around, weighted by what is looked for.

        What is looked for is taken into the space of the features, instead of all views out of it: the same
        dot products, at a 36th of the work.
        """
        query = self.look(hidden) @ self.view.weight
        kept = keep[:, : seen.views.shape[-1]]
        wanted, direction = query[:, :-ANGLES] * kept, query[:, -ANGLES:]
        scores = torch.einsum("bf,bvf->bv", wanted, seen.views)
        scores = scores + torch.einsum("bf,bvf->bv", direction, seen.angles)
        weights = scores.softmax(dim=-1)
        found = torch.einsum("bv,bvf->bf", weights, seen.views) * kept
        return torch.cat([found, torch.einsum("bv,bvf->bf", weights, seen.angles)], dim=-1)


def angles_from(view: Int[Tensor, " batch"]) -> Float[Tensor, "batch view angle"]:
    """Where each view lies, for an agent that faces `view`."""
    views = torch.arange(VIEWS, device=view.device)
    turn = view_heading(views)[None, :] - view_heading(view)[:, None]
    up = view_elevation(views).expand_as(turn)
    return torch.stack([turn.sin(), turn.cos(), up.sin(), up.cos()], dim=-1)


class Follower(Learned[FollowerInstruction, FollowerState]):
    """The network in a world, with eyes and a word list."""

    network: FollowerNetwork

    def read(self, tokens: Int[Tensor, "batch token"]) -> FollowerInstruction:
        """Encode sentences that are word numbers already."""
        return self.network.encode(tokens)

    def begin(self, instruction: FollowerInstruction) -> FollowerState:
        """The state before the first step."""
        rows = len(instruction.hidden)
        return FollowerState(
            instruction.hidden, instruction.cell, nothing_passed(rows, instruction.hidden.device)
        )

    def step(
        self,
        instruction: FollowerInstruction,
        state: FollowerState,
        observation: Observation,
        arrival: Arrival,
    ) -> tuple[FollowerState, StepOutput]:
        """Look around and score the actions."""
        passed = passed_among(state.passed, observation.neighbour)
        seen = Surroundings(
            views=self.sight.views[observation.viewpoint].float(),
            angles=angles_from(observation.view),
            actions=self.sight.actions(observation, passed),
            arrival=self.sight.arrival(self.world, arrival),
        )
        hidden, cell, output = self.network(instruction, state, seen)
        return FollowerState(hidden, cell, with_passed(state.passed, observation.viewpoint)), output
