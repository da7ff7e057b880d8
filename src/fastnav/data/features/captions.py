"""Captions -> a table: each view as its own caption and the one below it.

A viewpoint has 8 x 3 captions and 36 views. View k looks along heading 30 (k % 12) degrees and is given the
captions of the nearest of the eight sectors: first that of its own row, then that of the row below, which
tells what one would walk on (the lowest row has its own again).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Int32

from fastnav.data.captions import LEVELS, SECTORS, ViewpointCaptions, captions_path, read_captions
from fastnav.data.connectivity import read_scan_names
from fastnav.data.features.embedding import distinct, embed
from fastnav.data.features.sentences import SentenceEncoder
from fastnav.data.features.sources import source_digests
from fastnav.data.features.space import Space, refuse_other_encoder, space_for
from fastnav.data.features.table import FeatureTable, open_table
from fastnav.data.features.views import HEADINGS, VIEWS
from fastnav.data.features.words import train_scans, train_words, word_arrays
from fastnav.data.features.workshop import Place, Progress, Workshop, digest_of, ignore_progress

WIDTH = 128

#: Parts of a view: its own caption, and the one below.
PARTS = 2


@dataclass(frozen=True)
class _Read:
    """All captions of a data directory."""

    places: list[Place]
    sentences: list[str]  # each once
    number: Int32[np.ndarray, "viewpoint sector level"]  # of the sentence


def build_captions(
    data: Path,
    encoder: SentenceEncoder,
    *,
    width: int = WIDTH,
    space: Space | None = None,
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> FeatureTable:
    """Build the table `captions`, or open it if it is there and made from the same sources.

    Sentences are put into `space`, such as an agent knows, or else into one of `width` that fits them.
    """
    refuse_other_encoder(space, encoder.name)
    shop = Workshop(data, "captions")
    sources = source_digests(data, ("captions", "train"))
    version = digest_of("captions", sources, encoder.name, encoder.digest, space.digest if space else width)
    if not overwrite and shop.has(version):
        return open_table(data, shop.name)
    read = _read(data)
    vectors = embed(shop, encoder, read.sentences, progress)
    space, told = space_for(space, vectors[_of_train(data, read)], width)
    words = train_words(data)
    shop.publish(
        {
            "codes": space.project(vectors),
            "index": view_parts(read.number),
            "mean": space.mean,
            "basis": space.basis,
            **word_arrays(encoder, space, words),
        },
        {
            "kind": "concatenated",
            "version": version,
            "command": "captions",
            "sources": sources,
            "encoder": {"name": encoder.name, "digest": encoder.digest},
            "facts": {"sentences": len(read.sentences), **told},
            "words": words.words,
        },
        read.places,
    )
    return open_table(data, shop.name)


def view_parts(
    number: Int32[np.ndarray, "viewpoint sector level"],
) -> Int32[np.ndarray, "viewpoint view part"]:
    """The captions of each view, own one first."""
    view = np.arange(VIEWS)
    degrees = 30 * (view % HEADINGS)
    sector = np.round(degrees / (360 / SECTORS)).astype(int) % SECTORS
    level = view // HEADINGS
    below = np.maximum(level - 1, 0)
    return np.stack([number[:, sector, level], number[:, sector, below]], axis=2)


def _read(data: Path) -> _Read:
    found: list[tuple[str, ViewpointCaptions]] = []
    for scan in read_scan_names(data):
        found += [(scan, captions) for captions in read_captions(captions_path(data, scan)).values()]
    sentences = distinct(
        sentence for _, captions in found for levels in captions.sentences for sentence in levels
    )
    place = {sentence: k for k, sentence in enumerate(sentences)}
    number = np.array(
        [
            [[place[sentence] for sentence in levels] for levels in captions.sentences]
            for _, captions in found
        ],
        dtype=np.int32,
    )
    places = [(scan, captions.viewpoint_id) for scan, captions in found]
    return _Read(places, sentences, number.reshape(len(found), SECTORS, len(LEVELS)))


def _of_train(data: Path, read: _Read) -> np.ndarray:
    """The sentences of train's buildings: the space is fitted to them alone, as an agent is."""
    scans = train_scans(data)
    rows = [row for row, (scan, _) in enumerate(read.places) if scan in scans]
    return np.unique(read.number[rows] if rows else read.number)
