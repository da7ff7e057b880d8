"""The words of train's instructions, put where the sentences of a table are."""

from pathlib import Path

import numpy as np

from fastnav.data.features.sentences import SentenceEncoder
from fastnav.data.features.space import Space
from fastnav.data.splits import load_split
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary


def train_scans(data: Path) -> set[str]:
    """The buildings that agents are trained in."""
    return set(load_split(data, "train").scans)


def train_words(data: Path) -> Vocabulary:
    """The word list that agents read instructions with."""
    return Vocabulary.build(episode.instruction for episode in load_split(data, "train").episodes)


def word_arrays(encoder: SentenceEncoder, space: Space, words: Vocabulary) -> dict[str, np.ndarray]:
    """The place of each word, encoded as a sentence of its own; special words stand at zero."""
    plain = words.words[len(SPECIAL_WORDS) :]
    special = np.zeros((len(SPECIAL_WORDS), space.width), dtype=np.float16)
    if not plain:
        return {"words": special}
    return {"words": np.concatenate([special, space.project(encoder.encode(plain))])}
