"""What all trained agents have in common: a network in a world, with eyes and a word list."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from fastnav.agents.interface import Agent, InstructionT, StateT
from fastnav.agents.layers import PAD, OneWayEncoder, SentenceEncoder
from fastnav.agents.matching import Matcher
from fastnav.agents.sight import Sight
from fastnav.data.vocabulary import END, SPECIAL_WORDS, Vocabulary
from fastnav.world.graph import World

#: Of a sentence with more tokens the last are lost, as in the published agents.
LONGEST_SENTENCE = 80


class LearnedNetwork(nn.Module, ABC):
    """What training and checkpoints know of a network: its sizes, and how it reads sentences."""

    config: Any  # a frozen dataclass of numbers
    encoder: SentenceEncoder | OneWayEncoder
    matcher: Matcher | None  # which compares words with views, where there is one

    @abstractmethod
    def encode(self, tokens: Int[Tensor, "batch token"]) -> Any:
        """Read sentences that are word numbers already: what the agent holds of an instruction."""

    def kept_features(self, rows: int, device: torch.device) -> Float[Tensor, "batch feature"]:
        """One mask for an episode: a feature that is gone is gone in every view, as in another building."""
        config = self.config
        seen = torch.ones(rows, config.features - config.geometry, device=device)
        geometry = torch.ones(rows, config.geometry, device=device)
        return torch.cat(
            [nn.functional.dropout(seen, config.feature_dropout, self.training), geometry], dim=1
        )


class Learned(Agent[InstructionT, StateT]):
    """A network in a world. Final classes say how it begins and steps; training needs no more than this."""

    estimates_progress: ClassVar[bool] = False
    low_level: ClassVar[bool] = False  # whether its world is one of poses (`world.poses`)
    longest: ClassVar[int] = 10  # actions that it takes at most, in greedy walks and beams

    def __init__(self, network: LearnedNetwork, world: World, sight: Sight, vocabulary: Vocabulary) -> None:
        self.network = network
        self.world = world
        self.sight = sight
        self.vocabulary = vocabulary

    @abstractmethod
    def read(self, tokens: Int[Tensor, "batch token"]) -> InstructionT:
        """Encode sentences that are word numbers already."""

    def encode(self, sentences: Sequence[str]) -> InstructionT:
        """Read the instructions."""
        tokens = tokenised(self.vocabulary, sentences, LONGEST_SENTENCE)
        return self.read(tokens.to(self.world.neighbour.device))


def tokenised(vocabulary: Vocabulary, sentences: Sequence[str], longest: int) -> Int[Tensor, "batch token"]:
    """Word numbers with an end mark, padded at the right; of more than `longest` tokens the last are lost."""
    end = SPECIAL_WORDS.index(END)
    rows = [[*vocabulary.encode(sentence)[: longest - 1], end] for sentence in sentences]
    width = max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])
