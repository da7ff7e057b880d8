"""Where words lie in the spaces of feature tables, so that an agent need not learn them from nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from fastnav.data.features.table import FeatureTable
from fastnav.data.vocabulary import SPECIAL_WORDS, Vocabulary


@dataclass(frozen=True, eq=False)
class Meanings:
    """The words of a vocabulary in the spaces of what is seen; zeros for words that a space lacks."""

    places: Float[Tensor, "word place"]  # in the first space alone
    seen: Float[Tensor, "word feature"]  # as a view that showed nothing but the word would look


def meanings_of(tables: Sequence[FeatureTable], vocabulary: Vocabulary) -> Meanings | None:
    """The words in the spaces of all tables; None where no table knows words."""
    if not any("words" in table.meta for table in tables):
        return None
    spaces = [_places(table, vocabulary) for table in tables]
    seen = [_repeated(places, table.width) for places, table in zip(spaces, tables, strict=True)]
    first = next(places for places in spaces if places.shape[1])
    return Meanings(first, torch.cat(seen, dim=1))


def _places(table: FeatureTable, vocabulary: Vocabulary) -> Float[Tensor, "word place"]:
    """The words in a table's space, by such a scale that they vary by one; no columns if it has no words."""
    if "words" not in table.meta:
        return torch.zeros(len(vocabulary), 0)
    known, vectors = table.words()
    scale = max(float(np.asarray(vectors, dtype=np.float32).std()), 1e-6)
    row_of = {word: row for row, word in enumerate(known.words) if word not in SPECIAL_WORDS}
    places = torch.zeros(len(vocabulary), vectors.shape[1])
    for number, word in enumerate(vocabulary.words):
        if word in row_of:
            places[number] = torch.as_tensor(np.array(vectors[row_of[word]], dtype=np.float32)) / scale
    return places


def _repeated(places: Float[Tensor, "word place"], width: int) -> Float[Tensor, "word feature"]:
    """As often as the space fits into a table's features, which hold it once for each part of a view."""
    times = width // places.shape[1] if places.shape[1] else 0
    rest = places.new_zeros(len(places), width - times * places.shape[1])
    return torch.cat([places.repeat(1, times), rest], dim=1)
