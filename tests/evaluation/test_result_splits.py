"""Which split a result file is scored on: the one chosen, or else its own, or else test."""

import json
from pathlib import Path

import pytest

from fastnav.errors import ResultError, UnknownName, UsageError
from fastnav.evaluation.results import Result, load_split_for, refuse_split
from tests.evaluation.cases import trajectory


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory whose three splits hold one path each."""
    (tmp_path / "r2r").mkdir()
    for name in ("val_seen", "val_unseen", "test"):
        path = {"path_id": 1, "scan": "house", "heading": 0, "path": ["A"], "instructions": ["Stay here."]}
        (tmp_path / "r2r" / f"R2R_{name}.json").write_text(json.dumps([path]))
    return tmp_path


def result_on(split: str | None) -> Result:
    return Result(Path("mine.json"), "mine", split, {"1_0": trajectory("A")})


@pytest.mark.parametrize(
    ("own", "chosen", "used"),
    [
        ("val_seen", None, "val_seen"),
        ("val_seen", "val_unseen", "val_unseen"),
        (None, "val_seen", "val_seen"),
        (None, None, "test"),
    ],
)
def test_the_split_chosen_comes_first(own: str | None, chosen: str | None, used: str, data: Path) -> None:
    assert load_split_for(result_on(own), data, chosen).name == used


def test_a_split_that_the_file_makes_up_is_blamed_on_the_file(data: Path) -> None:
    with pytest.raises(ResultError, match=r"^mine\.json: unknown split 'val_sen'; did you mean val_seen"):
        load_split_for(result_on("val_sen"), data, None)
    with pytest.raises(UnknownName, match=r"^unknown split 'val_sen'"):
        load_split_for(result_on("val_seen"), data, "val_sen")


def test_a_run_on_another_split_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"^mine\.json: is a run on val_seen, not on test; choose its own"):
        refuse_split(result_on("val_seen"), "test")
