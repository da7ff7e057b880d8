"""A toy data directory with captions, objects and feature files, and an encoder that needs no weights."""

import base64
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float32

from tests.toy_data import PLACES, SPLITS, write_json, write_toy_data

SCANS = sorted({scan for scan, _, _ in SPLITS.values()})
Point = tuple[float, float, float]

#: What stands where in each building, and the places at which it was annotated.
THINGS: dict[str, tuple[str, Point, str]] = {
    "1": ("red#lamp", (1.0, 3.0, 0.3), "SBC"),
    "2": ("bench", (2.0, -1.5, -0.9), "SC"),
    "3": ("old#clock", (-2.5, 1.0, 0.6), "A"),
}


class HashEncoder:
    """Gives each sentence 12 numbers out of its digest, of length 1."""

    def __init__(self, name: str = "hash") -> None:
        self.name = name
        self.digest = hashlib.sha256(name.encode()).hexdigest()
        self.asked = 0

    def encode(self, sentences: Sequence[str]) -> Float32[np.ndarray, "sentence feature"]:
        """Numbers that depend on the sentence and the encoder's name."""
        self.asked += len(sentences)
        rows = [hashlib.sha256(f"{self.name} {sentence}".encode()).digest()[:12] for sentence in sentences]
        values = np.array([list(row) for row in rows], dtype=np.float32).reshape(-1, 12) - 127.5
        return values / np.linalg.norm(values, axis=1, keepdims=True)


def write_data(data: Path) -> Path:
    """The toy data directory with captions and objects."""
    write_toy_data(data)
    for scan in SCANS:
        write_json(data / "captions" / f"{scan}.json", {name: captions(scan, name) for name in PLACES})
        for name in PLACES:
            write_json(data / "objects" / "BBox" / f"{scan}_{name}.json", {name: boxes(name)})
    return data


def captions(scan: str, name: str) -> list[str]:
    """Eight entries, each line with words of its own; the upper line is the same in all sectors."""
    return [f"down: {scan} {name} floor {k}\nmiddle: {name} wall {k}\ntop: a ceiling" for k in range(8)]


def boxes(name: str) -> dict[str, object]:
    """What is annotated at a place: a box of 20 x 10 pixels about each object's middle."""
    found: dict[str, object] = {}
    for key, (label, point, annotated) in THINGS.items():
        if name not in annotated:
            continue
        seen = views_of(PLACES[name], point)
        box = [[x - 10, y - 5, 20, 10] for x, y in seen.values()]
        found[key] = {"name": label, "visible_pos": list(seen), "bbox2d": box}
    return found


def views_of(eye: Point, point: Point) -> dict[int, tuple[float, float]]:
    """The views in which a point lies, and its pixel there: by turning the axes, angle by angle."""
    east, north, up = (b - a for a, b in zip(eye, point, strict=True))
    focal = 240 / math.tan(math.radians(30))
    found = {}
    for view in range(36):
        heading, elevation = math.radians(30 * (view % 12)), math.radians(30 * (view // 12 - 1))
        right = east * math.cos(heading) - north * math.sin(heading)
        ahead = east * math.sin(heading) + north * math.cos(heading)
        above = up * math.cos(elevation) - ahead * math.sin(elevation)
        ahead = ahead * math.cos(elevation) + up * math.sin(elevation)
        if ahead <= 0:
            continue
        x, y = 320 + focal * right / ahead, 240 - focal * above / ahead
        if 0 <= x <= 640 and 0 <= y <= 480:
            found[view] = (x, y)
    return found


def tsv_line(scan: str, name: str, values: np.ndarray) -> str:
    """One line of a feature TSV."""
    text = base64.b64encode(values.astype("<f4").tobytes()).decode()
    return "\t".join([scan, name, "640", "480", "60", text]) + "\n"


def photographs(width: int = 4) -> dict[tuple[str, str], np.ndarray]:
    """Made-up features of each viewpoint."""
    dice = np.random.default_rng(3)
    return {
        (scan, name): dice.normal(size=(36, width)).astype(np.float32) for scan in SCANS for name in PLACES
    }


def everything(folder: Path) -> dict[str, bytes]:
    """The bytes of all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
