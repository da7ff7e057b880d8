"""The quickstart runs whole, on few houses here."""

from pathlib import Path

import pytest

from fastnav.data.houses import HousesConfig
from tests.cli.conftest import Command

FEW = HousesConfig(
    houses=3,
    val_unseen_houses=1,
    test_houses=1,
    viewpoints_per_house=25.0,
    train_routes_per_house=3,
    val_seen_routes_per_house=1,
    unseen_routes_per_house=3,
)


@pytest.fixture
def few_houses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the small size be a tiny one."""
    monkeypatch.setattr(HousesConfig, "small", classmethod(lambda cls, seed=1: FEW))


@pytest.mark.usefixtures("few_houses")
def test_quickstart(fastnav: Command) -> None:
    """It builds, walks, scores and draws, twice into the same folder, and its next steps work."""
    for _ in range(2):
        ran = fastnav("quickstart", "--out", "quick")
        assert ran.code == 0
    assert "9 instructions in houses never seen" in ran.out
    assert Path("quick/plan.svg").read_text().startswith("<svg")
    steps = [line.split() for line in ran.out.splitlines() if " compare " in line or " submit " in line]
    assert len(steps) == 2
    for step in steps:
        assert fastnav(*step[1:]).code == 0
    assert fastnav("data", "check", "--data", "quick/houses").code == 0


@pytest.mark.usefixtures("few_houses")
def test_houses_are_not_overwritten_unasked(fastnav: Command) -> None:
    """A folder in use is refused, and with --overwrite only houses of our own are replaced."""
    assert fastnav("data", "houses", "--out", "h").code == 0
    refused = fastnav("data", "houses", "--out", "h")
    assert refused.code == 6 and "--overwrite" in refused.err
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("")
    Path("mine/houses.json").write_text("{}")  # of somebody else's making
    assert fastnav("data", "houses", "--out", "mine", "--overwrite").code == 6
    assert Path("mine/thesis.tex").exists()
