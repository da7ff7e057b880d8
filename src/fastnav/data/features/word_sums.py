"""Sentences -> vectors without any model: the sum of their words' vectors.

Each word has a direction of its own, made from the digest of its spelling, so the same word is the same
everywhere and any two words are nearly at right angles. Nothing is learnt from texts: a sofa is as far from a
couch as from a door. That is enough for procedural houses, whose captions have a few hundred words.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from fastnav.data.vocabulary import tokenise

#: Entries of a vector.
WIDE = 384
_FORMAT = 1


class WordEncoder:
    """Sentences as the sums of their words, brought to length 1."""

    name = "words"
    digest = hashlib.sha256(f"words {_FORMAT} {WIDE}".encode()).hexdigest()

    def __init__(self) -> None:
        self._known: dict[str, Float32[np.ndarray, " wide"]] = {}

    def encode(self, sentences: Sequence[str]) -> Float32[np.ndarray, "sentence wide"]:
        """One vector for each sentence; zeros for one without words."""
        vectors = np.zeros((len(sentences), WIDE), dtype=np.float32)
        for row, sentence in enumerate(sentences):
            for word in tokenise(sentence):
                if word.isalnum():
                    vectors[row] += self._vector(word)
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(length, 1e-6)

    def _vector(self, word: str) -> Float32[np.ndarray, " wide"]:
        if word not in self._known:
            bits = np.unpackbits(np.frombuffer(_bytes(word), dtype=np.uint8))[:WIDE]
            self._known[word] = (2.0 * bits - 1.0).astype(np.float32)
        return self._known[word]


def _bytes(word: str) -> bytes:
    return hashlib.shake_256(word.encode()).digest(WIDE // 8)
