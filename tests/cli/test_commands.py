"""The commands that walk, score, compare and submit, on toy data with known answers."""

import json
from pathlib import Path

import pytest

from fastnav.evaluation.scoring import METRICS
from tests.cli.conftest import Command


def test_evaluate_json_of_the_shortest_path(fastnav: Command, data: Path) -> None:
    """The walk that knows the way is perfect, and its length is known: S-C-G is 4 m, B-S-C-G 4 + sqrt 5."""
    assert fastnav("navigate", "shortest", "--data", data, "--out", "w.json").code == 0
    scores = json.loads(fastnav("evaluate", "w.json", "--data", data, "--json").out)
    assert list(scores) == ["TL", "NE", "SR", "OSR", "SPL", "nDTW", "SDTW", "CLS"]
    assert scores["TL"]["mean"] == pytest.approx((4 + 4 + 5**0.5) / 2)
    assert scores["NE"]["mean"] == 0.0
    assert all(scores[name]["mean"] == 1.0 for name in METRICS[2:])
    assert all(set(value) == {"mean", "low", "high"} for value in scores.values())


def test_evaluate_table_speaks_percent_and_metres(fastnav: Command, data: Path) -> None:
    """A human reads percent; the remark goes to stderr."""
    fastnav("navigate", "shortest", "--data", data, "--out", "w.json")
    ran = fastnav("evaluate", "w.json", "--data", data)
    assert "shortest on val_unseen" in ran.out
    assert "SR % 100.0 [100.0, 100.0] -" in " ".join(ran.out.split())  # one building tells no interval
    assert "6 instructions, 2 paths, 1 building\n" in ran.err


def test_stop_agent_error_is_the_distance(fastnav: Command, data: Path) -> None:
    """Who stops at the start fails by the whole way."""
    fastnav("navigate", "stop", "--data", data, "--out", "stop.json")
    scores = json.loads(fastnav("evaluate", "stop.json", "--data", data, "--json").out)
    assert scores["NE"]["mean"] == pytest.approx((4 + 4 + 5**0.5) / 2)
    assert scores["TL"]["mean"] == scores["SR"]["mean"] == 0.0


def test_compare_tests_against_the_first(fastnav: Command, data: Path) -> None:
    """Differences are to the first system, and systems of one name are told apart."""
    fastnav("navigate", "stop", "--data", data, "--out", "a.json")
    fastnav("navigate", "shortest", "--data", data, "--out", "b.json")
    compared = json.loads(fastnav("compare", "a.json", "b.json", "a.json", "--data", data, "--json").out)
    assert [row["system"] for row in compared["systems"]] == ["stop (1)", "shortest", "stop (2)"]
    assert compared["against"] == "stop (1)"
    assert compared["differences"][0]["SR"]["mean"] == 1.0
    assert compared["differences"][1]["NE"] == {"mean": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}
    shown = fastnav("compare", "a.json", "b.json", "--data", data)
    assert "+100.0 [100.0, 100.0]" in shown.out


def test_submit_round_trip(fastnav: Command, data: Path) -> None:
    """What submit writes is accepted by submit, and scored by evaluate as the record is."""
    fastnav("navigate", "random", "--data", data, "--out", "w.json")
    assert "ready for the leaderboard" in fastnav("submit", "w.json", "--out", "s.json", "--data", data).out
    assert fastnav("submit", "s.json", "--split", "val_unseen", "--data", data).code == 0
    assert fastnav("submit", "w.json", "--data", data).code == 0
    of_record = fastnav("evaluate", "w.json", "--data", data, "--json").out
    of_file = fastnav("evaluate", "s.json", "--data", data, "--split", "val_unseen", "--json").out
    assert of_record == of_file


def test_submit_for_test_split(fastnav: Command, data: Path) -> None:
    """The test split has no goals: it can be walked and submitted, not scored, and nobody knows its ways."""
    fastnav("navigate", "random", "--data", data, "--split", "test", "--out", "w.json")
    assert fastnav("submit", "w.json", "--data", data, "--out", "s.json").code == 0
    assert "no public goals" in fastnav("evaluate", "w.json", "--data", data).err
    assert "no public goals" in fastnav("navigate", "shortest", "--data", data, "--split", "test").err


def test_jumps_are_told(fastnav: Command, data: Path) -> None:
    """A file that teleports is scored, with a warning; submit refuses it and writes nothing."""
    walks = [
        {"instr_id": f"{path}_{k}", "trajectory": [[s], ["G"]]}
        for path, s in ((30, "S"), (31, "B"))
        for k in range(3)
    ]
    Path("jump.json").write_text(json.dumps(walks))
    ran = fastnav("evaluate", "jump.json", "--data", data, "--split", "val_unseen")
    assert ran.code == 0 and "6 episodes go from one place to another that is not next to it" in ran.err
    refused = fastnav("submit", "jump.json", "--split", "val_unseen", "--data", data, "--out", "s.json")
    assert refused.code == 4 and "no edge" in refused.err and "30_0" in refused.err
    assert not Path("s.json").exists()


def test_data_from_environment(fastnav: Command, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FASTNAV_DATA stands in for --data; without either the message says how to get data."""
    assert "fastnav data houses" in fastnav("navigate", "stop").err
    monkeypatch.setenv("FASTNAV_DATA", str(data))
    assert fastnav("navigate", "stop").code == 0
    assert Path("stop-val_unseen.json").exists()


def test_long_paths_are_printed_whole(fastnav: Command, data: Path) -> None:
    """A path on stdout is for scripts, however long, and the command suggested next can be pasted."""
    out = Path("a folder") / ("x" * 200) / "w.json"
    ran = fastnav("navigate", "stop", "--data", data, "--out", out)
    assert ran.out == f"{out}\n"
    assert f" evaluate '{out}' --data" in ran.err
    assert " submit " in fastnav("navigate", "stop", "--data", data, "--split", "test").err


def test_figures_on_an_edited_copy_say_so(fastnav: Command, data: Path) -> None:
    """Toy files under the published names are edited copies of these; houses of our own are not."""
    fastnav("navigate", "stop", "--data", data, "--out", "w.json")
    assert (
        "r2r/R2R_val_unseen.json is not the published file"
        in fastnav("evaluate", "w.json", "--data", data).err
    )
    (data / "houses.json").write_text("{}")
    assert "published" not in fastnav("evaluate", "w.json", "--data", data).err


def test_compare_tells_which_file_is_which(fastnav: Command, data: Path) -> None:
    """Systems of one name are told apart by their files and settings."""
    for seed in (1, 2):
        fastnav("navigate", "random", "--data", data, "--seed", seed, "--out", f"r{seed}.json")
    ran = fastnav("compare", "r1.json", "r2.json", "--data", data)
    assert "random (1): r1.json (seed 1)" in ran.err and "random (2): r2.json (seed 2)" in ran.err
