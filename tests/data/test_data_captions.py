"""Caption files -> a sentence for each of 24 directions."""

import json
from pathlib import Path

from fastnav.data.captions import LEVELS, SECTORS, captions_path, read_captions
from tests.data import samples


def read(tmp_path: Path, value: object) -> dict:
    path = captions_path(tmp_path, "house")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
    return read_captions(path)


def test_every_direction_has_its_sentence(tmp_path: Path) -> None:
    captions = read(tmp_path, samples.captions())
    assert list(captions) == ["a1", "b2"]
    entry = captions["b2"]
    assert entry.viewpoint_id == "b2"
    assert len(entry.sentences) == SECTORS
    kinds = dict(zip(LEVELS, ("floor", "wall", "ceiling"), strict=True))
    for sector, levels in enumerate(entry.sentences):
        assert levels == tuple(f"b2 {kinds[level]} {sector}" for level in LEVELS)


def test_a_sentence_may_be_empty_or_hold_colons_and_line_breaks(tmp_path: Path) -> None:
    value = samples.captions()
    value["a1"][0] = "down: \nmiddle: a sign: middle: exit\nor so\ntop: x"
    assert read(tmp_path, value)["a1"].sentences[0] == ("", "a sign: middle: exit\nor so", "x")


def test_a_building_without_viewpoints_has_no_captions(tmp_path: Path) -> None:
    assert read(tmp_path, {}) == {}
