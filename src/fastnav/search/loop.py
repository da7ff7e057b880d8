"""search(): the only loop. Pick nodes, look around there, let the agent score the actions, grow the tree."""

from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from fastnav.agents.interface import Agent, Arrival, Rows, StepOutput
from fastnav.search.bank import StateBank
from fastnav.search.border import check_output, check_rows
from fastnav.search.growth import Lanes, grow
from fastnav.search.selection import Picks, pick, within_metres
from fastnav.search.strategies import Budget, Strategy
from fastnav.search.tree import SearchTree, plant
from fastnav.search.walking import Lengths, Walker
from fastnav.world.graph import World
from fastnav.world.simulator import Pose, observe

InstructionT = TypeVar("InstructionT", bound=Rows)
StateT = TypeVar("StateT", bound=Rows)


def search(
    agent: Agent[InstructionT, StateT],
    world: World,
    starts: Pose,
    instruction: InstructionT,
    *,
    strategy: Strategy,
    budget: Budget | None = None,
) -> SearchTree:
    """Search from each start, all rows together, until each has ended; `budget` replaces the strategy's own.

    The agent looks and steps on the device that `world` is on; the tree itself is on the CPU. An agent that
    can be in training mode must be in evaluation mode.
    """
    budget = budget or strategy.budget
    batch = len(starts.viewpoint)
    check_rows(agent, "the instruction", instruction, batch)
    # Planted outside inference mode, so that what is learned from a tree may be differentiated.
    tree = plant(starts, actions=world.actions, width=strategy.width, expansions=budget.expansions)
    with torch.inference_mode():
        there = _as_tensors(world)
        ground = there.to("cpu")
        explorer = _Explorer(agent, there, instruction, _begin(agent, instruction, tree))
        walkers = _walkers(tree, world, strategy) if budget.metres is not None else []
        picks = Picks(torch.arange(batch), torch.full((batch, 1), SearchTree.ROOT))
        while len(picks.row):
            lanes = _pop(tree, picks)
            if len(lanes):
                grow(tree, ground, lanes, explorer.look(tree, lanes), strategy.growth)
            picks = pick(tree, picks.row, strategy, budget)
            if budget.metres is not None:
                picks = within_metres(picks, tree, walkers, budget.metres)
    return tree


@dataclass
class _Explorer(Generic[InstructionT, StateT]):
    """The agent with its hidden states, on its device."""

    agent: Agent[InstructionT, StateT]
    world: World
    instruction: InstructionT
    bank: StateBank[StateT]
    _rows: Int[Tensor, " lane"] | None = None
    _taken: InstructionT | None = None

    def look(self, tree: SearchTree, lanes: Lanes) -> StepOutput:
        """What the agent says of the actions at each lane's node."""
        state = self.bank.before(tree, lanes)
        pose, arrival = self._where(tree, lanes)
        view = observe(self.world, pose)
        state, output = self.agent.step(self._instruction_of(lanes.row), state, view, arrival)
        check_rows(self.agent, "the state that step() returned", state, len(lanes))
        check_output(self.agent, output, view.mask)
        self.bank.put(state, lanes)
        return output

    def _instruction_of(self, rows: Int[Tensor, " lane"]) -> InstructionT:
        """Taken anew only when other rows are searching than in the last round."""
        if self._taken is None or self._rows is None or not torch.equal(rows, self._rows):
            self._rows, self._taken = rows, self.instruction.take(rows)
        return self._taken

    def _where(self, tree: SearchTree, lanes: Lanes) -> tuple[Pose, Arrival]:
        """Where each lane stands, and the action that led there."""
        node, row = lanes.node, lanes.row
        expansion = (node - 1).clamp(min=0) // tree.actions
        parent = torch.where(node == SearchTree.ROOT, node, tree.expanded[row, expansion])
        slot = torch.where(node == SearchTree.ROOT, Arrival.START, tree.slot[node])
        device = self.world.neighbour.device
        here, facing, left, faced, taken = (
            part.to(device)
            for part in (
                tree.viewpoint[row, node],
                tree.view[row, node],
                tree.viewpoint[row, parent],
                tree.view[row, parent],
                slot,
            )
        )
        return Pose(here, facing, torch.zeros_like(here, dtype=torch.bool)), Arrival(left, faced, taken)


def _begin(
    agent: Agent[InstructionT, StateT], instruction: InstructionT, tree: SearchTree
) -> StateBank[StateT]:
    """A bank that holds the states before the first step."""
    state = agent.begin(instruction)
    check_rows(agent, "the state that begin() returned", state, len(tree))
    return StateBank(state, len(tree), tree.expanded.shape[1])


def _pop(tree: SearchTree, picks: Picks) -> Lanes:
    """Mark the picked nodes as popped in this round; those that are not final are to be expanded."""
    row = picks.row[:, None].expand_as(picks.node)
    real = picks.node != SearchTree.NO_NODE
    expands = real & ~tree.is_final[row, picks.node.clamp(min=SearchTree.ROOT)]
    number = tree.expansions[picks.row][:, None] + expands.cumsum(dim=1) - 1
    turn = tree.width * (int(tree.popped_at.max()) // tree.width + 1) + torch.arange(picks.node.shape[1])
    tree.popped_at[row[real], picks.node[real]] = turn.expand_as(row)[real]
    return Lanes(row[expands], picks.node[expands], number[expands])


def _walkers(tree: SearchTree, world: World, strategy: Strategy) -> list[Walker]:
    lengths = Lengths(world)
    starts = tree.viewpoint[:, SearchTree.ROOT].tolist()
    return [Walker(lengths, start, strategy.walking) for start in starts]


def _as_tensors(world: World) -> World:
    """The world on its device; a world of numpy arrays, on the CPU."""
    return world if isinstance(world.neighbour, Tensor) else world.to("cpu")
