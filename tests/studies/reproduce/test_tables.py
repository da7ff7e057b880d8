"""Tables 2 and 3: their figures are those of the records, and the paper's stand beside them."""

import math
from pathlib import Path

import pytest

from fastnav.data.files import read_json
from fastnav.evaluation.results import read_result
from fastnav.search.scoring import LOCAL_SCORES
from fastnav.studies.reproduce import table2, table3
from fastnav.training.scorefile import SHIPPED, load_score
from tests.studies.reproduce.conftest import Work


def test_table_2_of_an_agent_that_is_known(work: Work, scripted: None) -> None:
    """It runs in circles greedily, and FAST-short brings it to the goal: docs/search.md."""
    finding = table2.run(work()[0])
    plainly, searched, thrifty = finding.data["rows"]
    assert (plainly["agent"], plainly["strategy"]) == ("smna", "greedy")
    assert plainly["SR"]["seeds"] == [0.0, 0.0] and searched["SR"]["seeds"] == [1.0, 1.0]
    # S A B A S C G, and B S A S C G, by a loop of 2 m and twice the root of 5 m.
    assert searched["TL"]["mean"] == pytest.approx(((2 * 2 + 2 * 5**0.5 + 4) + (5**0.5 + 2 + 2 + 4)) / 2)
    assert searched["NE"]["mean"] == 0.0
    assert searched["difference"]["SR"] == {"mean": 1.0, "low": 1.0, "high": 1.0, "p": 0.5}
    assert plainly["paper"] == {"TL": 12.61, "NE": 5.48, "SR": 0.47, "SPL": 0.41}
    (sheet,) = finding.sheets
    assert [row[0] for row in sheet.rows] == [
        *("smna", "  the paper", "smna + FAST-short", "  the paper", "  gained over greedy"),
        *("smna + FAST-thrifty, learned", "  gained over greedy"),
    ]
    assert thrifty["strategy"] == "fast-thrifty" and "difference" in thrifty
    assert sheet.rows[3] == ("  the paper", "21.17", "4.97", "56.0", "43.0")


def test_table_2_of_trained_agents_is_that_of_their_records(work: Work, tmp_path: Path) -> None:
    fieldwork, _ = work()
    finding = table2.run(fieldwork)
    paths = sorted((tmp_path / "out" / "records").iterdir())
    assert len(paths) == 6  # two seeds, three searches
    for row in finding.data["rows"]:
        of_search = [path for path in paths if row["strategy"] in path.name]
        scores = [fieldwork.scorer.score(read_result(path).trajectories, "test") for path in of_search]
        for metric in table2.METRICS:
            expected = [float(each.column(metric).mean()) for each in scores]
            assert row[metric]["seeds"] == pytest.approx(expected)
    assert [agent["seed"] for agent in finding.data["agents"]] == [1, 2]
    (saved,) = finding.save(tmp_path)
    assert read_json(saved) == finding.data


def test_table_3_has_every_score(work: Work) -> None:
    fieldwork, log = work()
    finding = table3.run(fieldwork)
    *named, learned = [row["score"] for row in finding.data["rows"]]
    assert named == list(LOCAL_SCORES) and learned == load_score(SHIPPED).name
    assert len(set(log.began)) == 2 * (len(LOCAL_SCORES) + 1)
    published = {row["score"]: row["paper"] for row in finding.data["rows"]}
    assert published["mean-logp"] == {"SR": 0.539, "SPL": 0.441, "TL": 15.6}
    assert published["sum-logit-over-progress"] == {}
    (sheet,) = finding.sheets
    assert {row[0]: row[4:] for row in sheet.rows}["sum-logit-over-progress"] == ("-", "-", "-")
    assert all(math.isfinite(row["SPL"]["mean"]) for row in finding.data["rows"])


def test_table_3_without_progress_has_four_scores(work: Work, scripted: None) -> None:
    rows = table3.run(work()[0]).data["rows"]
    assert [row["score"] for row in rows] == ["sum-logit", "mean-logit", "sum-logp", "mean-logp"]
