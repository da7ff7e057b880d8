"""Fieldwork: each walk is made once, and what is not the same walk is not taken for it."""

import json
from pathlib import Path

import pytest

from fastnav.errors import FastnavError, ResultError, UsageError
from fastnav.evaluation.results import read_result
from fastnav.search.named import fast_short, greedy
from fastnav.search.scoring import score_named
from tests.studies.reproduce.conftest import Work


def test_a_folder_gives_all_its_seeds(work: Work, trained: tuple[Path, Path]) -> None:
    for runs in ((), (trained[1] / "seed-1", trained[1] / "seed-2" / "checkpoint.safetensors")):
        fieldwork, _ = work(*runs)
        assert [(agent.kind, agent.seed) for agent in fieldwork.crews["smna"]] == [("smna", 1), ("smna", 2)]


def test_an_agent_is_no_second_seed_of_itself(work: Work, trained: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match="is the same agent as"):
        work(trained[1], trained[1] / "seed-1")


def test_who_cannot_be_scored_is_not_sent_out(work: Work) -> None:
    with pytest.raises(ResultError, match="no public goals"):
        work(split="test")


def test_a_walk_is_made_once(work: Work, tmp_path: Path) -> None:
    first, log = work()
    agent = first.crews["smna"][0]
    record = first.record(agent, greedy())
    assert log.began == [f"{agent.name} greedy-sum-logit"] and log.done == [(6, 6)]
    again, later = work()
    assert again.record(agent, greedy()) == record
    assert (later.began, later.found) == ([], log.began)
    (path,) = (tmp_path / "out" / "records").iterdir()
    assert read_result(path).trajectories == record.trajectories  # an ordinary record, as all others


def test_other_walks_are_made_apart(work: Work) -> None:
    fieldwork, log = work()
    one, two = fieldwork.crews["smna"]
    for agent in (one, two):
        fieldwork.record(agent, fast_short())
    fieldwork.record(one, fast_short(score_named("mean-logp")))
    assert fieldwork.record(one, fast_short(), trace=True).trace is not None
    assert fieldwork.record(one, fast_short()).trace is None
    assert len(log.began) == 4 and len(log.found) == 1
    work(split="val_seen")[0].record(one, greedy())  # does not stumble over those of another split


@pytest.mark.parametrize(
    "spoil",
    [
        lambda record: record["settings"].update(sha256="0" * 16),
        lambda record: record["settings"].update(score="mean-logp"),
        lambda record: record["settings"].update(data="0" * 16),
        lambda record: record.update(fastnav="0.0.1"),
        lambda record: record.update(episodes=record["episodes"][1:]),
        lambda record: record.update(schema=0),
    ],
)
def test_what_another_made_is_made_anew(work: Work, tmp_path: Path, spoil: object) -> None:
    fieldwork, log = work()
    agent = fieldwork.crews["smna"][0]
    record = fieldwork.record(agent, greedy())
    (path,) = (tmp_path / "out" / "records").iterdir()
    value = json.loads(path.read_text())
    spoil(value)  # type: ignore[operator]
    path.write_text(json.dumps(value))
    assert fieldwork.record(agent, greedy()) == record
    assert len(log.began) == 2 and not log.found


def test_an_interrupted_study_goes_on(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fieldwork, log = work()
    one, two = fieldwork.crews["smna"]
    fieldwork.record(one, greedy())

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(log, "walked", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fieldwork.record(two, greedy())
    assert [path.name for path in (tmp_path / "out" / "records").iterdir()] == [
        f"{one.name}-greedy-sum-logit-val_unseen.json"
    ]
    resumed, later = work()
    resumed.scores("smna", [greedy()])
    assert len(later.found) == 1 and len(later.began) == 1


def test_progress_is_asked_for(work: Work, request: pytest.FixtureRequest) -> None:
    assert work()[0].gives_progress("smna")
    request.getfixturevalue("scripted")
    assert not work()[0].gives_progress("smna")


def test_a_folder_without_agents_is_refused(work: Work, tmp_path: Path) -> None:
    with pytest.raises(FastnavError, match="nowhere: no such file"):
        work(tmp_path / "nowhere")
