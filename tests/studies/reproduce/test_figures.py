"""Figures: known answers, smaller budgets against searches of their own, and plots that are files."""

from pathlib import Path

import numpy as np
import pytest

from fastnav.evaluation.trace import Trace
from fastnav.search.named import fast_long, fast_short, greedy
from fastnav.search.scoring import score_named
from fastnav.studies.reproduce import budget, recovery
from fastnav.studies.reproduce.cut_searches import cut_searches
from fastnav.studies.reproduce.fieldwork import Fieldwork
from fastnav.studies.reproduce.registry import STUDIES
from fastnav.studies.trained import load_traveller, travel
from tests.studies.reproduce.conftest import Work


@pytest.mark.parametrize(
    ("walk", "path", "mistake"),
    [
        ("SCG", "SCG", "followed"),
        ("SC", "SCG", "stopped early"),
        ("S", "SCG", "stopped early"),
        ("SA", "SCG", "1"),
        ("SCSA", "SCG", "2"),
        ("SCGC", "SCG", "3"),  # past the goal
        ("BSAB", "BSCG", "2"),
    ],
)
def test_the_first_mistake(walk: str, path: str, mistake: str) -> None:
    assert recovery.first_mistake(tuple(walk), tuple(path)) == mistake


def test_recovery_of_an_agent_that_is_known(work: Work, scripted: None) -> None:
    """From S it turns to A at once, from B at its second step; FAST-short finds back both times."""
    finding = recovery.run(work()[0])
    (kind,) = finding.data["kinds"]
    assert [(group["mistake"], group["episodes"]) for group in kind["groups"]] == [("1", 6), ("2", 6)]
    for group in kind["groups"]:
        assert (group["greedy"]["mean"], group["fast-short"]["mean"]) == (0.0, 1.0)
        assert group["difference"]["mean"] == 1.0
    (sheet,) = finding.sheets
    assert sheet.rows[0][:2] == ("at step 1", "6")


def test_groups_stand_in_order() -> None:
    names = recovery._in_order(["10", "followed", "2", "stopped early", "2"])
    assert names == ["2", "10", "stopped early", "followed"]


@pytest.fixture
def searched(work: Work) -> tuple[Fieldwork, Trace]:
    fieldwork, _ = work()
    return fieldwork, fieldwork.trace(fieldwork.crews["smna"][0], fast_long())


@pytest.mark.parametrize("signal", ["sum-logit", "mean-logit", "sum-logp", "mean-logp"])
def test_a_cut_search_is_the_search_with_that_budget(searched: tuple[Fieldwork, Trace], signal: str) -> None:
    """Success, SPL and metres of each budget, against walks made with it."""
    fieldwork, trace = searched
    budgets = (1, 2, 3, 5, 8, 40)
    cut = cut_searches(trace, fieldwork.ground, budgets)
    traveller = load_traveller(fieldwork.crews["smna"][0].path, fieldwork.ground)
    for k, expansions in enumerate(budgets):
        strategy = fast_long(goal=score_named(signal), expansions=expansions)
        scores = fieldwork.score(travel(traveller, strategy))
        figures = cut.figures(cut.signals.index(signal))[:, k]
        np.testing.assert_allclose(figures, scores.columns(("SR", "SPL", "TL")), atol=1e-9)
        np.testing.assert_array_equal(cut.seen[:, k], scores.column("OSR") == 1.0)


def test_progress_is_a_signal_of_those_who_estimate_it(
    searched: tuple[Fieldwork, Trace], work: Work, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    fieldwork, trace = searched
    cut = cut_searches(trace, fieldwork.ground, (40,))
    assert cut.signals[-1] == "progress"
    search = trace.searches["30_0"]
    estimates = dict(zip(search.tree.expanded, search.tree.progress or (), strict=True))
    best = max(search.tree.candidates, key=lambda node: estimates[search.tree.parent[node]])
    near = search.tree.viewpoint[best] == 4  # G; only G is less than 3 m away, with C
    assert cut.succeeded[0, 0, -1] == (near or search.tree.viewpoint[best] == 3)
    request.getfixturevalue("scripted")
    other, _ = work(out=tmp_path / "other")
    plain = other.trace(other.crews["smna"][0], fast_long())
    assert "progress" not in cut_searches(plain, other.ground, (40,)).signals


def test_budget_of_an_agent_that_is_known(work: Work, scripted: None) -> None:
    """docs/search.md: from S it pops S, SA, SAB, SC, SCG, SB, SBA; the sum of logits then finds G."""
    finding = budget.run(work()[0])
    (kind,) = finding.data["kinds"]
    rows = {row["expansions"]: row for row in kind["budgets"]}
    assert list(rows) == list(budget.BUDGETS)
    assert rows[1]["seen"]["mean"] == 0.0 and rows[40]["seen"]["mean"] == 1.0
    assert rows[1]["chosen_by"]["sum-logit"]["TL"]["mean"] == 0.0
    assert rows[40]["chosen_by"]["sum-logit"]["SR"]["mean"] == 1.0
    assert kind["points"]["greedy"]["SR"]["mean"] == 0.0
    (sheet,) = finding.sheets
    assert sheet.rows[0][0] == "1 expansion" and sheet.rows[-1][0] == "FAST-short"
    assert all(len(row) == len(sheet.columns) for row in sheet.rows)


@pytest.mark.parametrize("study", [study for study in STUDIES if study.draws], ids=lambda study: study.name)
def test_plots_are_the_same_every_time(work: Work, tmp_path: Path, study: object) -> None:
    """SVG, whose words stay words, and PNG; no other file is left."""
    finding = study.run(work()[0])  # type: ignore[attr-defined]
    names = [f"{finding.name}{ending}" for ending in (".json", ".svg", ".png")]
    made = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        assert [path.name for path in finding.save(folder)] == names
        assert sorted(path.name for path in folder.iterdir()) == sorted(names)
        made.append([(folder / name).read_bytes() for name in names])
    assert made[0] == made[1]
    assert b"smna on val_unseen" in made[0][1] and b"FAST-short" in made[0][1]
    assert made[0][2].startswith(b"\x89PNG")


def test_both_searches_do_the_same_up_to_the_first_mistake(work: Work) -> None:
    """On this the comparison stands; who stops, or follows to the end, ends alike."""
    fieldwork, _ = work()
    split = fieldwork.ground.split
    for agent in fieldwork.crews["smna"]:
        plainly, searched = (
            fieldwork.record(agent, strategy).trajectories for strategy in (greedy(), fast_short())
        )
        for episode in split.scored:
            path = split.references[episode.path_id].path
            walks = [record[episode.instr_id].viewpoints for record in (plainly, searched)]
            mistake = recovery.first_mistake(walks[0], path)
            if mistake.isdecimal():
                assert walks[1][: int(mistake)] == path[: int(mistake)]
            else:
                assert walks[0] == walks[1]
