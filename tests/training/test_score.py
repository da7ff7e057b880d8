"""A local score is learnt: outcomes as a reader sees them, a rule that is found, a file that is safe."""

from pathlib import Path

import pytest
import torch

from fastnav.agents.tensorfile import read_tensors, write_tensors
from fastnav.errors import DataError, MalformedFile, UnknownName
from fastnav.search.learned import LearnedScore
from fastnav.search.signals import SIGNALS
from fastnav.training.score import Outcomes, examined, learnt_score, outcomes, rehearsals
from fastnav.training.scorefile import load_score, save_score, score_called
from fastnav.world import toy
from tests.search.playground import run
from tests.search.test_worked_examples import agent as agent_fixture

agent = agent_fixture


@pytest.fixture
def world():  # type: ignore[no-untyped-def]
    return toy.loop_and_arm()


def test_outcomes_of_the_worked_example(world, agent) -> None:  # type: ignore[no-untyped-def]
    """From S with goal G: following the agent from C ends at G, from A it circles; stops are as they lie.

    Going to A, the agent likes B, and there S, which closes a circle: A and B lead nowhere. C leads to G,
    where it stops: C and G succeed. S itself is no node that was gone to.
    """
    tree = run(world, agent, next(rehearsals()), [world.index("toy", "S")])
    near = tree.viewpoint == world.index("toy", "G")
    told = outcomes(tree, near, torch.tensor([7]))
    stops = told.seen[:, SIGNALS.index("stops")] == 1
    assert int(told.succeeded[stops].sum()) == 1  # the one at G
    moves = told.succeeded[~stops]
    assert moves.sum() == 2 and len(moves) == 6  # SC and SCG; SA, SAB, SB, SBA
    assert set(told.house.tolist()) == {7}


def clear_rule(count: int = 3000) -> Outcomes:
    """Success where progress and the logit together are high; four houses."""
    dice = torch.Generator().manual_seed(0)
    seen = torch.randn(count, len(SIGNALS), generator=dice)
    good = seen[:, SIGNALS.index("progress")] + seen[:, SIGNALS.index("logit")] > 0
    return Outcomes(seen, good.float(), torch.arange(count) % 4)


def test_a_clear_rule_is_found() -> None:
    """In houses held out it tells nearly all; the same seed learns the same score, whatever else is drawn."""
    told = clear_rule()
    figures = examined(told)
    assert figures["surprise"] < 0.35 < figures["surprise of a guess"]
    first = learnt_score(told)
    torch.rand(3)
    torch.testing.assert_close(first.into, learnt_score(told).into, rtol=0, atol=0)
    right = (first.odds(told.seen.double()) > 0) == told.succeeded.bool()
    assert right.double().mean() > 0.95


def test_a_file_keeps_it(tmp_path: Path) -> None:
    """Read back it says the same, and is called by what is in it."""
    score = learnt_score(clear_rule(500))
    save_score(tmp_path / "a.safetensors", score, {"split": "dev_unseen"})
    again = load_score(tmp_path / "a.safetensors")
    seen = clear_rule(20).seen.double()
    torch.testing.assert_close(again.odds(seen), score.odds(seen), rtol=0, atol=0)
    assert again.name.startswith("learned-") and len(again.name) == len("learned-") + 8


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda t, d: d.update(format="fastnav-agent"),
            MalformedFile,
            "not a learned score, but 'fastnav-agent'",
        ),
        (lambda t, d: d.update(signals=["depth"]), DataError, "a score for other signals"),
        (lambda t, d: d.update(version=2), DataError, "a score for other signals"),
        (lambda t, d: t.pop("level"), MalformedFile, "tensor 'level' is missing or of another shape"),
        (lambda t, d: t.update(out=torch.ones(3)), MalformedFile, "tensor 'out' is missing or of another"),
        (lambda t, d: t.pop("bias"), MalformedFile, "tensor 'into' is missing or of another shape"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, change, error: type, message: str) -> None:  # type: ignore[no-untyped-def]
    """Each fault is one message that names the file."""
    path = tmp_path / "score.safetensors"
    save_score(path, learnt_score(clear_rule(200)), {})
    tensors, description = read_tensors(path)
    change(tensors, description)
    write_tensors(path, tensors, description)
    with pytest.raises(error, match=message) as caught:
        load_score(path)
    assert str(path) in str(caught.value)


def test_the_one_that_comes_with_fastnav() -> None:
    """It is called by its name, and prefers progress to none where all else is equal."""
    score = score_called("learned")
    assert isinstance(score, LearnedScore) and score.name.startswith("learned-")
    seen = score.centre.repeat(2, 1)
    seen[:, SIGNALS.index("progress")] = torch.tensor([-0.5, 0.9], dtype=torch.float64)
    little, much = score.odds(seen).tolist()
    assert much > little
    with pytest.raises(UnknownName, match="did you mean learned"):
        score_called("learnt")
