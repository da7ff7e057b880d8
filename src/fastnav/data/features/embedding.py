"""Many sentences -> vectors, in pieces that a killed build picks up again."""

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float16

from fastnav.data.features.sentences import SentenceEncoder
from fastnav.data.features.workshop import Progress, Workshop, digest_of
from fastnav.errors import DataError

#: Sentences whose vectors are kept together: some seconds of work.
PIECE = 4096


def distinct(sentences: Iterable[str]) -> list[str]:
    """Each sentence once, those of few words first: sentences of like length are encoded together."""
    return sorted(set(sentences), key=lambda sentence: (len(sentence.split()), sentence))


def embed(
    shop: Workshop, encoder: SentenceEncoder, sentences: Sequence[str], progress: Progress
) -> Float16[np.ndarray, "sentence wide"]:
    """The vectors of `sentences`."""
    pieces = []
    for start in range(0, len(sentences), PIECE):
        progress(start, len(sentences))
        some = list(sentences[start : start + PIECE])
        key = f"sentences-{digest_of(encoder.name, encoder.digest, some)}"
        pieces.append(shop.piece(key, lambda some=some: _vectors(encoder, some)))  # type: ignore[misc]
    progress(len(sentences), len(sentences))
    return np.concatenate(pieces)


def _vectors(encoder: SentenceEncoder, sentences: list[str]) -> Float16[np.ndarray, "sentence wide"]:
    vectors = encoder.encode(sentences)
    if len(vectors) != len(sentences) or not np.isfinite(vectors).all():
        raise DataError(
            f"encoder {encoder.name}: gave {len(vectors)} vectors for {len(sentences)} sentences, or some "
            "that are no numbers; use another --encoder"
        )
    return vectors.astype(np.float16)
