"""The classic feature file: a TSV of base64 text, one viewpoint a line, such as ResNet-152-imagenet.tsv.

scanId  viewpointId  image_w  image_h  vfov  features      features: 36 x 2048 float32, little-endian
"""

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fastnav.data.features.dense import Row, build_dense
from fastnav.data.features.table import FeatureTable
from fastnav.data.features.views import VIEWS
from fastnav.data.features.workshop import Progress, ignore_progress
from fastnav.data.files import is_file
from fastnav.errors import MalformedFile, MissingFile

COLUMNS = ("scanId", "viewpointId", "image_w", "image_h", "vfov", "features")
WIDTH = 2048

_REMEDY = f"expected {len(COLUMNS)} columns with tabs between: {' '.join(COLUMNS)}"


class TsvFile:
    """The rows of a feature TSV."""

    def __init__(self, path: Path, width: int = WIDTH) -> None:
        if not is_file(path):
            raise MissingFile(path, "no such file", "name the unpacked .tsv with --from")
        self.path, self.width, self.end = path, width, path.stat().st_size

    def rows(self, start: int) -> Iterator[Row]:
        """The rows from byte `start` on."""
        with self.path.open("rb") as stream:
            stream.seek(start)
            while line := stream.readline():
                where = f"the row at byte {stream.tell() - len(line)}"
                if line.strip() and not line.startswith(COLUMNS[0].encode() + b"\t"):
                    yield self._row(line, where, stream.tell())

    def _row(self, line: bytes, where: str, after: int) -> Row:
        fields = line.rstrip(b"\r\n").split(b"\t")
        if len(fields) != len(COLUMNS):
            problem = f"{len(fields)} columns" if line.endswith(b"\n") else "the file ends within it"
            raise MalformedFile(self.path, problem, where=where, remedy=_REMEDY)
        scan, viewpoint = (field.decode("utf-8", "replace") for field in fields[:2])
        where = f"{where} (viewpoint {viewpoint} of building {scan})"
        try:
            content = base64.b64decode(fields[-1], validate=True)
        except binascii.Error as error:
            raise MalformedFile(self.path, f"not base64 ({error})", where=where, remedy=_REMEDY) from None
        if len(content) != 4 * VIEWS * self.width:
            problem = (
                f"expected {VIEWS} x {self.width} float32 values ({4 * VIEWS * self.width} bytes), "
                f"found {len(content)} bytes"
            )
            remedy = "choose the --width of the file, or fetch it again"
            raise MalformedFile(self.path, problem, where=where, remedy=remedy)
        values = np.frombuffer(content, dtype="<f4").reshape(VIEWS, self.width)
        return Row((scan, viewpoint), values, where, after)


def build_resnet(
    data: Path,
    source: Path,
    *,
    width: int = WIDTH,
    name: str = "resnet",
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> FeatureTable:
    """Build the table `resnet` from a feature TSV."""
    command = f"resnet --from {source.name}" + ("" if name == "resnet" else f" --name {name}")
    return build_dense(
        data, name, TsvFile(source, width), command=command, overwrite=overwrite, progress=progress
    )
