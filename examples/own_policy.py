"""A policy of one's own, under greedy decoding, FAST, and a strategy of one's own.

    python examples/own_policy.py

builds procedural houses, trains the policy for half a minute, and prints how each strategy does with it in
houses that it has never seen. docs/your-own-agent.md walks through the parts.
"""

import argparse
import math
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from fastnav import HousesConfig, Scorer, Vocabulary, World, build_houses, load_world
from fastnav.agents.interface import Agent, Arrival, StepOutput, TensorRows
from fastnav.data.episodes import Episode
from fastnav.data.splits import Split, load_split
from fastnav.evaluation.scoring import METRICS, Scores
from fastnav.evaluation.significance import intervals
from fastnav.evaluation.trajectories import Trajectory, trajectory_of
from fastnav.search.backtracking import exploit
from fastnav.search.loop import search
from fastnav.search.named import fast_short, greedy
from fastnav.search.routes import walked_routes
from fastnav.search.strategies import Budget, Goal, Strategy
from fastnav.search.tree import SearchTree
from fastnav.world.simulator import Observation, Pose, observe, reset, step


# region policy
class Policy(nn.Module):
    """Plain PyTorch, as you have it: a GRU reads the words, another one remembers the way."""

    FEATURES = 6  # of an action: whether it stops or goes, where to, and how far

    def __init__(self, words: int, width: int = 64) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width, padding_idx=0)
        self.reader = nn.GRU(width, width // 2, batch_first=True, bidirectional=True)
        self.memory = nn.GRUCell(width + self.FEATURES, width)
        self.action = nn.Sequential(nn.Linear(self.FEATURES, width), nn.ReLU(), nn.Linear(width, width))
        self.wanted = nn.Linear(2 * width, width)

    def read(self, words: Tensor) -> Tensor:
        """Words `[batch, token]`, zero where a sentence has ended, to a vector for each."""
        lengths = (words != 0).sum(dim=1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embed(words), lengths, batch_first=True, enforce_sorted=False
        )
        return nn.utils.rnn.pad_packed_sequence(self.reader(packed)[0], batch_first=True)[0]

    def forward(
        self, text: Tensor, is_word: Tensor, memory: Tensor, came: Tensor, actions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The new memory, and a score for each of the actions `[batch, action, feature]`."""
        weight = torch.einsum("btw,bw->bt", text, memory).masked_fill(~is_word, -torch.inf).softmax(dim=1)
        heard = torch.einsum("bt,btw->bw", weight, text)
        memory = self.memory(torch.cat([heard, came], dim=1), memory)
        wanted = self.wanted(torch.cat([heard, memory], dim=1))
        return memory, torch.einsum("baw,bw->ba", self.action(actions), wanted)


# endregion


# region adapter
@dataclass(frozen=True)
class Instruction(TensorRows):
    """What is kept of each sentence for the whole episode."""

    text: Tensor  # [batch, token, width]
    is_word: Tensor  # [batch, token]


@dataclass(frozen=True)
class State(TensorRows):
    """What each row remembers."""

    memory: Tensor  # [batch, width]
    actions: Tensor  # [batch, action, feature]: those of the step before


class PolicyAgent(Agent[Instruction, State]):
    """The three methods by which search drives the policy."""

    def __init__(self, policy: Policy, vocabulary: Vocabulary, slots: int) -> None:
        self.policy, self.vocabulary, self.slots = policy, vocabulary, slots

    def encode(self, sentences: Sequence[str]) -> Instruction:
        end = self.vocabulary.words.index("<EOS>")  # so that no sentence is empty
        numbers = [torch.tensor([*self.vocabulary.encode(line), end]) for line in sentences]
        words = nn.utils.rnn.pad_sequence(numbers, batch_first=True)
        return Instruction(self.policy.read(words), words != 0)

    def begin(self, instruction: Instruction) -> State:
        last = instruction.is_word.sum(dim=1) - 1
        memory = instruction.text[torch.arange(len(last)), last]
        return State(memory, torch.zeros(len(last), self.slots, Policy.FEATURES))

    def step(
        self, instruction: Instruction, state: State, observation: Observation, arrival: Arrival
    ) -> tuple[State, StepOutput]:
        came = state.actions[torch.arange(len(arrival.slot)), arrival.slot.clamp(min=0)]
        actions = features(observation)
        memory, scores = self.policy(instruction.text, instruction.is_word, state.memory, came, actions)
        return State(memory, actions), StepOutput(scores)


def features(seen: Observation) -> Tensor:
    """The actions of each row as the policy wants them; zero where there is none."""
    stops = (torch.arange(seen.mask.shape[1]) == World.STOP).float().expand_as(seen.turn)
    parts = (stops, 1 - stops, seen.turn.sin(), seen.turn.cos(), seen.elevation.sin(), seen.distance / 5)
    return torch.stack(parts, dim=-1) * seen.mask[..., None]


# endregion


def train(agent: PolicyAgent, world: World, split: Split, epochs: int, seed: int) -> None:
    """Imitate the annotated paths. How you train is yours: fastnav asks for nothing here."""
    episodes, dice = list(split.scored), random.Random(seed)
    optimiser = torch.optim.Adam(agent.policy.parameters(), lr=3e-3)
    for _ in range(epochs):
        dice.shuffle(episodes)
        for first in range(0, len(episodes), 128):
            optimiser.zero_grad()
            imitation_loss(agent, world, split, episodes[first : first + 128]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    agent.policy.eval()


def imitation_loss(agent: PolicyAgent, world: World, split: Split, episodes: Sequence[Episode]) -> Tensor:
    """How surprised the policy is by the annotated actions, led along the annotated paths."""
    paths = [[world.index(e.scan, name) for name in split.references[e.path_id].path] for e in episodes]
    pose = starts_of(world, episodes)
    instruction = agent.encode([episode.instruction for episode in episodes])
    state, arrival = agent.begin(instruction), Arrival.at_start(pose.viewpoint, pose.view)
    losses = []
    for k in range(max(map(len, paths))):
        state, output = agent.step(instruction, state, observe(world, pose), arrival)
        slots = [world.slot(path[k], path[k + 1]) if k + 1 < len(path) else World.STOP for path in paths]
        right = torch.tensor(slots)
        legal = output.logits.masked_fill(~world.mask[pose.viewpoint], -torch.inf)
        losses.append(nn.functional.cross_entropy(legal, right, reduction="none")[~pose.finished])
        arrival = Arrival(pose.viewpoint, pose.view, right)
        pose = step(world, pose, right)
    return torch.cat(losses).mean()


# region navigate
def starts_of(world: World, episodes: Sequence[Episode]) -> Pose:
    """Where the episodes begin."""
    places = torch.tensor([world.index(episode.scan, episode.start) for episode in episodes])
    return reset(places, torch.tensor([episode.heading for episode in episodes]))


def navigate(
    agent: Agent[Any, Any], world: World, episodes: Sequence[Episode], strategy: Strategy
) -> dict[str, Trajectory]:
    """Search from every start together, choose the goals, and walk there."""
    instruction = agent.encode([episode.instruction for episode in episodes])
    tree = search(agent, world, starts_of(world, episodes), instruction, strategy=strategy)
    routes = walked_routes(tree, world, strategy.goal.choose(tree), strategy.walking)
    return {
        episode.instr_id: trajectory_of(world, route) for episode, route in zip(episodes, routes, strict=True)
    }


# endregion


# region strategy
def turn_back_when_unsure(tree: SearchTree, open_nodes: Tensor) -> Tensor:
    """Should we backtrack? Follow the agent, as FAST-short does, but only where it is rather sure."""
    follows = exploit(tree, open_nodes)
    log_probability = tree.sum_logp - tree.sum_logp.gather(1, tree.parent.clamp(min=SearchTree.ROOT))
    is_sure = (follows & (log_probability > math.log(0.4))).any(dim=1, keepdim=True)
    return torch.where(is_sure, follows, open_nodes)


def probable(tree: SearchTree) -> Tensor:
    """Where to? To the most probable path: it is not held against long ones that they are long."""
    return tree.sum_logp / tree.depth.clamp(min=1)


def sure_to_stop(tree: SearchTree) -> Tensor:
    """Which is the goal? A probable path at whose end the agent wanted to stop more than anything else."""
    return probable(tree) + tree.is_greedy.double()


def has_stopped_twice(tree: SearchTree) -> Tensor:
    """When do we stop? When the agent would have stopped at two places that it went to."""
    return (tree.candidates & tree.is_greedy).sum(dim=1) >= 2


def own_strategy() -> Strategy:
    """All four, with 60 m on foot and 40 looks around at most."""
    return Strategy(
        name="my-own",
        backtrack=turn_back_when_unsure,
        score=probable,
        goal=Goal(sure_to_stop),
        budget=Budget(expansions=40, metres=60.0, until=has_stopped_twice),
        stops_compete=False,
    )


# endregion


def own_agent(world: World, split: Split, *, epochs: int, seed: int) -> PolicyAgent:
    """The policy with the words of `split`, trained on its paths."""
    torch.manual_seed(seed)
    vocabulary = Vocabulary.build(episode.instruction for episode in split.episodes)
    agent = PolicyAgent(Policy(len(vocabulary)), vocabulary, world.actions)
    train(agent, world, split, epochs, seed)
    return agent


def table(found: dict[str, Scores]) -> str:
    """A line for each strategy: means, and 95 % intervals over whole paths."""
    shown = {"SR": 100, "SPL": 100, "TL": 1}
    lines = [f"{'':12}" + "".join(f"{name:>20}" for name in ("SR (%)", "SPL (%)", "TL (m)"))]
    for strategy, scores in found.items():
        by_metric = dict(zip(METRICS, intervals(scores.values, scores.path), strict=True))
        cells = (
            f"{factor * by_metric[name].mean:.1f} "
            f"[{factor * by_metric[name].low:.1f}, {factor * by_metric[name].high:.1f}]"
            for name, factor in shown.items()
        )
        lines.append(f"{strategy:12}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def main(config: HousesConfig, epochs: int, seed: int = 1) -> None:
    """Build, train, search, score, print."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "houses"
        build_houses(data, config)
        split, unseen = load_split(data, "train"), load_split(data, "val_unseen")
        world = load_world(data, cache=False)
    agent = own_agent(world.to("cpu"), split, epochs=epochs, seed=seed)
    scorer = Scorer(world, unseen)
    found = {}
    for strategy in (greedy(), fast_short(), own_strategy()):
        walked = navigate(agent, world.to("cpu"), unseen.scored, strategy)
        found[strategy.name] = scorer.score(walked, strategy.name)
    print(f"{len(unseen.scored)} instructions in {len(unseen.scans)} houses never seen")
    print(table(found))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    torch.set_num_threads(1)  # what is so small is quickest on one core
    main(HousesConfig.small(given.seed), given.epochs, given.seed)
