"""Sentence encoders by name."""

from fastnav.data.features.sentences import SentenceEncoder, TransformerEncoder
from fastnav.data.features.word_sums import WordEncoder
from fastnav.errors import UsageError


def encoder_named(name: str, *, precision: str = "auto") -> SentenceEncoder:
    """`words`, which needs nothing, or a sentence-transformers model: its name, or its folder."""
    if name != WordEncoder.name:
        return TransformerEncoder(name, precision=precision)
    if precision != "auto":
        raise UsageError(f"precision {precision!r} changes nothing in the encoder {name!r}; leave it out")
    return WordEncoder()
