"""The docs show parts of the examples, and what they print: `python -m tests.examples.shown` renews both."""

import contextlib
import importlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(ROOT / "docs" / name for name in ("search.md", "your-own-agent.md"))
PART = re.compile(r"<!-- (?P<file>examples/\w+\.py): (?P<region>\w+) -->\n\n```python\n.*?```\n", re.DOTALL)
OUTPUT = re.compile(r"<!-- output of examples/(?P<name>\w+)\.py -->\n\n```\n.*?```\n", re.DOTALL)


def regions(path: Path) -> dict[str, str]:
    """The marked parts of a file, by name."""
    found: dict[str, list[str]] = {}
    name = None
    for line in path.read_text().splitlines():
        if line.strip().startswith("# region "):
            name = line.split()[-1]
            found[name] = []
        elif line.strip() == "# endregion":
            name = None
        elif name is not None:
            found[name].append(line)
    return {name: "\n".join(lines).strip("\n") for name, lines in found.items()}


def renewed(page: str) -> str:
    """A page with all parts and outputs as they are now."""
    return OUTPUT.sub(_output, PART.sub(_part, page))


def _part(shown: re.Match[str]) -> str:
    text = regions(ROOT / shown["file"])[shown["region"]]
    return f"<!-- {shown['file']}: {shown['region']} -->\n\n```python\n{text}\n```\n"


def _output(shown: re.Match[str]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        importlib.import_module(f"examples.{shown['name']}").main()
    return f"<!-- output of examples/{shown['name']}.py -->\n\n```\n{printed.getvalue()}```\n"


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(renewed(path.read_text()))
