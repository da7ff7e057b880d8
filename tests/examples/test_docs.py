"""What the docs show of the examples is the examples' own text, and what they print."""

import re
from pathlib import Path

import pytest

from examples import worked_search
from fastnav.search.named import strategy_names
from fastnav.search.scoring import LOCAL_SCORES
from tests.examples.shown import OUTPUT, PAGES, PART, ROOT, regions, renewed

SEARCH = (ROOT / "docs" / "search.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_docs_show_the_examples_as_they_are(page: Path) -> None:
    """If not, `python -m tests.examples.shown` renews them."""
    text = page.read_text()
    assert text == renewed(text)
    # Each marker is one that is understood.
    assert text.count("<!--") == len(PART.findall(text)) + len(OUTPUT.findall(text)) > 0


def test_the_docs_show_every_part() -> None:
    """What is marked to be shown, is."""
    shown = {match for page in PAGES for match in PART.findall(page.read_text())}
    marked = {
        (f"examples/{path.name}", name) for path in (ROOT / "examples").glob("*.py") for name in regions(path)
    }
    assert shown == marked


def test_the_story_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/search.md tells of the walks, in the letters of the map."""
    worked_search.main()
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    walked = [line[1].split(",")[0] for line in lines if line[0] == "walked"]
    assert walked == ["SABSABSABSA", "SABASCG", "SABASCGCSBSCG"]
    candidates = [line[1] for line in lines if line[0] == "candidates"]
    assert candidates[2].count(",") + 1 == 7 and "SCG. 9" in candidates[2]


def test_the_docs_name_every_strategy_and_score() -> None:
    for name in strategy_names():
        assert re.search(f"`{name}(-N)?`", SEARCH), name
    for name in LOCAL_SCORES:
        assert f"`{name}`" in SEARCH, name


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert "://" in target or (page.parent / target).exists(), target
