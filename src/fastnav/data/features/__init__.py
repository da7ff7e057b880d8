"""What can be seen: one table a source, of a feature for each of the 36 views of each viewpoint.

`build_*` derive a table once and keep it under `features/` in the data directory; `load_features` reads
tables by an expression such as `captions+objects`, in the order of a world's viewpoints.
"""

from fastnav.data.features.captions import build_captions
from fastnav.data.features.encoders import encoder_named
from fastnav.data.features.hdf5 import build_hdf5
from fastnav.data.features.loading import load_features, open_tables
from fastnav.data.features.objects import build_objects
from fastnav.data.features.resnet import build_resnet
from fastnav.data.features.sentences import DEFAULT_ENCODER, SentenceEncoder, TransformerEncoder
from fastnav.data.features.space import Space
from fastnav.data.features.table import FeatureTable, open_table, spaces_of
from fastnav.data.features.word_sums import WordEncoder

__all__ = [
    "DEFAULT_ENCODER",
    "FeatureTable",
    "SentenceEncoder",
    "Space",
    "TransformerEncoder",
    "WordEncoder",
    "build_captions",
    "build_hdf5",
    "build_objects",
    "build_resnet",
    "encoder_named",
    "load_features",
    "open_table",
    "open_tables",
    "spaces_of",
]
