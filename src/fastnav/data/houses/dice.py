"""Chance, one stream a house, so that a house does not depend on who builds the others."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

#: Numbers drawn at a time: a scalar draw from a numpy generator costs more than all that is done with it.
BLOCK = 4096


class Dice:
    """Random choices from one seeded generator."""

    def __init__(self, seed: int, house: int, purpose: str) -> None:
        # The purpose separates the streams: other words for a route must not move the walls.
        key = [seed, house, *purpose.encode()]
        self._generator = np.random.default_rng(key)
        self._block: list[float] = []

    def unit(self) -> float:
        """A number in [0, 1)."""
        if not self._block:
            self._block = self._generator.random(BLOCK).tolist()
        return self._block.pop()

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.unit()

    def normal(self) -> float:
        """A number around 0 with standard deviation 1 (a sum of uniforms: bounded, so no absurd house)."""
        return sum(self.unit() for _ in range(12)) - 6.0

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.unit() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.unit() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self.unit() * len(choices))]

    def weighted(self, choices: Sequence[T], weights: Sequence[float]) -> T:
        """One of the choices, each as likely as its weight says."""
        mark = self.unit() * sum(weights)
        for choice, weight in zip(choices, weights, strict=True):
            mark -= weight
            if mark < 0:
                return choice
        return choices[-1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The same items in another order."""
        rest = list(items)
        return [rest.pop(int(self.unit() * len(rest))) for _ in range(len(rest))]

    def digits(self, alphabet: str, count: int) -> str:
        """A name of `count` characters."""
        return "".join(self.pick(alphabet) for _ in range(count))
