"""Throw bad input at every command, and count what comes of it."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.bad_input.cases import FILES
from tests.bad_input.harness import Harness, Judged
from tests.bad_input.trained_cases import TRAINED
from tests.bad_input.verdict import Outcome

SUBJECTS = {"files": FILES, "trained": TRAINED}
#: How many faults are told in full.
TOLD = 20
FAULTS = (Outcome.TRACEBACK, Outcome.HALF_WRITTEN, Outcome.UNCLEAR)


def main() -> int:
    """Run the cases and print the table; 1 if anything is at fault."""
    arguments = _arguments()
    begun = time.perf_counter()
    chosen = range(arguments.cases) if arguments.only is None else arguments.only
    with tempfile.TemporaryDirectory(prefix="bad-input-") as folder:
        harness = Harness(Path(folder), arguments.seed, SUBJECTS[arguments.subject])
        judged = [harness.judge(number) for number in chosen]
    faults = [each for each in judged if each.verdict.outcome in FAULTS]
    for each in judged if arguments.only else faults[:TOLD]:
        _tell(each, arguments.seed)
    _show_table(judged)
    seconds = time.perf_counter() - begun
    print(f"{len(judged)} cases in {seconds:.0f} s, seed {arguments.seed}: {len(faults)} at fault")
    if faults:
        numbers = " ".join(str(each.number) for each in faults[:TOLD])
        command = f"python -m tests.bad_input --subject {arguments.subject} --seed {arguments.seed}"
        print(f"repeat: {command} --only {numbers}")
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bad_input", description=__doc__)
    parser.add_argument(
        "--subject", choices=SUBJECTS, default="files", help="files and walks, or agents that are trained"
    )
    parser.add_argument("--cases", type=int, default=10_000, help="how many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", type=int, nargs="+", metavar="NUMBER", help="repeat these cases, and tell them"
    )
    return parser.parse_args()


def _tell(each: Judged, seed: int) -> None:
    print(f"--- case {each.number} (seed {seed}): {each.case.kind}: {each.case.what!a}")
    print(f"    fastnav {' '.join(ascii(word)[1:-1][:200] for word in each.case.argv)}")
    print(f"    {each.verdict.outcome}, exit code {each.ran.code}")
    for line in (*each.verdict.reasons, "said: " + ascii(each.ran.err[-1500:])[1:-1].replace("\\n", "\n  ")):
        print("    " + line.replace("\n", "\n    "))


def _show_table(judged: list[Judged]) -> None:
    counts = Counter((each.case.kind, each.verdict.outcome) for each in judged)
    kinds = sorted({kind for kind, _ in counts})
    made = Table("bad input", *Outcome, "cases", box=None, pad_edge=False)
    for column in made.columns[1:]:
        column.justify = "right"
    for name, chosen in (*((kind, [kind]) for kind in kinds), ("all", kinds)):
        row = [sum(counts[kind, outcome] for kind in chosen) for outcome in Outcome]
        made.add_row(Text(name), *map(str, row), str(sum(row)))
    Console(highlight=False, width=120).print(made)


if __name__ == "__main__":
    sys.exit(main())
